"""From the command line's GAME, `--position` and `--moves` to a game in progress."""

from plyforge.compilation.kernel import Backend
from plyforge.core.errors import UnknownName
from plyforge.game.game import Game, History
from plyforge.games import load


def open_game(text: str, backend: str | None = None) -> Game:
    """The game that a text names."""
    return load(text, check_backend(backend))


def check_backend(backend: str | None) -> Backend | None:
    """A backend's name, or an error that says which there are."""
    if backend not in (None, "compiled", "python"):
        raise UnknownName("backend", str(backend), ["compiled", "python"])
    return backend  # type: ignore[return-value]


def open_history(game: Game, position: str | None, moves: str | None) -> History:
    """The given position, or the start, with the given moves played."""
    history = game.history(game.initial() if position is None else game.parse(position))
    if moves is not None:
        history.play_text(moves)
    # Looked at once here, so that a position that the rules cannot judge is told before any output.
    assert history.turn in (0, 1)
    return history
