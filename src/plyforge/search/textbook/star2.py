"""Star2: Star1 after probes of all outcomes."""

from plyforge.search.textbook.trace import record_visits
from plyforge.search.textbook.view import Node, View, value_above, window_below
from plyforge.search.values import INFINITY


@record_visits
def star2(
    view: View,
    node: Node,
    depth: int,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    probes: int = 1,
) -> float:
    """Return a number L that bounds the expected value V for the side to move, as `alpha_beta`.

    Before any outcome is searched, the first `probes` moves after each of them are: that bounds
    the outcome's value from below for the side that moves there, and the bounds together may cut
    the node.  (Ballard 1983.)
    """
    value = view.leaf(node, depth)
    if value is not None:
        return value
    if view.is_chance(node):
        return _Outcomes(view, node, depth, alpha, beta, probes).search()
    return _best_move(view, node, depth, alpha, beta, probes)


@record_visits
def probe(
    view: View, node: Node, depth: int, alpha: float, beta: float, probes: int, tries: int
) -> float:
    """Search the first moves of a node; a value above alpha is a lower bound of the node's."""
    value = view.leaf(node, depth)
    if value is not None:
        return value
    return _best_move(view, node, depth, alpha, beta, probes, tries)


def _best_move(
    view: View,
    node: Node,
    depth: int,
    alpha: float,
    beta: float,
    probes: int,
    tries: float = INFINITY,
) -> float:
    score = -INFINITY
    for number, child in enumerate(view.children(node)):
        if number == tries:
            break
        window = window_below(node, child, alpha, beta)
        value = star2(view, child, depth - 1, *window, probes)
        score = max(score, value_above(node, child, value))
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return score


class _Outcomes:
    """The outcomes of a node where chance moves, with a lower and an upper bound for each."""

    def __init__(
        self, view: View, node: Node, depth: int, alpha: float, beta: float, probes: int
    ) -> None:
        self.view, self.node, self.depth = view, node, depth
        self.alpha, self.beta, self.probes = alpha, beta, probes
        pairs = list(view.outcomes(node))
        self.probabilities = [probability for probability, _ in pairs]
        self.children = [child for _, child in pairs]
        self.low = [-view.limit] * len(pairs)
        self.high = [view.limit] * len(pairs)

    def search(self) -> float:
        """Probe all outcomes, if the window allows cuts, then search them."""
        limit = self.view.limit
        bounded = self.alpha > -limit or self.beta < limit
        for step in (self._probe, self._search) if bounded else (self._search,):
            for index, child in enumerate(self.children):
                if self.low[index] < self.high[index]:
                    step(index, child)
                below, above = self._expected(self.low), self._expected(self.high)
                if above <= self.alpha:
                    return self.view.rounded(above)
                if below >= self.beta:
                    return self.view.rounded(below)
        return self.view.rounded(self._expected(self.low))

    def _expected(self, values: list[float]) -> float:
        return sum(p * value for p, value in zip(self.probabilities, values, strict=True))

    def _window(self, index: int) -> tuple[float, float]:
        """Return the window of an outcome: values outside of it cut the node."""
        share = self.probabilities[index]
        above = self._expected(self.high) - share * self.high[index]
        below = self._expected(self.low) - share * self.low[index]
        low = max((self.alpha - above) / share, self.low[index])
        high = min((self.beta - below) / share, self.high[index])
        # Rounding may leave no value between them.
        return (low, high) if low < high else (self.low[index], self.high[index])

    def _probe(self, index: int, child: Node) -> None:
        if self.view.is_chance(child):
            return
        low, high = self._window(index)
        window = window_below(self.node, child, low, high)
        value = probe(self.view, child, self.depth, *window, self.probes, self.probes)
        value = value_above(self.node, child, value)
        if child.side == self.node.side and value > low:
            self.low[index] = min(value, self.high[index])
        if child.side != self.node.side and value < high:
            self.high[index] = max(value, self.low[index])

    def _search(self, index: int, child: Node) -> None:
        low, high = self._window(index)
        window = window_below(self.node, child, low, high)
        value = star2(self.view, child, self.depth, *window, self.probes)
        value = value_above(self.node, child, value)
        if value < high:
            self.high[index] = max(value, self.low[index])
        if value > low:
            self.low[index] = min(value, self.high[index])
