"""Experiments on parallel search with real threads in a game: `parallel-GAME`.

Every method searches the same positions with 2, 4 and 8 threads, in turn with one thread.  The
account of a search says where its time went; `parallel_report` adds that up.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.result import Info, SearchResult
from plyforge.games import load
from plyforge.lab.cases import Case, random_cases
from plyforge.lab.experiment import Experiment
from plyforge.lab.measuring import open_engine
from plyforge.lab.parallel_claims import claims
from plyforge.lab.parallel_report import AGAIN, METHOD_OF, ONE, THREADS_OF, charts, name_of, tables
from plyforge.lab.played_games import play_game
from plyforge.lab.variations import Variation
from plyforge.search.parallel.account import SHARES

PREFIX: Final = "parallel-"
DEFAULTS: Final = "2026"
ENTRIES: Final = 1 << 23
"""Entries of the table: many, so that searches of tens of seconds do not fill it."""
THREADS: Final = (2, 4, 8)
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
"""The methods by the names of reports: the engine's name, and settings."""
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
    "checkers": Sample("checkers", 6, 16, 10, 23, 15, 13, 150_000),
    "chess": Sample("chess", 6, 24, 10, 9, 7, 6, 200_000),
    "othello": Sample("othello", 6, 20, 10, 14, 10, 8, 60_000),
}
"""The samples of games, chosen by the nodes of one thread before anything else was measured."""


def parallel_names() -> list[str]:
    """Return the names of the experiments that are listed."""
    return [f"{PREFIX}{game}" for game in SAMPLES]


def find_sample(game: str) -> Sample:
    """Return the sample of a game; of one that has none, positions after a few random moves."""
    return SAMPLES.get(game) or Sample(game, 4, 4, 10, 8, 6)


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
    """Return one thread, every method with every number of threads, and one thread once more."""
    found = [_variation(ONE, ONE, 1, {})]
    for threads in THREADS:
        for method, (_, settings) in METHODS.items():
            found.append(_variation(name_of(method, threads), method, threads, settings))
    return [*found, _variation(AGAIN, ONE, 1, {})]


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
    engine_method = METHODS[method][0] if threads > 1 else "shared-table"
    engine, history = open_engine(case, variation, threads=threads, parallel=engine_method)
    infos: list[Info] = []
    result = engine.analyse(history, depth=depth, report=infos.append)
    return thread_figures(result, infos[-1].seconds)


def thread_figures(result: SearchResult, seconds: float) -> dict[str, float]:
    """Return the figures of a search; all of the account are in seconds of threads."""
    figures = {
        "value": result.score,
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": seconds,
    }
    account = result.account
    if account is None:
        return figures
    return figures | {
        "thread_seconds": account.seconds,
        **{share: getattr(account, share) * account.seconds for share in SHARES},
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
equally long. Every configuration searches every position with the preset `exact` and iterative
deepening, from an empty table of 2^23 entries. All configurations are measured at a position, one
after the other, before the next position, and one thread twice; nothing else should run meanwhile.
The time is that of the clock until the last iteration ends.

The account: threads divided by speed-up is what a search takes, in units of the search with one
thread (2 threads without any speed-up take 2). It is the product of the nodes and of the time for
a node, each over those of one thread, plus the time for waiting, splitting, joining and locking,
plus a rest: time that is in no thread's account, such as starting threads. What was aborted is
part of the nodes. Threads that share only the table search all the time.

Claims are judged on positions whose search with one thread takes at least 10 s.
"""
THREATS = """
With more threads than cores, threads wait for a core in the midst of anything, so a node seems to
take longer; the account cannot tell the two apart. Two threads of one processor share caches and
memory, which makes nodes slower by itself: two searches that have nothing to do with each other
show by how much. Searches with threads differ from time to time, and each was made once at a
position. The preset `exact` has no selective steps: trees of the preset `play` are narrower.
"""
