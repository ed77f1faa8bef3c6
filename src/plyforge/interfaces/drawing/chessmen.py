"""The six chess pieces, drawn around (0, 0) in a cell of 100 by 100."""

from typing import Final

from plyforge.interfaces.drawing.svg import element


def _path(line: str, class_: str = "") -> str:
    return element("path", d=line, class_=class_)


def _ball(x: float, y: float, radius: float) -> str:
    return element("circle", cx=float(x), cy=float(y), r=float(radius))


_FOOT: Final = _path("M-28 40 V35 Q-28 30 -22 30 H22 Q28 30 28 35 V40 Z")

_PAWN: Final = (
    _path("M-18 30 C-17 17 -8 12 -6 -4 H6 C8 12 17 17 18 30 Z")
    + _path("M-13 -2 Q-13 -7 -8 -7 H8 Q13 -7 13 -2 Z")
    + _ball(0, -19, 12)
)
_ROOK: Final = (
    _path("M-18 30 L-14 -10 H14 L18 30 Z")
    + _path("M-22 -34 H-12 V-27 H-5 V-34 H5 V-27 H12 V-34 H22 V-17 L15 -10 H-15 L-22 -17 Z")
    + _path("M-16 20 H16", "detail")
)
_BISHOP: Final = (
    _path("M-20 30 C-13 24 -9 16 -9 8 H9 C9 16 13 24 20 30 Z")
    + _path("M0 -35 C16 -22 19 -8 10 4 H-10 C-19 -8 -16 -22 0 -35 Z")
    + _path("M-13 9 Q-13 4 -8 4 H8 Q13 4 13 9 Z")
    + _path("M0 -25 V-7 M-7 -17 H7", "detail")
    + _ball(0, -37, 5)
)
_KNIGHT: Final = (
    _path(
        "M-20 30 C-21 12 -1 8 -2 -5 C-8 -4 -11 0 -16 5 C-20 9 -25 9 -28 4 C-31 -1 -26 -6 -22 -12"
        " C-18 -18 -18 -22 -13 -26 L-13 -37 L-4 -30 C16 -31 27 -10 23 30 Z"
    )
    + _path("M0 -25 C14 -20 18 -2 16 24", "detail")
    + element("circle", cx=-10.0, cy=-18.0, r=2.6, class_="eye")
    + element("circle", cx=-24.0, cy=1.0, r=1.6, class_="eye")
)
_QUEEN: Final = (
    _path("M-20 30 L-31 -13 L-17 6 L-17 -25 L-6 3 L0 -29 L6 3 L17 -25 L17 6 L31 -13 L20 30 Z")
    + "".join(_ball(x, y, 4.5) for x, y in ((-31, -15), (-17, -28), (0, -32), (17, -28), (31, -15)))
    + _path("M-21 21 Q0 15 21 21", "detail")
)
_KING: Final = (
    _path("M0 4 C-10 -8 -9 -18 0 -21 C9 -18 10 -8 0 4 Z")
    + _path(
        "M-20 30 C-40 8 -36 -14 -18 -15 C-8 -15 -2 -7 0 4 C2 -7 8 -15 18 -15 C36 -14 40 8 20 30 Z"
    )
    + _path("M-3 -21 V-28 H-10 V-34 H-3 V-41 H3 V-34 H10 V-28 H3 V-21 Z")
    + _path("M-21 21 Q0 15 21 21", "detail")
)

CHESSMEN: Final = {
    name: _FOOT + shape
    for name, shape in {
        "pawn": _PAWN,
        "knight": _KNIGHT,
        "bishop": _BISHOP,
        "rook": _ROOK,
        "queen": _QUEEN,
        "king": _KING,
    }.items()
}
