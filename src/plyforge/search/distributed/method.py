"""What a method of distributed search decides.

These functions are declarations.  When the kernel is built, each is replaced by that of the method:
see `tdsab` and `partitioned_table`.  A method may also replace `kernels.table.look_up` and
`kernels.table.keep`.
"""

from typing import Any

from plyforge.search.distributed.process import Process
from plyforge.search.kernels.context import Context


def _unlinked(name: str) -> RuntimeError:
    return RuntimeError(f"'{name}' belongs to a method of distributed search: build the kernel")


def target_of(position: Any, process: Process) -> int:
    """Return the process that gets the work on a position."""
    raise _unlinked("target_of")


def is_request(kind: int) -> bool:
    """Whether messages of a kind are handled on arrival, even while a subtree is searched."""
    raise _unlinked("is_request")


def serve_request(message: Any, context: Context) -> None:
    """Handle such a message; the outbox has room for one answer."""
    raise _unlinked("serve_request")


def find_work(process: Process) -> None:
    """Let a process that has no work look for some."""
    raise _unlinked("find_work")
