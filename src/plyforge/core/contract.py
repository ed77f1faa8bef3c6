"""The game contract: one table of everything that a game's file may define.

The loader, `plyforge check`, `plyforge games` and the reference page are derived from it.  A hook
is a function of the game's module, a constant an upper-case name.
"""

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True)
class Hook:
    """One function of the contract.

    `compiled` hooks become machine code and may use only what Numba compiles; the others are
    called from Python only.  `returns` is one of: position, moves, outcomes, score, int, bool, key,
    value, text, object.
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


FINISH_WORDS: Final = 256
"""The size of the memory that `finish` is given."""

_P = ("position",)
_PM = ("position", "move")

_RULES = [
    Hook("initial", (), "position", False, "the start position; its parameters are the game's variants: `connect4:5x4` and `connect4:columns=5,rows=4` call `initial(columns=5, rows=4)`", "", True),
    Hook("moves", _P, "moves", True, "every legal move, each once: a generator of ints (of 64 bits, with sign), or `moves(position, out)` that fills `out` and returns how many", "", True),
    Hook("play", _PM, "position", True, "the position after a legal move; must not change its argument", "", True),
]  # fmt: skip
_ENDS = [
    Hook("outcome", _P, "score", True, "`ONGOING`, or the result for the side to move (`WIN`, `LOSS`, `DRAW` or a final score) if it is known before moves are generated", "`ONGOING`"),
    Hook("stuck", _P, "score", True, "the result for a side to move that has no move", "`LOSS`"),
    Hook("can_move", _P, "bool", True, "True if it is certain, without generating moves, that the side to move has one; False means unknown; called only while `outcome` is `ONGOING`", "`False`"),
    Hook("drawn", _P, "bool", True, "whether the game is a draw by a rule that `perft` ignores, such as insufficient material", "`False`"),
]  # fmt: skip
_TURN = [
    Hook("turn", _P, "int", True, "whose turn it is: 0 for the first player, 1 for the second", "the sides alternate"),
]  # fmt: skip
_CHANCE = [
    Hook("chance", _P, "bool", True, "whether chance moves next: dice are rolled or a card is drawn; such a game needs `turn`, which then says for whom `outcome` and `evaluate` count", "`False`"),
    Hook("chance_outcomes", _P, "outcomes", True, "what can happen where `chance` is true, in place of `moves`: a generator of (outcome, probability), where an outcome is an int that `play` and `move_text` take like a move, and the probabilities, all above 0, add up to 1; or `chance_outcomes(position, out, probabilities)` that fills both and returns how many", "none"),
]  # fmt: skip
_HIDDEN = [
    Hook("information", _P, "object", False, "what the side to move knows, as a string or another hashable value: positions with the same value look the same to it and have the same moves; such games need `turn`, and are solved by `plyforge equilibrium`", "everything"),
]  # fmt: skip
_KEY = [
    Hook("key", _P, "key", True, "a 64-bit key of everything that matters for the rest of the game", "mixed from all fields except those in `CLOCKS`"),
    Hook("scratch_key", _P, "key", True, "for a game that carries its key: the same key computed from scratch, for `check` to compare", "none"),
]  # fmt: skip
_PROGRESS = [
    Hook("irreversible", _PM, "bool", True, "whether no position before this move can recur after it", "`False`"),
    Hook("progress", _P, "int", True, "plies already made without progress, if the position counts them", "0"),
]  # fmt: skip
_SEARCH = [
    Hook("evaluate", _P, "score", True, "an estimate of the value for the side to move, within `EVALUATION_RANGE`; with `WEIGHTS`, `evaluate(position, weights)`", "from `EVALUATION` or `FEATURES`, else 0"),
    Hook("terms", _P, "object", False, "the terms of `evaluate`: a list of (name, value, weight); `evaluate` is the sum of value × weight", "from the form of the evaluation"),
    Hook("begin", ("position", "state"), "value", True, "writes the evaluation's state of the root to the array `state`, whose size and type `STATE` declares; `evaluate(position, state)` then takes it too", "none"),
    Hook("advance", ("state", "position", "move", "child", "child_state"), "value", True, "writes the state after a move to the array `child_state`", "none"),
    Hook("noisy_moves", _P, "moves", True, "the moves that a quiescence search tries, in the form of `moves`", "none"),
    Hook("move_kind", _PM, "int", True, "0 for a quiet move, 1 for a tactical one; higher numbers are categories of the game", "0"),
    Hook("move_gain", _PM, "score", True, "what a move wins immediately, in units of the evaluation", "0"),
    Hook("exchange", _PM, "score", True, "what a move wins after the best captures on its square, in units of the evaluation; negative if it loses material", "0"),
    Hook("move_target", _PM, "int", True, "the number of the square where a move ends; -1 if there is none", "-1"),
    Hook("in_check", _P, "bool", True, "whether the side to move must answer a threat, so that a static evaluation means nothing", "`False`"),
    Hook("pass_move", _P, "int", True, "a move that `play` accepts as passing, for null-move pruning; -1 if there is none", "-1"),
    Hook("zugzwang_prone", _P, "bool", True, "whether having to move may be a disadvantage", "`False`"),
    Hook("phase", _P, "int", True, "the phase of the game, from 0 to `PHASES` - 1, for numbers that `plyforge fit` finds for each phase", "0"),
    Hook("move_slot", _PM, "int", True, "the index of a move in history tables, below `MOVE_SLOTS`", "a hash of the move"),
    Hook("plies_left", _P, "int", True, "the number of plies after which every game from here has ended, passes included; a search that is that deep needs no evaluation", "unknown"),
    Hook("finish", ("position", "low", "high", "words"), "score", True, "the final score of perfect play where few plies are left, else `ONGOING`; only called where `plies_left` is within the depth; a score of at most `low` may be too high, one of at least `high` too low; `words` is memory for 256 integers, and the number of positions it looked at is added to `words[0]`", "`ONGOING`"),
    Hook("max_score", _P, "score", True, "a final score that the side to move cannot exceed, however both sides play", "no limit"),
    Hook("mobility", _P, "int", True, "how many replies the side to move has; moves that leave the other side few of them are tried first", "0"),
    Hook("odd_region", _PM, "bool", True, "whether a move is in a part of the board where the side to move would also have the last move", "`False`"),
    Hook("quick_value", _P, "score", True, "the value if the next two plies decide the game: `WIN - 1` if the side to move can win with its next move, `LOSS + 2` if it cannot prevent the other side's win after it; else `ONGOING`", "`ONGOING`"),
    Hook("loses_at_once", _PM, "bool", True, "whether the other side can win with its next move after this one", "`False`"),
    Hook("move_priority", _PM, "int", True, "how promising a move looks, for sorting: higher first; less than 2^20", "0"),
    Hook("canonical_key", _P, "key", True, "one key for all positions of `symmetries`, so that searches store one result for them", "none"),
    Hook("probe", _P, "score", True, "the exact value if the game knows it, else `ONGOING`", "`ONGOING`"),
    Hook("proven_result", _P, "score", True, "the result of perfect play if a simple argument proves it, else `ONGOING`: `WIN`, `LOSS`, `DRAW` or a final score for the side to move, however many plies it takes; where positions recur, it must hold on every path", "`ONGOING`"),
    Hook("symmetries", _P, "object", False, "a list of positions with the same value, such as mirror images", "none"),
]  # fmt: skip
_DATABASE = [
    Hook("slices", ("position", "text"), "object", False, "the slices of a database that a text names, as a dict of name to (code, size); an empty text means the slice of `position`, which also gives the variant; raises `ValueError` with the reason if there is none", "by pieces, if positions are the sum of their pieces"),
    Hook("index", _P, "int", True, "the number of a position: `code << SLICE_SHIFT | place`, with a place below the size of its slice; -1 for a position of no slice", "a ranking of pieces on cells, if positions are the sum of their pieces"),
    Hook("unindex", ("position", "number"), "position", True, "the position with a number; `position` gives the variant; for a number that stands for no position, any position with another `index`", "the reverse of that ranking"),
    Hook("secured_score", _P, "score", True, "in a game for points, what the side to move is already ahead by and `index` leaves out", "0"),
]  # fmt: skip
_TEXT = [
    Hook("to_text", _P, "text", False, "the position in the game's notation", "the fields, separated by spaces"),
    Hook("from_text", ("text",), "position", False, "the position that a text describes; raises `ValueError` with the reason if there is none", "reads what the default `to_text` writes"),
    Hook("move_text", _PM, "text", False, "the move as players write it", "the number"),
    Hook("readable_move", _PM, "text", False, "the move as pages and comments show it, such as `Nf3` where `move_text` is `g1f3`; `parse_move` must read it, too", "`move_text`"),
    Hook("parse_move", ("position", "text"), "int", False, "the legal move that a text means; raises `ValueError` with the reason if there is none", "the move with this `move_text`, ignoring case"),
    Hook("split_moves", ("text",), "object", False, "the move texts in a line of moves", "words between spaces or commas"),
    Hook("geometry", _P, "object", False, "the shape of the board, made by `squares`, `hexagons`, `pits`, `points`, `edges` or `boxes`", "no picture"),
    Hook("pieces", _P, "object", False, "the pieces on the board: cell name to piece letter (or number of seeds)", "none"),
    Hook("arrange", ("position", "pieces", "side"), "position", False, "the position with these pieces, in the form of `pieces`, and that side to move; `position` gives size and variant; raises `ValueError` with the reason if there is none", "pieces cannot be set up one by one"),
    Hook("extras", _P, "object", False, "what belongs to a position besides its pieces and the side to move, such as castling rights: name to (value, choices), all strings; the choices are those that these pieces allow", "none"),
    Hook("with_extras", ("position", "values"), "position", False, "the position with other extras: `values` maps each name of `extras` to one of its choices", "none"),
    Hook("move_cells", _PM, "object", False, "the cells that a move touches, from first to last", "none"),
    Hook("board", _P, "text", False, "the board drawn in text", "drawn from `geometry` and `pieces`, or the position's text"),
    Hook("read_games", ("text",), "object", False, "the games in a text of the game's own record format, as a list of `GameRecord` with moves as the file writes them (they are checked later) and with `lines`; raises `ValueError` with line and reason if it cannot be read", "the plain format"),
    Hook("write_game", ("record",), "text", False, "one game in the game's own record format; None for a record that this format cannot hold", "the plain format"),
    Hook("read_book", ("data",), "object", False, "the opening book in the bytes of a file of the game's own format: a function that returns the moves of a position as a list of (move, weight); raises `ValueError` with the reason if it cannot be read", "books of Plyforge only"),
    Hook("write_book", ("entries",), "object", False, "the bytes of a book with these entries, an iterable of (position, list of (move, weight))", "books of Plyforge only"),
]  # fmt: skip

HOOKS: Final[dict[str, Hook]] = {
    hook.name: Hook(**{**hook.__dict__, "group": group})
    for group, hooks in {
        "Rules": _RULES,
        "Ends": _ENDS,
        "Turn": _TURN,
        "Chance": _CHANCE,
        "Hidden information": _HIDDEN,
        "Key": _KEY,
        "Progress": _PROGRESS,
        "Search": _SEARCH,
        "Database": _DATABASE,
        "Text and picture": _TEXT,
    }.items()
    for hook in hooks
}

CONSTANTS: Final[dict[str, Constant]] = {
    constant.name: constant
    for constant in [
        Constant("NAME", None, "the title of the game (default: the file's name)"),
        Constant("MAX_MOVES", 256, "no position has more legal moves, or outcomes of chance, than this"),
        Constant("PLAYERS", ("First", "Second"), "the names of the sides; the first moves first"),
        Constant("PIECES", {}, "how pieces look: letter to (side, shape), such as `{'k': (1, 'king')}`; see below"),
        Constant("VARIANTS", (), "examples of variants, as written after the colon"),
        Constant("ALTERNATING", None, "True if `turn` is defined but the sides always alternate, so that searches can skip a comparison"),
        Constant("CLOCKS", (), "fields that only count moves, left out of the default key"),
        Constant("NO_PROGRESS_LIMIT", None, "plies without an irreversible move after which the game is drawn"),
        Constant("REPETITION", None, "the value of a repeated position: 'draw', 'loss' (for the side that repeated), 'illegal' or None"),
        Constant("REPETITION_COUNT", 3, "the occurrence that ends the game, counting the first"),
        Constant("FINISHED_LEAVES", 0, "what a game that has ended adds to a perft count at every later depth: 0, or 1 as is usual in Othello"),
        Constant("SILENT_PASS", False, "True if records leave out passes: a forced pass is then made before a move text that means another move"),
        Constant("MOVE_SLOTS", 4096, "the number of values of `move_slot`"),
        Constant("PHASES", 1, "the number of values of `phase`"),
        Constant("SEARCH", {}, "search settings for the game: `{'on': [...], 'off': [...], 'set': {...}}` with names of switches and parameters, applied to every preset; a dict of the same kind under the name of a preset changes that one, and may name one of EVALUATIONS there (`'evaluation': NAME`)"),
        Constant("SOLVE", {}, "settings for `plyforge solve`, used if the command gives none of its own: `{'method': ...}`, and for alpha-beta `{'on': [...], 'off': [...], 'driver': ...}`"),
        Constant("NAMED_PLAYERS", {}, "players by name, each with a description: `{'quick': 'engine:depth=4,off=history'}`, so that matches can use `quick`; files beside the game's own are named `game:FILE`"),
        Constant("OPENINGS", {}, "names of openings by the moves that lead to them from the start position: `{'11-15 24-20': 'Ayrshire Lassie'}`; positions that other moves reach have the name too"),
        Constant("FEATURES", {}, "the features of the evaluation: name to function, or to (function, weight), short for `EVALUATION = linear(FEATURES)`"),
        Constant("WEIGHTS", (), "the weights of a function `evaluate(position, weights)`: name to weight, or an array"),
        Constant("EVALUATION", None, "the form and the weights of the evaluation, made by `linear`, `patterns` or `net`, instead of a function `evaluate`"),
        Constant("EVALUATIONS", {}, "more evaluations by name: modules that define one as a game does, and optionally `terms`, EVALUATION_RANGE, and WEIGHTS_FILE: the path of a file of weights from the module's folder"),
        Constant("STATE", None, "the array that `begin` and `advance` write and `evaluate` reads: its type and size, such as `('int16', 64)`; types are int8, int16, int32, int64, float32 and float64"),
        Constant("EVALUATION_RANGE", (-100.0, 100.0), "the range of `evaluate`: (minimum, maximum); in a game with `chance` also that of final scores, where a win counts as the larger end of the range and a loss as its negative"),
        Constant("AHEAD", None, "the smallest evaluation at which a side is clearly ahead, so that matches can count draws in which one is (loops); None for a twentieth of the range"),
        Constant("EVALUATION_MEANING", "points", "what `evaluate` returns: 'points', 'probability' or 'score'"),
    ]
}  # fmt: skip

MIN_MOVE: Final = -(2**63)
MAX_MOVE: Final = 2**63 - 1
"""The range of moves, which are signed 64-bit integers in compiled code."""

SHAPES: Final = (
    *("stone", "disc", "crowned", "cross", "nought"),
    *("pawn", "knight", "bishop", "rook", "queen", "king", "letter"),
)
"""The shapes that `PIECES` may name; `letter` is the piece's letter on a disc of its side."""
