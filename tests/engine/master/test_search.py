"""Searches by a master whose workers take turns in this process."""

import signal
import threading

import pytest

from plyforge import Engine, PlyforgeError
from plyforge.engine.master import LocalWorkers, Master, MasterSettings
from plyforge.engine.master.opening import open_master
from plyforge.engine.master.settings import check_engine
from plyforge.engine.master.worker import Event
from plyforge.games import load
from tests.processes import default_sigint

CONNECT4 = load("connect4:4x4")
TICTACTOE = load("tictactoe")


def make_master(game, workers, group=LocalWorkers, settings=None, **arguments):
    def make_engine():
        return Engine(game, entries=4096, **arguments)

    return Master(make_engine(), group(workers, make_engine), settings)


def check_coverage(result):
    """Every legal move of every node is in the search of one worker, unless it is final."""
    open_paths = set()

    def look(node, path):
        if node.is_finished():
            return
        assert set(node.children) | set(node.rest) == set(node.moves)
        if not node.is_rest_finished():
            open_paths.add(path)
        for move, child in node.children.items():
            look(child, (*path, move))

    look(result.tree, ())
    working = {worker.path for worker in result.workers if not worker.lost}
    assert open_paths <= working


@pytest.mark.parametrize("game", [TICTACTOE, CONNECT4], ids=["tictactoe", "connect4"])
@pytest.mark.parametrize("workers", [2, 5])
def test_a_solved_game_has_the_value_of_a_plain_search(game, workers):
    expected = Engine(game, entries=1 << 16).analyse()
    assert expected.proved
    result = make_master(game, workers).search(nodes=400_000)
    assert (result.score, result.estimate.proved) == (expected.score, True)
    assert result.estimate.bound == "exact"


@pytest.mark.parametrize("workers", [1, 2, 3, 4, 8])
def test_a_search_to_a_depth_has_the_value_of_a_plain_search_to_it(workers):
    game = load("connect4:5x4")
    history = game.history()
    history.play_text("1 2 2")
    expected = Engine(game, entries=1 << 16).analyse(history, depth=6)
    result = make_master(game, workers).search(history, depth=6)
    assert (result.score, result.estimate.bound) == (expected.score, "exact")
    assert result.tree.is_finished()


def test_one_worker_searches_as_an_engine_does():
    engine, master = Engine(CONNECT4, entries=4096), make_master(CONNECT4, 1)
    history = CONNECT4.history()
    for _ in range(5):
        expected = engine.analyse(history, nodes=300, line_budget=0)
        result = master.search(history, nodes=300)
        assert (result.move, result.score, result.nodes) == (
            expected.move,
            expected.score,
            expected.nodes,
        )
        history.play(result.move)


def test_the_same_search_has_the_same_result():
    def play():
        master = make_master(CONNECT4, 5, preset="play")
        history = CONNECT4.history()
        found = []
        for _ in range(4):
            result = master.search(history, nodes=400)
            found.append({**result.fields(), "seconds": 0})
            history.play(result.move)
        return found

    assert play() == play()


@pytest.mark.parametrize("workers", [2, 3, 6])
def test_every_move_is_covered_at_any_time_and_no_worker_exceeds_its_nodes(workers):
    reports = []

    def report(result):
        reports.append(result)
        check_coverage(result)

    result = make_master(CONNECT4, workers, preset="play").search(nodes=600, report=report)
    assert len(reports) > 2
    assert all(worker.nodes + result.quick_nodes >= 600 // 8 for worker in result.workers)
    assert all(worker.nodes <= 600 for worker in result.workers)


def test_the_tree_counts_the_nodes_of_workers_also_of_moves_that_went_back_to_the_rest():
    def check(result):
        assert result.tree.nodes == result.nodes
        for node in result.tree.walk():
            assert node.nodes >= sum(child.nodes for child in node.children.values())

    result = make_master(CONNECT4, 5, preset="play").search(nodes=600, report=check)
    check(result)
    assert any(worker.moves for worker in result.workers)
    assert result.fields()["tree"]["nodes"] == result.nodes


def test_reports_come_at_intervals_whether_or_not_the_score_has_changed():
    every, rare, changes = [], [], []
    make_master(CONNECT4, 3).search(nodes=600, report=changes.append)
    make_master(CONNECT4, 3).search(nodes=600, report=every.append, interval=0.0)
    make_master(CONNECT4, 3).search(nodes=600, report=rare.append, interval=1000.0)
    tasks = sum(worker.reports for worker in every[-1].workers)
    assert len(rare) == 1
    assert len(changes) < len(every) <= tasks


def test_the_tree_below_a_predicted_move_is_kept_with_its_workers():
    master = make_master(CONNECT4, 12, preset="play")
    history = CONNECT4.history()
    first = master.search(history, nodes=600)
    history.play(first.move)
    subtree = first.tree.children[first.move]
    before = subtree.estimate()
    inside = {worker.number for worker in first.workers if worker.path[:1] == (first.move,)}
    assert subtree.children
    assert len(inside) > 1
    second = master.search(history, nodes=600)
    assert second.tree is subtree
    assert second.kept > 0
    stayed = {worker.number for worker in second.workers if worker.reports and not worker.moves}
    assert stayed & inside
    assert second.estimate.depth >= before.depth - 2


def test_a_move_that_was_not_predicted_and_another_game_begin_a_new_tree():
    master = make_master(CONNECT4, 3, preset="play")
    history = CONNECT4.history()
    first = master.search(history, nodes=200)
    history.play(next(move for move in first.tree.rest if move != first.move))
    assert master.search(history, nodes=200).kept == 0
    assert master.search(CONNECT4.history(), nodes=200).kept == 0


class LosingWorkers(LocalWorkers):
    """Workers of which one is lost after some turns; another one joins later."""

    lost_after = 3
    joins_after = 6

    def __init__(self, size, make_engine):
        super().__init__(size, make_engine)
        self._turns = 0
        self._gone = set()

    def ready(self):
        return [worker for worker in super().ready() if worker not in self._gone]

    def wait(self, seconds):
        self._turns += 1
        if self._turns == self.lost_after:
            self._gone.add(0)
            self._tasks.pop(0, None)
            return [Event(0, lost="it was killed")]
        if self._turns == self.joins_after:
            self._gone.discard(0)
            return [Event(0)]
        return super().wait(seconds)


def test_a_lost_worker_costs_its_work_and_a_new_one_takes_part():
    master = make_master(CONNECT4, 3, LosingWorkers, preset="play")
    result = master.search(nodes=800, report=check_coverage)
    lost = [worker for worker in result.workers if worker.lost]
    assert [(worker.number, worker.lost) for worker in lost] == [(1, "it was killed")]
    assert [worker.number for worker in result.workers if not worker.lost] == [1, 2, 3]
    assert all(worker.reports for worker in result.workers if not worker.lost)
    check_coverage(result)


class DyingWorkers(LosingWorkers):
    joins_after = -1

    def wait(self, seconds):
        if self._turns >= self.lost_after - 1 and self._tasks:
            worker = min(self._tasks)
            self._gone.add(worker)
            del self._tasks[worker]
            return [Event(worker, lost="it was killed")]
        return super().wait(seconds)


def test_the_move_is_found_even_if_all_workers_are_lost():
    result = make_master(CONNECT4, 3, DyingWorkers, preset="play").search(nodes=800)
    assert result.searched
    assert result.move in result.tree.moves
    assert all(worker.lost for worker in result.workers)


def test_stop_ends_the_search_with_the_best_move_so_far():
    master = make_master(CONNECT4, 4, preset="play")
    result = master.search(nodes=10**9, report=lambda result: master.stop())
    assert result.searched
    assert result.nodes < 10**7


def test_closing_from_another_thread_ends_the_search():
    master = make_master(CONNECT4, 4, preset="play")
    closing = threading.Thread(target=master.close)
    started = threading.Event()

    def report(result):
        if not started.is_set():
            started.set()
            closing.start()

    assert master.search(nodes=10**9, report=report).searched
    closing.join()


def test_an_interrupt_ends_the_search_with_the_best_move_so_far():
    master = make_master(CONNECT4, 4, preset="play")
    reports = []

    def interrupt(result):
        reports.append(result)
        if len(reports) == 1:
            signal.raise_signal(signal.SIGINT)

    with default_sigint():
        result = master.search(nodes=10**9, report=interrupt, catch_interrupt=True)
        assert (result.interrupted, result.searched) == (True, True)
        reports.clear()
        with pytest.raises(KeyboardInterrupt):
            master.search(nodes=10**9, report=interrupt)
    assert master.search(nodes=100).searched


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"workers": 0}, "between 1 and 10,000, not 0"),
        ({"workers": 2, "executor": "slurm"}, "unknown executor 'slurm'"),
        ({"workers": 2, "arguments": {"threads": 2}}, "one thread, not 2"),
        ({"workers": 2, "arguments": {"off": ["deepening"]}}, "the switch 'deepening'"),
        ({"workers": 2, "settings": {"children": 0}}, "children must be an integer of at least 1"),
    ],
)
def test_wrong_settings_are_errors(arguments, message):
    settings = arguments.pop("settings", {})
    with pytest.raises(PlyforgeError, match=message):
        open_master(
            TICTACTOE,
            arguments.get("arguments", {}),
            arguments["workers"],
            arguments.get("executor", "local"),
            MasterSettings(**settings),
        )


def test_a_search_without_a_limit_and_one_of_a_finished_game_are_errors():
    master = make_master(TICTACTOE, 2)
    with pytest.raises(PlyforgeError, match="needs a limit"):
        master.search()
    history = TICTACTOE.history()
    for move in (0, 3, 1, 4, 2):
        history.play(move)
    with pytest.raises(PlyforgeError):
        master.search(history, nodes=10)
    assert check_engine(Engine(TICTACTOE)).threads == 1


def test_games_of_chance_are_refused_since_a_master_takes_no_averages():
    with pytest.raises(PlyforgeError, match="does not go with a game of chance"):
        open_master(load("pig:20"), {"entries": 4096}, 2)
