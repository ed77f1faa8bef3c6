"""Parallel search with up to 4,096 processors, in virtual time."""

from collections.abc import Callable
from dataclasses import dataclass, field

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    LessThan,
    MoreThan,
    NotComparable,
    Series,
    Variation,
)
from plyforge.lab.experiments._comparisons import Figure, equal_values, figure_table
from plyforge.lab.experiments._pooled import percent
from plyforge.lab.experiments._simulation import (
    CLUSTER,
    GAMES,
    INTERNET,
    JOIN_SECONDS,
    LATENCIES,
    SHARED,
    SPLIT_SECONDS,
    simulate,
)
from plyforge.lab.parallel import choose_case
from plyforge.match.tables import Table

TITLE = "Parallel search from 1 to 4,096 processors, in virtual time"
SOURCE = "Kishimoto and Müller, tutorial on alpha-beta"
QUESTION = (
    "How much faster would a search be with up to 4,096 processors, by method and by network, and"
    " what would the rest of their time go to?"
)
DEFAULTS = "2026"
GROUPS = tuple(GAMES)
POSITIONS = sum(game.sample.positions for game in GAMES.values())
DEPTHS = tuple(sorted(game.sample.depth for game in GAMES.values()))
QUICK = (len(GAMES), tuple(sorted(game.sample.quick_depth for game in GAMES.values())))
MAX_CHESS_DEPTH = 10
"""Depths up to here are those of chess, greater ones those of checkers."""
ENTRIES = 1 << 23
ONE = "one processor"
PROCESSORS = (2, 16, 64, 256, 1024, 4096)
MAX_QUICK_PROCESSORS = 256
"""Searches that are less deep have too little work for more."""
QUEUE = "ybwc, queue"
YBWC, PV_SPLIT, APHID = "ybwc", "pv-split", "aphid"


@dataclass(frozen=True)
class Simulated:
    """A method, and what is simulated of it."""

    method: str
    """The engine's name."""
    processors: dict[str, tuple[int, ...]]
    """By network."""
    settings: dict[str, str] = field(default_factory=dict)


METHODS = {
    "root-split": Simulated("root-split", {SHARED: (64,)}),
    PV_SPLIT: Simulated("pv-split", {SHARED: (16, 256, 4096)}),
    "dynamic": Simulated("dynamic", {SHARED: (16, 256, 4096)}),
    YBWC: Simulated("ybwc", {SHARED: PROCESSORS, CLUSTER: (64, 256, 4096), INTERNET: (64, 4096)}),
    QUEUE: Simulated("ybwc", {SHARED: (64,)}, {"split-choice": "queue"}),
    APHID: Simulated("aphid", {SHARED: (16, 64, 256, 4096), CLUSTER: (64,), INTERNET: (64,)}),
}
"""Methods whose workers communicate by the table alone, as `abdada`, are left out: the entries of a
subtree are in the table as soon as its search begins, so a worker would find values that another
one has yet to compute.
"""
PARTS = ("sharing", "splitting", "joining", "messages")


def name_of(method: str, processors: int, network: str) -> str:
    return f"{method}, {processors:,} processors, {network}"


def variations() -> list[Variation]:
    found = [Variation(ONE, entries=ENTRIES, extra={"method": YBWC, "processors": 1})]
    for method, simulated in METHODS.items():
        for network, numbers in simulated.processors.items():
            for processors in numbers:
                extra = {"method": method, "processors": processors, "network": network}
                name, settings = name_of(method, processors, network), simulated.settings
                found.append(Variation(name, settings=settings, entries=ENTRIES, extra=extra))
    return found


def cases(seed: int, count: int) -> list[Case]:
    samples = [game.sample for game in GAMES.values()]
    return [
        choose_case(samples[number % len(samples)], seed, number // len(samples))
        for number in range(count)
    ]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    """Search each game to its own depths, and with many processors only where there is work."""
    game = GROUPS[number % len(GROUPS)]
    if (depth <= MAX_CHESS_DEPTH) != (game == "chess"):
        return False
    deep = depth >= GAMES[game].sample.depth
    return deep or int(variation.extra["processors"]) <= MAX_QUICK_PROCESSORS


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    game, extra = GAMES[case.game], variation.extra
    network = str(extra.get("network", SHARED))
    settings = {
        **variation.settings,
        "split-depth": game.split_depths[network],
        "master-depth": game.master_depth,
    }
    chosen = Variation(
        variation.name, settings=settings, entries=variation.entries, defaults=variation.defaults
    )
    method = METHODS[str(extra["method"])].method
    processors = int(extra["processors"])
    return simulate(case, chosen, depth, method, processors, network)


# Figures


def speed_up(data: Data, name: str) -> Estimate | None:
    """Return the time of one processor over that of a configuration, of one game."""
    depth = data.max_depth([ONE])
    return None if depth is None else data.ratio(ONE, name, depth, "elapsed")


def over_one(data: Data, name: str, metric: str) -> Estimate | None:
    """Return a figure of a configuration over the work of one processor."""
    depth = data.max_depth([ONE])
    if depth is None:
        return None
    return data.ratio_of(
        {
            # Runs of older versions have no figure for `sharing`.
            case: (data.row(name, depth, case).get(metric, 0.0), data.row(ONE, depth, case)["work"])
            for case in data.cases(depth, (name, ONE))
        }
    )


def extra_work(data: Data, name: str) -> Estimate | None:
    """Return the search overhead: work beyond that of one processor, in percent."""
    found = over_one(data, name, "work")
    return None if found is None else found.rescale(100, -100)


def share(data: Data, name: str, metrics: tuple[str, ...], processors: int) -> Estimate | None:
    """Return the share of all processors' time that some figures take, in percent."""
    depth = data.max_depth([ONE])
    if depth is None:
        return None
    pairs = {}
    for case in data.cases(depth, (name,)):
        row = data.row(name, depth, case)
        pairs[case] = (sum(row.get(metric, 0.0) for metric in metrics), processors * row["elapsed"])
    return percent(data.ratio_of(pairs))


def parts_of(data: Data, name: str) -> dict[str, float] | None:
    """Return what the time of all processors goes to, in units of the work of one."""
    found = {part: over_one(data, name, part) for part in ("work", "idle", *PARTS)}
    values = {part: figure.value for part, figure in found.items() if figure is not None}
    if len(values) < len(found):
        return None
    return {
        "the search of one processor": 1.0,
        "more nodes": values["work"] - 1.0,
        "idle": values["idle"],
        **{part: values[part] for part in PARTS},
    }


def claims() -> list[Claim]:
    def of_game(game: str, figure: Figure) -> Figure:
        return lambda data: figure(data.part(game)) if game in data.groups else None

    def gain(
        game: str, processors: int, slower: str, faster: str, network: str
    ) -> Callable[[Data], Estimate | None]:
        def estimate(data: Data) -> Estimate | None:
            names = [name_of(method, processors, network) for method in (slower, faster)]
            depth = data.max_depth([ONE])
            return None if depth is None else data.ratio(names[0], names[1], depth, "elapsed")

        return of_game(game, estimate)

    zugzwang = "Feldmann, Mysliwietz and Monien 1992"
    section = "Young Brothers Wait Concept"
    return [
        Claim(
            "YBWC makes chess 126 times as fast with 256 processors",
            "126",
            "virtual time of one processor over that of 256, YBWC, chess, cluster",
            Equals(126, margin=32),
            of_game("chess", lambda data: speed_up(data, name_of(YBWC, 256, CLUSTER))),
            source=zugzwang,
            note="theirs is Zugzwang on transputers, at tournament speed",
            samples="positions",
        ),
        *(
            Claim(
                f"PV splitting levels off at a handful of processors in {game}",
                "a handful",
                "virtual time of one processor over that of 4,096, PV splitting, shared memory",
                LessThan(8),
                of_game(game, lambda data: speed_up(data, name_of(PV_SPLIT, 4096, SHARED))),
                source="Marsland and Popowich 1985",
                note="the rule takes fewer than 8 for a handful",
                samples="positions",
            )
            for game in GROUPS
        ),
        *(
            Claim(
                f"YBWC is faster than PV splitting with {processors} processors in {game}",
                "generalization to PVSplit",
                "virtual time of PV splitting over that of YBWC, shared memory",
                MoreThan(1),
                gain(game, processors, PV_SPLIT, YBWC, SHARED),
                place=section,
                note="described there without figures",
                samples="positions",
            )
            for game in GROUPS
            for processors in (16, 256)
        ),
        *(
            Claim(
                f"YBWC has a small search overhead with 16 processors in {game}",
                "small",
                "work of all processors beyond that of one, YBWC, shared memory",
                LessThan(25),
                of_game(game, lambda data: extra_work(data, name_of(YBWC, 16, SHARED))),
                " %",
                place=section,
                note="the rule takes less than 25 % for small",
                samples="positions",
            )
            for game in GROUPS
        ),
        *(
            Claim(
                f"Processors of YBWC starve at the ends of iterations in {game}",
                "work starvation",
                "share of the time in which 256 processors are idle, YBWC, shared memory",
                MoreThan(10),
                of_game(game, lambda data: share(data, name_of(YBWC, 256, SHARED), ("idle",), 256)),
                " %",
                place=section,
                note="all idle time counts; the rule takes more than 10 % for starvation",
                samples="positions",
            )
            for game in GROUPS
        ),
        Claim(
            "TDSAB makes a search about 20 times as fast with 64 processors",
            "about 20",
            "virtual time of one processor over that of 64, YBWC, checkers, cluster",
            NotComparable("ours is YBWC with one table; TDSAB sends work to the owner of an entry"),
            of_game("checkers", lambda data: speed_up(data, name_of(YBWC, 64, CLUSTER))),
            source="Kishimoto and Schaeffer 2002",
        ),
        *(
            Claim(
                f"APHID gains at least as much as YBWC from 64 processors in {game}",
                published,
                "virtual time of YBWC over that of APHID, cluster",
                MoreThan(0.9),
                gain(game, 64, YBWC, APHID, CLUSTER),
                source="Brockington and Schaeffer 2000",
                note="the rule takes more than 0.9 for comparable; our APHID starts each iteration"
                " of the deepening when the last one has ended",
                samples="positions",
            )
            for game, published in (("chess", "comparable"), ("checkers", "better"))
        ),
    ]


# Presentation


def tables(data: Data) -> list[Table]:
    found = []
    for game in GROUPS:
        part = data.part(game)
        depth = part.max_depth([ONE])
        if depth is not None:
            nodes = part.mean(ONE, depth, "nodes")
            size = f"{nodes.value:,.0f} nodes with one processor on average" if nodes else ""
            title = f"{game}, depth {depth}, {len(part.cases(depth, [ONE]))} positions, {size}"
            found += [_speed_ups(part, title), *_overheads(part, game), _values(part, game, depth)]
    return found


def _speed_ups(data: Data, title: str) -> Table:
    rows = {
        f"{method}, {network}": [speed_up(data, name_of(method, n, network)) for n in PROCESSORS]
        for method, simulated in METHODS.items()
        for network in simulated.processors
    }
    return figure_table(
        f"Speed-up by processors: {title}", "", [f"{n:,}" for n in PROCESSORS], rows
    )


def _overheads(data: Data, game: str) -> list[Table]:
    columns = (
        *("efficiency (%)", "more nodes (%)", "slower nodes (%)", "idle (%)"),
        *("splits and joins (%)", "messages (%)", "balance", "sum / time of all"),
    )
    found = []
    for method in (YBWC, "dynamic", PV_SPLIT, APHID):
        rows = {}
        for network in LATENCIES:
            for n in PROCESSORS:
                name = name_of(method, n, network)
                faster = speed_up(data, name)
                depth = data.max_depth([name])
                if faster is None or depth is None:
                    continue
                rows[f"{network}, {n:,}"] = (
                    faster.rescale(100 / n),
                    extra_work(data, name),
                    share(data, name, ("sharing",), n),
                    share(data, name, ("idle",), n),
                    share(data, name, ("splitting", "joining"), n),
                    share(data, name, ("messages",), n),
                    data.mean(name, depth, "balance"),
                    _sum_of_parts(data, name, n),
                )
        title = f"Where the time of {method} goes: {game}"
        found.append(figure_table(title, "", columns, rows))
    return found


def _sum_of_parts(data: Data, name: str, processors: int) -> str:
    total = share(data, name, ("work", "idle", *PARTS), processors)
    return "" if total is None else f"{total.value / 100:.3f}"


def _values(data: Data, game: str, depth: int) -> Table:
    same = equal_values(data, [(name, ONE) for name in data.variations_at(depth)], [depth])
    title = f"Values: {game}"
    rows = {"positions at which all searches find the value of one processor (%)": [same]}
    return figure_table(title, "", ("share",), rows)


def charts(data: Data) -> list[Chart]:
    found = []
    for game in GROUPS:
        part = data.part(game)
        if part.max_depth([ONE]) is None:
            continue
        methods = tuple(_line(part, method, SHARED, method) for method in METHODS)
        networks = tuple(_line(part, YBWC, network, network) for network in LATENCIES)
        found += [
            Chart(f"{game}-methods", f"Speed-up in {game}, shared memory", "processors", "speed-up",
                  (*methods, *_published(game)), log_x=True, log_y=True),
            Chart(f"{game}-networks", f"Speed-up of YBWC in {game}", "processors", "speed-up",
                  networks, log_x=True, log_y=True),
            _stack(part, game),
        ]  # fmt: skip
    return found


def _line(data: Data, method: str, network: str, label: str) -> Series:
    points = [(n, speed_up(data, name_of(method, n, network))) for n in PROCESSORS]
    return Series.of(label, [(1, speed_up(data, ONE)), *points])


def _published(game: str) -> tuple[Series, ...]:
    zugzwang = Series("Zugzwang, YBWC", (256.0,), (126.0,), published=True)
    return (zugzwang,) if game == "chess" else ()


def _stack(data: Data, game: str) -> Chart:
    """Draw what the time of all processors goes to, over processors / speed-up."""
    bars = [
        (f"{network}, {n:,}", n, parts)
        for network in LATENCIES
        for n in PROCESSORS
        if (parts := parts_of(data, name_of(YBWC, n, network))) is not None
    ]
    names = tuple(name for name, _, _ in bars)
    series = []
    for part in bars[0][2] if bars else ():
        shares = [100 * parts[part] / sum(parts.values()) for _, _, parts in bars]
        series.append(Series(part, tuple(map(float, range(len(bars)))), tuple(shares)))
    title = f"What processors do in {game}: YBWC"
    label = "share of the time of all processors (%)"
    return Chart(f"{game}-account", title, "", label, tuple(series), names, stacked=True)


METHOD = f"""
All workers run in one thread, each at the virtual time when its last turn has ended, with the code
that threads run. A node takes {GAMES["checkers"].node_seconds * 1e6:g} µs in checkers and
{GAMES["chess"].node_seconds * 1e6:g} µs in chess, a split {SPLIT_SECONDS * 1e6:g} µs and a join
{JOIN_SECONDS * 1e6:g} µs, as measured with threads. In shared memory, a node takes
{GAMES["checkers"].sharing:g} times as long in checkers and {GAMES["chess"].sharing:g} times in
chess if there are several processors, as measured with two threads. A join, and every move or
value that goes between a processor and the owner of a node, also takes the time of two messages:
{LATENCIES[SHARED] * 1e6:g} µs each in shared memory, {LATENCIES[CLUSTER] * 1e6:g} µs in a cluster,
{LATENCIES[INTERNET] * 1e3:g} ms on the internet. Nodes are shared down to a depth that depends on
the network, so that a subtree takes longer than the messages about it: in checkers
{", ".join(map(str, GAMES["checkers"].split_depths.values()))} plies, in chess
{", ".join(map(str, GAMES["chess"].split_depths.values()))}. The master of `aphid` searches
{GAMES["checkers"].master_depth} plies in checkers and {GAMES["chess"].master_depth} in chess.
The search is the exact one of 2026 with iterative deepening, from an empty table of 2^23 entries.
Positions are those of games that start with six random moves and are played on by shallow searches,
of about the same size. Work that a cut spares is not charged. The same run gives the same figures.

The time of all processors is the work, what it takes longer in shared memory, idle time, splits,
joins and messages: the column *sum* says how well these add up to it. Rules were stated before
these positions were searched. Not every method is simulated with every network and number.
"""
THREATS = """
All processors use one table, which answers at once: a distributed one costs messages, or nodes. A
subtree is searched at once when it starts, and its entries are in the table at once, before their
time; methods that rely on the table alone would gain by that, and are left out. Histories and
killers belong to a processor. A search of some 10^7 nodes is over in seconds, which is little work
for thousands of processors, and less for a network whose messages take 20 ms: searches of minutes
would gain more. Nodes take as long with thousands of processors in shared memory as with two.
Programs of the sources have narrower trees, other speeds and other networks.
"""
