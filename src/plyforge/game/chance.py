"""Outcomes of chance: read from the rules, checked, and drawn at random."""

import inspect
import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plyforge.core.errors import GameFileError, PlyforgeError, clip
from plyforge.core.randomness import Stream
from plyforge.game.move_numbers import as_move

if TYPE_CHECKING:
    from plyforge.game.base import BaseGame

SUM_TOLERANCE: Final = 1e-9
"""How far the sum of the probabilities may be from 1."""


def read_outcomes(
    game: "BaseGame", position: Any, place: Callable[[], str] | None = None
) -> list[tuple[int, float]]:
    """Return the outcomes of chance and their probabilities, or raise a `GameFileError`.

    `place` returns where wrong probabilities were found; by default, the text of the position.
    """
    with game.rules.blame("chance_outcomes"), np.errstate(over="ignore"):
        outcomes = list_outcomes(game, position)
    problem = find_problem(outcomes)
    if problem:
        where = f"in position {game.text(position)}" if place is None else place()
        raise GameFileError(f"{game.rules.file}: 'chance_outcomes' {where}: {problem}")
    return outcomes


def find_problem(outcomes: Iterable[tuple[int, float]]) -> str:
    """Return what is wrong with outcomes and their probabilities; empty if nothing is.

    >>> find_problem([(1, 0.5), (2, 0.4)])
    'the probabilities add up to 0.9; they must add up to 1'
    """
    seen: set[int] = set()
    probabilities = []
    for outcome, probability in outcomes:
        if outcome in seen:
            return f"the outcome {outcome} comes twice; add up its probabilities"
        seen.add(outcome)
        if not 0.0 < probability <= 1.0 + SUM_TOLERANCE:
            return (
                f"the outcome {outcome} has the probability {probability:g}; it must be above 0 and"
                " at most 1"
            )
        probabilities.append(probability)
    if not probabilities:
        return "there is no outcome; yield at least one, or let 'chance' return False"
    total = math.fsum(probabilities)
    if abs(total - 1.0) > SUM_TOLERANCE:
        return f"the probabilities add up to {total:.10g}; they must add up to 1"
    return ""


def reject_chance(game: "BaseGame", what: str, remedy: str) -> None:
    """Raise an error if a game is one of chance, for code that knows only moves of players."""
    if game.has_chance():
        raise PlyforgeError(f"{what} does not go with a game of chance; {remedy}")


def draw_outcome(outcomes: list[tuple[int, float]], stream: Stream) -> int:
    """Return one of the outcomes, each with its probability; takes one word of the stream."""
    share = (stream.next_word() >> 11) * 2.0**-53
    for outcome, probability in outcomes:
        share -= probability
        if share < 0.0:
            return outcome
    return outcomes[-1][0]


def list_outcomes(game: "BaseGame", position: Any) -> list[tuple[int, float]]:
    """Return what the rules give as outcomes and probabilities, which may be wrong."""
    rules, limit = game.rules, int(game.rules.constant("MAX_MOVES"))
    function = rules.hooks["chance_outcomes"]
    outcomes: list[tuple[int, float]] = []
    if inspect.isgeneratorfunction(function):
        for pair in function(position):
            outcomes.append(_as_pair(pair, game))
            if len(outcomes) > limit:
                break
    else:
        out, probabilities = [0] * (limit + 1), [0.0] * (limit + 1)
        count = min(int(function(position, out, probabilities)), limit + 1)
        pairs = zip(out, probabilities, strict=True)
        outcomes = [_as_pair(pair, game) for pair, _ in zip(pairs, range(count), strict=False)]
    if len(outcomes) > limit:
        raise GameFileError(
            f"{rules.file}: 'chance_outcomes' gives more than MAX_MOVES = {limit} outcomes in"
            f" position {game.text(position)}; raise MAX_MOVES, or end the generator"
        )
    return outcomes


def _as_pair(pair: Any, game: "BaseGame") -> tuple[int, float]:
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise GameFileError(
            f"{game.rules.file}: 'chance_outcomes' gave {clip(repr(pair))}; it must yield pairs"
            " (outcome, probability)"
        )
    outcome, probability = pair
    try:
        number = float(probability)
    except (TypeError, ValueError):
        raise GameFileError(
            f"{game.rules.file}: 'chance_outcomes' gave the probability {clip(repr(probability))};"
            " it must be a number"
        ) from None
    return as_move(outcome, game.rules, "chance_outcomes"), number
