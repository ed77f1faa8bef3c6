"""Simulated and measured speed-ups of parallel search, side by side."""

from collections.abc import Callable
from dataclasses import replace

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    Series,
    Variation,
    open_engine,
)
from plyforge.lab.experiments._comparisons import Figure, figure_table, quotient_of_sums
from plyforge.lab.experiments._simulation import GAMES, SHARED, machine_of, simulate
from plyforge.lab.parallel import choose_case, search_to, search_twice_at_once, thread_figures
from plyforge.lab.parallel_report import PAIR
from plyforge.match.tables import Table

TITLE = "Is the simulation of parallel search right with one and two threads?"
SOURCE = "measured here"
QUESTION = (
    "Do searches in virtual time take as long as searches with one real thread, and do they gain as"
    " much from a second one?"
)
DEFAULTS = "2026"
GROUPS = tuple(GAMES)
POSITIONS = 16
DEPTHS = tuple(sorted(game.sample.depth for game in GAMES.values()))
QUICK = (2, tuple(sorted(game.sample.quick_depth for game in GAMES.values())))
REPEATS = 3
MAX_CHESS_DEPTH = 10
ENTRIES = 1 << 23
MARGIN = 0.1
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
        game = GAMES[case.game]
        chosen = replace(variation, extra={}, settings={"split-depth": game.split_depths[SHARED]})
        return simulate(case, chosen, depth, method, threads, machine_of(game, SHARED))
    if kind == "pair":
        return search_twice_at_once(case, variation, depth)
    engine, history = open_engine(case, variation, threads=threads, parallel=method)
    result, seconds = search_to(engine, history, depth)
    return thread_figures(result, seconds)


# Figures of one game


def predicted_time(data: Data, depth: int) -> Estimate | None:
    """Return the virtual time of one processor over the time of one thread."""
    cases = data.cases(depth, (ONE, ONE_SIMULATED))
    return data.ratio_of(
        {
            case: (
                data.row(ONE_SIMULATED, depth, case)["elapsed"],
                data.row(ONE, depth, case)["seconds"],
            )
            for case in cases
        }
    )


def measured_gain(data: Data, method: str, depth: int) -> Estimate | None:
    return data.ratio(ONE, measured(method), depth, "seconds")


def simulated_gain(data: Data, method: str, depth: int) -> Estimate | None:
    return data.ratio(ONE_SIMULATED, simulated(method), depth, "elapsed")


def slowdown(data: Data, depth: int) -> Estimate | None:
    """Return what a search takes beside another one, over what it takes alone."""
    return data.ratio(PAIR, ONE, depth, "seconds")


def agreement(data: Data, method: str, depth: int, alone: bool = False) -> Estimate | None:
    """Return the simulated speed-up over the measured one.

    Nodes of the simulation take what they take while another search is running, as in the search
    with two threads; `alone`: what they take while nothing else is.
    """
    base = ONE if alone else PAIR
    rows = {
        case: (
            data.row(ONE_SIMULATED, depth, case)["elapsed"],
            data.row(simulated(method), depth, case)["elapsed"],
            data.row(base, depth, case)["seconds"],
            data.row(measured(method), depth, case)["seconds"],
        )
        for case in data.cases(
            depth, (ONE, PAIR, ONE_SIMULATED, simulated(method), measured(method))
        )
    }
    return quotient_of_sums(data, rows)


def claims() -> list[Claim]:
    def of_game(game: str, figure: Callable[[Data, int], Estimate | None]) -> Figure:
        def estimate(data: Data) -> Estimate | None:
            part = data.part(game)
            depth = part.max_depth([ONE])
            return None if depth is None else figure(part, depth)

        return estimate

    def gain(method: str) -> Callable[[Data, int], Estimate | None]:
        return lambda data, depth: agreement(data, method, depth)

    within = f"within {100 * MARGIN:g} %"
    return [
        *(
            Claim(
                f"A search of {game} takes one processor as long as one thread",
                within,
                "virtual time of one processor over the time of one thread",
                Equals(1, MARGIN),
                of_game(game, predicted_time),
                source=_OWN,
                samples="positions",
            )
            for game in GROUPS
        ),
        *(
            Claim(
                f"{method} gains as much from two processors as from two threads in {game}",
                within,
                "simulated over measured speed-up; a node of the simulation takes what it takes"
                " while another search is running",
                Equals(1, MARGIN),
                of_game(game, gain(method)),
                source=_OWN,
                samples="positions",
            )
            for game in GROUPS
            for method in METHODS
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
        one = (predicted_time(part, depth), slowdown(part, depth))
        rows = {
            method: (
                measured_gain(part, method, depth),
                simulated_gain(part, method, depth),
                agreement(part, method, depth, alone=True),
                agreement(part, method, depth),
                part.ratio(measured(method), ONE, depth, "nodes"),
                part.ratio(simulated(method), ONE_SIMULATED, depth, "nodes"),
            )
            for method in METHODS
        }
        columns = (
            *("measured speed-up", "simulated speed-up", "simulated / measured"),
            *("the same, with nodes as slow as beside another search",),
            *("measured nodes ×", "simulated nodes ×"),
        )
        heads = ("virtual / measured time", "time beside another search ×")
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
Positions and searches are those of `parallel-simulated`, with what nodes, splits, joins and
messages take there. Each position is searched with one thread, with two threads by each method,
twice at once by two engines that share nothing, and in virtual time with one and two processors.
Threads of one machine share caches and memory, which slows both down; the simulation knows nothing
of that. So the speed-up is compared with nodes that take as long as those of two searches at once,
and also with nodes that take as long as those of one. Times are those of the clock until the last
iteration ends, medians of three. Nothing else should run meanwhile.
"""
THREATS = """
A node takes longer in some positions than in others, and the simulation has one figure for a game.
Searches with two threads differ from time to time. The rules judge positions of one kind; with more
threads than two, nothing is compared.
"""
