"""The Numba versions that kernels were tested with.

Compiling and loading kernels uses some of Numba's private interfaces, which may change in any
release; docs/decisions/0008-numba-internals.md lists them.
"""

import re
import warnings

from plyforge.core.errors import CompileError

TESTED_VERSIONS = ((0, 68), (0, 68))
"""The first and the last tested release, as in the dependencies of `pyproject.toml`."""


class NumbaVersionWarning(UserWarning):
    """The installed Numba was not tested with this version of Plyforge."""


def check_numba() -> None:
    """Fail if Numba's compiler is disabled; warn if its version was not tested."""
    import numba

    if numba.config.DISABLE_JIT:
        raise CompileError("NUMBA_DISABLE_JIT is set: unset it, or choose the backend 'python'")
    if not is_tested(numba.__version__):
        first, last = ("{}.{}".format(*version) for version in TESTED_VERSIONS)
        warnings.warn(
            f"Numba {numba.__version__} is installed, but kernels were tested with Numba {first} to"
            f" {last}; if compiling fails, install one of those or choose the backend 'python'",
            NumbaVersionWarning,
            stacklevel=3,
        )


def is_tested(version: str) -> bool:
    """Whether a version of Numba, such as `0.68.1`, is within the tested range."""
    first, last = TESTED_VERSIONS
    numbers = re.findall(r"\d+", version)[:2]
    return first <= tuple(map(int, numbers)) <= last
