"""Inline functions into their only caller.

LLVM does not inline a large function, even one that is called once.  A call then passes the
position through memory, and updates the reference counts of its arrays.  So a function that is
named once in a whole kernel is always inlined; code cannot grow by that.  For measurements see
docs/decisions/0005-inlining.md.

Functions that run seldom are left out of all this: they are not inlined, and whatever they call
stays a function of its own, so that they add little to the time of compiling.
"""

import dis
from collections import Counter
from collections.abc import Iterable
from typing import Any


def inline_single_calls(dispatchers: Iterable[Any]) -> None:
    """Mark the functions that are named once in all of these; call it before compiling any."""
    calls: Counter[Any] = Counter()
    for dispatcher in dispatchers:
        function = dispatcher.py_func
        if runs_seldom(function):
            continue
        for instruction in dis.get_instructions(function.__code__):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                callee = function.__globals__.get(instruction.argval)
                if hasattr(callee, "targetoptions") and callee is not dispatcher:
                    calls[callee] += 1
    for callee, count in calls.items():
        if count == 1 and not runs_seldom(callee.py_func):
            callee.targetoptions["forceinline"] = True


def mark_as_seldom(function: Any) -> None:
    """Note that a function runs seldom; call it before compiling."""
    function.__dict__["plyforge_seldom"] = True


def runs_seldom(function: Any) -> bool:
    return "plyforge_seldom" in function.__dict__


def leave_uninlined(function: Any) -> None:
    """Tell LLVM to inline a function nowhere, and nothing into it; it was just lowered."""
    function.attributes.add("noinline")
    function.attributes.add("cold")
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.opname == "call":
                instruction.attributes.add("noinline")
