"""Errors that a user can correct: each names the thing, the value and the remedy."""

import difflib
from collections.abc import Iterable


def clip(text: str, limit: int = 200) -> str:
    """Shorten a text that a message quotes."""
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


class PlyforgeError(Exception):
    """An error that the caller can correct; the command line prints it and exits with 2."""


class UnknownName(PlyforgeError):
    """A name that is not known, with a similar one or all that are; both with `lists_all`."""

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, lists_all: bool = False
    ) -> None:
        names = sorted(known)
        name = clip(str(name))
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        hints = [f"did you mean '{close[0]}'?"] if close else []
        if lists_all or not close:
            hints.append(f"known: {', '.join(names)}")
        super().__init__(f"unknown {kind} '{name}'; {' '.join(hints)}")


class GameFileError(PlyforgeError):
    """A game's file that cannot be read, raises, or breaks the contract."""


class HiddenInformation(GameFileError):
    """A game with hidden information where players must know the position."""


class VariantError(PlyforgeError):
    """A variant that the game does not have."""


class PositionError(PlyforgeError):
    """A position text that cannot be read, or that describes an impossible position."""


class MoveError(PlyforgeError):
    """A move text that is not a legal move."""


class RecordError(PlyforgeError):
    """A record of a game that cannot be read or played, with the line and the move."""


class CompileError(PlyforgeError):
    """Rules that Numba cannot compile, explained in terms of the game's file."""
