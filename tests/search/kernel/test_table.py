"""The transposition table: packing, places, and each rule of replacement as documented."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.compilation.interpreted import _Interpreter
from plyforge.core.scores import LOSS, WIN
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels import context as c
from plyforge.search.kernels import table
from plyforge.search.kernels.context import (
    DEEPER,
    DEEPER_TIMESTAMP,
    NEWER,
    OLD,
    SHARPLY_DEEPER,
    TWO_LEVEL,
)
from plyforge.search.kernels.table import EXACT, LOWER, UPPER

game = plyforge.load("tictactoe")


def linked(function: Any) -> Any:
    """A function of the kernel, uncompiled; which game it is linked to does not matter."""
    return np.errstate(over="ignore")(_Interpreter(game.rules, game.position_type).link(function))


store, probe = linked(table.store), linked(table.probe)
spread, place_of = linked(table.spread_key), linked(table.place_of)
is_valid = linked(table.is_valid)

keys = st.integers(0, 2**64 - 1)
values = st.one_of(
    st.floats(-(2**23), 2**23, width=32).map(lambda value: value + 0.0),
    st.integers(0, 250).map(lambda plies: float(WIN - plies)),
    st.integers(0, 250).map(lambda plies: float(LOSS + plies)),
)


class Table:
    """The kernel's functions uncompiled, on a context with nothing but a table."""

    def __init__(
        self, rule: int, entries: int = 1, same_too: bool = True, stamp_per_save: bool = True
    ) -> None:
        pairs = 2 if rule == TWO_LEVEL else 1
        self.hash = HashTable(entries * pairs, stamped=True)
        self.context: list[Any] = [0] * c.CONTEXT_WORDS
        self.context[c.TABLE] = self.hash.words
        self.context[c.STAMPS] = self.hash.stamps
        self.context[c.BUCKETS] = entries
        self.context[c.REPLACEMENT] = rule
        self.context[c.SAME_POSITION] = int(same_too)
        self.context[c.STAMP_PER_SAVE] = int(stamp_per_save)
        self.context[c.STAMP] = 1

    def store(
        self,
        key: int,
        plies: int,
        value: float = 0.0,
        bound: int = EXACT,
        move: int = 0,
        ply: int = 0,
        solid: int = 0,
    ) -> None:
        depth = plies * c.ONE_PLY
        store(np.uint64(key), ply, depth, value, bound, solid, move, self.context)

    def probe(self, key: int) -> Any:
        return probe(np.uint64(key), self.context)

    def depth(self, key: int) -> int | None:
        """The depth of a key's entry in plies; None if there is none."""
        data = self.probe(key)
        return None if int(data) == 0 else int(table.depth_of(data)) // c.ONE_PLY


# Packing


@given(
    key=keys,
    ply=st.integers(0, 250),
    depth=st.integers(0, 250),
    value=values,
    bound=st.sampled_from([EXACT, LOWER, UPPER]),
    solid=st.integers(0, 1),
    move=st.integers(-1, table.MAX_MOVE),
    generation=st.integers(0, table.GENERATIONS - 1),
)
def test_what_goes_in_comes_out(
    key: int,
    ply: int,
    depth: int,
    value: float,
    bound: int,
    solid: int,
    move: int,
    generation: int,
) -> None:
    kept = Table(NEWER)
    kept.context[c.GENERATION] = generation
    kept.store(key, depth, value, bound, move, ply, solid)
    data = kept.probe(key)
    assert float(table.value_at(data, ply)) == value
    assert int(table.depth_of(data)) == depth * c.ONE_PLY
    assert int(table.bound_of(data)) == bound
    assert int(table.proven_of(data)) == solid
    assert int(table.move_of(data)) == move
    assert int(table.generation_of(data)) == generation


@given(key=keys, other=keys)
def test_only_the_same_key_finds_an_entry(key: int, other: int) -> None:
    kept = Table(NEWER)
    assert int(kept.probe(key)) == 0
    kept.store(key, 3)
    assert kept.depth(key) == 3
    if other != key:
        assert kept.depth(other) is None


def test_key_zero_is_a_key_like_others() -> None:
    kept = Table(NEWER)
    assert int(kept.probe(0)) == 0
    kept.store(0, 2)
    assert kept.depth(0) == 2


def test_wins_are_counted_from_the_node() -> None:
    kept = Table(NEWER)
    kept.store(7, 4, value=WIN - 5.0, ply=2)
    data = kept.probe(7)
    assert float(table.value_at(data, 2)) == WIN - 5
    assert float(table.value_at(data, 6)) == WIN - 9
    kept.store(7, 4, value=LOSS + 5.0, ply=2)
    assert float(table.value_at(kept.probe(7), 0)) == LOSS + 3


def test_a_result_without_a_move_keeps_the_move_that_was_there() -> None:
    kept = Table(NEWER)
    kept.store(5, 2, move=9)
    kept.store(5, 3, move=-1)
    assert int(table.move_of(kept.probe(5))) == 9
    kept.store(6, 3, move=-1)
    assert int(table.move_of(kept.probe(6))) == -1


def test_moves_with_great_numbers_and_depths_beyond_the_field_are_left_out() -> None:
    kept = Table(NEWER)
    kept.store(5, 2, move=table.MAX_MOVE + 1)
    assert int(table.move_of(kept.probe(5))) == -1
    kept.store(5, 256)
    assert kept.depth(5) == 2


@given(entries=st.integers(1, 5000), rule=st.sampled_from([NEWER, TWO_LEVEL]), key=keys)
def test_places_lie_in_a_table_of_any_size(entries: int, rule: int, key: int) -> None:
    kept = Table(rule, entries)
    place = int(place_of(spread(np.uint64(key)), kept.context))
    words = 4 if rule == TWO_LEVEL else 2
    assert 0 <= place <= len(kept.hash.words) - words
    assert place % words == 0


@pytest.mark.parametrize("entries", [256, 300, 1000, 4097])
def test_every_place_of_a_table_of_any_size_is_used(entries: int) -> None:
    kept = Table(NEWER, entries)
    found = {int(place_of(spread(np.uint64(key)), kept.context)) for key in range(40 * entries)}
    assert len(found) == entries


# Which entries are believed


@pytest.mark.parametrize("at_least", [0, 1])
@pytest.mark.parametrize("solid", [0, 1])
@pytest.mark.parametrize("stored", [2, 3, 4])
def test_which_depth_is_believed(at_least: int, solid: int, stored: int) -> None:
    kept = Table(NEWER)
    kept.context[c.ACCEPTS_DEEPER] = at_least
    kept.store(1, stored, solid=solid)
    valid = bool(is_valid(kept.probe(1), 3 * c.ONE_PLY, kept.context))
    expected = {2: bool(solid), 3: True, 4: bool(at_least)}[stored]
    assert valid == expected


# Rules of replacement, for a collision: A is there with depth 4, B comes with less, as much, more

A, B = 11, 22


def winners(rule: int, **options: Any) -> list[str]:
    """Who is there after B came with depth 3, 4 and 5."""
    found = []
    for depth in (3, 4, 5):
        kept = Table(rule, **options)
        kept.store(A, 4)
        kept.store(B, depth)
        found.append("".join(name for name, key in (("A", A), ("B", B)) if kept.depth(key)))
    return found


def test_newer_always_replaces() -> None:
    assert winners(NEWER) == ["B", "B", "B"]


def test_deeper_replaces_what_is_at_most_as_deep() -> None:
    assert winners(DEEPER) == ["A", "B", "B"]


def test_sharply_deeper_replaces_what_is_less_deep() -> None:
    assert winners(SHARPLY_DEEPER) == ["A", "A", "B"]


def test_old_entries_are_never_replaced() -> None:
    assert winners(OLD) == ["A", "A", "A"]


def test_two_levels_keep_the_deeper_and_the_newer() -> None:
    assert winners(TWO_LEVEL) == ["AB", "AB", "AB"]


def test_time_stamps_make_up_for_depth() -> None:
    """Depth plus stamp is compared: every save after A's makes up for one ply."""
    for waits in range(4):
        for depth in range(1, 6):
            kept = Table(DEEPER_TIMESTAMP)
            kept.store(A, 4)
            kept.context[c.STAMP] += waits
            kept.store(B, depth)
            age = 1 + waits  # A's own save has moved the stamp on
            assert bool(kept.depth(B)) == (depth + age >= 4), (waits, depth)


def test_a_stamp_of_moves_stands_still_while_results_are_stored() -> None:
    kept = Table(DEEPER_TIMESTAMP, stamp_per_save=False)
    kept.store(A, 4)
    kept.store(B, 3)
    assert kept.depth(B) is None
    kept.context[c.STAMP] += 1
    kept.store(B, 3)
    assert kept.depth(B) == 3


@pytest.mark.parametrize("rule", [DEEPER, SHARPLY_DEEPER, OLD, DEEPER_TIMESTAMP])
def test_the_same_position_may_be_exempt_from_the_rule(rule: int) -> None:
    for same_too in (False, True):
        kept = Table(rule, same_too=same_too, stamp_per_save=False)
        kept.store(A, 4)
        kept.store(A, 3)
        assert kept.depth(A) == (4 if same_too else 3)


@pytest.mark.parametrize("rule", [NEWER, DEEPER, SHARPLY_DEEPER, OLD, DEEPER_TIMESTAMP, TWO_LEVEL])
def test_an_empty_place_is_always_filled(rule: int) -> None:
    kept = Table(rule)
    kept.store(A, 0)
    assert kept.depth(A) == 0


# Two levels


def test_what_is_driven_from_the_first_level_moves_to_the_second() -> None:
    kept = Table(TWO_LEVEL)
    kept.store(A, 2)
    kept.store(B, 1)
    kept.store(33, 5)
    assert [kept.depth(key) for key in (A, B, 33)] == [2, None, 5]
    kept.store(44, 1)
    assert [kept.depth(key) for key in (A, 33, 44)] == [None, 5, 1]


def test_an_older_generation_leaves_the_first_level_to_less_deep_results() -> None:
    kept = Table(TWO_LEVEL)
    kept.store(A, 5)
    kept.context[c.GENERATION] = 1
    kept.store(B, 1)
    kept.store(33, 1)
    assert [kept.depth(key) for key in (A, B, 33)] == [None, 1, 1]


@given(st.lists(st.tuples(st.sampled_from([A, B, 33, 44]), st.integers(0, 5)), max_size=30))
def test_a_position_never_stands_in_both_levels(stores: list[tuple[int, int]]) -> None:
    kept = Table(TWO_LEVEL)
    for key, depth in stores:
        kept.store(key, depth)
        assert kept.depth(key) == depth
        words = [int(word) for word in kept.hash.words]
        held = [words[i] ^ words[i + 1] for i in (0, 2) if words[i + 1]]
        assert len(set(held)) == len(held)
