"""Merging functions into their only caller.

LLVM weighs the size of a function before it merges it, and leaves large ones apart even where
they are called once; then a position passes through memory at every call, and the arrays in it
are counted up and down.  A function that is named once in all of a kernel is merged whatever its
size: code cannot grow by that.  See docs/decisions/0005-inlining.md for what it brings.
"""

import dis
from collections import Counter
from collections.abc import Iterable
from typing import Any


def merge_single_calls(dispatchers: Iterable[Any]) -> None:
    """Mark those functions that are named once in all of them, before any is compiled."""
    calls: Counter[Any] = Counter()
    for dispatcher in dispatchers:
        function = dispatcher.py_func
        for instruction in dis.get_instructions(function.__code__):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                callee = function.__globals__.get(instruction.argval)
                if hasattr(callee, "targetoptions") and callee is not dispatcher:
                    calls[callee] += 1
    for callee, count in calls.items():
        if count == 1:
            callee.targetoptions["forceinline"] = True
