"""Check move lists: ints, each once, no more than `MAX_MOVES`, and not endless."""

import inspect
import numbers
from collections.abc import Callable
from typing import Any

from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.report import Place, Recorder
from plyforge.core.contract import MAX_MOVE, MIN_MOVE

ENDLESS = 100_000
"""A generator that yields this many moves counts as endless."""


class _Buffer(dict[int, Any]):
    """The buffer that `moves(position, out)` fills; it has room for more than `MAX_MOVES`."""

    def __setitem__(self, index: Any, move: Any) -> None:
        if not isinstance(index, numbers.Integral) or index < 0:
            raise IndexError(f"out[{index!r}] is outside the move buffer")
        super().__setitem__(int(index), move)


class MoveLists:
    """Reads the results of `moves` and `noisy_moves`."""

    def __init__(self, hooks: GuardedHooks, recorder: Recorder) -> None:
        self._hooks = hooks
        self._recorder = recorder
        self.max_moves = int(hooks.game.rules.constant("MAX_MOVES"))

    def read(self, hook: str, position: Any) -> tuple[int, list[int]]:
        """Return the number of moves in a list, and its usable moves, each once."""
        function = self._hooks.game.rules.hooks[hook]
        raw, missing = self._hooks.run(hook, lambda p: read_raw(function, p), position)
        place = Place(function.__code__.co_filename, function.__code__.co_firstlineno)
        if missing:
            self._problem(hook, "missing", missing, place)
        if len(raw) >= ENDLESS:
            self._problem(
                hook,
                "endless",
                f"'{hook}' gave {ENDLESS} moves and did not end; does its loop never end?",
                place,
            )
            raise CallFailed
        if len(raw) > self.max_moves:
            self._problem(
                hook,
                "too many",
                f"'{hook}' gives {len(raw)} moves, but MAX_MOVES is {self.max_moves}; raise it",
                place,
            )
        usable = [int(move) for move in raw[: self.max_moves] if self._is_move(hook, move, place)]
        return len(raw), self._without_repeats(hook, usable, place)

    def read_again(self, hook: str, position: Any) -> list[int]:
        """Return the usable moves of a list that was read before, without recording anything."""
        function = self._hooks.game.rules.hooks[hook]
        raw, _ = self._hooks.run(hook, lambda p: read_raw(function, p), position)
        usable = [int(move) for move in raw[: self.max_moves] if _is_usable(move)]
        return list(dict.fromkeys(usable))

    def _is_move(self, hook: str, move: Any, place: Place) -> bool:
        if isinstance(move, bool) or not isinstance(move, numbers.Integral):
            kind = type(move).__name__
            self._problem(
                hook, "no int", f"'{hook}' gave {move!r}, a {kind}; a move is an int", place
            )
            return False
        if not MIN_MOVE <= int(move) <= MAX_MOVE:
            self._problem(
                hook,
                "too large",
                f"'{hook}' gave {move}; a move must lie between -2^63 and 2^63 - 1",
                place,
            )
            return False
        return True

    def _without_repeats(self, hook: str, moves: list[int], place: Place) -> list[int]:
        seen: dict[int, int] = {}
        for index, move in enumerate(moves):
            if move in seen:
                self._problem(
                    hook,
                    "repeats",
                    f"'{hook}' gives the move {move} twice, as number {seen[move] + 1} and"
                    f" {index + 1} of its list",
                    place,
                )
            seen.setdefault(move, index)
        return list(seen)

    def _problem(self, hook: str, kind: str, message: str, place: Place) -> None:
        self._recorder.problem(hook, kind, message, place)


def _is_usable(move: Any) -> bool:
    integer = isinstance(move, numbers.Integral) and not isinstance(move, bool)
    return integer and MIN_MOVE <= int(move) <= MAX_MOVE


def read_raw(function: Callable[..., Any], position: Any) -> tuple[list[Any], str]:
    """Return what a function in the form of `moves` gives, and what is missing in its buffer."""
    reader = _from_generator if inspect.isgeneratorfunction(function) else _from_buffer
    return reader(function, position)


def _from_generator(function: Callable[..., Any], position: Any) -> tuple[list[Any], str]:
    moves = []
    for move in function(position):
        moves.append(move)
        if len(moves) >= ENDLESS:
            break
    return moves, ""


def _from_buffer(function: Callable[..., Any], position: Any) -> tuple[list[Any], str]:
    out = _Buffer()
    count = int(function(position, out))
    name = function.__name__
    if count < 0:
        return [], f"'{name}' returned {count}; it must return how many moves it wrote"
    if count >= ENDLESS:
        return list(out.values()), f"'{name}' returned {count} moves"
    missing = [index for index in range(count) if index not in out]
    problem = f"'{name}' returned {count} but did not write out[{missing[0]}]" if missing else ""
    return [out[index] for index in range(count) if index in out], problem
