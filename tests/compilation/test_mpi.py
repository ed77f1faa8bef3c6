"""The binding of compiled code to the MPI library, with two real processes."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.processes import run

FOLDER = Path(__file__).parents[2]
ALLOW = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="MPI is tested on Linux")
def test_a_stored_kernel_sends_and_receives_in_another_process(tmp_path: Path) -> None:
    command = [
        str(Path(sys.executable).with_name("mpiexec")),
        *("-n", "2", "--map-by", ":OVERSUBSCRIBE", "--bind-to", "none", sys.executable),
        *("-m", "mpi4py", "-m", "benchmarks.mpi_messages", "1", "500"),
    ]
    env = {**os.environ, **ALLOW, "PLYFORGE_CACHE": str(tmp_path)}
    jobs = [
        run(command, cwd=FOLDER, env=env, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert "compiling" in jobs[0].stderr
    assert "compiling" not in jobs[1].stderr
    for job in jobs:
        assert all(seconds > 0 for seconds in json.loads(job.stdout.splitlines()[-1]))
