"""Tables and charts of the experiments on parallel search with real threads."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from plyforge.lab.charts import Chart, Series
from plyforge.lab.data import Data, Values
from plyforge.lab.experiments._comparisons import equal_values, figure_table, quotient_of_sums
from plyforge.lab.statistics import Estimate
from plyforge.lab.variations import Variation
from plyforge.match.tables import Table

ONE, AGAIN = "one thread", "one thread, again"
PAIR = "two searches at once"
METHOD_OF, THREADS_OF = "method", "threads"
OVERHEADS: Final = ("waiting", "splitting", "joining", "locking")
"""What threads do besides searching nodes."""


def name_of(method: str, threads: int) -> str:
    """Return the name of the configuration of a method with so many threads."""
    return f"{method}, {threads} threads"


def common_depth(data: Data) -> int | None:
    """Return the greatest depth at which one thread was measured."""
    return data.max_depth([ONE])


def speed_up(data: Data, name: str, depth: int) -> Estimate | None:
    """Return the time of one thread over that of a configuration."""
    return data.ratio(ONE, name, depth, "seconds")


def extra_nodes(data: Data, name: str, depth: int) -> Estimate | None:
    """Return the search overhead: the nodes beyond those of one thread, in percent."""
    found = data.ratio(name, ONE, depth, "nodes")
    return None if found is None else found.rescale(100, -100)


def slower_nodes(data: Data, name: str, depth: int) -> Estimate | None:
    """Return what a node takes, over what it takes with one thread."""
    rows = {
        case: (searching_seconds(mine), mine["nodes"], base["seconds"], base["nodes"])
        for case, mine, base in _rows(data, name, depth)
    }
    return quotient_of_sums(data, rows)


def searching_seconds(row: Values) -> float:
    """Return the time that threads spend on nodes, also near the root, aborted ones included."""
    return row["thread_seconds"] - sum(row[part] for part in OVERHEADS)


def _rows(data: Data, name: str, depth: int) -> Iterator[tuple[int, Values, Values]]:
    for case in data.cases(depth, (name, ONE), ("seconds", "nodes")):
        mine = data.row(name, depth, case)
        if "thread_seconds" in mine:
            yield case, mine, data.row(ONE, depth, case)


def busy_factor(data: Data, depth: int) -> Estimate | None:
    """Return what a node takes while another search is running, over what it takes alone."""
    rows = {
        case: tuple(
            data.row(name, depth, case)[metric]
            for name in (PAIR, AGAIN)
            for metric in ("seconds", "nodes")
        )
        for case in data.cases(depth, (PAIR, AGAIN), ("seconds", "nodes"))
    }
    return quotient_of_sums(data, rows)


@dataclass(frozen=True)
class LostTime:
    """What a search with threads takes, in units of the search with one thread."""

    processors: int
    """Threads, or cores if there are fewer."""
    total: float
    """Processors divided by the measured speed-up."""
    nodes: float
    recursion_nodes: float
    """Of these, the nodes that are searched by recursion."""
    slower: float
    """What such a node takes."""
    near_root: float
    """What the other nodes take together."""
    overheads: tuple[float, ...]
    """By `OVERHEADS`."""

    @property
    def accounted(self) -> float:
        """What the parts add up to; no part is computed from the total."""
        return self.recursion_nodes * self.slower + self.near_root + sum(self.overheads)

    @property
    def speed_up(self) -> float:
        return self.processors / self.total

    @property
    def predicted(self) -> float:
        """The speed-up that the account predicts."""
        return self.processors / self.accounted

    @property
    def rest(self) -> float:
        return self.total - self.accounted

    @property
    def parts(self) -> dict[str, float]:
        """The parts of the sum, by name."""
        return {
            "the search of one thread": 1.0,
            "more nodes": self.nodes - 1.0,
            "slower nodes": self.recursion_nodes * (self.slower - 1.0),
            "near the root": self.near_root - (self.nodes - self.recursion_nodes),
            **dict(zip(OVERHEADS, self.overheads, strict=True)),
            "rest": self.rest,
        }


def lost_time(
    rows: Sequence[tuple[Values, Values]], threads: int, slower: float
) -> LostTime | None:
    """Add up the account of searches with threads and with one, in pairs.

    Runs of older versions say nothing of recursion.  For these, a node takes `slower` as long as
    with one thread, and none is near the root.
    """
    if not rows:
        return None

    def total(metric: str, place: int = 0, otherwise: str = "") -> float:
        return sum(pair[place].get(metric, pair[place].get(otherwise, 0.0)) for pair in rows)

    seconds, nodes = total("seconds", 1), total("nodes", 1)
    recursion_nodes = total("recursion_nodes", otherwise="nodes") / nodes
    if all("recursion" in mine for mine, _ in rows):
        slower = total("recursion") / seconds / recursion_nodes
    processors = min(threads, *(int(mine.get("cores", threads)) for mine, _ in rows))
    return LostTime(
        processors,
        processors * total("seconds") / seconds,
        total("nodes") / nodes,
        recursion_nodes,
        slower,
        total("near_root") / seconds,
        tuple(total(part) / seconds for part in OVERHEADS),
    )


def find_lost_time(data: Data, one: Variation, depth: int) -> LostTime | None:
    """Return the account of a configuration over all positions."""
    slower = busy_factor(data, depth)
    pairs = [(mine, base) for _, mine, base in _rows(data, one.name, depth)]
    return None if slower is None else lost_time(pairs, int(one.extra[THREADS_OF]), slower.value)


def residual(data: Data, one: Variation, depth: int) -> Estimate | None:
    """Return by how much predicted speed-ups differ from measured ones, in percent, without sign.

    It is the mean over positions.
    """
    threads, slower = int(one.extra[THREADS_OF]), busy_factor(data, depth)
    found: dict[int, float] = {}
    for case, mine, base in _rows(data, one.name, depth):
        lost = None if slower is None else lost_time([(mine, base)], threads, slower.value)
        if lost is not None:
            found[case] = 100 * abs(lost.predicted / lost.speed_up - 1.0)
    return data.mean_of(found)


def tables(data: Data, variations: Sequence[Variation]) -> list[Table]:
    depth = common_depth(data)
    if depth is None:
        return []
    methods = _with_threads(variations)
    positions = len(data.cases(depth, [ONE]))
    seconds = data.mean(ONE, depth, "seconds")
    long = "" if seconds is None else f", {seconds.value:.3g} s with one thread on average"
    where = f"depth {depth}, {positions} positions{long}"
    rows = {
        one.name: (
            speed_up(data, one.name, depth),
            extra_nodes(data, one.name, depth),
            slower_nodes(data, one.name, depth),
            data.mean(one.name, depth, "balance"),
            equal_values(data, [(one.name, ONE)], [depth]),
        )
        for one in [*methods, *(one for one in variations if one.name == AGAIN)]
    }
    columns = ("speed-up", "more nodes (%)", "time of a node ×", "balance", "equal values (%)")
    return [
        figure_table(f"Speed-up: {where}", "", columns, rows),
        _account_table(data, methods, depth),
        _shares_table(data, methods, depth),
    ]


def _shares_table(data: Data, methods: Sequence[Variation], depth: int) -> Table:
    parts = (*OVERHEADS, "aborted")
    rows = []
    for one in methods:
        found = [data.per(one.name, depth, part, "thread_seconds") for part in parts]
        near_root = data.per(one.name, depth, "near_root", "thread_seconds")
        figures = [100 * figure.value for figure in found if figure is not None]
        if len(figures) == len(parts):
            figures.insert(0, 100 * near_root.value if near_root is not None else 0.0)
            searching = 100 - sum(figures)
            rows.append((one.name, *(f"{figure:.2f}" for figure in (searching, *figures))))
    headings = ("", "searching", "near the root", *OVERHEADS, "aborted searches")
    return Table(headings, tuple(rows), "Shares of the threads' time (%)")


def _account_table(data: Data, methods: Sequence[Variation], depth: int) -> Table:
    rows = []
    for one in methods:
        lost = find_lost_time(data, one, depth)
        if lost is not None:
            figures = (
                *(lost.nodes, lost.recursion_nodes, lost.slower, lost.near_root),
                *(*lost.overheads, lost.accounted),
            )
            cells = (
                *(f"{figure:.3f}" for figure in figures),
                *(f"{speed:.2f}" for speed in (lost.predicted, lost.speed_up)),
                f"{100 * (lost.predicted / lost.speed_up - 1):+.1f}",
            )
            rows.append((one.name, *cells))
    columns = (
        *("nodes ×", "by recursion ×", "× time of such a node ×", "+ near the root"),
        *(f"+ {p}" for p in OVERHEADS),
        *("= predicted time of all threads", "predicted speed-up", "measured speed-up"),
    )
    title = "The account, in units of the search with one thread"
    return Table(("", *columns, "difference (%)"), tuple(rows), title)


def charts(data: Data, variations: Sequence[Variation]) -> list[Chart]:
    depth = common_depth(data)
    if depth is None:
        return []
    methods = _with_threads(variations)
    by_method: dict[str, list[tuple[float, Estimate | None]]] = {}
    for one in methods:
        point = float(one.extra[THREADS_OF]), speed_up(data, one.name, depth)
        by_method.setdefault(str(one.extra[METHOD_OF]), []).append(point)
    lines = tuple(Series.of(method, points) for method, points in by_method.items())
    found = [(one.name, find_lost_time(data, one, depth)) for one in methods]
    parts = [(name, lost.parts) for name, lost in found if lost is not None]
    stacks = tuple(
        Series(part, tuple(map(float, range(len(parts)))), tuple(lost[part] for _, lost in parts))
        for part in (parts[0][1] if parts else ())
    )
    return [
        Chart("speed-up", f"Speed-up in time to depth {depth}", "threads", "speed-up", lines,
              log_x=True, log_y=True, origin=1.0),
        Chart("account", f"What threads do (depth {depth})", "",
              "processors / speed-up: time of all threads over that of one thread", stacks,
              tuple(name for name, _ in parts), stacked=True),
    ]  # fmt: skip


def _with_threads(variations: Sequence[Variation]) -> list[Variation]:
    return [one for one in variations if int(one.extra[THREADS_OF]) > 1 and one.name != PAIR]
