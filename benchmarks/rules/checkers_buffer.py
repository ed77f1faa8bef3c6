"""Checkers with a hand-written buffer instead of the generators.

The buffer also holds unfinished captures: an entry is extended in place, and further branches are
appended.
"""

from plyforge.games.checkers import *  # noqa: F403
from plyforge.games.checkers import MAX_MOVES, Position  # noqa: F401
from plyforge.games.checkers.rules import BOARD, CAPTURED, FROM, INDEX, ROUTE, ROUTE_MASK, TO
from plyforge.rules import ctz


def moves(position, out):
    if position.side == 0:
        own = position.black
        opponents = position.white
        up = own
        down = own & position.kings
    else:
        own = position.white
        opponents = position.black
        up = own & position.kings
        down = own
    empty = BOARD & ~(own | opponents)
    jumpers = up & (empty >> 8 & opponents >> 4 | empty >> 10 & opponents >> 5)
    jumpers |= down & (empty << 8 & opponents << 4 | empty << 10 & opponents << 5)
    if jumpers:
        return jumps(jumpers, up, down, opponents, empty, out)
    count = 0
    ends = up << 4 & empty
    while ends:
        end = ctz(ends)
        ends &= ends - 1
        out[count] = (end - 4) << FROM | end << TO
        count += 1
    ends = up << 5 & empty
    while ends:
        end = ctz(ends)
        ends &= ends - 1
        out[count] = (end - 5) << FROM | end << TO
        count += 1
    ends = down >> 4 & empty
    while ends:
        end = ctz(ends)
        ends &= ends - 1
        out[count] = (end + 4) << FROM | end << TO
        count += 1
    ends = down >> 5 & empty
    while ends:
        end = ctz(ends)
        ends &= ends - 1
        out[count] = (end + 5) << FROM | end << TO
        count += 1
    return count


def jumps(jumpers, up, down, opponents, empty, out):
    count = 0
    while jumpers:
        start = jumpers & -jumpers
        jumpers ^= start
        free = empty | start
        first = ctz(start)
        item = count
        out[count] = first << FROM | first << TO
        count += 1
        while item < count:
            entry = out[item]
            captured = entry & CAPTURED
            square = 1 << (entry >> TO & INDEX)
            prey = opponents & ~captured
            extended = False
            if up & start:
                over = square << 4 & prey
                end = over << 4 & free
                if end:
                    out[item] = extension(entry, first, over, end, 0)
                    extended = True
                over = square << 5 & prey
                end = over << 5 & free
                if end:
                    place = count if extended else item
                    out[place] = extension(entry, first, over, end, 1)
                    count += extended
                    extended = True
            if down & start:
                over = square >> 5 & prey
                end = over >> 5 & free
                if end:
                    place = count if extended else item
                    out[place] = extension(entry, first, over, end, 2)
                    count += extended
                    extended = True
                over = square >> 4 & prey
                end = over >> 4 & free
                if end:
                    place = count if extended else item
                    out[place] = extension(entry, first, over, end, 3)
                    count += extended
                    extended = True
            if not extended:
                item += 1
    return count


def extension(entry, first, over, end, direction):
    route = (entry >> ROUTE << 2 | direction) & ROUTE_MASK
    return entry & CAPTURED | over | first << FROM | ctz(end) << TO | route << ROUTE
