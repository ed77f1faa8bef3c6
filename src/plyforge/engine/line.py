"""The principal variation, completed.

A search knows it only as far as no table entry cut it short, and not at all after null windows.
The rest is searched for: from where the line ends, in a window around its value, which the table
mostly answers.
"""

from plyforge.game.game import History
from plyforge.search.searcher import Searcher
from plyforge.search.values import from_node, next_above, next_below


def completed(
    searcher: Searcher, root: History, line: tuple[int, ...], depth: int, score: float
) -> tuple[int, ...]:
    """A line of best moves to the horizon or to the end of the game.

    The position it leads to is worth `score`, if the options are exact.  Each search finds at least
    one move of it, the first of them among those allowed at the root; the line ends early only if a
    search is stopped or contradicts the score.
    """
    path = root.copy()
    found = list(line)
    going_on = followed(path, line)
    while going_on and len(found) < depth and not path.verdict().over:
        value = from_node(score if path.turn == root.turn else 0.0 - score, len(found))
        if found:
            searcher.set_root(path)
        answer = searcher.search(next_below(value), next_above(value), depth - len(found))
        if answer.stopped or answer.bound != "exact" or not answer.line:
            break
        found += answer.line
        going_on = followed(path, answer.line)
    searcher.set_root(root)
    return tuple(found)


def followed(path: History, line: tuple[int, ...]) -> bool:
    """Play a line; False if the rules end the game before it does.

    That happens when the search was told not to watch for cycles, or to allow more of them.
    """
    for move in line:
        if move not in path.legal_moves():
            return False
        path.play(move)
    return True
