"""From the command line's GAME, `--position` and `--moves` to a game in progress."""

from plyforge.core.compilation.kernel import Gear
from plyforge.core.errors import UnknownName
from plyforge.core.game import Game
from plyforge.core.history import History
from plyforge.games import load


def open_game(text: str, gear: str | None = None) -> Game:
    """The game that a text names."""
    return load(text, check_gear(gear))


def check_gear(gear: str | None) -> Gear | None:
    """A gear's name, or an error that says which there are."""
    if gear not in (None, "compiled", "python"):
        raise UnknownName("gear", str(gear), ["compiled", "python"])
    return gear  # type: ignore[return-value]


def open_history(game: Game, position: str | None, moves: str | None) -> History:
    """The given position, or the start, with the given moves played."""
    history = game.history(game.initial() if position is None else game.parse(position))
    if moves is not None:
        history.play_text(moves)
    # Looked at once here, so that a position that the rules cannot judge is told before any output.
    assert history.turn in (0, 1)
    return history
