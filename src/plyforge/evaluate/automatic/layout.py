"""Where a position stores the content of each cell of the board."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple


class Slot(NamedTuple):
    """Some bits of a position: a field, the indices of an element if it is an array, and a bit.

    With `equals`, it is 1 if the field or element is equal to `shift`: a field may hold the number
    of the cell where a piece is.
    """

    field: str
    element: tuple[int, ...]
    shift: int
    equals: bool = False

    def read(self, position: Any, mask: int) -> int:
        """Return the value of the slot."""
        stored = getattr(position, self.field)
        word = int(stored[self.element] if self.element else stored)
        return int(word == self.shift) if self.equals else word >> self.shift & mask


@dataclass(frozen=True)
class Layer:
    """A part of the content of every cell: `mask` has the bits that are used from its slot on."""

    slots: tuple[Slot, ...]
    mask: int

    def value(self, position: Any, cell: int) -> int:
        """Return the value of a cell."""
        return self.slots[cell].read(position, self.mask)


@dataclass(frozen=True)
class Layout:
    """How the cells of a board are read from a position."""

    cells: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    """Where each cell is on the board; empty if the game has no picture."""
    layers: tuple[Layer, ...]
    digits: tuple[int, ...]
    """The digit for each combination of the layers' values, the first layer's in the lowest place.

    Combinations that were never seen have the digit 0.
    """
    by_side: bool
    """Whether the contents belong to players, not to the side to move and its opponent."""

    @property
    def base(self) -> int:
        """The number of digits."""
        return max(self.digits) + 1

    def combination(self, position: Any, cell: int) -> int:
        """Return the values of all layers as one number."""
        result, unit = 0, 1
        for layer in self.layers:
            result += unit * layer.value(position, cell)
            unit *= layer.mask + 1
        return result

    def digit(self, position: Any, cell: int) -> int:
        """Return the content of a cell."""
        return self.digits[self.combination(position, cell)]

    def to_fields(self) -> dict[str, Any]:
        """Return the layout as plain data."""
        return asdict(self)

    @classmethod
    def from_fields(cls, fields: dict[str, Any]) -> "Layout":
        """Return the layout that `fields` describes."""
        layers = tuple(
            Layer(
                tuple(
                    Slot(str(field), tuple(map(int, element)), int(shift), bool(equals))
                    for field, element, shift, equals in one["slots"]
                ),
                int(one["mask"]),
            )
            for one in fields["layers"]
        )
        return cls(
            tuple(map(str, fields["cells"])),
            tuple((float(x), float(y)) for x, y in fields["places"]),
            layers,
            tuple(map(int, fields["digits"])),
            bool(fields["by_side"]),
        )
