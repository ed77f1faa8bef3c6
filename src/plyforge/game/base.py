"""What the rules say about single positions: moves, results, evaluation, notation and board.

Every call runs the author's functions as they are, uncompiled.
"""

import inspect
from collections.abc import Callable
from functools import cached_property
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
from plyforge.core.scores import LOSS, ONGOING, WIN, is_result
from plyforge.game import fieldtext, textboard
from plyforge.game.chance import read_outcomes
from plyforge.game.move_numbers import as_move
from plyforge.game.variants import initial_position

AHEAD: Final = 0.05
"""The default of `ahead`, as a share of the evaluation limit."""


class BaseGame:
    """One game in one variant: rules, evaluation, notation and board of single positions.

    `Game` adds histories, pictures, files and counts.
    """

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
        """Receives a notice whenever a kernel of this game is compiled."""
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
                    f"{self.rules.file}: CLOCKS names '{clock}', which is not a field of the"
                    " position"
                )

    @property
    def name(self) -> str:
        """The name by which the game is loaded."""
        return self.rules.name

    @property
    def title(self) -> str:
        """The name for people to read."""
        return str(self.rules.constant("NAME") or self.name)

    @property
    def players(self) -> tuple[str, str]:
        """The names of the sides; the first moves first."""
        pair: tuple[str, str] = self.rules.constant("PLAYERS")
        return pair

    @property
    def evaluation_limit(self) -> float:
        """The largest absolute value of an evaluation."""
        return float(max(abs(bound) for bound in self.rules.constant("EVALUATION_RANGE")))

    @property
    def ahead(self) -> float:
        """The smallest evaluation at which a side is clearly ahead."""
        value = self.rules.constant("AHEAD")
        return AHEAD * self.evaluation_limit if value is None else float(value)

    @property
    def hooks(self) -> list[str]:
        """The optional hooks that the game defines."""
        return [name for name in HOOKS if name in self.rules.hooks and not HOOKS[name].required]

    def __repr__(self) -> str:
        variant = f":{self.variant}" if self.variant else ""
        return f"<Game {self.name}{variant}, {self.backend}>"

    # Rules

    def call_hook(self, name: str, *arguments: Any) -> Any:
        """Call a hook of the game, or its default."""
        function = self.rules.hooks.get(name) or getattr(defaults, name)
        with self.rules.blame(name), np.errstate(over="ignore"):
            return function(*arguments)

    def initial(self) -> Any:
        """Return the start position of the variant."""
        return self.position_type.copy(self._initial)

    def has_chance(self) -> bool:
        """Return whether chance moves in this game, such as dice."""
        return "chance" in self.rules.hooks

    def is_chance(self, position: Any) -> bool:
        """Return whether chance moves next."""
        return self.has_chance() and bool(self.call_hook("chance", position))

    def chance_outcomes(self, position: Any) -> list[tuple[int, float]]:
        """Return the outcomes and their probabilities where chance moves next, else nothing."""
        if not self.is_chance(position):
            return []
        return read_outcomes(self, position)

    def moves(self, position: Any) -> list[int]:
        """Return the moves that the rules generate, even if the game is over; see `legal_moves`.

        Where chance moves next, they are its outcomes.
        """
        if self.is_chance(position):
            return [outcome for outcome, _ in self.chance_outcomes(position)]
        function = self.rules.hooks["moves"]
        max_moves = int(self.rules.constant("MAX_MOVES"))
        moves: list[int] = []
        with self.rules.blame("moves"), np.errstate(over="ignore"):
            if inspect.isgeneratorfunction(function):
                for move in function(position):
                    moves.append(as_move(move, self.rules))
                    if len(moves) > max_moves:
                        raise self._too_many_moves(max_moves, position)
            else:
                out = _MoveBuffer(max_moves)
                count = int(function(position, out))
                if count > max_moves:
                    raise self._too_many_moves(max_moves, position)
                moves = [as_move(out[i], self.rules) for i in range(count)]
        return moves

    def _too_many_moves(self, max_moves: int, position: Any) -> GameFileError:
        return GameFileError(
            f"{self.rules.file}: 'moves' gives more than MAX_MOVES = {max_moves} moves in position"
            f" {self.text(position)}; raise MAX_MOVES, or end the generator"
        )

    def play(self, position: Any, move: int) -> Any:
        """Return the position after a legal move; `position` itself does not change.

        The move is not checked; `History.play` checks it.
        """
        with self.rules.blame("play"):
            return self.position_type.cast(self.call_hook("play", position, move))

    def outcome(self, position: Any) -> float:
        """Return the result for the side to move if it is known before its moves, or `ONGOING`."""
        return self._score("outcome", position, ongoing=True)

    def plies_left(self, position: Any) -> int | None:
        """Return the plies after which every game has ended; None if the game does not say it."""
        if "plies_left" not in self.rules.hooks:
            return None
        return int(self.call_hook("plies_left", position))

    def stuck(self, position: Any) -> float:
        """Return the result for a side to move that has no moves."""
        return self._score("stuck", position, ongoing=False)

    def _score(self, name: str, position: Any, ongoing: bool) -> float:
        value = self.call_hook(name, position)
        number = isinstance(value, (int, float, np.number))
        if number and (is_result(value) or (ongoing and value == ONGOING)):
            return float(value)
        raise GameFileError(
            f"{self.rules.file}: '{name}' returned {value!r}; it must return"
            f" {'ONGOING, ' if ongoing else ''}WIN, LOSS, DRAW or a score within ±2^23"
        )

    def result_value(self, value: float) -> float:
        """Return the value of a result in a search.

        In a game of chance, where wins and evaluations are averaged, a win is worth the largest
        evaluation.
        """
        if not self.has_chance() or value not in (WIN, LOSS):
            return value
        return self.evaluation_limit if value == WIN else -self.evaluation_limit

    def drawn(self, position: Any) -> bool:
        """Return whether a rule such as insufficient material makes the position a draw."""
        return bool(self.call_hook("drawn", position))

    def turn(self, position: Any) -> int | None:
        """Return the side to move, 0 or 1; None for a game without the hook `turn`."""
        if "turn" not in self.rules.hooks:
            return None
        side = int(self.call_hook("turn", position))
        if side not in (0, 1):
            raise GameFileError(f"{self.rules.file}: 'turn' returned {side}; it must be 0 or 1")
        return side

    def key(self, position: Any) -> int:
        """Return the 64-bit key, the same on every machine."""
        with self.rules.blame("key"), np.errstate(over="ignore"):
            return int(self._key(position))

    def irreversible(self, position: Any, move: int) -> bool:
        """Return whether no earlier position can recur after the move."""
        return bool(self.call_hook("irreversible", position, move))

    def progress(self, position: Any) -> int:
        """Return the plies made without progress, if the position counts them, else 0."""
        return int(self.call_hook("progress", position))

    def slot(self, position: Any, move: int) -> int:
        """Return the index of a move in the tables that order moves, below `MOVE_SLOTS`."""
        with self.rules.blame("move_slot"), np.errstate(over="ignore"):
            return int(self._slot(position, move))

    @cached_property
    def _slot(self) -> Callable[..., Any]:
        return interpreted.hook("slot_of", self.rules, self.position_type)

    def evaluation(self, position: Any) -> float:
        """Return the game's evaluation for the side to move; 0 if it has none.

        Raise `GameFileError` if it is not a number within the declared range.
        """
        if "evaluate" not in self.rules.hooks:
            return 0.0
        state = None
        if self.rules.constant("STATE") is not None:
            with self.rules.blame("begin"), np.errstate(over="ignore"):
                state = self.rules.begin_state(position)
        with self.rules.blame("evaluate"), np.errstate(over="ignore"):
            returned = self.rules.evaluate(position, state)
        try:
            value = float(returned)
        except (TypeError, ValueError):
            raise GameFileError(
                f"{self.rules.source('evaluate')}: 'evaluate' returned {returned!r}; it must"
                " return a number"
            ) from None
        minimum, maximum = self.rules.constant("EVALUATION_RANGE")
        if not minimum <= value <= maximum:
            raise self.out_of_range(position, value)
        return value

    def out_of_range(self, position: Any, value: float) -> GameFileError:
        """Return the error for an evaluation outside of the declared range."""
        minimum, maximum = self.rules.constant("EVALUATION_RANGE")
        return GameFileError(
            f"{self.rules.source('evaluate')}: 'evaluate' returned {value:g} in position"
            f" {self.text(position)}; EVALUATION_RANGE declares ({minimum:g}, {maximum:g})"
        )

    def terms(self, position: Any) -> list[tuple[str, float, float]]:
        """Return name, value and weight of each term of the evaluation, if the game lists them."""
        if "terms" not in self.rules.hooks:
            return []
        terms = self.call_hook("terms", position)
        try:
            return [(str(n), float(v), float(w)) for n, v, w in terms]
        except (TypeError, ValueError):
            raise GameFileError(
                f"{self.rules.source('terms')}: 'terms' returned {clip(repr(terms))}; it must"
                " return a list of (name, value, weight)"
            ) from None

    # Text and picture

    def text(self, position: Any) -> str:
        """Return a position in the game's notation."""
        if "to_text" in self.rules.hooks:
            return str(self.call_hook("to_text", position))
        return fieldtext.write(position) if self.position_type.compilable else repr(position)

    def parse(self, text: str) -> Any:
        """Return the position that a text describes."""
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
        """Return a move as players write it."""
        if "move_text" in self.rules.hooks:
            return str(self.call_hook("move_text", position, move))
        return str(move)

    def readable_move(self, position: Any, move: int) -> str:
        """Return a move as pages and comments show it; `parse_move` reads it, too."""
        if "readable_move" in self.rules.hooks:
            return str(self.call_hook("readable_move", position, move))
        return self.move_text(position, move)

    def parse_move(self, position: Any, text: str) -> int:
        """Return the legal move that a text means."""
        try:
            if "parse_move" in self.rules.hooks:
                with np.errstate(over="ignore"):
                    return int(self.rules.hooks["parse_move"](position, text))
            for move in self.moves(position):
                if self.move_text(position, move).lower() == text.strip().lower():
                    return move
            raise ValueError(f"'{clip(text)}' is not a legal move")
        except ValueError as error:
            reason = clip(str(error), 600)
            raise MoveError(f"{reason}; legal: {self._list_moves(position)}") from error
        except PlyforgeError:
            raise
        except Exception:
            with self.rules.blame("parse_move"):
                raise

    def _list_moves(self, position: Any, limit: int = 40) -> str:
        moves = self.moves(position)
        texts = ", ".join(self.move_text(position, move) for move in moves[:limit])
        return (texts or "none") + (f" and {len(moves) - limit} more" if len(moves) > limit else "")

    def split_moves(self, text: str) -> list[str]:
        """Split a line of moves into move texts."""
        if "split_moves" in self.rules.hooks:
            return list(self.call_hook("split_moves", text))
        return text.replace(",", " ").split()

    def geometry(self, position: Any) -> Geometry | None:
        """Return the shape of the board, if the game defines one."""
        if "geometry" not in self.rules.hooks:
            return None
        geometry = self.call_hook("geometry", position)
        if not isinstance(geometry, Geometry):
            raise GameFileError(
                f"{self.rules.file}: 'geometry' returned {clip(repr(geometry))}; it must return a"
                " Geometry, as squares, hexagons, pits, points, edges and boxes do"
            )
        return geometry

    def symmetries(self, position: Any) -> list[Any]:
        """Return the images of a position that have the same value; none without the hook."""
        if "symmetries" not in self.rules.hooks:
            return []
        images = self.call_hook("symmetries", position)
        with self.rules.blame("symmetries"):
            return [self.position_type.cast(image) for image in images]

    def pieces(self, position: Any) -> dict[str, Any]:
        """Return the pieces on the board, by cell."""
        if "pieces" not in self.rules.hooks:
            return {}
        with self.rules.blame("pieces"):
            return dict(self.call_hook("pieces", position))

    def move_cells(self, position: Any, move: int) -> list[str]:
        """Return the cells that a move touches."""
        if "move_cells" not in self.rules.hooks:
            return []
        with self.rules.blame("move_cells"):
            return list(self.call_hook("move_cells", position, move))

    def board(self, position: Any) -> str:
        """Draw the board as text."""
        if "board" in self.rules.hooks:
            return str(self.call_hook("board", position))
        geometry = self.geometry(position)
        if geometry is None:
            return self.text(position)
        try:
            return textboard.draw(geometry, self.pieces(position))
        except ValueError as error:
            raise GameFileError(f"{self.rules.file}: 'pieces': {error}") from error


class _MoveBuffer(list[int]):
    """A buffer for rules that fill one; writing beyond its end raises `IndexError`."""

    def __init__(self, size: int) -> None:
        super().__init__([0] * (size + 1))
