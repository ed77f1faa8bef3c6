"""The phases of a node at which steps of the search act.

These functions are declarations.  When the kernel is built, each is replaced by a generated
function that calls the steps which define it, in the order of `search.steps`, each only if its
switch is on and the node's depth is at least the step's minimum.  See `docs/search/steps.md` for
what a step may do in each phase.
"""

from typing import Any

from plyforge.search.kernels.context import Context, Node


def _unlinked(name: str) -> RuntimeError:
    return RuntimeError(f"'{name}' belongs to the steps of a search: build the kernel first")


def early_steps() -> int:
    """Return the number of steps that act before moves are listed, a constant once linked."""
    raise _unlinked("early_steps")


def has_inexact_steps() -> bool:
    """Whether any step is inexact, a constant once linked."""
    raise _unlinked("has_inexact_steps")


def has_horizon_steps() -> bool:
    """Whether a step acts at the horizon, a constant once linked."""
    raise _unlinked("has_horizon_steps")


def near_end(position: Any, level: int, node: Node, context: Context) -> float:
    """Return the value of a node whose games all end within the depth, or `NO_VALUE`."""
    raise _unlinked("near_end")


def known_value(position: Any, level: int, node: Node, context: Context) -> float:
    """Return the exact value of a position that steps or the game know, or `NO_VALUE`.

    `ASK` means that the values after all its moves are known: it is searched one ply deep, even at
    the horizon.
    """
    raise _unlinked("known_value")


def at_horizon(position: Any, level: int, node: Node, context: Context) -> float:
    """Return the value of a node without remaining depth, or `NO_VALUE` to search noisy moves."""
    raise _unlinked("at_horizon")


def expand_beyond(position: Any, level: int, node: Node, context: Context) -> float:
    """List the moves of a node beyond the horizon: `horizon.expand_noisy`, if a step acts there."""
    raise _unlinked("expand_beyond")


def before_moves(step: int, position: Any, level: int, node: Node, context: Context) -> float:
    """Let an early step act; return a value that ends the node, `ASK` or `NO_VALUE`."""
    raise _unlinked("before_moves")


def after_search(
    step: int, value: float, position: Any, level: int, node: Node, context: Context
) -> float:
    """Hand the result of the search that an early step asked for to it; as `before_moves`."""
    raise _unlinked("after_search")


def score_move(
    move: int, slot: int, position: Any, level: int, node: Node, context: Context
) -> float:
    """Return the sum of the scores that steps give a move."""
    raise _unlinked("score_move")


def promote_move(
    move: int, index: int, position: Any, level: int, node: Node, context: Context
) -> float:
    """Return the greatest bonus that steps give a move, or 0."""
    raise _unlinked("promote_move")


def look_at_child(
    move: int,
    index: int,
    position: Any,
    child: Any,
    flips: bool,
    entry: Any,
    level: int,
    node: Node,
    context: Context,
) -> float:
    """Let steps change `node.score` and `node.estimate` of a child; return a cut or `NO_VALUE`."""
    raise _unlinked("look_at_child")


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    """Let steps change the plan for a move; return False if it is skipped."""
    raise _unlinked("plan_move")


def search_again(value: float, flips: bool, level: int, node: Node, context: Context) -> bool:
    """Let steps change the plan after a search of the present move; return whether to repeat it."""
    raise _unlinked("search_again")


def on_cut(position: Any, level: int, node: Node, context: Context) -> None:
    """Tell steps that the present move has failed high."""
    raise _unlinked("on_cut")


def learn_move(slot: int, change: int, level: int, node: Node, context: Context) -> None:
    """Tell steps that a move has cut (a positive change), or did not where another did."""
    raise _unlinked("learn_move")
