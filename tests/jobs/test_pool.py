"""The process pool: what is true of this executor alone."""

import os
import signal
import threading

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.pool import ProcessPool, _block_sigint
from tests.processes import default_sigint


def test_ctrl_c_while_a_process_starts_is_not_lost():
    """The signal goes to this thread: another would receive it at any later time."""
    with default_sigint(), pytest.raises(KeyboardInterrupt), _block_sigint():
        signal.raise_signal(signal.SIGINT)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_ctrl_c_that_another_thread_receives_waits_until_the_process_has_started():
    """It would leave a process without the data that it is about to read."""
    steps = []
    end = threading.Event()
    thread = threading.Thread(target=end.wait, daemon=True)
    thread.start()
    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    def start() -> None:
        with _block_sigint():
            signal.pthread_kill(thread.ident, signal.SIGINT)
            os.read(reader, 1)  # the other thread has received it
            for step in range(1000):  # handlers are called between bytecodes
                steps.append(str(step))

    try:
        with default_sigint():
            before = signal.set_wakeup_fd(writer)
            try:
                with pytest.raises(KeyboardInterrupt):
                    start()
            finally:
                signal.set_wakeup_fd(before)
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        end.set()
        os.close(reader)
        os.close(writer)
    assert len(steps) == 1000


@pytest.mark.parametrize("processes", [-1, 0, 257, 1.5, True, "2", None])
def test_an_invalid_number_of_processes_is_an_error(processes):
    with pytest.raises(PlyforgeError, match=f"between 1 and 256, not {processes!r}"):
        ProcessPool(processes)
