"""Random streams: the published outputs, no bias, independence of split streams."""

from collections import Counter
from itertools import permutations

import pytest

from plyforge.core.randomness import Stream


def test_words_equal_the_published_ones_of_splitmix64() -> None:
    stream = Stream(1234567)
    assert [stream.next_word() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_seeds_are_truncated_to_64_bits() -> None:
    assert Stream(-1).next_word() == Stream(2**64 - 1).next_word() == Stream(2**65 - 1).next_word()


class Replay(Stream):
    """A stream with given words."""

    def __init__(self, *words: int) -> None:
        super().__init__(0)
        self.words = list(words)

    def next_word(self) -> int:
        return self.words.pop(0)


def test_below_rejects_words_that_would_bias_it() -> None:
    third = 2**64 // 3
    stream = Replay(3 * third, 3 * third - 1, 7)
    assert stream.below(3) == 2
    assert stream.below(3) == 1
    assert not stream.words


def test_below_reaches_every_number_about_equally_often() -> None:
    stream = Stream(1)
    counts = Counter(stream.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(900 < count < 1100 for count in counts.values())


def test_below_covers_the_whole_word_and_the_single_number() -> None:
    assert Stream(2).below(1) == 0
    assert Stream(2).below(2**64) == Stream(2).next_word()


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_a_bound_out_of_range_is_an_error(bound: int) -> None:
    with pytest.raises(ValueError, match=rf"bound must be between 1 and 2\^64, not {bound}"):
        Stream(0).below(bound)


def test_choice_returns_every_item_and_needs_at_least_one() -> None:
    stream = Stream(4)
    assert {stream.choice("abc") for _ in range(50)} == set("abc")
    with pytest.raises(ValueError, match="no items"):
        stream.choice([])


def test_shuffle_reaches_every_order_about_equally_often() -> None:
    stream = Stream(5)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        items = [0, 1, 2]
        stream.shuffle(items)
        counts[tuple(items)] += 1
    assert set(counts) == set(permutations(range(3)))
    assert all(900 < count < 1100 for count in counts.values())


def test_split_streams_differ_by_label_and_do_not_change_their_parent() -> None:
    stream = Stream(6)
    words = [stream.split(label).next_word() for label in ("a", "b", "a")]
    assert words[0] == words[2] != words[1]
    assert stream.next_word() == Stream(6).next_word()
    assert stream.split("a").next_word() != words[0]
