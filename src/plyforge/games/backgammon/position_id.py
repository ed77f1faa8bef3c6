"""Position IDs of GNU Backgammon: 80 bits as 14 letters of Base64.

For the side that is not on roll and then for the side on roll, each point from the ace point to the
bar has as many ones as checkers, and then a zero.  The bits fill bytes from the lowest bit on.
"""

import base64
import binascii

from plyforge.games.backgammon.layout import BAR, CHECKERS, pack_side

_BYTES = 10
_LETTERS = 14

Side = tuple[int, int]
"""The two words of a side."""


def write_position_id(on_roll: dict[int, int], other: dict[int, int]) -> str:
    """Return the ID of a position, from the checkers on each side's own points."""
    bits: list[int] = []
    for counts in (other, on_roll):
        for point in range(1, BAR + 1):
            bits += [1] * counts.get(point, 0) + [0]
    number = sum(bit << place for place, bit in enumerate(bits))
    return base64.b64encode(number.to_bytes(_BYTES, "little")).decode("ascii")[:_LETTERS]


def read_position_id(text: str) -> tuple[Side, Side]:
    """Return the words of the side on roll and of the other one."""
    if len(text) != _LETTERS:
        raise ValueError(f"'{text}' is not a position ID; it has {len(text)} letters, not 14")
    try:
        data = base64.b64decode(text + "==", validate=True)
    except binascii.Error as error:
        raise ValueError(f"'{text}' is not a position ID: {error}") from None
    number = int.from_bytes(data, "little")
    sides: list[dict[int, int]] = []
    place = 0
    for _ in range(2):
        counts = {}
        for point in range(1, BAR + 1):
            count = 0
            while number >> place & 1:
                count, place = count + 1, place + 1
            place += 1
            counts[point] = count
        sides.append(counts)
    if number >> place:
        raise ValueError(f"'{text}' is not a position ID: it goes on after the second side")
    other, on_roll = sides
    check_sides(on_roll, other)
    return pack_side(on_roll), pack_side(other)


def check_sides(one: dict[int, int], two: dict[int, int]) -> None:
    """Raise an error unless two sides may stand on one board."""
    for counts in (one, two):
        if sum(counts.values()) > CHECKERS:
            raise ValueError(f"a side has {sum(counts.values())} checkers; it has 15 at most")
    for point in range(1, BAR):
        if one.get(point, 0) and two.get(25 - point, 0):
            raise ValueError(f"both sides have checkers on the same point ({point} of one of them)")
    if not sum(one.values()) and not sum(two.values()):
        raise ValueError("neither side has a checker left")
