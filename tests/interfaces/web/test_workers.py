import threading
from collections.abc import Iterator
from typing import Any

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.outgoing import Done, Error, IterationProgress
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.workers import (
    FAILED,
    FIRST_SLICE,
    MAX_SLICE,
    MIN_SLICE,
    Stop,
    Task,
    ThreadBudget,
    WorkerPool,
)

TIMEOUT = 30.0


class Stopped(Outgoing, tag="stopped"):
    early: bool


class Recorder:
    """Records what a task delivers, and when it has ended."""

    def __init__(self) -> None:
        self.messages: list[Outgoing] = []
        self.ended = threading.Event()

    def task(self, job: Any, seconds: float = 60.0) -> Task:
        return Task(job, self.messages.append, seconds, self.ended.set)


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    pool = WorkerPool("tasks", 1, 2)
    yield pool
    pool.close()


def _wait_for_stop(stop: Stop) -> Iterator[Outgoing]:
    stop.wait(TIMEOUT)
    yield Stopped(early=stop.is_set())


def _announce_and_wait(started: threading.Event) -> Any:
    def job(stop: Stop) -> Iterator[Outgoing]:
        started.set()
        yield from _wait_for_stop(stop)

    return job


def test_messages_are_delivered_in_order(pool: WorkerPool) -> None:
    recorder, messages = Recorder(), [Done(), Stopped(early=True)]
    pool.submit(recorder.task(lambda stop: iter(messages)))
    assert recorder.ended.wait(TIMEOUT)
    assert recorder.messages == messages


def test_errors_are_delivered_and_the_next_task_runs(pool: WorkerPool, capsys: Any) -> None:
    def wrong(stop: Stop) -> Iterator[Outgoing]:
        raise PlyforgeError("no such depth")
        yield Done()

    def broken(stop: Stop) -> Iterator[Outgoing]:
        raise ZeroDivisionError
        yield Done()

    recorders = [Recorder(), Recorder()]
    for recorder, job in zip(recorders, (wrong, broken), strict=True):
        pool.submit(recorder.task(job))
        assert recorder.ended.wait(TIMEOUT)
    assert recorders[0].messages == [Error(text="no such depth")]
    assert recorders[1].messages == [Error(text=FAILED)]
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_task_is_stopped_when_its_time_is_up(pool: WorkerPool) -> None:
    recorder = Recorder()
    pool.submit(recorder.task(_wait_for_stop, seconds=0.0))
    assert recorder.ended.wait(TIMEOUT)
    assert recorder.messages == [Stopped(early=True)]


def test_a_task_that_is_stopped_in_the_queue_does_nothing(pool: WorkerPool) -> None:
    first, second = Recorder(), Recorder()
    running, waiting = first.task(_wait_for_stop), second.task(_wait_for_stop)
    pool.submit(running)
    pool.submit(waiting)
    waiting.stop.set()
    running.stop.set()
    assert second.ended.wait(TIMEOUT)
    assert second.messages == []


def test_a_full_queue_refuses_tasks(pool: WorkerPool) -> None:
    tasks = [Recorder().task(_wait_for_stop) for _ in range(4)]

    def submit_all() -> None:
        for task in tasks:
            pool.submit(task)

    with pytest.raises(PlyforgeError, match="too busy"):
        submit_all()
    for task in tasks:
        task.stop.set()


def test_closing_the_pool_stops_running_tasks(pool: WorkerPool) -> None:
    started, recorder = threading.Event(), Recorder()
    pool.submit(recorder.task(_announce_and_wait(started)))
    assert started.wait(TIMEOUT)
    pool.close()
    assert recorder.ended.wait(TIMEOUT)


def test_a_stop_calls_its_callback_even_if_it_was_set_before() -> None:
    calls: list[str] = []
    stop = Stop()
    with stop.calling(lambda: calls.append("during")):
        stop.set()
    with stop.calling(lambda: calls.append("before")):
        pass
    assert calls == ["during", "before"]


def test_stopped_tasks_make_way_for_others(pool: WorkerPool) -> None:
    started, first, last = threading.Event(), Recorder(), Recorder()
    running = first.task(_announce_and_wait(started))
    pool.submit(running)
    assert started.wait(TIMEOUT)
    stopped = [Recorder() for _ in range(20)]
    for recorder in stopped:
        task = recorder.task(_wait_for_stop)
        pool.submit(task)
        task.stop.set()
    pool.submit(last.task(lambda stop: iter([Done()])))
    for recorder in stopped:
        assert recorder.ended.wait(TIMEOUT)
        assert recorder.messages == []
    assert not first.ended.is_set()
    running.stop.set()
    assert last.ended.wait(TIMEOUT)
    assert last.messages == [Done()]


def test_a_stop_is_repeated_until_the_task_ends(pool: WorkerPool) -> None:
    started, calls, recorder = threading.Event(), threading.Semaphore(0), Recorder()

    def job(stop: Stop) -> Iterator[Outgoing]:
        with stop.calling(lambda: calls.release()):
            started.set()
            yield Stopped(early=all(calls.acquire(timeout=TIMEOUT) for _ in range(2)))

    task = recorder.task(job)
    pool.submit(task)
    assert started.wait(TIMEOUT)
    task.stop.set()
    assert recorder.ended.wait(TIMEOUT)
    assert recorder.messages == [Stopped(early=True)]


def test_a_resumable_task_makes_way_for_others_and_goes_on(pool: WorkerPool) -> None:
    parts: list[int] = []
    first, second = Recorder(), Recorder()

    def job(stop: Stop) -> Iterator[Outgoing]:
        parts.append(len(parts))
        stop.wait(TIMEOUT)
        yield Stopped(early=stop.final)

    long_task = first.task(job)
    long_task.resumable = True
    pool.submit(long_task)
    pool.submit(second.task(lambda stop: iter([Done()])))
    assert second.ended.wait(TIMEOUT)
    assert not first.ended.is_set()
    long_task.stop.set()
    assert first.ended.wait(TIMEOUT)
    assert first.messages[0] == Stopped(early=False)
    assert len(parts) >= 1


def test_the_client_that_has_used_least_comes_first(pool: WorkerPool) -> None:
    started, blocker = threading.Event(), Recorder()
    running = blocker.task(_announce_and_wait(started))
    pool.submit(running)
    assert started.wait(TIMEOUT)
    order: list[str] = []
    recorders = {name: Recorder() for name in ("busy", "idle")}
    for name, recorder in recorders.items():
        task = recorder.task(lambda stop, name=name: iter([order.append(name) or Done()]))
        task.account.add(10.0 if name == "busy" else 0.0)
        pool.submit(task)
    running.stop.set()
    assert all(recorder.ended.wait(TIMEOUT) for recorder in recorders.values())
    assert order == ["idle", "busy"]


def test_a_stop_while_a_task_is_paused_ends_it(pool: WorkerPool) -> None:
    stop = Stop()
    stop.pause()
    assert stop.is_set()
    assert stop.end_pause()
    assert not stop.is_set()
    stop.pause()
    stop.set()
    assert not stop.end_pause()
    assert stop.is_set()


def test_everybody_has_a_first_message_before_anybody_goes_on() -> None:
    pool = WorkerPool("tasks", 1, 10)
    started, blocker = threading.Event(), Recorder()
    running = blocker.task(_announce_and_wait(started))
    pool.submit(running)
    assert started.wait(TIMEOUT)
    order: list[str] = []
    recorders = {name: Recorder() for name in "abc"}

    def job(name: str) -> Any:
        parts = iter((1, 2))

        def run(stop: Stop) -> Iterator[Outgoing]:
            for part in parts:
                order.append(f"{name}{part}")
                yield Done()
                if stop.is_set():
                    return

        return run

    for name, recorder in recorders.items():
        task = recorder.task(job(name))
        task.resumable = True
        pool.submit(task)
    running.stop.set()
    assert all(recorder.ended.wait(TIMEOUT) for recorder in recorders.values())
    pool.close()
    # The last one need not wait for anybody.
    assert order[:4] == ["a1", "b1", "c1", "c2"]
    assert sorted(order[4:]) == ["a2", "b2"]


def test_pools_share_a_limit_of_threads() -> None:
    budget = ThreadBudget(3)
    pools = [WorkerPool(name, 2, 10, budget=budget) for name in ("searches", "comparisons")]
    lock, running, highest = threading.Lock(), [0], [0]

    def job(threads: int) -> Any:
        def run(stop: Stop) -> Iterator[Outgoing]:
            with lock:
                running[0] += threads
                highest[0] = max(highest[0], running[0])
            stop.wait(0.02)
            with lock:
                running[0] -= threads
            yield Done()

        return run

    recorders = []
    for number, threads in enumerate((2, 1, 2, 3, 1, 2, 1, 1)):
        recorder = Recorder()
        task = recorder.task(job(threads))
        task.threads = threads
        pools[number % 2].submit(task)
        recorders.append(recorder)
    assert all(recorder.ended.wait(TIMEOUT) for recorder in recorders)
    assert highest[0] <= 3
    for pool in pools:
        pool.close()


def test_a_task_that_needs_more_threads_than_the_limit_runs_alone() -> None:
    pool = WorkerPool("tasks", 2, 10, budget=ThreadBudget(1))
    recorder = Recorder()
    task = recorder.task(lambda stop: iter([Done()]))
    task.threads = 4
    pool.submit(task)
    assert recorder.ended.wait(TIMEOUT)
    pool.close()


def test_no_callback_is_called_after_its_context() -> None:
    stop, entered, left, late = Stop(), threading.Event(), threading.Event(), []

    def callback() -> None:
        entered.set()
        left.wait(0.05)  # the context must not end meanwhile
        late.append(left.is_set())

    with stop.calling(callback):
        thread = threading.Thread(target=stop.set)
        thread.start()
        assert entered.wait(TIMEOUT)
    left.set()
    thread.join(TIMEOUT)
    assert late == [False]


def test_a_task_has_more_time_until_its_first_result() -> None:
    progress = IterationProgress(
        ply=0, depth=1, known=None, nodes=9, seconds=0.5, speed=18.0, thread_nodes=[]
    )
    task = Recorder().task(lambda stop: iter([progress]))
    task.run()
    assert task.slice == FIRST_SLICE
    task.job = lambda stop: iter([progress, Done()])
    task.run()
    assert MIN_SLICE <= task.slice <= MAX_SLICE < FIRST_SLICE
