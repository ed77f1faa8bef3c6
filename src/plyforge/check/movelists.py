"""Move lists: ints, each once, no more than `MAX_MOVES`, and never without end."""

import inspect
import numbers
from collections.abc import Callable
from typing import Any

from plyforge.check.author import Author, Failed
from plyforge.check.report import Place, Recorder

_LEAST, _MOST = -(2**63), 2**63 - 1
ENDLESS = 100_000
"""A generator that gives this many moves is taken to have no end."""


class _Buffer(dict[int, Any]):
    """What `moves(position, out)` fills; it takes more than `MAX_MOVES`, to tell how many."""

    def __setitem__(self, index: Any, move: Any) -> None:
        if not isinstance(index, numbers.Integral) or index < 0:
            raise IndexError(f"out[{index!r}] is no place in the move buffer")
        super().__setitem__(int(index), move)


class MoveLists:
    """Reads what `moves` and `noisy_moves` give."""

    def __init__(self, author: Author, recorder: Recorder) -> None:
        self._author = author
        self._recorder = recorder
        self.most = int(author.game.rules.constant("MAX_MOVES"))

    def read(self, hook: str, position: Any) -> tuple[int, list[int]]:
        """How many moves a list has, and those of them that can be used, each once."""
        function = self._author.game.rules.hooks[hook]
        reader = _from_generator if inspect.isgeneratorfunction(function) else _from_buffer
        raw, missing = self._author.run(hook, lambda p: reader(function, p), position)
        place = Place(function.__code__.co_filename, function.__code__.co_firstlineno)
        if missing:
            self._problem(hook, "missing", missing, place)
        if len(raw) >= ENDLESS:
            self._problem(
                hook,
                "endless",
                f"'{hook}' gave {ENDLESS} moves and more to come; does its loop never end?",
                place,
            )
            raise Failed
        if len(raw) > self.most:
            self._problem(
                hook,
                "too many",
                f"'{hook}' gives {len(raw)} moves, but MAX_MOVES is {self.most}; raise MAX_MOVES",
                place,
            )
        usable = [int(move) for move in raw[: self.most] if self._is_move(hook, move, place)]
        return len(raw), self._without_repeats(hook, usable, place)

    def _is_move(self, hook: str, move: Any, place: Place) -> bool:
        if isinstance(move, bool) or not isinstance(move, numbers.Integral):
            kind = type(move).__name__
            self._problem(
                hook, "no int", f"'{hook}' gave {move!r}, a {kind}; a move is an int", place
            )
            return False
        if not _LEAST <= int(move) <= _MOST:
            self._problem(
                hook, "too large", f"'{hook}' gave {move}, which does not fit 64 bits", place
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


def _from_generator(function: Callable[..., Any], position: Any) -> tuple[list[Any], str]:
    found = []
    for move in function(position):
        found.append(move)
        if len(found) >= ENDLESS:
            break
    return found, ""


def _from_buffer(function: Callable[..., Any], position: Any) -> tuple[list[Any], str]:
    out = _Buffer()
    count = int(function(position, out))
    name = function.__name__
    if count < 0:
        return [], f"'{name}' returned {count}; it must return how many moves it wrote"
    if count >= ENDLESS:
        return list(out.values()), f"'{name}' returned {count} moves"
    missing = [index for index in range(count) if index not in out]
    told = f"'{name}' returned {count} but did not write out[{missing[0]}]" if missing else ""
    return [out[index] for index in range(count) if index in out], told
