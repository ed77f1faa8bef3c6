"""The policy `shared` of repetition: results are shared by all paths on which they hold.

An entry has the set of the positions on the lines on which its result rests (`line_sets`), and a
hash of the part of the path that is in this set, its *path part*.  On another path with the same
part, the same lines meet the same repetitions, so the result holds there.  The part is empty for
most results; docs/decisions/0035 has the proof and the measurements.

A result with a part is stored twice: by position, where the next result replaces it, and by
position and part.  A node on another path takes the set of the first entry, finds its own part by
it, and looks for a result with that part.

A kernel of its own has this code in the place of the functions named in `REPLACEMENTS`; only one
thread works in it, since sets are not protected against races.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import offset
from plyforge.compilation.keys import mix
from plyforge.compilation.records import Keys
from plyforge.game.kernels.path_ends import ALLOWED, count_occurrences
from plyforge.search.kernels.context import ONE_PLY, Context, Node
from plyforge.search.kernels.cycles import (
    SALT,
    advance_path,
    first_reversible,
    is_repeated,
    keep_new_positions,
    table_key,
)
from plyforge.search.kernels.keys import search_key
from plyforge.search.kernels.line_sets import (
    CLOSED,
    FOUND,
    RESULT,
    advance_path_with_sets,
    close_sets,
    keep_and_note_positions,
    note_child_positions,
    note_entry,
    set_at,
    sort_and_note_moves,
    start_sets,
)
from plyforge.search.kernels.node import find_node_entry, keep_node, note_child
from plyforge.search.kernels.ordering import child_entry, sort_moves
from plyforge.search.kernels.position_sets import (
    SET_WORDS,
    add_set,
    copy_set,
    counts_twice,
    may_contain,
    may_contain_twice,
)
from plyforge.search.kernels.table import (
    LOWER,
    TWO_LEVEL,
    UPPER,
    bound_of,
    is_valid,
    note_replaced,
    place_of,
    probe,
    salted,
    spread_key,
    store,
    value_at,
)

ENTRY_WORDS: Final = SET_WORDS + 1
"""The words of an entry besides those of the table: its set and its path part."""

_NOTHING = np.uint64(0)
_SALT = np.uint64(SALT)
_OWN = np.uint64(0x3C6EF372FE94F82B)
"""Mixed into all keys: entries of other kernels have no sets."""


def path_part(members: Any, position_key: Any, node: Node, context: Context) -> Any:
    """A hash of the positions of the path that lines with these positions may meet once too often;
    0 if there are none."""
    total = _NOTHING
    if context.repetition == ALLOWED:
        return total
    path, first = context.path, first_reversible(node, context)
    here = context.plies_before_root + node.ply
    for index in range(first, here):
        if may_recur(path[index], members, position_key, first, here, context):
            total += mix(_SALT, path[index])
    return total


def may_recur(
    other: Any, members: Any, position_key: Any, first: int, here: int, context: Context
) -> bool:
    """Whether a position of the path may come back often enough to end the game.

    Any line through it does that where the second occurrence ends the game.  Where it takes three
    or more, the position has to be on the path all but once, or at least twice on a line, of which
    the node itself may be one.
    """
    if not may_contain(members, other, context):
        return False
    if not counts_twice(context) or other == position_key:
        return True
    if may_contain_twice(members, other, context):
        return True
    # The count includes the occurrence below.
    return count_occurrences(other, context.path, first, here) >= context.repetition_count


def sharing_key(position_key: Any, part: Any, depth: int, node: Node, context: Context) -> Any:
    """The key of the latest result of a position, or of that with a path part."""
    part_hash = np.uint64(part).view(np.int64)
    return table_key(position_key, part_hash, node.reversible_plies, depth, context) ^ _OWN


def entry_set(key: Any, context: Context) -> Any:
    """The set of an entry that was found; the path part is the word after it."""
    words = context.entries
    key = spread_key(key)
    place = place_of(key, context)
    if context.replace == TWO_LEVEL and words[place] ^ words[place + 1] != salted(key, context):
        place += 2
    return set_of(place, context)


def set_of(place: int, context: Context) -> Any:
    """The set of the entry whose first word is at a place."""
    return offset(context.entry_sets, (place >> 1) * ENTRY_WORDS)


def find_on_path(position_key: Any, depth: int, node: Node, context: Context) -> Any:
    """The data of an entry that holds on this path, or 0; its set is `FOUND`."""
    key = sharing_key(position_key, _NOTHING, depth, node, context)
    data = probe(key, context)
    if data == _NOTHING:
        return data
    members = entry_set(key, context)
    part = path_part(members, position_key, node, context)
    if part != members[SET_WORDS]:
        if part == _NOTHING:
            return _NOTHING
        key = sharing_key(position_key, part, depth, node, context)
        data = probe(key, context)
        if data == _NOTHING:
            return data
        members = entry_set(key, context)
        if path_part(members, position_key, node, context) != members[SET_WORDS]:
            return _NOTHING
    copy_set(set_at(node.ply, FOUND, context), members)
    return data


def find_shared_entry(position_key: Any, depth: int, node: Node, context: Context) -> Any:
    """In the place of `node.find_node_entry`: also note whether the result rests on the entry."""
    start_sets(node, context)
    data = find_on_path(position_key, depth, node, context)
    if data != _NOTHING and is_valid(data, depth, context) and narrows_window(data, node):
        note_entry(node, context)
    return data


def narrows_window(data: Any, node: Node) -> bool:
    """Whether an entry narrows the window with which a node was opened, or closes it."""
    value, bound = value_at(data, node.ply), bound_of(data)
    if bound & LOWER != 0 and value > node.alpha:
        return True
    return bound & UPPER != 0 and value < node.beta


def find_childs_entry(
    position: Any,
    move: int,
    child: Any,
    position_key: Any,
    level: int,
    node: Node,
    context: Context,
) -> Any:
    """In the place of `ordering.child_entry`: also fill the child's set, in case it cuts.

    A child that ends the game on this path may have an entry from another one.
    """
    child_node = context.nodes[level + 1]
    child_node.ply = node.ply + 1
    child_key = search_key(child, context)
    context.path[context.plies_before_root + child_node.ply] = child_key
    advance_path_with_sets(position, move, position_key, node, child_node, context)
    if is_repeated(child_key, child_node, context):
        return _NOTHING
    data = find_on_path(child_key, node.depth - ONE_PLY, child_node, context)
    if data != _NOTHING:
        add_set(set_at(child_node.ply, CLOSED, context), set_at(child_node.ply, FOUND, context))
    return data


def keep_shared(
    position_key: Any,
    depth: int,
    value: float,
    bound: int,
    move: int,
    node: Node,
    context: Context,
) -> None:
    """In the place of `node.keep_node`: store a result with its set and path part."""
    part = path_part(close_sets(bound, node, context), position_key, node, context)
    context.result_ply, context.result_part = node.ply, np.uint64(part).view(np.int64)
    if part != _NOTHING:
        key = sharing_key(position_key, part, depth, node, context)
        store(key, node.ply, depth, value, bound, node.proven, move, context)
    key = sharing_key(position_key, _NOTHING, depth, node, context)
    store(key, node.ply, depth, value, bound, node.proven, move, context)


def write_set(mixed: Any, data: Any, place: int, context: Context) -> None:
    """In the place of `table.note_replaced`: write the set of the result that is stored."""
    words = context.entries
    if (
        context.replace == TWO_LEVEL
        and place & 3 == 0
        and words[place + 2] == mixed
        and words[place + 3] == data
    ):
        # The rule has just moved the old entry to the second place.
        old = set_of(place, context)
        write_words(place + 2, old, old[SET_WORDS], context)
    part = np.int64(context.result_part).view(np.uint64)
    write_words(place, set_at(context.result_ply, RESULT, context), part, context)


def write_words(place: int, members: Any, part: Any, context: Context) -> None:
    target = set_of(place, context)
    copy_set(target, members)
    target[SET_WORDS] = part


FIELDS: Final = {"line_sets": Keys, "entry_sets": Keys, "result_ply": int, "result_part": int}
"""The fields of the context that these functions need."""
REPLACEMENTS: Final[dict[Callable[..., Any], Callable[..., Any]]] = {
    find_node_entry: find_shared_entry,
    keep_node: keep_shared,
    note_child: note_child_positions,
    child_entry: find_childs_entry,
    sort_moves: sort_and_note_moves,
    advance_path: advance_path_with_sets,
    keep_new_positions: keep_and_note_positions,
    note_replaced: write_set,
}
