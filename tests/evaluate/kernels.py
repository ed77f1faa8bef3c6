"""Runs several evaluations of tic-tac-toe in one kernel, with weights as constants and as data."""

from collections.abc import Sequence
from types import FunctionType
from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import floats, pointer
from plyforge.compilation.kernel import Backend, Kernel, build
from plyforge.evaluate import Evaluation
from tests.evaluate.samples import game


def linked_values(
    evaluations: Sequence[Evaluation], positions: Sequence[Any], backend: Backend
) -> tuple[Any, Any]:
    """Return the values with weights as constants, and with weights that are read at run time.

    Each has a line for every position, and a column for every evaluation.
    """
    count = len(evaluations)
    lines: list[str] = []
    buffers: list[Any] = []
    scope: dict[str, Any] = {"__name__": __name__, "pointer": pointer, "floats": floats}
    for number, one in enumerate(evaluations):
        form, weights = one.form, one.weights
        numbers = form.data(weights)
        whole = np.issubdtype(numbers.dtype, np.integer)
        buffers.append(numbers.astype(np.int64 if whole else np.float64))
        buffers.append(np.array(weights.scales))
        scope[f"constant_{number}"] = one.evaluate
        scope[f"data_{number}"] = form.link_data(weights, one.limits, __file__)
        words = "pointer" if whole else "floats"
        places = f"{words}(at[{2 * number}]), floats(at[{2 * number + 1}])"
        lines.append(f"    out[{number}] = float(constant_{number}(position))")
        lines.append(f"    out[{count + number}] = float(data_{number}(position, {places}))")
    head = "def entry(position, results, table):\n    out, at = floats(results), pointer(table)\n"
    exec(head + "\n".join(lines) + "\n    return 0\n", scope)
    entry = scope["entry"]
    assert isinstance(entry, FunctionType)
    kernel = Kernel("forms", entry, "int64(position, address, address)")
    call = build(kernel, game.rules, game.position_type, backend).call
    values = np.array([_run(call, position, buffers, backend) for position in positions])
    return values[:, :count], values[:, count:]


def _run(call: Any, position: Any, buffers: list[Any], backend: Backend) -> Any:
    results = np.zeros(len(buffers))
    if backend == "python":
        listed = results.tolist()
        call(position, listed, [buffer.tolist() for buffer in buffers])
        return listed
    addresses = np.array([buffer.ctypes.data for buffer in buffers], np.int64)
    call(position, results.ctypes.data, addresses.ctypes.data)
    return results
