"""Counting the nodes of a distributed search, which looks at messages while it recurses."""

from plyforge.search.distributed.polling import poll
from plyforge.search.kernels.context import Context


def spend_node_and_poll(context: Context) -> None:
    """Count a node; every few thousand, look at the messages: takes the place of `spend_node`."""
    context.budget -= 1
    if context.budget <= 0:
        poll(context)
