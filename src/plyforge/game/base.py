"""What the rules say about single positions: moves, results, evaluation, notation and board.

Every call runs the author's functions as they are, uncompiled.
"""

import inspect
from typing import Any, Final

import numpy as np

from plyforge.compilation import interpreted
from plyforge.compilation.kernel import Backend
from plyforge.compilation.notices import Notices
from plyforge.core import defaults
from plyforge.core.contract import HOOKS
from plyforge.core.errors import (
    GameFileError,
    MoveError,
    PlyforgeError,
    PositionError,
    clip,
)
from plyforge.core.geometry import Geometry
from plyforge.core.positions import PositionType, position_type
from plyforge.core.rules import Rules
from plyforge.core.scores import ONGOING, is_result
from plyforge.game import fieldtext, textboard
from plyforge.game.variants import initial_position

AHEAD: Final = 0.05
"""The share of the evaluation's range that puts a side ahead, unless the game says."""


class BaseGame:
    """One game in one variant, as far as single positions go; `Game` adds the rest."""

    def __init__(
        self,
        rules: Rules,
        variant: str | None = None,
        backend: Backend | None = None,
        notices: Notices | None = None,
    ) -> None:
        self.rules = rules
        self.variant = variant
        self.notices = notices or Notices()
        """Who is told that a kernel of this game is being compiled."""
        self._initial = initial_position(rules, variant)
        self.position_type: PositionType = position_type(self._initial)
        self._initial = self.position_type.cast(self._initial)
        self._check_clocks()
        self.backend: Backend = backend or (
            "compiled" if self.position_type.compilable else "python"
        )
        self._key = interpreted.hook("key", rules, self.position_type)

    def _check_clocks(self) -> None:
        fields = {field.name for field in self.position_type.fields}
        for clock in self.rules.constant("CLOCKS"):
            if fields and clock not in fields:
                raise GameFileError(
                    f"{self.rules.file}: CLOCKS names '{clock}', which is no field of the position"
                )

    @property
    def name(self) -> str:
        return self.rules.name

    @property
    def title(self) -> str:
        return str(self.rules.constant("NAME") or self.name)

    @property
    def players(self) -> tuple[str, str]:
        pair: tuple[str, str] = self.rules.constant("PLAYERS")
        return pair

    @property
    def evaluation_limit(self) -> float:
        """The greatest distance of an evaluation from 0."""
        return float(max(abs(bound) for bound in self.rules.constant("EVALUATION_RANGE")))

    @property
    def ahead(self) -> float:
        """The evaluation from which on a side is clearly ahead."""
        told = self.rules.constant("AHEAD")
        return AHEAD * self.evaluation_limit if told is None else float(told)

    @property
    def hooks(self) -> list[str]:
        """The optional hooks that the game defines."""
        return [name for name in HOOKS if name in self.rules.hooks and not HOOKS[name].required]

    def __repr__(self) -> str:
        variant = f":{self.variant}" if self.variant else ""
        return f"<Game {self.name}{variant}, {self.backend}>"

    # Rules

    def _call(self, name: str, *arguments: Any) -> Any:
        function = self.rules.hooks.get(name) or getattr(defaults, name)
        with self.rules.blame(name), np.errstate(over="ignore"):
            return function(*arguments)

    def initial(self) -> Any:
        """The start position of the variant."""
        return self.position_type.copy(self._initial)

    def moves(self, position: Any) -> list[int]:
        """The moves that `moves` gives, whether or not the game is over; see `legal_moves`."""
        function = self.rules.hooks["moves"]
        most = int(self.rules.constant("MAX_MOVES"))
        found: list[int] = []
        with self.rules.blame("moves"), np.errstate(over="ignore"):
            if inspect.isgeneratorfunction(function):
                for move in function(position):
                    found.append(_as_move(move, self.rules))
                    if len(found) > most:
                        raise self._too_many(most, position)
            else:
                out = _Out(most)
                count = int(function(position, out))
                if count > most:
                    raise self._too_many(most, position)
                found = [_as_move(out[i], self.rules) for i in range(count)]
        return found

    def _too_many(self, most: int, position: Any) -> GameFileError:
        return GameFileError(
            f"{self.rules.file}: 'moves' gives more than MAX_MOVES = {most} moves in position"
            f" {self.text(position)}; raise MAX_MOVES, or end the generator"
        )

    def play(self, position: Any, move: int) -> Any:
        """The position after a legal move; `position` itself stays as it is.

        Whether the move is legal is not looked at: `History.play` does that.
        """
        with self.rules.blame("play"):
            return self.position_type.cast(self._call("play", position, move))

    def outcome(self, position: Any) -> float:
        """`ONGOING`, or the result for the side to move where it shows without move generation."""
        return self._score("outcome", position, ongoing=True)

    def stuck(self, position: Any) -> float:
        """The result for a side to move that has no moves."""
        return self._score("stuck", position, ongoing=False)

    def _score(self, name: str, position: Any, ongoing: bool) -> float:
        value = self._call(name, position)
        number = isinstance(value, (int, float, np.number))
        if number and (is_result(value) or (ongoing and value == ONGOING)):
            return float(value)
        raise GameFileError(
            f"{self.rules.file}: '{name}' returned {value!r}; the contract wants"
            f" {'ONGOING, ' if ongoing else ''}WIN, LOSS, DRAW or a score within ±2^23"
        )

    def drawn(self, position: Any) -> bool:
        """Whether a rule outside of move generation makes it a draw."""
        return bool(self._call("drawn", position))

    def turn(self, position: Any) -> int | None:
        """0 or 1; None for a game that does not tell, whose sides alternate."""
        if "turn" not in self.rules.hooks:
            return None
        side = int(self._call("turn", position))
        if side not in (0, 1):
            raise GameFileError(f"{self.rules.file}: 'turn' returned {side}; it must be 0 or 1")
        return side

    def key(self, position: Any) -> int:
        """The 64-bit key, the same on every machine."""
        with self.rules.blame("key"), np.errstate(over="ignore"):
            return int(self._key(position))

    def irreversible(self, position: Any, move: int) -> bool:
        """Whether no earlier position can come back after the move."""
        return bool(self._call("irreversible", position, move))

    def progress(self, position: Any) -> int:
        """Plies already made without progress, as far as the position tells."""
        return int(self._call("progress", position))

    def evaluation(self, position: Any) -> float:
        """The game's own guess of the value for the side to move; 0 if it has none.

        An error if it lies outside of the declared range, or is no number.
        """
        arguments = [position]
        if "begin" in self.rules.hooks and "evaluate" in self.rules.hooks:
            arguments.append(self._call("begin", position))
        told = self._call("evaluate", *arguments)
        try:
            value = float(told)
        except (TypeError, ValueError):
            raise GameFileError(
                f"{self.rules.source('evaluate')}: 'evaluate' returned {told!r}; it must return"
                " a number"
            ) from None
        least, greatest = self.rules.constant("EVALUATION_RANGE")
        if not least <= value <= greatest:
            raise self.out_of_range(position, value)
        return value

    def out_of_range(self, position: Any, value: float) -> GameFileError:
        """The error that an evaluation is not what the game declares."""
        least, greatest = self.rules.constant("EVALUATION_RANGE")
        return GameFileError(
            f"{self.rules.source('evaluate')}: 'evaluate' returned {value:g} in position"
            f" {self.text(position)}; EVALUATION_RANGE declares ({least:g}, {greatest:g})"
        )

    def terms(self, position: Any) -> list[tuple[str, float, float]]:
        """What the evaluation is made of: name, value and weight of each feature, if it tells."""
        if "terms" not in self.rules.hooks:
            return []
        found = self._call("terms", position)
        try:
            return [(str(n), float(v), float(w)) for n, v, w in found]
        except (TypeError, ValueError):
            raise GameFileError(
                f"{self.rules.source('terms')}: 'terms' returned {clip(repr(found))}; it must"
                " return a list of (name, value, weight)"
            ) from None

    # Text and picture

    def text(self, position: Any) -> str:
        """The position in the game's notation."""
        if "to_text" in self.rules.hooks:
            return str(self._call("to_text", position))
        return fieldtext.write(position) if self.position_type.compilable else repr(position)

    def parse(self, text: str) -> Any:
        """The position that a text describes."""
        try:
            with np.errstate(over="ignore"):
                return self.position_type.cast(self._read(text))
        except ValueError as error:
            raise PositionError(f"position '{clip(text)}': {clip(str(error), 600)}") from error
        except Exception:
            with self.rules.blame("from_text"):
                raise

    def _read(self, text: str) -> Any:
        if "from_text" in self.rules.hooks:
            return self.rules.hooks["from_text"](text)
        if not self.position_type.compilable:
            raise ValueError(f"{self.name} has no notation for positions (no from_text)")
        return fieldtext.read(self.position_type, self._initial, text)

    def move_text(self, position: Any, move: int) -> str:
        """A move as players write it."""
        if "move_text" in self.rules.hooks:
            return str(self._call("move_text", position, move))
        return str(move)

    def parse_move(self, position: Any, text: str) -> int:
        """The legal move that a text means."""
        try:
            if "parse_move" in self.rules.hooks:
                with np.errstate(over="ignore"):
                    return int(self.rules.hooks["parse_move"](position, text))
            for move in self.moves(position):
                if self.move_text(position, move).lower() == text.strip().lower():
                    return move
            raise ValueError(f"'{clip(text)}' is not a legal move")
        except ValueError as error:
            told = clip(str(error), 600)
            raise MoveError(f"{told}; legal: {self._some_moves(position)}") from error
        except PlyforgeError:
            raise
        except Exception:
            with self.rules.blame("parse_move"):
                raise

    def _some_moves(self, position: Any, most: int = 40) -> str:
        legal = self.moves(position)
        shown = ", ".join(self.move_text(position, move) for move in legal[:most])
        return (shown or "none") + (f" and {len(legal) - most} more" if len(legal) > most else "")

    def split_moves(self, text: str) -> list[str]:
        """The move texts in a line of moves."""
        if "split_moves" in self.rules.hooks:
            return list(self._call("split_moves", text))
        return text.replace(",", " ").split()

    def geometry(self, position: Any) -> Geometry | None:
        """The shape of the board, if the game tells."""
        found: Geometry | None = None
        if "geometry" in self.rules.hooks:
            found = self._call("geometry", position)
            if not isinstance(found, Geometry):
                raise GameFileError(
                    f"{self.rules.file}: 'geometry' returned {clip(repr(found))}; it must return"
                    " what squares, hexagons or pits make"
                )
        return found

    def pieces(self, position: Any) -> dict[str, Any]:
        """What stands on the board, by cell."""
        if "pieces" not in self.rules.hooks:
            return {}
        with self.rules.blame("pieces"):
            return dict(self._call("pieces", position))

    def move_cells(self, position: Any, move: int) -> list[str]:
        """The cells that a move touches."""
        if "move_cells" not in self.rules.hooks:
            return []
        with self.rules.blame("move_cells"):
            return list(self._call("move_cells", position, move))

    def board(self, position: Any) -> str:
        """The board drawn in text."""
        if "board" in self.rules.hooks:
            return str(self._call("board", position))
        geometry = self.geometry(position)
        if geometry is None:
            return self.text(position)
        try:
            return textboard.draw(geometry, self.pieces(position))
        except ValueError as error:
            raise GameFileError(f"{self.rules.file}: 'pieces': {error}") from error


class _Out(list[int]):
    """A buffer for rules that fill one; writing beyond it is the author's error."""

    def __init__(self, size: int) -> None:
        super().__init__([0] * (size + 1))


def _as_move(move: Any, rules: Rules) -> int:
    if isinstance(move, (bool, float, np.floating)) or not hasattr(move, "__index__"):
        raise GameFileError(f"{rules.file}: 'moves' gave {move!r}; a move must be an int")
    return int(move)
