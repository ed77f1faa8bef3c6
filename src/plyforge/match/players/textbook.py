"""The textbook algorithms as players: slow and simple."""

import threading

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.engine.clock import Clock
from plyforge.game.game import Game, History
from plyforge.match.players.description import Description
from plyforge.match.players.limits import MoveLimits
from plyforge.match.players.player import Choice
from plyforge.search.textbook import Node, View
from plyforge.search.textbook.algorithms import ALGORITHMS, check_algorithm
from plyforge.search.textbook.view import value_above


class _StoppableView(View):
    """A view of the game that raises once it is stopped."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.stopped = threading.Event()

    def leaf(self, node: Node, depth: int) -> float | None:
        if self.stopped.is_set():
            raise PlyforgeError("stopped before a move was found; use a smaller depth")
        return super().leaf(node, depth)


class TextbookPlayer:
    """Searches each move separately and plays the first of the best."""

    seconds = None

    def __init__(self, game: Game, algorithm: str, depth: int) -> None:
        self._view = _StoppableView(game)
        self._algorithm = ALGORITHMS[algorithm]
        self._depth = depth

    def warm_up(self) -> None:
        pass

    def begin(self, seed: int) -> None:
        pass

    def choose(self, history: History, clock: Clock | None) -> Choice:
        self._view.stopped.clear()
        root = Node(history.position, 0, history.turn, None)
        legal = set(history.legal_moves())
        best: Choice | None = None
        for child in self._view.children(root):
            if child.move not in legal:
                continue
            child_value = self._algorithm.value(self._view, child, self._depth - 1)
            value = value_above(root, child, child_value)
            if best is None or best.score is None or value > best.score:
                best = Choice(int(child.move or 0), value, self._depth)
        assert best is not None
        return best

    def close(self) -> None:
        """Stop the search from another thread; it then has no move."""
        self._view.stopped.set()


def textbook_player(game: Game, description: Description, limits: MoveLimits) -> TextbookPlayer:
    description.reject_unknown(["depth"])
    name = description.main or ("star2" if game.has_chance() else "alpha-beta")
    if name not in ALGORITHMS:
        raise UnknownName("textbook algorithm", name, ALGORITHMS)
    check_algorithm(game, name)
    own = description.integer("depth")
    depth = limits.depth if own is None else own
    if depth is None or depth < 1:
        raise PlyforgeError(
            f"player '{description}' needs a depth of at least 1, as textbook:{name},depth=3"
        )
    return TextbookPlayer(game, name, depth)
