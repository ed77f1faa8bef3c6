"""The game contract: what a game's file may define, as one table.

The loader, `plyforge check`, `plyforge games` and the reference page are all derived from it.
A hook is a function of the game's module, a constant is an upper-case name of it.
"""

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True)
class Hook:
    """One function of the contract.

    `compiled` hooks become machine code and must keep to what Numba compiles; the others are
    called from Python only.  `returns` is one of: position, moves, score, int, bool, key, value,
    text, object.
    """

    name: str
    arguments: tuple[str, ...]
    returns: str
    compiled: bool
    summary: str
    default: str
    required: bool = False
    group: str = ""


@dataclass(frozen=True)
class Constant:
    """One upper-case name of the contract, with its default."""

    name: str
    default: Any
    summary: str


_P = ("position",)
_PM = ("position", "move")

_RULES = [
    Hook("initial", (), "position", False, "the start position; its parameters are the game's variants: `initial(columns=7, rows=6)` is reached as `connect4:5x4`, `connect4:columns=5,rows=4`", "", True),
    Hook("moves", _P, "moves", True, "every legal move, each once: a generator of ints, or `moves(position, out)` that fills `out` and returns how many", "", True),
    Hook("play", _PM, "position", True, "the position after a legal move; never changes its argument", "", True),
]  # fmt: skip
_ENDS = [
    Hook("outcome", _P, "score", True, "`ONGOING`, or the result in view of the side to move (`WIN`, `LOSS`, `DRAW` or a final score) where it shows before moves are generated", "`ONGOING`"),
    Hook("stuck", _P, "score", True, "the result in view of a side to move that has no move", "`LOSS`"),
    Hook("can_move", _P, "bool", True, "True where it is plain, without generating, that the side to move has a legal move; False says nothing; asked only while `outcome` is `ONGOING`", "`False`"),
    Hook("drawn", _P, "bool", True, "whether the game is a draw by a rule that move counting ignores, such as too little material", "`False`"),
]  # fmt: skip
_TURN = [
    Hook("turn", _P, "int", True, "whose turn it is: 0 for the first player, 1 for the second", "the sides alternate"),
]  # fmt: skip
_KEY = [
    Hook("key", _P, "key", True, "a 64-bit key of all that matters for the future of the game", "mixed from all fields but those in `CLOCKS`"),
    Hook("scratch_key", _P, "key", True, "for a game that carries its key: the same key computed anew, for `check` to compare", "none"),
]  # fmt: skip
_PROGRESS = [
    Hook("irreversible", _PM, "bool", True, "whether no position before this move can come back after it", "`False`"),
    Hook("progress", _P, "int", True, "plies already made without progress, for a game whose position carries that clock", "0"),
]  # fmt: skip
_SEARCH = [
    Hook("evaluate", _P, "score", True, "a guess of the value for the side to move, within `EVALUATION_RANGE`", "0"),
    Hook("terms", _P, "object", False, "what `evaluate` is made of: a list of (name, value, weight), whose products add up to it", "none"),
    Hook("begin", _P, "value", True, "the evaluation's running state at the root", "none"),
    Hook("advance", ("state", "position", "move", "child"), "value", True, "the running state after a move; with `begin`, `evaluate(position, state)` takes it too", "none"),
    Hook("noisy_moves", _P, "moves", True, "the moves a quiescence search looks at, in the form of `moves`", "none"),
    Hook("move_kind", _PM, "int", True, "0 for a quiet move, 1 for a tactical one; higher numbers are the game's own categories", "0"),
    Hook("move_gain", _PM, "score", True, "what a move wins at once, in the evaluation's units", "0"),
    Hook("in_check", _P, "bool", True, "whether the side to move must answer a threat, so that standing still means nothing", "`False`"),
    Hook("pass_move", _P, "int", True, "a move that `play` takes as giving up the turn, for null-move pruning; -1 where there is none", "-1"),
    Hook("zugzwang_prone", _P, "bool", True, "whether having to move may be a burden here", "`False`"),
    Hook("move_slot", _PM, "int", True, "an index below `MOVE_SLOTS` that tells alike moves apart in history tables", "a hash of the move"),
    Hook("probe", _P, "score", True, "the exact value where the game knows it, else `ONGOING`", "`ONGOING`"),
    Hook("symmetries", _P, "object", False, "a list of positions equal to this one in worth: its mirror images", "none"),
]  # fmt: skip
_TEXT = [
    Hook("to_text", _P, "text", False, "the position in the game's notation", "the fields, separated by spaces"),
    Hook("from_text", ("text",), "position", False, "the position that a text describes; `ValueError` with the reason if there is none", "reads what the default `to_text` writes"),
    Hook("move_text", _PM, "text", False, "the move as players write it", "the number"),
    Hook("parse_move", ("position", "text"), "int", False, "the legal move that a text means; `ValueError` with the reason if there is none", "the move whose `move_text` it is, letter case aside"),
    Hook("split_moves", ("text",), "object", False, "the move texts in a line of moves", "words between spaces or commas"),
    Hook("geometry", _P, "object", False, "the shape of the board, made by `squares`, `hexagons` or `pits`", "no picture"),
    Hook("pieces", _P, "object", False, "what stands on the board: cell name to piece letter (or number of seeds)", "nothing"),
    Hook("arrange", ("position", "pieces", "side"), "position", False, "the position like this one (its sizes and variant), but with these pieces, given as `pieces` gives them, and that side to move; `ValueError` with the reason if there is none", "pieces cannot be set up one by one"),
    Hook("move_cells", _PM, "object", False, "the cells a move touches, from first to last", "none"),
    Hook("board", _P, "text", False, "the board drawn in text", "drawn from `geometry` and `pieces`, or the position's text"),
    Hook("read_games", ("text",), "object", False, "the games in a file of the game's own record format, as a list of `GameRecord` whose moves are as the file writes them (they are played later) and whose `lines` say where they stand; `ValueError` with line and reason if it cannot be read", "the plain format"),
    Hook("write_game", ("record",), "text", False, "one game in the game's own record format; None for a record that this format cannot hold", "the plain format"),
]  # fmt: skip

HOOKS: Final[dict[str, Hook]] = {
    hook.name: Hook(**{**hook.__dict__, "group": group})
    for group, hooks in {
        "Rules": _RULES,
        "Ends": _ENDS,
        "Turn": _TURN,
        "Key": _KEY,
        "Progress": _PROGRESS,
        "Search": _SEARCH,
        "Text and picture": _TEXT,
    }.items()
    for hook in hooks
}

CONSTANTS: Final[dict[str, Constant]] = {
    constant.name: constant
    for constant in [
        Constant("NAME", None, "the game's name in print (default: the file's name)"),
        Constant("MAX_MOVES", 256, "no position has more legal moves than this"),
        Constant("PLAYERS", ("First", "Second"), "the two sides' names, the first to move first"),
        Constant("PIECES", {}, "how pieces look: letter to (side, shape), as `{'k': (1, 'king')}`; see below"),
        Constant("VARIANTS", (), "examples of variants, as texts after the colon"),
        Constant("ALTERNATING", None, "True when `turn` is defined and the sides nevertheless always alternate: searches then skip a comparison"),
        Constant("CLOCKS", (), "fields that count without mattering, left out of the default key"),
        Constant("NO_PROGRESS_LIMIT", None, "plies without an irreversible move after which the game is drawn"),
        Constant("REPETITION", None, "the worth of a repeated position: 'draw', 'loss' (for the side that repeated), 'illegal' or None"),
        Constant("REPETITION_COUNT", 3, "the occurrence that ends the game, the first one counted"),
        Constant("FINISHED_LEAVES", 0, "what a game that has ended adds to a perft count at every later depth: 0, or 1 as is usual in Othello"),
        Constant("SILENT_PASS", False, "True when records leave passes out: a pass that is the only legal move is then made before a move text that means another"),
        Constant("MOVE_SLOTS", 4096, "how many values `move_slot` has"),
        Constant("SEARCH", {}, "what suits the game in searching it: `{'on': [...], 'off': [...], 'set': {...}}` with names of switches and parameters, applied to every preset"),
        Constant("EVALUATIONS", {}, "further evaluations by name: modules with `evaluate`, maybe `terms` and EVALUATION_RANGE"),
        Constant("EVALUATION_RANGE", (-100.0, 100.0), "the least and the greatest value of `evaluate`"),
        Constant("AHEAD", None, "the evaluation from which on a side is clearly ahead, for matches to tell a draw from a win that was not found; None for a twentieth of the range"),
        Constant("EVALUATION_MEANING", "points", "what `evaluate` returns: 'points', 'probability' or 'score'"),
    ]
}  # fmt: skip

SHAPES: Final = (
    *("stone", "disc", "crowned", "cross", "nought"),
    *("pawn", "knight", "bishop", "rook", "queen", "king", "letter"),
)
"""The shapes that `PIECES` may name; `letter` is the piece's letter on a disc of its side."""

RESERVED: Final = {"chance": "stochastic games", "chance_outcomes": "stochastic games"}
