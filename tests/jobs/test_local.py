"""The executors of this machine."""

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.local import local_executor, usable_cores
from plyforge.jobs.pool import ProcessPool
from plyforge.jobs.serial import SerialExecutor


def test_a_number_of_processes_makes_a_pool_and_none_the_serial_executor():
    assert isinstance(local_executor(0), SerialExecutor)
    pool = local_executor(3)
    assert isinstance(pool, ProcessPool)
    assert pool.workers == 3


def test_there_is_a_process_for_every_core_by_default():
    assert local_executor().workers == usable_cores() >= 1


@pytest.mark.parametrize("processes", [-1, 257, 1.5, True, False, "2"])
def test_an_invalid_number_of_processes_is_an_error(processes):
    with pytest.raises(PlyforgeError, match=f"between 1 and 256, or 0 .* not {processes!r}"):
        local_executor(processes)
