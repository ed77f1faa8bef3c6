"""A player that plays random moves."""

from plyforge.core.randomness import Stream
from plyforge.engine.clock import Clock
from plyforge.game.game import Game, History
from plyforge.match.players.description import Description
from plyforge.match.players.limits import MoveLimits
from plyforge.match.players.player import Choice


class RandomPlayer:
    """Plays each legal move with the same probability."""

    seconds = None

    def __init__(self) -> None:
        self._stream = Stream(0)

    def warm_up(self) -> None:
        pass

    def begin(self, seed: int) -> None:
        self._stream = Stream(seed)

    def choose(self, history: History, clock: Clock | None) -> Choice:
        return Choice(self._stream.choice(history.legal_moves()))

    def close(self) -> None:
        pass


def random_player(game: Game, description: Description, limits: MoveLimits) -> RandomPlayer:
    description.reject_main()
    description.reject_unknown([])
    return RandomPlayer()
