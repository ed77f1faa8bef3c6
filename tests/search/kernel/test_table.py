"""The transposition table: packing, places, and each replacement rule."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.compilation.interpreted import _Interpreter
from plyforge.compilation.records import plain_class
from plyforge.core.scores import LOSS, WIN
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels import table
from plyforge.search.kernels.context import ONE_PLY, PROVEN, SOUND
from plyforge.search.kernels.table import (
    DEEPER,
    DEEPER_TIMESTAMP,
    EXACT,
    LOWER,
    NEWER,
    OLD,
    SHARPLY_DEEPER,
    TWO_LEVEL,
    UPPER,
)
from plyforge.search.options import Options
from plyforge.search.steps.linking import search_kernel

game = plyforge.load("tictactoe")
kernel = search_kernel(Options().kernel_steps)


def link(function: Any) -> Any:
    """Return a function of the kernel, uncompiled; the game does not matter."""
    interpreter = _Interpreter(game.rules, game.position_type, kernel.replacements)
    return np.errstate(over="ignore")(interpreter.link(function))


store, probe = link(table.store), link(table.probe)
spread, place_of = link(table.spread_key), link(table.place_of)
is_valid, proven_of = link(table.is_valid), link(table.proven_of)

keys = st.integers(0, 2**64 - 1)
values = st.one_of(
    st.floats(-(2**23), 2**23, width=32).map(lambda value: value + 0.0),
    st.integers(0, 250).map(lambda plies: float(WIN - plies)),
    st.integers(0, 250).map(lambda plies: float(LOSS + plies)),
)


class Table:
    """The kernel's functions, uncompiled, with a context that has only a table."""

    def __init__(
        self, rule: int, entries: int = 1, same_position: bool = True, stamp_per_save: bool = True
    ) -> None:
        pairs = 2 if rule == TWO_LEVEL else 1
        self.hash = HashTable(entries * pairs, stamped=True)
        self.context = plain_class(kernel.context)()
        self.context.entries = self.hash.words
        self.context.stamps = self.hash.stamps
        self.context.buckets = entries
        self.context.replace = rule
        self.context.same_position = int(same_position)
        self.context.stamp = int(stamp_per_save)
        self.context.now = 1

    def store(
        self,
        key: int,
        plies: int,
        value: float = 0.0,
        bound: int = EXACT,
        move: int = 0,
        ply: int = 0,
        proven: int = SOUND,
    ) -> None:
        depth = plies * ONE_PLY
        store(np.uint64(key), ply, depth, value, bound, proven, move, self.context)

    def probe(self, key: int) -> Any:
        return probe(np.uint64(key), self.context)

    def depth(self, key: int) -> int | None:
        """Return the depth of a key's entry in plies; None if there is none."""
        data = self.probe(key)
        return None if int(data) == 0 else int(table.depth_of(data)) // ONE_PLY


# Packing


@given(
    key=keys,
    ply=st.integers(0, 250),
    depth=st.integers(0, 250),
    value=values,
    bound=st.sampled_from([EXACT, LOWER, UPPER]),
    proven=st.sampled_from([SOUND, PROVEN]),
    move=st.integers(-1, table.MAX_MOVE),
    generation=st.integers(0, table.GENERATIONS - 1),
)
def test_an_entry_is_read_as_it_was_stored(
    key: int,
    ply: int,
    depth: int,
    value: float,
    bound: int,
    proven: int,
    move: int,
    generation: int,
) -> None:
    small = Table(NEWER)
    small.context.generation = generation
    small.store(key, depth, value, bound, move, ply, proven)
    data = small.probe(key)
    assert float(table.value_at(data, ply)) == value
    assert int(table.depth_of(data)) == depth * ONE_PLY
    assert int(table.bound_of(data)) == bound
    assert int(proven_of(data)) == proven
    assert int(table.move_of(data)) == move
    assert int(table.generation_of(data)) == generation


@given(key=keys, other=keys)
def test_only_the_same_key_finds_an_entry(key: int, other: int) -> None:
    small = Table(NEWER)
    assert int(small.probe(key)) == 0
    small.store(key, 3)
    assert small.depth(key) == 3
    if other != key:
        assert small.depth(other) is None


def test_key_zero_is_a_valid_key() -> None:
    small = Table(NEWER)
    assert int(small.probe(0)) == 0
    small.store(0, 2)
    assert small.depth(0) == 2


def test_wins_are_counted_from_the_node() -> None:
    small = Table(NEWER)
    small.store(7, 4, value=WIN - 5.0, ply=2)
    data = small.probe(7)
    assert float(table.value_at(data, 2)) == WIN - 5
    assert float(table.value_at(data, 6)) == WIN - 9
    small.store(7, 4, value=LOSS + 5.0, ply=2)
    assert float(table.value_at(small.probe(7), 0)) == LOSS + 3


def test_a_result_without_a_move_keeps_the_stored_move() -> None:
    small = Table(NEWER)
    small.store(5, 2, move=9)
    small.store(5, 3, move=-1)
    assert int(table.move_of(small.probe(5))) == 9
    small.store(6, 3, move=-1)
    assert int(table.move_of(small.probe(6))) == -1


def test_indices_and_depths_that_do_not_fit_are_not_stored() -> None:
    small = Table(NEWER)
    small.store(5, 2, move=table.MAX_MOVE + 1)
    assert int(table.move_of(small.probe(5))) == -1
    small.store(5, 256)
    assert small.depth(5) == 2


@given(entries=st.integers(1, 5000), rule=st.sampled_from([NEWER, TWO_LEVEL]), key=keys)
def test_places_lie_inside_a_table_of_any_size(entries: int, rule: int, key: int) -> None:
    small = Table(rule, entries)
    place = int(place_of(spread(np.uint64(key)), small.context))
    words = 4 if rule == TWO_LEVEL else 2
    assert 0 <= place <= len(small.hash.words) - words
    assert place % words == 0


@pytest.mark.parametrize(
    "entries", [300, *(pytest.param(n, marks=pytest.mark.long) for n in (256, 1000, 4097))]
)
def test_every_place_of_a_table_of_any_size_is_used(entries: int) -> None:
    small = Table(NEWER, entries)
    places = {int(place_of(spread(np.uint64(key)), small.context)) for key in range(40 * entries)}
    assert len(places) == entries


# Which entries are valid


@pytest.mark.parametrize("at_least", [0, 1])
@pytest.mark.parametrize("proven", [SOUND, PROVEN])
@pytest.mark.parametrize("stored", [2, 3, 4])
def test_an_entry_is_valid_by_its_depth_and_proof(at_least: int, proven: int, stored: int) -> None:
    small = Table(NEWER)
    small.context.depth_rule = at_least
    small.store(1, stored, proven=proven)
    valid = bool(is_valid(small.probe(1), 3 * ONE_PLY, small.context))
    expected = {2: proven == PROVEN, 3: True, 4: bool(at_least)}[stored]
    assert valid == expected


# Replacement rules: A is stored with depth 4, then B with less, the same and more

A, B = 11, 22


def winners(rule: int, **options: Any) -> list[str]:
    """Return which keys are found after B was stored with depth 3, 4 and 5."""
    found = []
    for depth in (3, 4, 5):
        small = Table(rule, **options)
        small.store(A, 4)
        small.store(B, depth)
        found.append("".join(name for name, key in (("A", A), ("B", B)) if small.depth(key)))
    return found


def test_newer_always_replaces() -> None:
    assert winners(NEWER) == ["B", "B", "B"]


def test_deeper_replaces_what_is_at_most_as_deep() -> None:
    assert winners(DEEPER) == ["A", "B", "B"]


def test_sharply_deeper_replaces_what_is_shallower() -> None:
    assert winners(SHARPLY_DEEPER) == ["A", "A", "B"]


def test_old_entries_are_never_replaced() -> None:
    assert winners(OLD) == ["A", "A", "A"]


def test_two_levels_keep_the_deeper_and_the_newer() -> None:
    assert winners(TWO_LEVEL) == ["AB", "AB", "AB"]


def test_later_time_stamps_compensate_for_depth() -> None:
    """Depth plus stamp is compared: every save after A's counts as one ply."""
    for waits in range(4):
        for depth in range(1, 6):
            small = Table(DEEPER_TIMESTAMP)
            small.store(A, 4)
            small.context.now += waits
            small.store(B, depth)
            age = 1 + waits  # A's own save has advanced the stamp
            assert bool(small.depth(B)) == (depth + age >= 4), (waits, depth)


def test_a_stamp_of_moves_does_not_change_while_results_are_stored() -> None:
    small = Table(DEEPER_TIMESTAMP, stamp_per_save=False)
    small.store(A, 4)
    small.store(B, 3)
    assert small.depth(B) is None
    small.context.now += 1
    small.store(B, 3)
    assert small.depth(B) == 3


@pytest.mark.parametrize("rule", [DEEPER, SHARPLY_DEEPER, OLD, DEEPER_TIMESTAMP])
def test_the_same_position_can_be_exempt_from_the_rule(rule: int) -> None:
    for same_position in (False, True):
        small = Table(rule, same_position=same_position, stamp_per_save=False)
        small.store(A, 4)
        small.store(A, 3)
        assert small.depth(A) == (4 if same_position else 3)


@pytest.mark.parametrize("rule", [NEWER, DEEPER, SHARPLY_DEEPER, OLD, DEEPER_TIMESTAMP, TWO_LEVEL])
def test_an_empty_place_is_always_filled(rule: int) -> None:
    small = Table(rule)
    small.store(A, 0)
    assert small.depth(A) == 0


# Two levels


def test_an_entry_that_loses_the_first_level_moves_to_the_second() -> None:
    small = Table(TWO_LEVEL)
    small.store(A, 2)
    small.store(B, 1)
    small.store(33, 5)
    assert [small.depth(key) for key in (A, B, 33)] == [2, None, 5]
    small.store(44, 1)
    assert [small.depth(key) for key in (A, 33, 44)] == [None, 5, 1]


def test_a_shallower_result_replaces_an_older_generation_in_the_first_level() -> None:
    small = Table(TWO_LEVEL)
    small.store(A, 5)
    small.context.generation = 1
    small.store(B, 1)
    small.store(33, 1)
    assert [small.depth(key) for key in (A, B, 33)] == [None, 1, 1]


@given(st.lists(st.tuples(st.sampled_from([A, B, 33, 44]), st.integers(0, 5)), max_size=30))
def test_a_position_is_never_in_both_levels(stores: list[tuple[int, int]]) -> None:
    small = Table(TWO_LEVEL)
    for key, depth in stores:
        small.store(key, depth)
        assert small.depth(key) == depth
        words = [int(word) for word in small.hash.words]
        held = [words[i] ^ words[i + 1] for i in (0, 2) if words[i + 1]]
        assert len(set(held)) == len(held)
