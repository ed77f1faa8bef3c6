"""One thread's searcher: a kernel built for a game, and the memory that it works in.

It finds the value of a position to a depth within a window.
"""

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyforge.compilation import interpreted
from plyforge.compilation.kernel import Backend, build
from plyforge.compilation.notices import Notices
from plyforge.core import hashing
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.core.scores import WIN
from plyforge.game.game import Game, History
from plyforge.game.kernels.path_ends import REPETITION_CODES
from plyforge.search.counts import Counts
from plyforge.search.enhancements import MAX_PLIES, SOURCES
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels import context as c
from plyforge.search.kernels import cycles
from plyforge.search.kernels.alpha_beta import SEARCH
from plyforge.search.kernels.context import DEEPER_TIMESTAMP
from plyforge.search.kernels.history import MAX_HISTORY
from plyforge.search.kernels.table import GENERATIONS
from plyforge.search.memory import Memory
from plyforge.search.options import Options
from plyforge.search.values import next_above, to_float32

_PLIES: Final = MAX_PLIES + 6
_NO_LIMIT: Final = 1 << 62
_CONTINUATION_BITS: Final = 16
_DISTINCT_BITS: Final = 24
_OLD_HISTORY: Final = 3
"""Bits that histories lose from one position to the next, so that recent cuts outweigh them."""
_SLACK: Final = 4096
"""Words after the move buffer, for rules that write a little more than they declared."""
_SMALL: Final = 1e38
"""Numbers up to it do not overflow as float32."""
_CATEGORY: Final = float(1 << 50)
"""The step between kinds of moves: more than any sum of histories and evaluations."""


@dataclass(frozen=True)
class WindowResult:
    """The result of one search; values are for the side to move at the root."""

    value: float
    alpha: float
    beta: float
    move: int | None
    """The best move; None only if the search was stopped before it completed one."""
    line: tuple[int, ...]
    """The principal variation as far as it is known; empty if the value is a bound."""
    proven: bool
    """Whether the value, or the bound, depends on no leaf at the horizon."""
    stopped: bool

    @property
    def bound(self) -> str:
        """The kind of `value`: `exact`, or a `lower` or `upper` bound."""
        if self.value <= self.alpha:
            return "upper"
        return "lower" if self.value >= self.beta else "exact"


class Searcher:
    """Searches positions of one game under one set of options."""

    def __init__(
        self,
        game: Game,
        options: Options,
        table: HashTable | None = None,
        *,
        backend: Backend | None = None,
        notices: Notices | None = None,
        log: int = 0,
    ) -> None:
        self.game = game
        self.options = options
        self.backend: Backend = backend or game.backend
        stamped = options.code("replace") == DEEPER_TIMESTAMP
        self.table = table or HashTable.sized(entries=1 << 16, stamped=stamped)
        if options.has("table") and stamped and len(self.table.stamps) < self.table.entries:
            raise PlyforgeError("the rule 'deeper-timestamp' needs a table with time stamps")
        self._kernel = build(SEARCH, game.rules, game.position_type, self.backend, notices=notices)
        self._slot = interpreted.hook("slot_of", game.rules, game.position_type)
        self._memory = Memory(self.backend)
        self._max_moves = int(game.rules.constant("MAX_MOVES"))
        self._arrays: dict[int, Any] = {}
        self.context = self._memory.words(c.CONTEXT_WORDS)
        self._address = self._memory.address(self.context)
        self._history_bits = 0
        """The number of bits that histories may have; 0 while they are empty."""
        self._allocate(log, _DISTINCT_BITS if options.code("distinct") else 0)
        self._set_rules()
        self._set_options()
        self._reserved_plies = 0
        self._earlier_keys: list[int] = []
        self.reset_stop()

    # Memory

    def _attach(self, name: int, array: Any) -> Any:
        """Put an array's address into the context, and keep the array alive."""
        self._arrays[name] = array
        self.context[name] = self._memory.address(array)
        return array

    def _allocate(self, log: int, distinct: int) -> None:
        memory, slots = self._memory, int(self.game.rules.constant("MOVE_SLOTS"))
        self._frames = self._attach(c.FRAMES, memory.words(c.FRAME_WORDS * (_PLIES + 2)))
        self._reals = self._attach(c.REALS, memory.reals(c.REAL_WORDS))
        self._lines = self._attach(c.VARIATION, memory.words(_PLIES * (_PLIES + 2)))
        self._attach(c.KILLERS, memory.words(2 * (_PLIES + 2)))
        self._attach(c.HISTORY, memory.words(2 * slots))
        self._attach(c.CONTINUATION, memory.words(1 << _CONTINUATION_BITS))
        self._attach(c.ROOT_MOVES, memory.words(self._max_moves))
        self._attach(c.TABLE, self.table.words)
        self._attach(c.STAMPS, self.table.stamps)
        self.log = self._attach(c.LOG, memory.words(c.LOG_WORDS * max(log, 1)))
        self._attach(c.DISTINCT, memory.keys((), 1 << distinct))
        self.context[c.LOG_SIZE] = log
        self.context[c.DISTINCT_BITS] = distinct
        self.context[c.CONTINUATION_BITS] = _CONTINUATION_BITS
        self.context[c.MAX_PLY] = _PLIES

    def _reserve(self, plies: int, before: list[int]) -> None:
        """Make buffers for the moves of a path and for the keys of its positions."""
        if plies > self._reserved_plies:
            size = (plies + 2) * self._max_moves + _SLACK
            self._attach(c.MOVES, self._memory.words(size))
            self._attach(c.ORDER, self._memory.words(size))
            self._attach(c.SCORES, self._memory.reals(size))
            self._reserved_plies = plies
        size = len(before) + _PLIES + 2
        if c.PATH not in self._arrays or len(self._arrays[c.PATH]) < size:
            self._attach(c.PATH, self._memory.keys(before, size))
        elif before:
            self._arrays[c.PATH][: len(before)] = np.array(before, np.uint64)

    # Rules and options as words

    def _set_rules(self) -> None:
        context, rules = self.context, self.game.rules
        limit = rules.constant("NO_PROGRESS_LIMIT")
        context[c.REPETITION] = REPETITION_CODES[rules.constant("REPETITION")]
        context[c.NO_PROGRESS_LIMIT] = -1 if limit is None else int(limit)
        own = int(rules.constant("REPETITION_COUNT"))
        context[c.REPETITION_COUNT] = int(self.options.get("repeats")) or own
        minimum, maximum = rules.constant("EVALUATION_RANGE")
        self._reals[c.MIN_EVALUATION] = float(minimum)
        self._reals[c.MAX_EVALUATION] = float(maximum)

    def _set_options(self) -> None:
        context, options = self.context, self.options
        ply = c.ONE_PLY
        on = {name: int(options.has(name)) for name in options.switches}
        cyclic = self._has_path_ends()
        context[c.PRUNE] = 1
        context[c.HORIZON_MOVES] = on.get("horizon-moves", 0)
        context[c.USE_TABLE] = on.get("table", 0)
        context[c.ACCEPTS_DEEPER] = options.code("depth-rule")
        context[c.STORE_LEAVES] = options.code("store-leaves")
        context[c.REPLACEMENT] = options.code("replace")
        context[c.SAME_POSITION] = options.code("same-position")
        context[c.STAMP_PER_SAVE] = options.code("stamp")
        pairs = 2 if options.get("replace") == "two-level" else 1
        context[c.BUCKETS] = self.table.entries // pairs
        context[c.TABLE_MOVE] = on.get("table-move", 0)
        slack = int(options.get("table-move-depth"))
        context[c.TABLE_MOVE_DEPTH] = slack * ply if slack >= 0 else -1
        context[c.ETC] = on.get("etc", 0)
        context[c.ETC_DEPTH] = int(options.get("etc-depth")) * ply
        context[c.EIB] = on.get("eib", 0)
        context[c.USE_KILLERS] = on.get("killers", 0)
        context[c.USE_HISTORY] = on.get("history", 0)
        context[c.USE_CONTINUATION] = on.get("continuation", 0)
        context[c.HISTORY_GROWTH] = options.code("history-growth")
        context[c.HISTORY_PENALTY] = int(options.get("history-penalty"))
        context[c.CHILD_EVAL] = on.get("child-eval", 0)
        context[c.CHILD_EVAL_DEPTH] = int(options.get("child-eval-depth")) * ply
        context[c.WINS] = on.get("wins", 0)
        context[c.WINS_DEPTH] = int(options.get("wins-depth")) * ply
        context[c.PVS] = on.get("pvs", 0)
        context[c.PVS_SKIP_RESEARCH] = options.code("skip-research")
        policy = options.code("cycle-policy") if on.get("cycles") and cyclic else c.CYCLES_OFF
        context[c.CYCLES] = policy
        distinct = context[c.DISTINCT_BITS] > 0
        context[c.NEEDS_KEYS] = int(bool(on.get("table") or policy != c.CYCLES_OFF or distinct))
        self._set_order(on)

    def _has_path_ends(self) -> bool:
        constant = self.game.rules.constant
        return constant("REPETITION") is not None or constant("NO_PROGRESS_LIMIT") is not None

    def _set_order(self, on: dict[str, int]) -> None:
        """Turn the sequence `order` into bonuses and weights; sources it omits come last."""
        context, reals, options = self.context, self._reals, self.options
        sequence = dict.fromkeys([*options.get("order"), *SOURCES])
        rank = {source: len(SOURCES) - place for place, source in enumerate(sequence)}
        reals[c.BONUS_TABLE] = _CATEGORY * rank["table"]
        reals[c.BONUS_WIN] = _CATEGORY * rank["wins"]
        reals[c.BONUS_KILLER] = _CATEGORY * rank["killers"]
        # Of history and evaluation, the earlier one decides and the later one breaks ties.
        by_evaluation = rank["child-eval"] > rank["history"]
        reals[c.WEIGHT_EVALUATION] = 2.0**20 if by_evaluation else 2.0**-24
        reals[c.WEIGHT_HISTORY] = 2.0**-21 if by_evaluation else 1.0
        if on.get("eib") and not on.get("child-eval"):
            reals[c.WEIGHT_EVALUATION], reals[c.WEIGHT_HISTORY] = 2.0**20, 2.0**-21
        look_aheads = [
            (on.get("etc", 0), context[c.ETC_DEPTH]),
            (on.get("eib", 0), 2 * c.ONE_PLY),
            (on.get("child-eval", 0), context[c.CHILD_EVAL_DEPTH]),
            (on.get("wins", 0), context[c.WINS_DEPTH]),
        ]
        context[c.LOOK_AHEAD_DEPTH] = min((d for used, d in look_aheads if used), default=_NO_LIMIT)
        sorting = ("table-move", "killers", "history", "continuation")
        sorts = any(on.get(name) for name in sorting) or any(used for used, _ in look_aheads)
        context[c.ORDERED] = int(sorts)

    # Searching

    def set_root(self, root: History) -> None:
        """Set the position to search; the earlier positions of `root` count for repetition.

        All its moves are searched, until `set_root_moves` selects some.
        """
        context = self.context
        validate_root(root)
        self.root = root
        ours = self.game.position_type
        cast = root.game.position_type is ours  # each history casts its positions once
        self._position = root.position if cast else ours.cast(root.position)
        keys = root.keys
        self._earlier_keys = keys[:-1]
        plies = root.plies_without_progress
        context[c.PLIES_BEFORE_ROOT] = len(self._earlier_keys)
        context[c.ROOT_SIDE] = root.turn
        context[c.ROOT_REVERSIBLE_PLIES] = plies
        reversible = self._earlier_keys[max(len(self._earlier_keys) - plies, 0) :] if plies else []
        total = sum(hashing.mix(cycles.SALT, key) for key in reversible)
        context[c.ROOT_PATH_HASH] = int(np.uint64(total & hashing.WORD).view(np.int64))
        context[c.ROOT_MOVE_COUNT] = 0
        context[c.ROOT_SLOT] = -1
        if root.moves:
            context[c.ROOT_SLOT] = int(self._slot(root.positions[-2], root.moves[-1]))

    def set_root_moves(self, moves: list[int] | None) -> None:
        """Search only these moves at the root; None for all."""
        root_moves = moves or []
        if root_moves:
            validate_root(self.root, root_moves)
        for index, move in enumerate(root_moves):
            self._arrays[c.ROOT_MOVES][index] = move
        self.context[c.ROOT_MOVE_COUNT] = len(root_moves)

    def prune(self, on: bool) -> None:
        """Switch the use of windows on or off; without them the search is plain minimax."""
        self.context[c.PRUNE] = int(on)

    def stop(self) -> None:
        """Make a running search return at once; safe to call from any thread."""
        self.context[c.STOP] = 1

    def clear(self) -> None:
        """Forget table, killers and histories."""
        self.table.clear()
        for name in (c.KILLERS, c.HISTORY, c.CONTINUATION):
            self._arrays[name][:] = self._memory.words(len(self._arrays[name]))
        self._history_bits = 0

    def new_generation(self) -> None:
        """Start the search of another position: age the table and the histories."""
        self.table.new_generation(GENERATIONS)
        if self.options.get("stamp") == "move":
            self.table.stamp += 1
        self._arrays[c.KILLERS][:] = self._memory.words(len(self._arrays[c.KILLERS]))
        self.age(_OLD_HISTORY)

    def age(self, shift: int) -> None:
        """Divide the histories by 2 to the power `shift`."""
        if shift == 0 or self._history_bits <= 0:
            return
        self._history_bits -= shift
        for name in (c.HISTORY, c.CONTINUATION):
            array = self._arrays[name]
            if self.backend == "compiled":
                # Rounded towards 0, as in the Python loop below.
                negative = array < 0
                np.abs(array, out=array)
                np.right_shift(array, shift, out=array)
                np.negative(array, out=array, where=negative)
            else:
                array[:] = [(abs(v) >> shift) * (1 if v > 0 else -1) for v in array]

    def search(self, alpha: float, beta: float, plies: int) -> WindowResult:
        """Search the root, `plies` deep, within a window; see `kernels.alpha_beta.search`."""
        alpha, beta = validate_window(alpha, beta)
        self._reserve(plies, self._earlier_keys)
        context = self.context
        context[c.GENERATION] = self.table.generation
        context[c.STAMP] = self.table.stamp
        self._frames[c.MOVE_COUNT], self._frames[c.BEST_INDEX] = 0, -1
        cuts = context[c.CUTS]
        try:
            value = self._kernel.enter(
                self._position, plies * c.ONE_PLY, alpha, beta, self._address
            )
        except BaseException:
            self._history_bits = MAX_HISTORY.bit_length()
            with self.game.rules.blame("the rules, while searching"):
                raise
        if context[c.CUTS] != cuts:  # histories change only with cuts
            self._history_bits = MAX_HISTORY.bit_length()
        self.table.stamp = int(context[c.STAMP])
        if context[c.FAULT]:
            raise self._fault_error()
        result = self._make_result(float(value), alpha, beta)
        self._frames[c.MOVE_COUNT] = 0
        if not result.stopped and not abs(result.value) <= WIN:
            raise GameFileError(
                f"{self.game.rules.file}: a finished game had the value {result.value:g}, which is"
                " not a result; run 'plyforge check' to find the position"
            )
        return result

    def reset_stop(self, nodes: int | None = None) -> None:
        """Undo a stop; from now on stop after `nodes` nodes, if given."""
        self.context[c.BUDGET] = _NO_LIMIT if nodes is None else min(nodes, _NO_LIMIT)
        self.context[c.STOP] = self.context[c.FAULT] = 0

    def lift_limit(self) -> None:
        """Remove the limit of nodes; a stopped search stays stopped."""
        self.context[c.BUDGET] = _NO_LIMIT

    def _make_result(self, value: float, alpha: float, beta: float) -> WindowResult:
        frames, stopped = self._frames, bool(self.context[c.STOP])
        tried = frames[c.MOVE_COUNT] > 0 and frames[c.BEST_INDEX] >= 0
        move = int(self._arrays[c.MOVES][frames[c.BEST_INDEX]]) if tried else None
        if stopped and move is not None:
            value = float(_real(frames, c.BEST))
        line = tuple(int(move) for move in self._lines[: int(frames[c.LINE_LENGTH])])
        return WindowResult(value, alpha, beta, move, line, bool(frames[c.PROVEN]), stopped)

    @property
    def counts(self) -> Counts:
        """The counts of all searches since the last `reset_counts`."""
        return Counts.of(self.context)

    @property
    def lower(self) -> float:
        """The lower bound of the root's value that the running search has found so far.

        Minus infinity if no move has beaten the window's lower end yet, and between searches.
        Safe to read from any thread.
        """
        frames = self._frames
        if frames[c.MOVE_COUNT] <= 0 or frames[c.BEST_INDEX] < 0:
            return -math.inf
        best = _real(frames, c.BEST)
        return best if best > _real(frames, c.ALPHA) else -math.inf

    def reset_counts(self) -> None:
        for word in c.COUNTS:
            self.context[word] = 0
        self._arrays[c.DISTINCT][:] = 0

    def _fault_error(self) -> PlyforgeError:
        position = self.root.position
        frames, context = self._frames, self.context
        for ply in range(int(context[c.FAULT_PLY])):
            position = self.game.play(position, int(frames[c.FRAME_WORDS * ply + c.MOVE]))
        text, file = self.game.text(position), self.game.rules.file
        if context[c.FAULT] == c.TOO_MANY_MOVES:
            return GameFileError(
                f"{file}: position {text} has {context[c.FAULT_COUNT]} moves, but MAX_MOVES is"
                f" {self._max_moves}; raise it"
            )
        if context[c.FAULT] == c.BAD_EVALUATION:
            return self.game.out_of_range(position, float(self._reals[c.FAULT_VALUE]))
        return PlyforgeError(f"the search went deeper than {MAX_PLIES} plies; reduce the depth")


def validate_root(root: History, moves: list[int] | None = None) -> None:
    """Raise an error if there is nothing to search, or if one of the root moves is not legal."""
    verdict = root.verdict()
    if verdict.over:
        raise PlyforgeError(
            f"the game is over in this position ({verdict.reason}): there is nothing to search"
        )
    legal = root.legal_moves() if moves else []
    for move in moves or []:
        if move not in legal:
            raise PlyforgeError(f"move {move} is not legal in the position that is searched")


def validate_window(alpha: float, beta: float) -> tuple[float, float]:
    """Return a window with float32 ends, or raise an error if it is none.

    All values are float32, so the same values lie inside.
    """
    try:
        alpha, beta = float(alpha), float(beta)
    except (TypeError, ValueError, OverflowError):
        alpha = math.nan
    if math.isnan(alpha) or math.isnan(beta):
        raise PlyforgeError("the ends of the window must be numbers")
    if not alpha < beta:
        raise PlyforgeError(f"the window ({alpha:g}, {beta:g}) is empty; low must be below high")
    return _round_down(alpha), 0.0 - _round_down(-beta)


def _round_down(value: float) -> float:
    """Return the greatest float32 that is not greater."""
    if _SMALL < abs(value) < math.inf:
        with np.errstate(over="ignore"):
            nearest = to_float32(value)
    else:
        nearest = to_float32(value)
    return nearest if nearest <= value else -next_above(-nearest)


def _real(frames: Any, word: int) -> float:
    """Read a real of the root's frame."""
    if isinstance(frames, list):
        return float(frames[word])
    return float(frames[word : word + 1].view(np.float64)[0])
