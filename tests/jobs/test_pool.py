"""The process pool: what is true of this executor alone."""

import os
import signal

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.pool import ProcessPool, _block_sigint
from tests.processes import default_sigint


def test_ctrl_c_while_a_process_starts_is_not_lost():
    with default_sigint(), pytest.raises(KeyboardInterrupt), _block_sigint():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.parametrize("processes", [-1, 0, 257, 1.5, True, "2", None])
def test_an_invalid_number_of_processes_is_an_error(processes):
    with pytest.raises(PlyforgeError, match=f"between 1 and 256, not {processes!r}"):
        ProcessPool(processes)
