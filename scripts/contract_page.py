"""Write docs/reference/contract.md from the table in `plyforge.core.contract`."""

from pathlib import Path

from plyforge.core.contract import CONSTANTS, HOOKS, SHAPES

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "contract.md"

HEAD = """# The game contract

A game is a Python module: a file of yours, or a file or folder in `plyforge/games`. It defines a
position type and the functions below; only three of them are required. There is nothing to
inherit from, nothing to decorate and nothing to register. `plyforge new FILE` writes a starter,
`plyforge check FILE` looks for mistakes.

This page is written by `python scripts/contract_page.py` from `plyforge/core/contract.py`.

## The position

An immutable value. Written as a `NamedTuple` whose fields are `int` (64 bits with sign), `u64`,
`bool`, `float` or `NDArray[np.int8]` (any NumPy number type, any fixed shape), it is compiled to
machine code. Any other hashable Python object works too, uncompiled. Arrays in a position are
never changed: `play` copies them.

What a rules file needs is in `plyforge.rules`: `WIN`, `LOSS`, `DRAW`, `ONGOING`, `u64`, the bit
functions `ctz`, `clz`, `popcount`, `byteswap`, `logical_shift`, and the board shapes `squares`,
`hexagons`, `pits`.

## What compiles

The functions marked *compiled* below run as they are, in Python, and as machine code. For the
latter they keep to what Numba knows: ints, floats, bools, tuples, NumPy arrays, loops, helper
functions of your own, module constants. What does not compile, and what to write instead:

| instead of | write |
|---|---|
| a dict, list or set as a constant | a tuple of equally long tuples, an array, a bit mask a row |
| rows of different lengths | equal lengths, filled up with -1 |
| `position.side = 1` | a new position: `Position(..., side=1)` or all fields in order |
| `Position(*values)` with a list | the fields written out |
| `a / b` for whole numbers | `a // b` |
| `x = 0` and then `x = board` with a `u64` board | `x = u64(0)` |
| a generator that calls itself | the work still to do, kept in ints |

`plyforge check` says where a file falls short; `--backend python` runs it uncompiled all the same.
A mistake that `check` cannot know of is a move that is missing everywhere: compare
`perft --divide` with a count by hand, and write `symmetries`, so that mirror images are compared.

## Moves

A move is an int. `moves` is best written as a generator; before compilation every `yield` becomes
a store into a buffer, and `yield from helper(...)` a call that goes on filling it. A generator
must not call itself: keep the work still to do in ints, as `games/checkers/rules.py` does.

## Values

Every value is in view of the side to move. `WIN`, `LOSS` and `DRAW` are results; a game played
for points returns its final score instead, within ±2^23.
"""

PICTURES = """## Pictures

Boards in the browser and in notebooks are drawn from `geometry` and `pieces`. `PIECES` says how a
letter looks: whose it is (0, 1, or None for nobody's) and its shape,

    PIECES = {{"m": (0, "disc"), "M": (0, "crowned"), "x": (None, "letter")}}

one of {shapes}. Sides that `PLAYERS` calls by a colour (White, Black, Red, Blue, Yellow, Green)
have that colour.

Without `PIECES`, initials of the players' names are their stones (of a letter in both cases, the
upper one is crowned), X and O are the first and the second player's, and of other letters that
occur in both cases the upper ones are the first player's. Whatever else stands on a cell is
written there; a cell with `.` is empty.
"""


def page() -> str:
    """The page's text."""
    parts = [HEAD]
    for group in dict.fromkeys(hook.group for hook in HOOKS.values()):
        parts.append(f"## {group}\n\n| function | means | if left out | runs |\n|---|---|---|---|")
        for hook in HOOKS.values():
            if hook.group == group:
                call = f"`{hook.name}({', '.join(hook.arguments)})`"
                default = "required" if hook.required else hook.default
                runs = "compiled" if hook.compiled else "in Python"
                parts[-1] += f"\n| {call} | {hook.summary} | {default} | {runs} |"
        parts[-1] += "\n"
    parts.append("## Constants\n\n| name | means | if left out |\n|---|---|---|")
    for constant in CONSTANTS.values():
        parts[-1] += f"\n| `{constant.name}` | {constant.summary} | `{constant.default!r}` |"
    parts[-1] += "\n\nThe names `chance` and `chance_outcomes` are reserved for stochastic games.\n"
    parts.append(PICTURES.format(shapes=", ".join(f"`{shape}`" for shape in SHAPES)))
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
