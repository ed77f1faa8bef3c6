"""The threads of a team end with their engine, and never keep the interpreter from exiting."""

import gc
import sys
import threading

import pytest

from plyforge import Engine
from plyforge.search.parallel.threads import NAME, WorkerThreads
from tests.processes import run

RUNNING = """
import threading
import plyforge

engine = plyforge.Engine("tree:uniform,6,23", entries=4096, threads=2, parallel="ybwc")
started = threading.Event()
work = lambda: engine.analyse(depth=23, report=lambda info: started.set())
threading.Thread(target=work, daemon=True).start()
started.wait()
"""


def own_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == NAME}


def test_threads_are_kept_between_searches_and_end_with_their_engine() -> None:
    gc.collect()
    before = own_threads()
    engine = Engine("tree:uniform,3,9", entries=4096, threads=3, parallel="ybwc")
    engine.analyse(depth=8)
    mine = own_threads() - before
    assert len(mine) == 2
    engine.analyse(depth=9)
    assert own_threads() - before == mine
    del engine
    gc.collect()
    for thread in mine:
        thread.join(60)
        assert not thread.is_alive()


def test_the_first_error_is_raised_when_all_work_has_ended() -> None:
    threads, ended = WorkerThreads(2), []

    def fail() -> None:
        raise ValueError("a fault")

    with pytest.raises(ValueError, match="a fault"):
        threads.start([fail, lambda: ended.append(1)]).wait(lambda: None)
    assert ended == [1]
    threads.start([lambda: ended.append(2)]).wait(lambda: None)
    assert ended == [1, 2]


@pytest.mark.long
def test_a_running_search_does_not_keep_the_interpreter_from_exiting() -> None:
    ended = run([sys.executable, "-c", RUNNING], timeout=300, check=False)
    assert ended.returncode == 0


def test_the_account_says_what_is_searched_by_recursion_and_near_the_root() -> None:
    engine = Engine(
        "tree:uniform,4,9,seed=5", threads=2, parallel="ybwc", settings={"split-depth": 3}
    )
    account = engine.analyse(depth=9).account
    assert account is not None
    assert 0 < account.recursion_nodes < sum(account.nodes)
    assert account.recursion > 0
    assert account.near_root > 0
    assert account.recursion >= account.aborted
    assert sum(account.shares.values()) == pytest.approx(1.0)
    assert account.fields()["table_conflicts"] == account.table_conflicts >= 0
