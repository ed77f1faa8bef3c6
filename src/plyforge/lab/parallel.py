"""Experiments on parallel search with real threads in a game: `parallel-GAME`.

Every method searches the same positions with 2 threads, and some with 4 and 8, in turn with one
thread.  Two searches at once that share nothing show what it costs that both cores are busy.  The
account of a search says where its time went; `parallel_report` adds that up.
"""

import hashlib
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine import Engine
from plyforge.engine.engine import usable_cores
from plyforge.engine.result import SearchResult
from plyforge.game.game import History
from plyforge.games import load
from plyforge.lab.cases import Case, random_cases
from plyforge.lab.experiment import Experiment
from plyforge.lab.measuring import open_engine
from plyforge.lab.parallel_claims import claims
from plyforge.lab.parallel_report import (
    AGAIN,
    METHOD_OF,
    ONE,
    PAIR,
    THREADS_OF,
    charts,
    name_of,
    tables,
)
from plyforge.lab.played_games import play_game
from plyforge.lab.stolen_time import stolen_seconds
from plyforge.lab.variations import Variation
from plyforge.search.parallel.account import SHARES

PREFIX: Final = "parallel-"
DEFAULTS: Final = "2026"
ENTRIES: Final = 1 << 23
"""Entries of the table: many, so that searches of tens of seconds do not fill it."""
MORE_THREADS: Final = (4, 8)
QUEUE: Final = "ybwc, queue"
METHODS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "shared-table": ("shared-table", {}),
    "lazy": ("lazy", {}),
    "abdada": ("abdada", {}),
    "root-split": ("root-split", {}),
    "pv-split": ("pv-split", {}),
    "dynamic": ("dynamic", {}),
    "ybwc": ("ybwc", {}),
    QUEUE: ("ybwc", {"split-choice": "queue"}),
}
"""The methods by the names of reports: the engine's name, and settings.

`aphid` is measured in virtual time only: with two threads it visited 7.7 and 8.7 times the nodes of
one thread in two chess positions, so it would take longer than all the others together.
"""
WITH_MORE_THREADS: Final = ("shared-table", "abdada", "ybwc")
"""The methods that are also measured with more than two threads."""
PLAY_DEPTH: Final = 2
"""The depth of the searches that play the games of which positions are taken."""
CANDIDATES: Final = 4
"""Games from which a position is chosen."""


@dataclass(frozen=True)
class Sample:
    """The positions of a game, and the depth to which they are searched."""

    game: str
    opening: int
    """Random moves at the start of a game."""
    plies: int
    """The plies after which the position of a game is taken."""
    positions: int
    depth: int
    """A search with one thread takes about ten to sixty seconds."""
    quick_depth: int
    pilot_depth: int = 0
    """The depth of the search by which positions are chosen; 0 for positions of random games."""
    pilot_nodes: int = 0
    """The nodes that this search should visit: then searches of other positions take as long."""


SAMPLES: Final = {
    "checkers": Sample("checkers", 6, 16, 4, 23, 15, 13, 150_000),
    "chess": Sample("chess", 6, 24, 4, 9, 7, 6, 200_000),
    "othello": Sample("othello", 6, 20, 4, 14, 10, 8, 60_000),
}
"""The samples of games, chosen by the nodes of one thread before anything else was measured.

All searches of a game should take less than half an hour on two cores.
"""


def parallel_names() -> list[str]:
    """Return the names of the experiments that are listed."""
    return [f"{PREFIX}{game}" for game in SAMPLES]


def find_sample(game: str) -> Sample:
    """Return the sample of a game; of one that has none, positions after a few random moves."""
    return SAMPLES.get(game) or Sample(game, 4, 4, 4, 8, 6)


def parallel(name: str, variations: Sequence[Variation] | None = None) -> Experiment:
    """Return an experiment by its name; its configurations are those of an old run, if given."""
    sample = find_sample(name.removeprefix(PREFIX))
    game = load(sample.game)
    chosen = tuple(configurations() if variations is None else variations)
    identity = repr((name, sample, chosen)).encode()
    return Experiment(
        reference=name,
        name=name,
        title=f"Parallel search in {game.title}: speed-up by method, and where the time goes",
        source="measured here",
        positions=sample.positions,
        depths=(sample.depth,),
        quick=(2, (sample.quick_depth,)),
        repeats=1,
        metrics=(("seconds", "time"), ("nodes", "nodes")),
        notes="",
        cases=lambda seed, count: [choose_case(sample, seed, number) for number in range(count)],
        variations=chosen,
        measure=measure,
        wanted=lambda number, variation, depth: True,
        claims=tuple(claims(game.title)),
        charts=lambda data: charts(data, chosen),
        tables=lambda data: tables(data, chosen),
        digest=hashlib.blake2b(identity, digest_size=8).hexdigest(),
        command=f"lab run {name}",
        question=QUESTION,
        method=METHOD.format(**vars(sample), play_depth=PLAY_DEPTH, candidates=CANDIDATES),
        threats=THREATS,
        uses_threads=lambda variation: int(variation.extra[THREADS_OF]) > 1,
        with_variations=lambda old: parallel(name, old),
    )


def configurations() -> list[Variation]:
    """Return one thread, the methods with two threads and with more, and what they are judged by.

    That is two searches at once, and one thread once more.
    """
    found = [_variation(ONE, ONE, 1, {})]
    for threads in (2, *MORE_THREADS):
        for method, (_, settings) in METHODS.items():
            if threads == 2 or method in WITH_MORE_THREADS:
                found.append(_variation(name_of(method, threads), method, threads, settings))
    return [*found, _variation(PAIR, PAIR, 2, {}), _variation(AGAIN, ONE, 1, {})]


def _variation(name: str, method: str, threads: int, settings: dict[str, Any]) -> Variation:
    extra = {METHOD_OF: method, THREADS_OF: threads}
    return Variation(name, settings=settings, entries=ENTRIES, extra=extra, defaults=DEFAULTS)


_PLAYER: Final = Variation("player", entries=1 << 16, defaults=DEFAULTS)


@cache
def choose_case(sample: Sample, seed: int, number: int) -> Case:
    """Return the position of a number: of a few, the one whose search is nearest in size.

    Where a win is found, searches end early: such a position is taken only if all have one.
    """
    if not sample.pilot_depth:
        return random_cases(sample.game, sample.plies, seed, number + 1)[number]
    first = number * CANDIDATES
    cases = [_play(sample, seed, first + place) for place in range(CANDIDATES)]
    return min(cases, key=lambda case: _misfit(case, sample))


def _play(sample: Sample, seed: int, number: int) -> Case:
    arguments = (sample.game, sample.opening, sample.plies, _PLAYER, PLAY_DEPTH, seed, number)
    return play_game(*arguments)


def _misfit(case: Case, sample: Sample) -> tuple[bool, float]:
    """Return whether a shallow search finds a win, and how far its size is from the wanted one."""
    engine, history = open_engine(case, _PLAYER)
    result = engine.analyse(history, depth=sample.pilot_depth)
    size = abs(math.log(result.nodes / sample.pilot_nodes))
    return abs(result.score) > SCORE_LIMIT, size


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Search a position with one or several threads, and return the time to the depth."""
    method, threads = str(variation.extra[METHOD_OF]), int(variation.extra[THREADS_OF])
    if method == PAIR:
        return search_twice_at_once(case, variation, depth)
    engine_method = METHODS[method][0] if threads > 1 else "shared-table"
    engine, history = open_engine(case, variation, threads=threads, parallel=engine_method)
    stolen = stolen_seconds()
    result, seconds = search_to(engine, history, depth)
    return thread_figures(result, seconds, stolen_seconds() - stolen)


def search_to(engine: Engine, history: History, depth: int) -> tuple[SearchResult, float]:
    """Search a position; return the result, and the time when its last iteration ended."""
    seconds: list[float] = []
    result = engine.analyse(history, depth=depth, report=lambda info: seconds.append(info.seconds))
    return result, seconds[-1]


def search_twice_at_once(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Let two engines with tables of their own search one position, and return their mean time."""
    chosen = [replace(variation, name=name) for name in ("first", "second")]
    engines = [open_engine(case, one) for one in chosen]
    stolen = stolen_seconds()
    with ThreadPoolExecutor(2) as threads:
        found = [threads.submit(search_to, *pair, depth) for pair in engines]
        results = [one.result() for one in found]
    nodes = sum(result.nodes for result, _ in results) / 2
    return {
        "nodes": nodes,
        "seconds": sum(seconds for _, seconds in results) / 2,
        "stolen": (stolen_seconds() - stolen) / 2,
    }


def thread_figures(result: SearchResult, seconds: float, stolen: float) -> dict[str, float]:
    """Return the figures of a search; all of the account are in seconds of threads.

    `stolen` is the time that the host took from all cores meanwhile.
    """
    figures = {
        "stolen": stolen,
        "value": result.score,
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": seconds,
    }
    account = result.account
    if account is None:
        return figures
    return figures | {
        "cores": usable_cores(),
        "thread_seconds": account.seconds,
        **{share: getattr(account, share) * account.seconds for share in (*SHARES, "recursion")},
        "recursion_nodes": account.recursion_nodes,
        "table_conflicts": account.table_conflicts,
        "balance": account.balance,
        "splits": account.splits,
        "joins": account.joins,
        "aborts": account.aborts,
    }


QUESTION = (
    "How much faster do several threads reach a depth, by method, and where does the rest of their"
    " time go?"
)
METHOD = """
Games start with {opening} random moves, and both sides then play the best move of an exact search
to depth {play_depth}. Positions are taken after {plies} plies; of {candidates} games, the one whose
shallow search is nearest to a fixed number of nodes gives a position, so that searches take about
equally long; games in which it finds a win are avoided. Every configuration searches every position
with the preset `exact` and iterative deepening, from an empty table of 2^23 entries. All
configurations are measured at a position, one after the other, before the next position: one thread
twice, the methods, and two searches at once. Nothing else should run meanwhile. The time is that of
the clock until the last iteration ends.

The account predicts the speed-up from figures of which none is the time of the search with threads.
Each thread counts the nodes that it searches by recursion and reads the processor's time stamp
before and after, and does the same with the nodes near the root, and with waiting, splitting,
joining and locking. The sum is what all threads together should take, in units of the search with
one thread: the nodes by recursion over those of one thread, times what such a node takes over what
a node takes with one thread, plus the other parts. What was aborted is part of the nodes. Threads,
or cores if there are fewer, divided by that sum is the predicted speed-up. Two engines that share
nothing and search the position at the same time show how much slower nodes are because both cores
are busy; more than that is due to what threads share. (Runs of seed 2 and earlier had no time
stamps around the recursion, and took the time of a node from these two engines.)

Claims are judged on positions whose search with one thread takes at least 10 s.
"""
THREATS = """
With more threads than cores, threads wait for a core in the midst of anything, also while they wait
for others, so the account is a rough one there. Two engines at once have two tables, which need
more of the caches than one. Four positions are few: intervals are wide. Searches with threads
differ from time to time, and each was made once at a position. The preset `exact` has no selective
steps: trees of the preset `play` are narrower.
"""
