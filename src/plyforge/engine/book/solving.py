"""Solving the moves of a position, with the searches near it stored in a book.

A game that takes hours to solve is a tree of positions that take seconds.  The first plies are
searched here, by alpha-beta with null windows; at a fixed number of plies the engine searches to
the end of the game.  The bounds that it finds there are stored in the book at once, so that the
same command resumes where it was interrupted: what is known is not searched again.

Wins are counted from the position whose value is asked for, as in a search; stored bounds count
them from their own position.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import LOSS, SCORE_LIMIT, WIN
from plyforge.engine.book.book import OpeningBook
from plyforge.engine.book.keys import book_key, children, from_child
from plyforge.engine.book.store import BookPosition
from plyforge.engine.engine import Engine
from plyforge.game.game import History
from plyforge.search.parameters import MAX_PLIES
from plyforge.search.values import from_node, from_root, next_above, next_below, to_float32

_UNKNOWN: Final = (float(LOSS), float(WIN))


@dataclass(frozen=True)
class SolvedMove:
    """A move whose result is proved; the score is for the side that makes it."""

    move: int
    score: float


class BookSolver:
    """Solves all moves of a position; the engine searches from `plies` plies after each on."""

    def __init__(
        self,
        book: OpeningBook,
        engine: Engine,
        root: History,
        plies: int,
        report: Callable[[], None] = lambda: None,
    ) -> None:
        constant = book.game.rules.constant
        if constant("REPETITION") is not None or constant("NO_PROGRESS_LIMIT") is not None:
            raise PlyforgeError(
                f"--solve does not go with {book.game.name}: results there depend on the moves"
                " before a position"
            )
        self._book, self._engine, self._root, self._plies = book, engine, root, plies
        self._report = report
        self._bounds = dict(book.file.bounds())
        self._priority = book.game.rules.hooks.get("move_priority")
        self.known = len(self._bounds)
        """The positions with bounds that the book had before."""
        self.searches = 0
        """The searches of the engine so far."""

    def run(self) -> Iterator[SolvedMove]:
        """Solve the moves one after the other; each is in the book before it is returned."""
        file, found = self._book.file, dict[int, float]()
        for move, child in children(self._root):
            key = self._key(child)
            if key not in found:
                verdict = child.verdict()
                found[key] = float(verdict.value) if verdict.over else self._value(child)
                depth = 0 if verdict.over else MAX_PLIES
                file.set_scores([(key, BookPosition(found[key], depth, proved=True))])
            score = from_child(found[key], child.turn == self._root.turn)
            yield SolvedMove(move, score)
        best = max(
            from_child(found[self._key(child)], child.turn == self._root.turn)
            for _, child in children(self._root)
        )
        start = BookPosition(best, MAX_PLIES, proved=True, expanded=True)
        file.set_scores([(self._key(self._root), start)])

    def _key(self, history: History) -> int:
        return book_key(self._book.game, history.position)

    def _value(self, history: History) -> float:
        """Return the value of a position, by windows that bisect what is possible."""
        key = self._key(history)
        while True:
            lower, upper = self._bounds.get(key, _UNKNOWN)
            if lower >= upper:
                return lower
            low, high = next_window(lower, upper)
            self._search(history, low, high, 0)

    def _search(self, history: History, low: float, high: float, ply: int) -> float:
        """Return a value: at most `low` it is an upper bound, at least `high` a lower one."""
        verdict = history.verdict()
        if verdict.over:
            return from_root(float(verdict.value), ply)
        key = self._key(history)
        known = self._known_value(key, low, high, ply)
        if known is not None:
            return known
        if ply == self._plies:
            value = self._search_to_end(history, low, high, ply)
        else:
            value = self._search_moves(history, low, high, ply)
        lower, upper = self._bounds.get(key, _UNKNOWN)
        node_value = from_node(value, ply)
        if value >= high:
            lower = max(lower, node_value)
        if value <= low:
            upper = min(upper, node_value)
        self._bounds[key] = lower, upper
        if ply == self._plies:
            self._book.file.set_bounds(key, lower, upper)
            self._report()
        return value

    def _known_value(self, key: int, low: float, high: float, ply: int) -> float | None:
        """Return a bound that answers the question, if one is known."""
        lower, upper = (from_root(bound, ply) for bound in self._bounds.get(key, _UNKNOWN))
        if lower >= high:
            return lower
        return upper if upper <= low else None

    def _search_to_end(self, history: History, low: float, high: float, ply: int) -> float:
        result = self._engine.search(
            history, from_node(low, ply), from_node(high, ply), depth=MAX_PLIES
        )
        if not result.proven:
            raise PlyforgeError(
                f"a search of {MAX_PLIES} plies did not reach the end of the game, so that nothing"
                " is proved"
            )
        self.searches += 1
        return from_root(result.value, ply)

    def _search_moves(self, history: History, low: float, high: float, ply: int) -> float:
        best = -float("inf")
        for child, same_side in self._sorted_children(history, low, high, ply):
            if same_side:
                value = self._search(child, low, high, ply + 1)
            else:
                value = 0.0 - self._search(child, 0.0 - high, 0.0 - low, ply + 1)
            best = max(best, value)
            if best >= high:
                break
        return best

    def _sorted_children(
        self, history: History, low: float, high: float, ply: int
    ) -> list[tuple[History, bool]]:
        """Return the positions after all moves: those that are known to answer first."""
        rows: list[tuple[Any, ...]] = []
        seen = set()
        for number, (move, child) in enumerate(children(history)):
            key, same_side = self._key(child), child.turn == history.turn
            if key in seen:
                continue
            seen.add(key)
            window = (low, high) if same_side else (0.0 - high, 0.0 - low)
            known = self._known_value(key, *window, ply + 1)
            good = known is not None and (known if same_side else 0.0 - known) >= high
            priority = 0 if self._priority is None else self._priority(history.position, move)
            rows.append((not good, -int(priority), number, child, same_side))
        return [row[3:] for row in sorted(rows, key=lambda row: row[:3])]


def next_window(lower: float, upper: float) -> tuple[float, float]:
    """Return the null window of the next question about a value between two bounds.

    First whether it is a win, then whether it is a loss; after that, the middle is asked about.
    """
    for threshold in (next_above(0.0), 0.0):
        if lower < threshold <= upper:
            return next_below(threshold), threshold
    middle = (lower + upper) / 2
    if min(abs(lower), abs(upper)) > SCORE_LIMIT:  # plies to the end
        low = float(int(middle // 1))
        return low, low + 1
    low = min(to_float32(middle), next_below(upper))
    return low, next_above(low)
