"""A recorded parallel search: its value, its visits, and what its workers do."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Game
from plyforge.search.parallel.methods import METHODS
from plyforge.search.parallel.recording import MAX_WORKERS, MIN_WORKERS, record_search
from plyforge.search.textbook import Trace, View, alpha_beta
from plyforge.search.textbook.tracing import PARALLEL
from tests.reference.tree import Recipe
from tests.search.examples import examples
from tests.search.kernel.games import depth_within, load_tree, recipes

AIMA = "[[3,12,8],[2,4,6],[14,5,2]]"
STOPPING = "tree:uniform,branching=3,depth=3,seed=41,values=21"
"""With two workers and seed 0, a cut stops a worker of `ybwc`."""


def record(
    game: Game, depth: int, method: str, workers: int = 2, seed: int = 0, position: str = ""
) -> tuple[float, Trace]:
    trace = Trace()
    history = game.history(game.parse(position) if position else None)
    value = record_search(history, depth, METHODS[method], workers=workers, seed=seed, trace=trace)
    return value, trace


def assert_consistent(trace: Trace, workers: int) -> None:
    """Check the events of a complete search against each other and against the visits."""
    numbers = range(len(trace.visits))
    entered = [event.visit for event in trace.events if event.kind == "enter"]
    assert entered == list(numbers)
    ends = Counter(e.visit for e in trace.events if e.kind in ("leave", "stop"))
    assert ends == Counter(numbers)
    path: list[list[int]] = [[] for _ in range(workers)]
    """The visits that each worker has entered and not ended, the deepest last."""
    offered: set[int] = set()
    members: dict[int, set[int]] = {}
    cut: set[int] = set()
    for event in trace.events:
        visit, worker = trace.visits[event.visit], event.worker
        if event.kind in ("enter", "leave", "stop", "offer", "wait", "defer"):
            assert visit.worker == worker
        match event.kind:
            case "enter":
                parent = visit.parent
                assert parent is None or parent in path[worker] or worker in members[parent]
                path[worker].append(visit.number)
            case "leave":
                assert path[worker].pop() == visit.number
                assert not visit.open
                assert not visit.stopped
                assert not members.pop(visit.number, set())
            case "stop":
                assert path[worker].pop() == visit.number
                assert visit.stopped
                assert visit.kind == "STOPPED"
                assert visit.stopped_by is None or visit.stopped_by in cut
            case "offer":
                assert visit.split
                offered.add(visit.number)
            case "join":
                assert visit.number in offered
                assert visit.worker != worker
                members.setdefault(visit.number, set()).add(worker)
            case "quit":
                members[visit.number].remove(worker)
                assert event.cut is None or event.cut in cut
            case "cut":
                assert visit.number in offered
                assert event.move == visit.cut_move
                cut.add(visit.number)
    assert not any(path)


@given(
    recipe=recipes,
    depth=st.integers(1, 6),
    workers=st.integers(MIN_WORKERS, MAX_WORKERS),
    seed=st.integers(0, 2**31 - 1),
    method=st.sampled_from(PARALLEL),
)
@examples(60)
def test_the_value_is_that_of_alpha_beta_and_the_events_are_consistent(
    recipe: Recipe, depth: int, workers: int, seed: int, method: str
) -> None:
    game = load_tree(recipe)
    depth = depth_within(game, game.initial(), depth, 150)
    value, trace = record(game, depth, method, workers, seed)
    view = View(game)
    assert value == alpha_beta(view, view.root(game.initial()), depth)
    result = trace.result()
    assert result is not None
    assert result.value == value
    assert all(visit.worker in range(workers) for visit in trace.visits)
    assert_consistent(trace, workers)


@pytest.mark.parametrize("method", PARALLEL)
def test_the_same_seed_records_the_same_search(method: str) -> None:
    game = plyforge.load(STOPPING)
    first, again = (record(game, 3, method, 3, seed=5)[1] for _ in range(2))
    assert first.events == again.events
    assert first.visits == again.visits
    assert first.events != record(game, 3, method, 3, seed=6)[1].events


@pytest.mark.parametrize("method", PARALLEL)
@pytest.mark.parametrize("position", [AIMA, f"{AIMA} MIN", "[5,[[[3,9],8],7]]", "[3]"])
def test_trees_are_searched_to_their_ends(method: str, position: str) -> None:
    game = plyforge.load("tree")
    value, trace = record(game, 62, method, 3, position=position)
    view = View(game)
    assert value == alpha_beta(view, view.root(game.parse(position)), 62)
    assert_consistent(trace, 3)
    assert all(visit.own == visit.value for visit in trace.leaves() if not visit.stopped)


def test_a_finished_game_is_one_leaf() -> None:
    game = plyforge.load("tictactoe")
    history = game.history()
    history.play_text("a1 b1 a2 b2 a3")
    trace = Trace()
    value = record_search(history, 3, METHODS["ybwc"], workers=2, seed=0, trace=trace)
    view = View(game)
    assert value == alpha_beta(view, view.root(history.position), 3)
    assert [(visit.leaf, visit.value) for visit in trace.visits] == [(True, value)]


def test_a_cut_stops_the_worker_below_it() -> None:
    trace = record(plyforge.load(STOPPING), 3, "ybwc")[1]
    (stopped,) = [visit for visit in trace.visits if visit.stopped]
    (cut,) = [event for event in trace.events if event.kind == "cut"]
    assert stopped.parent == stopped.stopped_by == cut.visit
    assert stopped.worker != cut.worker
    assert trace.visits[cut.visit].cut_by == cut.move


def test_root_split_shares_the_root_only() -> None:
    trace = record(plyforge.load(STOPPING), 3, "root-split", 3)[1]
    assert {event.visit for event in trace.events if event.kind == "offer"} == {0}


def test_every_worker_of_abdada_starts_at_the_root() -> None:
    trace = record(plyforge.load(STOPPING), 3, "abdada", 3)[1]
    assert {root.worker for root in trace.roots()} == {0, 1, 2}
    assert sum(not root.stopped for root in trace.roots()) == 1


@pytest.mark.parametrize("method", PARALLEL)
def test_the_best_moves_can_come_first(method: str) -> None:
    game = plyforge.load("tree")
    history = game.history(game.parse(AIMA))
    last = game.moves(history.position)[-1]
    trace = Trace()
    record_search(history, 2, METHODS[method], workers=2, seed=0, trace=trace, order={(): last})
    assert {visit.moves[0] for visit in trace.roots() if visit.moves} == {"3"}


def test_an_exception_of_the_watch_ends_the_search() -> None:
    class TooMany(Exception):
        pass

    def watch(trace: Trace) -> None:
        if len(trace.visits) >= 7:
            raise TooMany

    trace = Trace(watch)
    game = plyforge.load(STOPPING)
    with pytest.raises(TooMany):
        record_search(game.history(), 3, METHODS["ybwc"], workers=2, seed=0, trace=trace)
    assert len(trace.visits) == 7
    assert trace.result() is None
    assert trace.roots()[0].open


def test_games_are_recorded_too() -> None:
    game = plyforge.load("tictactoe")
    for method in PARALLEL:
        value, trace = record(game, 2, method, 4, seed=3)
        view = View(game)
        assert value == alpha_beta(view, view.root(game.initial()), 2)
        assert_consistent(trace, 4)
