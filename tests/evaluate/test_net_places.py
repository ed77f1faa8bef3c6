"""Tables of nets that are read place by place: a move reads only the places that it changes."""

from typing import Any

import numpy as np
import pytest

from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.evaluate import net, quantise, table, with_evaluation
from plyforge.rules import ctz, linear, popcount, random_weights
from tests.evaluate.nets import board, content

BITS = 25
"""The bits of a 5x4 board of connect four."""


def colour_at(position: Any, bit: int) -> int:
    mine, theirs = position.mine, position.stones ^ position.mine
    if popcount(position.stones) & 1:
        mine, theirs = theirs, mine
    return 3 * bit + content(mine, theirs, bit)


def new_stone(position: Any, move: int, child: Any) -> tuple[int, int, int]:
    place = ctz(position.stones ^ child.stones)
    return place, -1, place  # one twice, and one that is none


def nothing(position: Any, move: int, child: Any) -> tuple[int, int]:
    return -1, -1


def far_away(position: Any, move: int, child: Any) -> tuple[int, int]:
    return BITS, -1


def side(position: Any) -> int:
    return popcount(position.stones) & 1


def game_with(update: Any) -> Any:
    cells = table(colour_at, 3 * BITS, places=BITS, update=update)
    form = net({"cells": cells, "side": table(side, 2)}, (8,))
    return with_evaluation(board(), quantise(form.with_weights(random_weights(form, 2))))


def compare_states(game: Any) -> None:
    rules, stream = game.rules, Stream(3)
    for _ in range(3):
        position = game.initial()
        state = rules.begin_state(position)
        while legal := game.legal_moves(position):
            move = stream.choice(legal)
            child = game.play(position, move)
            state, position = rules.advance_state(state, position, move, child), child
            assert rules.evaluate(child, state) == rules.evaluate_from_scratch(child)


def test_sums_between_plies_are_those_from_scratch() -> None:
    compare_states(game_with(new_stone))


def test_a_place_that_is_left_out_is_noticed() -> None:
    with pytest.raises(AssertionError):
        compare_states(game_with(nothing))


def test_a_place_outside_of_the_table_is_an_error() -> None:
    with pytest.raises(IndexError, match="a changed place of table 'cells'"):
        compare_states(game_with(far_away))


@pytest.mark.long
def test_both_backends_search_alike() -> None:
    game = game_with(new_stone)
    slow, fast = (Engine(game, backend=b).analyse(depth=4) for b in ("python", "compiled"))
    assert (slow.score, slow.counts, slow.pv) == (fast.score, fast.counts, fast.pv)


def test_places_are_updated_in_nets_only() -> None:
    with pytest.raises(ValueError, match="table 'cells': places are updated in a net only"):
        linear({"cells": table(colour_at, 3 * BITS, places=BITS, update=new_stone)})


def test_an_update_of_places_takes_a_move() -> None:
    with pytest.raises(ValueError, match="'side' must take \\(position, move, child\\)"):
        table(colour_at, 3 * BITS, places=BITS, update=side)


def test_weights_of_places_are_read_like_others() -> None:
    game = game_with(new_stone)
    assert np.isfinite(game.evaluation(game.initial()))
