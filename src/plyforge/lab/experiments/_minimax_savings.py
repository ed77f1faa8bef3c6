"""Tables and charts of what searches save over minimax, for the experiments on draughts players."""

from collections.abc import Iterable

from plyforge.lab.charts import Chart, Series
from plyforge.lab.claims import format_estimate
from plyforge.lab.data import Data
from plyforge.lab.experiments._pooled import percent
from plyforge.match.tables import Table


def searches_table(
    data: Data, searches: Iterable[str], minimax: str, depth: int, title: str
) -> Table:
    """Return nodes and time of searches over those of minimax, without forced wins."""
    left = data.without_forced_wins()
    rows = []
    for name in searches:
        found = (
            left.mean(name, depth, "nodes"),
            left.ratio(name, minimax, depth, "nodes"),
            left.ratio(name, minimax, depth, "seconds"),
            percent(left.mean(name, depth, "first_cuts")),
        )
        rows.append((name, *map(format_estimate, found)))
    headings = ("search", "nodes", "nodes / minimax", "time / minimax", "cutoffs by the first (%)")
    return Table(headings, tuple(rows), f"{title}, depth {depth}")


def savings_chart(
    data: Data, searches: Iterable[str], minimax: str, metric: str, name: str, title: str
) -> Chart:
    """Return a metric of searches in % of that of minimax by depth, with the published 5 %."""
    left = data.without_forced_wins()
    lines = [
        Series.of(one, [(d, percent(left.ratio(one, minimax, d, metric))) for d in left.depths])
        for one in searches
        if one != minimax
    ]
    ends = tuple(map(float, (min(left.depths), max(left.depths)))) if left.depths else ()
    published = Series("5 % of the time", ends, (5.0,) * len(ends), published=True)
    return Chart(
        name,
        title,
        "search depth (plies)",
        f"{name} (% of minimax)",
        (*lines, published),
        log_y=True,
    )
