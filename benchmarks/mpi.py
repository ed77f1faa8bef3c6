"""Messages by MPI from compiled code: what one takes within a machine."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.clock import MeasurementError, Settings, run_child
from benchmarks.table import Row
from benchmarks.targets import MESSAGE_SECONDS

_ALLOW = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the time of a message in a stream, and of one there and back."""
    command = [
        str(Path(sys.executable).with_name("mpiexec")),
        *("-n", "2", "--map-by", ":OVERSUBSCRIBE", "--bind-to", "none"),
        *("--mca", "mpi_yield_when_idle", "0", sys.executable, "-m", "mpi4py"),
        *("-m", "benchmarks.mpi_messages", "5" if settings.quick else "20", "20000"),
    ]
    try:
        output = run_child(command, env={**os.environ, **_ALLOW}).output
        stream, there_and_back = json.loads(output.splitlines()[-1])
    except MeasurementError as missing:
        yield Row("mpi", "", "message of 16 words", unit="s", note=str(missing))
        return
    case = "a message of 16 words in a stream"
    yield Row("mpi", "", case, None, stream, unit="s", target=MESSAGE_SECONDS, note="fastest round")
    yield Row("mpi", "", "a message there and back", None, there_and_back, unit="s")
