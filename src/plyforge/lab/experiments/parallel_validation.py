"""Simulated and measured speed-ups of parallel search, side by side."""

from collections.abc import Callable
from functools import cache

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    LessThan,
    Series,
    Variation,
    Within,
    open_engine,
)
from plyforge.lab.experiments._comparisons import Figure, figure_table, quotient_of_sums
from plyforge.lab.experiments._simulation import GAMES, SHARED, simulate
from plyforge.lab.parallel import choose_case, search_to, search_twice_at_once, thread_figures
from plyforge.lab.parallel_report import PAIR, LostTime, lost_time
from plyforge.lab.stolen_time import stolen_seconds
from plyforge.match.tables import Table

TITLE = "Are the simulation and the account of parallel search right with one and two threads?"
SOURCE = "measured here"
QUESTION = (
    "Do searches in virtual time take as long as searches with one real thread, do they gain as"
    " much from a second one, and does the account of a search with two threads explain its time?"
)
DEFAULTS = "2026"
GROUPS = tuple(GAMES)
POSITIONS = 12
DEPTHS = tuple(sorted(game.sample.depth for game in GAMES.values()))
QUICK = (2, tuple(sorted(game.sample.quick_depth for game in GAMES.values())))
REPEATS = 3
MAX_CHESS_DEPTH = 10
ENTRIES = 1 << 23
MARGIN = 0.1
MAX_RESIDUAL = 5.0
"""The account should explain the time of a search up to so many percent."""
OWN = "own_seconds"
"""The time of a search less what the host of the machine gave to others meanwhile."""
METHODS = ("ybwc", "pv-split", "dynamic")
ONE = "one thread"
ONE_SIMULATED = "one processor, simulated"
_OWN = "bar set for Plyforge"


def measured(method: str) -> str:
    return f"{method}, two threads"


def simulated(method: str) -> str:
    return f"{method}, two processors, simulated"


def variations() -> list[Variation]:
    kinds = {ONE: ("threads", "ybwc", 1), PAIR: ("pair", "ybwc", 2)}
    kinds |= {measured(method): ("threads", method, 2) for method in METHODS}
    kinds |= {ONE_SIMULATED: ("simulation", "ybwc", 1)}
    kinds |= {simulated(method): ("simulation", method, 2) for method in METHODS}
    return [
        Variation(name, entries=ENTRIES, extra={"kind": kind, "method": method, "threads": threads})
        for name, (kind, method, threads) in kinds.items()
    ]


def uses_threads(variation: Variation) -> bool:
    return variation.extra["kind"] != "simulation" and int(variation.extra["threads"]) > 1


def cases(seed: int, count: int) -> list[Case]:
    samples = [game.sample for game in GAMES.values()]
    return [
        choose_case(samples[number % len(samples)], seed, number // len(samples))
        for number in range(count)
    ]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return (depth <= MAX_CHESS_DEPTH) == (GROUPS[number % len(GROUPS)] == "chess")


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Search with threads, with two engines at once, or in virtual time.

    `seconds` is the time of the clock; that of a simulation is in `elapsed`.
    """
    kind, method = str(variation.extra["kind"]), str(variation.extra["method"])
    threads = int(variation.extra["threads"])
    if kind == "simulation":
        return simulate_once(case, method, threads, depth)
    if kind == "pair":
        found = search_twice_at_once(case, variation, depth)
        return {**found, OWN: found["seconds"] - found["stolen"]}
    engine, history = open_engine(case, variation, threads=threads, parallel=method)
    stolen = stolen_seconds()
    result, seconds = search_to(engine, history, depth)
    found = thread_figures(result, seconds, stolen_seconds() - stolen)
    return {**found, OWN: seconds - found["stolen"] / threads}


@cache
def simulate_once(case: Case, method: str, processors: int, depth: int) -> dict[str, float]:
    """Search in virtual time; repeats would give the same figures."""
    game = GAMES[case.game]
    settings = {"split-depth": game.split_depths[SHARED]}
    variation = Variation("simulated", settings=settings, entries=ENTRIES, defaults=DEFAULTS)
    return simulate(case, variation, depth, method, processors, SHARED)


# Figures of one game.  Repeats of a measurement are added up.


def prediction_error(data: Data, depth: int) -> Estimate | None:
    """Return by how much the time of one thread differs from its prediction, in percent.

    The prediction is the nodes of a position, times what a node takes in the other positions.
    """
    rows = {case: data.total(ONE, depth, case) for case in data.cases(depth, (ONE,))}
    errors = {}
    for case, row in rows.items():
        others = [other for number, other in rows.items() if number != case]
        if others:
            node = sum(other[OWN] for other in others) / sum(other["nodes"] for other in others)
            errors[case] = 100 * abs(row["nodes"] * node / row[OWN] - 1)
    return data.mean_of(errors)


def total_ratio(data: Data, name: str, base: str, depth: int, metric: str) -> Estimate | None:
    pairs = {
        case: (data.total(name, depth, case)[metric], data.total(base, depth, case)[metric])
        for case in data.cases(depth, (name, base))
    }
    return data.ratio_of(pairs)


def measured_gain(data: Data, method: str, depth: int) -> Estimate | None:
    return total_ratio(data, ONE, measured(method), depth, OWN)


def simulated_gain(data: Data, method: str, depth: int) -> Estimate | None:
    return data.ratio(ONE_SIMULATED, simulated(method), depth, "elapsed")


def slowdown(data: Data, depth: int) -> Estimate | None:
    """Return what a search takes beside another one, over what it takes alone."""
    return total_ratio(data, PAIR, ONE, depth, OWN)


def agreement(data: Data, method: str, depth: int) -> Estimate | None:
    """Return the simulated speed-up over the measured one."""
    rows = {
        case: (
            data.row(ONE_SIMULATED, depth, case)["elapsed"],
            data.row(simulated(method), depth, case)["elapsed"],
            data.total(ONE, depth, case)[OWN],
            data.total(measured(method), depth, case)[OWN],
        )
        for case in data.cases(depth, (ONE, ONE_SIMULATED, simulated(method), measured(method)))
    }
    return quotient_of_sums(data, rows)


def residual(data: Data, method: str, depth: int) -> Estimate | None:
    """Return by how much the account's speed-up differs from the measured one, in percent."""
    errors = {}
    for case in data.cases(depth, (ONE, PAIR, measured(method))):
        lost = account_of(data, method, depth, case)
        errors[case] = 100 * abs(lost.predicted / lost.speed_up - 1)
    return data.mean_of(errors)


def account_of(data: Data, method: str, depth: int, case: int) -> LostTime:
    """Return the account of a method with two threads at one position."""
    one, pair, mine = (data.total(name, depth, case) for name in (ONE, PAIR, measured(method)))
    for row in (one, pair, mine):
        row["seconds"] = row[OWN]
    slower = pair[OWN] / pair["nodes"] / (one[OWN] / one["nodes"])
    lost = lost_time([(mine, one)], 2, slower)
    assert lost is not None
    return lost


def slower_nodes(data: Data, method: str, depth: int) -> Estimate | None:
    """Return what a node by recursion takes with two threads, over what it takes with one."""
    cases = data.cases(depth, (ONE, PAIR, measured(method)))
    return data.mean_of({case: account_of(data, method, depth, case).slower for case in cases})


def claims() -> list[Claim]:
    def of_game(game: str, figure: Callable[[Data, int], Estimate | None]) -> Figure:
        def estimate(data: Data) -> Estimate | None:
            part = data.part(game)
            depth = part.max_depth([ONE])
            return None if depth is None else figure(part, depth)

        return estimate

    def gain(method: str) -> Callable[[Data, int], Estimate | None]:
        return lambda data, depth: agreement(data, method, depth)

    def account(method: str) -> Callable[[Data, int], Estimate | None]:
        return lambda data, depth: residual(data, method, depth)

    within = f"within {100 * MARGIN:g} %"
    return [
        *(
            Claim(
                f"Nodes predict the time of one thread in {game}",
                within,
                "mean absolute difference of the time of one thread and its nodes times the time of"
                " a node in the other positions",
                LessThan(100 * MARGIN),
                of_game(game, prediction_error),
                " %",
                source=_OWN,
                samples="positions",
            )
            for game in GROUPS
        ),
        *(
            Claim(
                f"{method} gains as much from two processors as from two threads in {game}",
                within,
                "simulated over measured speed-up",
                Within(1, MARGIN),
                of_game(game, gain(method)),
                source=_OWN,
                samples="positions",
            )
            for game in GROUPS
            for method in METHODS
        ),
        *(
            Claim(
                f"The account of ybwc with two threads adds up in {game}",
                f"within {MAX_RESIDUAL:g} %",
                "mean absolute difference of the speed-up that the account predicts and the"
                " measured one",
                LessThan(MAX_RESIDUAL),
                of_game(game, account("ybwc")),
                " %",
                source=_OWN,
                samples="positions",
            )
            for game in GROUPS
        ),
    ]


def tables(data: Data) -> list[Table]:
    found = []
    for game in GROUPS:
        part = data.part(game)
        depth = part.max_depth([ONE])
        if depth is None:
            continue
        where = f"{game}, depth {depth}, {len(part.cases(depth, [ONE]))} positions"
        one = (prediction_error(part, depth), slowdown(part, depth))
        rows = {
            method: (
                measured_gain(part, method, depth),
                simulated_gain(part, method, depth),
                agreement(part, method, depth),
                total_ratio(part, measured(method), ONE, depth, "nodes"),
                part.ratio(simulated(method), ONE_SIMULATED, depth, "nodes"),
                slower_nodes(part, method, depth),
                residual(part, method, depth),
            )
            for method in METHODS
        }
        columns = (
            *("measured speed-up", "simulated speed-up", "simulated / measured"),
            *("measured nodes ×", "simulated nodes ×", "time of a node by recursion ×"),
            *("difference of the account (%)",),
        )
        heads = ("difference of predicted time (%)", "time beside another search ×")
        found += [
            figure_table(f"One thread: {where}", "", heads, {"one thread": one}),
            figure_table(f"Two threads: {where}", "", columns, rows),
        ]
    return found


def charts(data: Data) -> list[Chart]:
    found = []
    for game in GROUPS:
        part = data.part(game)
        depth = part.max_depth([ONE])
        if depth is not None:
            series = tuple(
                Series.of(label, [(float(i), gain(part, m, depth)) for i, m in enumerate(METHODS)])
                for label, gain in (("measured", measured_gain), ("simulated", simulated_gain))
            )
            title = f"Speed-up with two threads and with two simulated processors: {game}"
            found.append(Chart(game, title, "", "speed-up", series, METHODS, origin=1.0))
    return found


METHOD = """
Positions and searches are those of `parallel-simulated`. Each position is searched with one thread,
with two threads by each method, twice at once by two engines that share nothing, and in virtual
time with one and two processors. All of this is measured three times in turn, and times and nodes
are added up. Times are those of the clock until the last iteration ends, less the time that the
host of a virtual machine took from its cores meanwhile (as `/proc/stat` has it), which differs from
minute to minute. Nothing else should run.

The time of one thread is predicted from its nodes, by what a node takes in the other positions.
Nodes take longer with two threads, which share a table and keep frames near the root. The
simulation knows by how much, on average, from other positions (seed 3 of this experiment). Two
searches at once show how much of that is due to both cores being busy. The account predicts the
time of two threads as in `parallel-GAME`: nodes by recursion, times what such a node takes, plus
nodes near the root, waiting, splitting, joining and locking, each by the processor's time stamp.
"""
THREATS = """
A node takes longer in some positions than in others. Searches with two threads differ from time to
time. Two engines at once have two tables, which need more of the caches than one. The rules judge
positions of one kind; with more threads than two, nothing is compared.
"""
