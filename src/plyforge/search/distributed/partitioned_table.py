"""The partitioned table with work stealing, after Feldmann.

Each process owns a part of the table (see `partition`), searches what it has found itself, and asks
others for work when it has none (see `stealing`).  See docs/search/distributed.md.
"""

from typing import Any

from plyforge.search.distributed.messages import (
    ENTRY,
    KIND,
    LOOKUP,
    REFUSAL,
    SOURCE,
    STEAL,
    STORE,
)
from plyforge.search.distributed.partition import answer_lookup, take_entry, take_store
from plyforge.search.distributed.process import Process
from plyforge.search.distributed.stealing import ask_for_work, give_work, take_refusal
from plyforge.search.kernels.context import Context


def target_of(position: Any, process: Process) -> int:
    """Return the process that gets the work on a position: this one, until another asks."""
    return process.number


def is_request(kind: int) -> bool:
    """Whether messages of a kind are handled on arrival."""
    return LOOKUP <= kind <= REFUSAL


def serve_request(message: Any, context: Context) -> None:
    """Handle such a message."""
    process = context.process[0]
    kind = message[KIND]
    if kind == LOOKUP:
        answer_lookup(message, context)
    elif kind == ENTRY:
        take_entry(message, process)
    elif kind == STORE:
        take_store(message, context)
    elif kind == STEAL:
        give_work(message[SOURCE], process)
    elif kind == REFUSAL:
        take_refusal(process)


def find_work(process: Process) -> None:
    """Ask another process for work."""
    ask_for_work(process)
