"""Turns the arguments GAME, `--position` and `--moves` into a game and a history."""

from plyforge.compilation.kernel import Backend
from plyforge.core.errors import UnknownName
from plyforge.game.game import Game, History
from plyforge.games import load


def open_game(text: str, backend: str | None = None) -> Game:
    """Load the game with this name or path."""
    return load(text, check_backend(backend))


def check_backend(backend: str | None) -> Backend | None:
    """Return the name of a backend; raise an error if it is unknown."""
    if backend not in (None, "compiled", "python"):
        raise UnknownName("backend", str(backend), ["compiled", "python"])
    return backend  # type: ignore[return-value]


def open_history(game: Game, position: str | None, moves: str | None) -> History:
    """Start a history at the position, or at the initial one, and play the moves."""
    history = game.history(game.initial() if position is None else game.parse(position))
    if moves is not None:
        history.play_text(moves)
    # Ask the rules once, so that an error in them is reported before any output.
    assert history.turn in (0, 1)
    return history
