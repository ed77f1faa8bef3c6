"""Descriptions of players: the kind, then its settings.

`KIND[:VALUE][,NAME=VALUE…]`.  Lists within a value are joined by `+`: `off=history+killers`.  A
value that contains a comma is written in double quotes, with `""` for a quote inside:
`uci:"engine --name=a,b",time=1`.

A game may name players (`NAMED_PLAYERS`): `vision-draughts`, or with other settings
`vision-draughts:depth=6`.  They are replaced by their descriptions when they are read.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeVar

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.database.files import database_files
from plyforge.jobs.user_files import BESIDE_GAME, file_names

T = TypeVar("T", int, float)

_QUOTED: Final = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?:,|$)')
_NAME_OF_QUOTED: Final = re.compile(r'([^,="]*)=(?=\s*")')
LIMITS: Final = ("level", "depth", "nodes", "time")
"""Settings that limit the search of a move."""
_NO_PLAYERS: Final[Mapping[str, str]] = MappingProxyType({})


class Kind(StrEnum):
    """The kinds of players."""

    ENGINE = "engine"
    CLUSTER = "cluster"
    RANDOM = "random"
    TEXTBOOK = "textbook"
    PYTHON = "python"
    UCI = "uci"


@dataclass(frozen=True)
class Description:
    """The parsed description of a player.

    >>> Description.parse("textbook:negascout,depth=3").main
    'negascout'
    >>> str(Description.parse(" engine: depth=6, off=history+killers"))
    'engine:depth=6,off=history+killers'
    """

    kind: Kind
    main: str | None = None
    """The value after the colon that has no name."""
    settings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str, named: Mapping[str, str] = _NO_PLAYERS) -> "Description":
        """Parse a description; `named` are descriptions of players by name.

        Settings after the name of a player replace its own, and a limit replaces all its limits:

        >>> named = {"quick": "engine:depth=3,off=history"}
        >>> str(Description.parse("quick:nodes=100", named))
        'engine:off=history,name=quick:nodes=100,nodes=100'
        """
        if not text.isprintable():
            raise PlyforgeError(
                f"player {clip(ascii(text))}: it contains characters that cannot be printed"
            )
        kind, _, rest = text.strip().partition(":")
        if kind in named and kind not in list(Kind):
            return cls.parse(named[kind])._changed(kind, cls.parse(f"{Kind.ENGINE}:{rest}"))
        if kind not in list(Kind):
            raise UnknownName("kind of player", kind, [*Kind, *named])
        main, settings = None, {}
        for number, (name, value) in enumerate(_split(rest) if rest.strip() else []):
            if number == 0 and name is None and value:
                main = value
                continue
            if not (name and value):
                part = value if name is None else f"{name}={value}"
                raise PlyforgeError(
                    f"player '{clip(text)}': '{clip(part)}' is not NAME=VALUE; write for"
                    " example engine:depth=6,off=history+killers"
                )
            if name in settings:
                raise PlyforgeError(f"player '{clip(text)}' gives '{name}' twice; give it once")
            settings[name] = value
        return cls(Kind(kind), main, settings)

    def _changed(self, name: str, given: "Description") -> "Description":
        """Return the description with other settings, under the name of a player."""
        given.reject_main()
        limited = any(limit in given.settings for limit in LIMITS)
        own = {k: v for k, v in self.settings.items() if not (limited and k in LIMITS)}
        text = str(given).replace(Kind.ENGINE, name, 1)
        return replace(self, settings={**own, "name": text, **given.settings})

    def __str__(self) -> str:
        parts = [] if self.main is None else [_quote(self.main, ",=")]
        parts += [f"{name}={_quote(value, ',')}" for name, value in self.settings.items()]
        return f"{self.kind}:{','.join(parts)}" if parts else str(self.kind)

    @property
    def name(self) -> str:
        """The player's name in tables."""
        return self.settings.get("name") or str(self)

    def files(self) -> list[str]:
        """Return the paths of the files that the description names.

        >>> Description.parse("engine:depth=6,evaluation=mine.py,name=a.py").files()
        ['mine.py']

        The command of an external engine is not such a file: it is not carried to other machines.
        """
        if self.kind is Kind.UCI:
            return []
        values = [self.main, *(self.settings[name] for name in self.settings if name != "name")]
        named = file_names([value.split("+") for value in values if value is not None])
        return [*named, *database_files(self.settings.get("database"))]

    def files_of_game(self) -> list[str]:
        """Return the names of files beside the game's own that the description names.

        >>> Description.parse("engine:depth=6,evaluation=game:nim.npz").files_of_game()
        ['game:nim.npz']
        """
        return [value for value in self.settings.values() if value.startswith(BESIDE_GAME)]

    def reject_unknown(self, known: Iterable[str]) -> None:
        """Reject settings that the kind does not have."""
        names = [*known, "name"]
        for name in self.settings:
            if name not in names:
                raise UnknownName(f"setting of the player '{self}'", name, names)

    def reject_main(self) -> None:
        """Reject a value without a name."""
        if self.main is not None:
            raise PlyforgeError(
                f"player '{self}': '{clip(self.main)}' has no name; write NAME=VALUE"
            )

    def integer(self, name: str) -> int | None:
        """Return a setting as an integer; None if it is not given."""
        return self._number(name, int, "an integer")

    def number(self, name: str) -> float | None:
        """Return a setting as a float; None if it is not given."""
        return self._number(name, float, "a number")

    def _number(self, name: str, convert: Callable[[str], T], kind: str) -> T | None:
        value = self.settings.get(name)
        if value is None:
            return None
        try:
            return convert(value)
        except ValueError:
            raise PlyforgeError(f"player '{self}': {name}={value} is not {kind}") from None

    def names(self, name: str) -> list[str]:
        """Return a setting as a list; empty if it is not given."""
        value = self.settings.get(name)
        return [] if value is None else [part.strip() for part in value.split("+")]


def _split(text: str) -> Iterator[tuple[str | None, str]]:
    """Yield the parts of a description as name and value; None for a value without a name."""
    more = True
    while more:
        name = None
        if (head := _NAME_OF_QUOTED.match(text)) and _QUOTED.match(text, head.end()):
            name, text = head[1].strip(), text[head.end() :]
        if quoted := _QUOTED.match(text):
            more, text = quoted[0].endswith(","), text[quoted.end() :]
            yield name, quoted[1].replace('""', '"').strip()
            continue
        part, comma, text = text.partition(",")
        before, equals, after = (piece.strip() for piece in part.partition("="))
        more = bool(comma)
        yield (before, after) if equals else (None, before)


def _quote(value: str, special: str) -> str:
    """Return a value as a description writes it."""
    if value.startswith('"') or any(letter in value for letter in special):
        doubled = value.replace('"', '""')
        return f'"{doubled}"'
    return value
