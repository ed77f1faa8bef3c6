import threading
from collections.abc import Iterator
from typing import Any

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.workers import FAILED, Sent, Stop, Task, WorkerPool

PATIENCE = 30.0


class Heard:
    """What a task delivers, and when it has ended."""

    def __init__(self) -> None:
        self.messages: list[Sent] = []
        self.ended = threading.Event()

    def task(self, job: Any, seconds: float = 60.0) -> Task:
        return Task(job, self.messages.append, seconds, self.ended.set)


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    made = WorkerPool("tasks", 1, 2)
    yield made
    made.close()


def _until_stopped(stop: Stop) -> Iterator[Sent]:
    stop.wait(PATIENCE)
    yield {"type": "stopped", "early": stop.is_set()}


def test_what_a_job_yields_is_delivered_in_order(pool: WorkerPool) -> None:
    heard = Heard()
    pool.submit(heard.task(lambda stop: iter([{"type": "a"}, {"type": "b"}])))
    assert heard.ended.wait(PATIENCE)
    assert [message["type"] for message in heard.messages] == ["a", "b"]


def test_errors_are_told_and_the_next_task_runs(pool: WorkerPool, capsys: Any) -> None:
    def wrong(stop: Stop) -> Iterator[Sent]:
        raise PlyforgeError("no such depth")
        yield {}

    def broken(stop: Stop) -> Iterator[Sent]:
        raise ZeroDivisionError
        yield {}

    heard = [Heard(), Heard()]
    for one, job in zip(heard, (wrong, broken), strict=True):
        pool.submit(one.task(job))
        assert one.ended.wait(PATIENCE)
    assert heard[0].messages == [{"type": "error", "text": "no such depth"}]
    assert heard[1].messages == [{"type": "error", "text": FAILED}]
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_task_whose_time_is_up_is_stopped(pool: WorkerPool) -> None:
    heard = Heard()
    pool.submit(heard.task(_until_stopped, seconds=0.0))
    assert heard.ended.wait(PATIENCE)
    assert heard.messages == [{"type": "stopped", "early": True}]


def test_a_task_stopped_before_its_turn_does_nothing(pool: WorkerPool) -> None:
    first, second = Heard(), Heard()
    running, waiting = first.task(_until_stopped), second.task(_until_stopped)
    pool.submit(running)
    pool.submit(waiting)
    waiting.stop.set()
    running.stop.set()
    assert second.ended.wait(PATIENCE)
    assert second.messages == []


def test_a_full_lane_refuses(pool: WorkerPool) -> None:
    heard = [Heard() for _ in range(4)]
    tasks = [one.task(_until_stopped) for one in heard]

    def crowd() -> None:
        for task in tasks:
            pool.submit(task)

    with pytest.raises(PlyforgeError, match="too much to do"):
        crowd()
    for task in tasks:
        task.stop.set()


def test_closing_stops_what_runs(pool: WorkerPool) -> None:
    begun, heard = threading.Event(), Heard()

    def job(stop: Stop) -> Iterator[Sent]:
        begun.set()
        yield from _until_stopped(stop)

    pool.submit(heard.task(job))
    assert begun.wait(PATIENCE)
    pool.close()
    assert heard.ended.wait(PATIENCE)


def test_a_stop_calls_what_ends_a_job_also_if_it_came_first() -> None:
    calls: list[str] = []
    stop = Stop()
    with stop.calling(lambda: calls.append("during")):
        stop.set()
    with stop.calling(lambda: calls.append("before")):
        pass
    assert calls == ["during", "before"]


def test_tasks_that_were_stopped_make_room_for_others(pool: WorkerPool) -> None:
    begun, first, last = threading.Event(), Heard(), Heard()

    def job(stop: Stop) -> Iterator[Sent]:
        begun.set()
        yield from _until_stopped(stop)

    running = first.task(job)
    pool.submit(running)
    assert begun.wait(PATIENCE)
    stale = [Heard() for _ in range(20)]
    for heard in stale:
        task = heard.task(_until_stopped)
        pool.submit(task)
        task.stop.set()
    pool.submit(last.task(lambda stop: iter([{"type": "a"}])))
    for heard in stale:
        assert heard.ended.wait(PATIENCE)
        assert heard.messages == []
    assert not first.ended.is_set()
    running.stop.set()
    assert last.ended.wait(PATIENCE)
    assert last.messages == [{"type": "a"}]


def test_a_stop_that_was_not_heard_is_told_again(pool: WorkerPool) -> None:
    begun, told, heard = threading.Event(), threading.Semaphore(0), Heard()

    def job(stop: Stop) -> Iterator[Sent]:
        with stop.calling(lambda: told.release()):
            begun.set()
            yield {"type": "heard", "both": all(told.acquire(timeout=PATIENCE) for _ in range(2))}

    task = heard.task(job)
    pool.submit(task)
    assert begun.wait(PATIENCE)
    task.stop.set()
    assert heard.ended.wait(PATIENCE)
    assert heard.messages == [{"type": "heard", "both": True}]
