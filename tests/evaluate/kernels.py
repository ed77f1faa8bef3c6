"""Runs several evaluations of tic-tac-toe in one kernel, with weights as constants and as data."""

from collections.abc import Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import floats, pointer
from plyforge.compilation.kernel import Backend, Kernel, build
from plyforge.core.memory import new_block
from plyforge.evaluate import Evaluation
from tests.evaluate.samples import game


def linked_values(
    evaluations: Sequence[Evaluation], positions: Sequence[Any], backend: Backend
) -> tuple[Any, Any]:
    """Return the values with weights as constants, and with weights that are read at run time.

    Each has a line for every position, and a column for every evaluation.  Nets have no constants:
    the values of their plain function are in their place.
    """
    count = len(evaluations)
    lines: list[str] = []
    buffers: list[Any] = []
    scope: dict[str, Any] = {"__name__": __name__, "pointer": pointer, "floats": floats}
    plain = {}
    for number, one in enumerate(evaluations):
        linked = replace(one, as_data=False).linked
        if linked.weights is None:
            scope |= {f"constant_{name}_{number}": hook for name, hook in linked.hooks.items()}
            arguments = f"position, at[{2 * number}]" if linked.state else "position"
            if linked.state:
                lines.append(f"    constant_begin_{number}({arguments})")
            lines.append(f"    out[{number}] = float(constant_evaluate_{number}({arguments}))")
        else:
            plain[number] = [float(one.evaluate(position)) for position in positions]
        data = replace(one, as_data=True).linked
        assert data.weights is not None
        scope |= {f"{name}_{number}": hook for name, hook in data.hooks.items()}
        dtype, size = data.state or ("int64", 1)
        buffers += [new_block(8 * size), data.weights.words]
        state, block = f"at[{2 * number}]", f"at[{2 * number + 1}]"
        arguments = f"position, {block}"
        if data.state:
            assert dtype == "int64"
            arguments = f"position, {state}, {block}"
            lines.append(f"    begin_{number}({arguments})")
        lines.append(f"    out[{count + number}] = float(evaluate_{number}({arguments}))")
    head = "def entry(position, results, table):\n    out, at = floats(results), pointer(table)\n"
    exec(head + "\n".join(lines) + "\n    return 0\n", scope)
    entry = scope["entry"]
    assert isinstance(entry, FunctionType)
    kernel = Kernel("forms", entry, "int64(position, address, address)")
    call = build(kernel, game.rules, game.position_type, backend).call
    values = np.array([_run(call, position, buffers, backend) for position in positions])
    for number, column in plain.items():
        values[:, number] = column
    return values[:, :count], values[:, count:]


def _run(call: Any, position: Any, buffers: list[Any], backend: Backend) -> Any:
    results = np.zeros(len(buffers))
    if backend == "python":
        listed = results.tolist()
        call(position, listed, buffers)
        return listed
    addresses = np.array([buffer.ctypes.data for buffer in buffers], np.int64)
    call(position, results.ctypes.data, addresses.ctypes.data)
    return results
