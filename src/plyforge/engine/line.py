"""Completing the principal variation.

A search knows it only up to the first node that a table entry answered, and not at all after null
windows.  The rest is searched from where the line ends, in a window around its value, which is
mostly answered by the table.
"""

from plyforge.game.game import History
from plyforge.search.request import SearchRequest, root_of
from plyforge.search.searcher import Searcher
from plyforge.search.values import from_node, next_above, next_below


def complete_line(
    searcher: Searcher,
    root: History,
    line: tuple[int, ...],
    depth: int,
    score: float,
    root_moves: tuple[int, ...] = (),
    *,
    max_searches: int | None = None,
) -> tuple[int, ...]:
    """Extend a line of best moves to the horizon or to the end of the game.

    With exact options the position it leads to has the value `score`.  Each search finds at least
    one move; at the root it is one of `root_moves`, unless that is empty.  The line ends early only
    if a search is stopped or contradicts the score, or after `max_searches`.
    """
    if len(line) >= depth:
        return line
    path = root.copy()
    moves = list(line)
    playable = play_line(path, line)
    searches = 0
    while playable and searches != max_searches and not _ends(path):
        searches += 1
        value = from_node(score if path.turn == root.turn else 0.0 - score, len(moves))
        allowed = () if moves else root_moves
        window = next_below(value), next_above(value)
        start = root_of(path, searcher.game)
        result = searcher.search(SearchRequest.of(start, *window, depth - len(moves), allowed))
        if result.stopped or result.bound != "exact" or not result.line:
            break
        moves += result.line
        if len(moves) >= depth:
            break
        playable = play_line(path, result.line)
    return tuple(moves)


def _ends(path: History) -> bool:
    """Whether a line ends at a position: the game is over, or chance moves."""
    return path.verdict().over or path.game.is_chance(path.position)


def play_line(path: History, line: tuple[int, ...]) -> bool:
    """Play a line; return False if the rules end the game before its end.

    That happens if the search does not watch for cycles, or allows more repetitions.
    """
    for move in line:
        if move not in path.legal_moves():
            return False
        path.play(move)
    return True
