"""A search step that only counts: null windows in open windows that need no second search."""

from typing import Any

NAME = "count-scouts"
SUMMARY = "counts null windows inside open windows; changes nothing"
EXACT = True
COUNTERS = {"settled_scouts": "null windows in open windows that were not searched again"}


def search_again(value: float, flips: bool, level: int, node: Any, context: Any) -> bool:
    """Act after `pvs`, so that moves which are searched again are not counted before that."""
    if node.child_high < node.high:
        context.settled_scouts += 1
    return False
