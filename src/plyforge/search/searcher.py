"""One thread's searcher: a kernel built for a game, and the memory that it works in.

It finds the value of a position to a depth within a window.
"""

import math
from collections.abc import Iterable
from contextlib import AbstractContextManager
from time import thread_time
from typing import Any, Final

import numpy as np

from plyforge.compilation.kernel import Backend, BuiltKernel, Kernel, build
from plyforge.compilation.notices import Notices
from plyforge.compilation.records import fields_of
from plyforge.core import hashing
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.core.rules import blame_file
from plyforge.core.scores import WIN
from plyforge.database.folder import ProbingTable, open_shared
from plyforge.database.ranking import with_index
from plyforge.game.game import Game
from plyforge.game.kernels.path_ends import REPETITION_CODES
from plyforge.search.chance import require_steps_for_chance, result_error
from plyforge.search.counts import CORE_COUNTS, Counts
from plyforge.search.fits import load_numbers
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels import cycles
from plyforge.search.kernels.context import (
    BAD_EVALUATION,
    ONE_PLY,
    PROVEN,
    TOO_MANY_MOVES,
    Node,
    Visit,
)
from plyforge.search.kernels.cuts import MAX_HISTORY
from plyforge.search.kernels.cycles import CYCLES_OFF
from plyforge.search.kernels.line_sets import WORDS_PER_PLY
from plyforge.search.kernels.outcomes import BAD_PROBABILITIES, BAD_RESULT
from plyforge.search.kernels.sharing import ENTRY_WORDS
from plyforge.search.kernels.table import DEEPER_TIMESTAMP, GENERATIONS, NEWER, TWO_LEVEL
from plyforge.search.memory import Memory
from plyforge.search.options import Options
from plyforge.search.parallel.account import Account
from plyforge.search.parameters import MAX_PLIES
from plyforge.search.request import SearchReply, SearchRequest, SearchRoot, WindowResult
from plyforge.search.steps.linking import chance_kernel, search_kernel, sharing_kernel
from plyforge.search.steps.linking import specialised as with_options
from plyforge.search.steps.step import Sizes, Step

LEVELS: Final = MAX_PLIES + 6
"""The number of nodes on a path, at most: those of the deepest search, and a few for steps."""
_MORE_LEVELS: Final = 64
"""More of them for extensions and for noisy moves beyond the horizon."""
_NO_LIMIT: Final = 1 << 62
_DISTINCT_BITS: Final = 24
_OLD_HISTORY: Final = 3
"""Bits that histories lose from one position to the next, so that recent cuts outweigh them."""
_SPARSE: Final = 0.1
"""The share of entries in use below which only these are changed, since most arrays are large."""
_SLACK: Final = 4096
"""Words after the move buffer, for rules that write a little more than they declared."""
_CATEGORY: Final = float(1 << 50)
"""The step between kinds of moves: more than any sum of histories and evaluations."""


def has_path_ends(game: Game) -> bool:
    """Whether a game may end because of the moves that led to a position."""
    constant = game.rules.constant
    return constant("REPETITION") is not None or constant("NO_PROGRESS_LIMIT") is not None


def set_words(game: Game, options: Options) -> int:
    """Return the words that a search in one thread needs with each entry of the table.

    They are for the policy `shared`; searches in several threads take it for `safe`.
    """
    watches = options.has("table") and options.has("cycles") and has_path_ends(game)
    shares = watches and options.get("cycle-policy") == "shared" and not game.has_chance()
    return ENTRY_WORDS if shares else 0


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
        specialised: bool = False,
        built: BuiltKernel | None = None,
    ) -> None:
        """A `specialised` kernel has the options as constants; it serves no other options.

        `built` is the kernel of another searcher of the same kind with the same game and options.
        """
        self.game = with_index(game) if options.get("database") else game
        self.options = options
        self.backend: Backend = backend or game.backend
        stamped = options.code("replace") == DEEPER_TIMESTAMP
        self.table = table or HashTable.sized(entries=1 << 16, stamped=stamped)
        if options.has("table") and stamped and len(self.table.stamps) < self.table.entries:
            raise PlyforgeError("the rule 'deeper-timestamp' needs a table with time stamps")
        kernel = self._find_kernel()
        selective = any(not step.exact for step in options.kernel_steps)
        self._levels = LEVELS + (_MORE_LEVELS if selective else 0)
        if game.has_chance():
            self._levels *= 2  # chance takes no depth, but a level
        self._memory = Memory(self.backend)
        self._max_moves = int(game.rules.constant("MAX_MOVES"))
        self._arrays: dict[str, Any] = {}
        self._tables: list[ProbingTable] = []
        self.context = self._memory.record(kernel.context)
        self._address = self._memory.address(self.context)
        self._history_bits = 0
        """The number of bits that histories may have; 0 while they are empty."""
        self._allocate(kernel, log, _DISTINCT_BITS if options.code("distinct") else 0)
        self._attach_weights()
        self._set_rules()
        self._set_options()
        self.specialised = specialised
        if specialised and built is None:
            kernel = with_options(kernel, self.context)
        self._kernel = built or build(
            kernel, self.game.rules, game.position_type, self.backend, notices=notices
        )
        self._root: SearchRoot | None = None
        self._root_moves: tuple[int, ...] = ()
        self.kernel_seconds = 0.0
        """Processor time of the searches since the last `reset_counts`, without Python's part."""
        self.reset_stop()

    def _find_kernel(self) -> Kernel:
        if self.game.has_chance():
            require_steps_for_chance(self.options)
            return chance_kernel(self.options.kernel_steps)
        if set_words(self.game, self.options) > 0:
            return sharing_kernel(self.options.kernel_steps)
        return search_kernel(self.options.kernel_steps)

    @property
    def kernel(self) -> BuiltKernel:
        """The kernel, which other searchers can use as `built`."""
        return self._kernel

    # Memory

    def _attach(self, name: str, array: Any) -> Any:
        """Put an array's address into the context, and keep the array alive."""
        self._arrays[name] = array
        setattr(self.context, name, self._memory.address(array))
        return array

    def _allocate(self, kernel: Kernel, log: int, distinct: int) -> None:
        memory, context = self._memory, self.context
        slots = int(self.game.rules.constant("MOVE_SLOTS"))
        size = (self._levels + 2) * self._max_moves + _SLACK
        self._nodes = self._attach("nodes", memory.records(Node, self._levels + 2))
        self._attach("moves", memory.words(size))
        self._attach("move_order", memory.words(size))
        self._attach("move_scores", memory.reals(size))
        self._lines = self._attach("variation", memory.words(self._levels * (self._levels + 2)))
        self._attach("root_moves", memory.words(self._max_moves))
        self._attach("entries", self.table.words)
        self._attach("stamps", self.table.stamps)
        self.log = self._attach("log", memory.records(Visit, max(log, 1)))
        self._attach("distinct_keys", memory.keys((), 1 << distinct))
        self._attach("states", self.game.rules.new_states(self._levels + 2))
        sizes = Sizes(self._levels + 2, slots, self._max_moves)
        for step in self.options.kernel_steps:
            for array in step.arrays:
                self._attach(array.name, memory.words(array.size(sizes)))
        if self.game.has_chance():
            self._attach("outcome_lows", memory.reals(size))
            self._attach("outcome_highs", memory.reals(size))
        if "entry_sets" in fields_of(kernel.context):
            self._attach("line_sets", memory.keys((), (self._levels + 2) * WORDS_PER_PLY))
            self._attach("entry_sets", self.table.reserve_sets(ENTRY_WORDS))
        self._attach_fits()
        self._attach_database()
        context.levels = self._levels
        context.log_size = log
        context.distinct_bits = distinct

    def _attach_fits(self) -> None:
        """Put the fitted numbers of the steps that are on into the context."""
        options = self.options
        for step in options.kernel_steps:
            if step.fit is not None:
                numbers = [0.0]
                if options.has(step.name):
                    file = options.get(step.fit_parameter)
                    numbers = load_numbers(self.game, step.name, step.fit, file)
                field = step.fit_parameter.replace("-", "_")
                self._attach(field, self._memory.reals_of(numbers))

    def _attach_database(self) -> None:
        """Put the database, if there is one, into the context."""
        for step in self.options.kernel_steps:
            for parameter in step.parameters:
                if parameter.folder:
                    folder = self.options.get(parameter.name)
                    table = open_shared(folder, self.game).table(self.backend)
                    self._attach(parameter.field, table.words)
                    self._tables.append(table)

    def _attach_weights(self) -> None:
        """Put the address of the evaluation's weights into the context."""
        block = self.game.rules.weights
        if block is not None:
            self._attach("weights", block.words)
            self.context.salt = int(np.uint64(block.salt).view(np.int64))

    def set_weights(self, game: Game) -> None:
        """Search with the weights of a game with the same rules and the same form of evaluation.

        Killers and histories are forgotten.  Values in the table are not found any more, but the
        caller has to call `retire_values` once for all searchers that share the table.
        """
        self.game = with_index(game) if self.options.get("database") else game
        self._attach_weights()
        self._clear_arrays()

    def retire_values(self) -> None:
        """Let new results replace all of the table's entries, which belong to other weights."""
        if self.options.code("replace") in (NEWER, TWO_LEVEL):
            self.table.new_generation(GENERATIONS)
        else:
            self.table.clear()

    def _reserve_path(self) -> None:
        """Make room for the keys of the path, and write those before the root."""
        before = self.root.path
        size = len(before) + self._levels + 2
        if "path" not in self._arrays or len(self._arrays["path"]) < size:
            self._attach("path", self._memory.keys(before, size))
        elif before:
            self._arrays["path"][: len(before)] = np.array(before, np.uint64)

    # Rules and options in the context

    def _set_rules(self) -> None:
        context, rules = self.context, self.game.rules
        limit = rules.constant("NO_PROGRESS_LIMIT")
        context.repetition = REPETITION_CODES[rules.constant("REPETITION")]
        context.no_progress_limit = -1 if limit is None else int(limit)
        own = int(rules.constant("REPETITION_COUNT"))
        context.repetition_count = int(self.options.get("repeats")) or own
        minimum, maximum = rules.constant("EVALUATION_RANGE")
        context.min_evaluation = float(minimum)
        context.max_evaluation = float(maximum)

    def _set_options(self) -> None:
        context, options = self.context, self.options
        for step in options.kernel_steps:
            setattr(context, step.field, int(options.has(step.name)))
            for parameter in step.parameters:
                if not (parameter.sequence or parameter.file or parameter.folder):
                    value = parameter.to_kernel(options.get(parameter.name))
                    setattr(context, parameter.field, value)
        asks = any(
            "known_value" in s.functions for s in options.kernel_steps if options.has(s.name)
        )
        if self.game.has_chance() or asks:
            # A node one ply above the leaves that failed low has not seen all of them: if it is one
            # of chance, or if a step asks for leaves to be searched, whose values are bounds then.
            context.skip_research = 0
        context.prune = 1
        pairs = 2 if options.get("replace") == "two-level" else 1
        context.buckets = self.table.entries // pairs
        if not (options.has("cycles") and has_path_ends(self.game)):
            context.cycle_policy = CYCLES_OFF
        watches = context.cycle_policy != CYCLES_OFF
        context.needs_keys = int(options.has("table") or watches or context.distinct_bits > 0)
        self._set_order()

    def _set_order(self) -> None:
        """Turn the sequence `order` into bonuses and weights; sources it omits come last."""
        context, options = self.context, self.options
        sources = options.sources
        sequence = dict.fromkeys([*options.get("order"), *sources])
        rank = {source: len(sources) - place for place, source in enumerate(sequence)}
        for step in options.kernel_steps:
            if step.source:
                setattr(context, step.bonus_field, _CATEGORY * rank[step.source])
        # Of history and evaluation, the earlier one decides and the later one breaks ties.
        by_estimate = rank["child-eval"] > rank["history"]
        if options.has("eib") and not options.has("child-eval"):
            by_estimate = True
        context.estimate_weight = 2.0**20 if by_estimate else 2.0**-24
        context.history_weight = 2.0**-21 if by_estimate else 1.0
        self._set_look_ahead()

    def _set_look_ahead(self) -> None:
        """Find out which phases of sorting are needed, and from which depth."""
        context = self.context
        active = [step for step in self.options.kernel_steps if self.options.has(step.name)]
        looking = [step for step in active if "look_at_child" in step.functions]
        context.look_ahead_depth = self._min_depth(looking)
        context.child_entry_depth = self._min_depth(s for s in looking if s.looks_up_children)
        context.estimate_depth = self._min_depth(s for s in looking if s.estimates)
        by_slot = [s for s in active if {"score_move", "learn_move"} & set(s.functions)]
        promoting = [s for s in active if "promote_move" in s.functions]
        context.uses_slots = int(bool(by_slot))
        context.sorts_moves = int(bool(by_slot or promoting or looking))

    def _min_depth(self, steps: Iterable[Step]) -> int:
        """Return the depth from which any of the steps acts, in sixteenths of a ply."""
        depths = [
            int(self.options.get(step.min_depth))
            if isinstance(step.min_depth, str)
            else step.min_depth
            for step in steps
        ]
        return min(depths, default=_NO_LIMIT // ONE_PLY) * ONE_PLY

    # Searching

    @property
    def root(self) -> SearchRoot:
        """The root of the last search."""
        if self._root is None:
            raise PlyforgeError("nothing was searched yet")
        return self._root

    @property
    def has_searched(self) -> bool:
        """Whether there was a search, so that the memory is in use."""
        return self._root is not None

    def set_root(self, root: SearchRoot) -> None:
        """Write to the context what the search needs to know about the root and the path to it."""
        context = self.context
        self._root = root
        context.plies_before_root = len(root.path)
        context.root_side = root.side
        context.root_reversible_plies = root.reversible_plies
        total = sum(hashing.mix(cycles.SALT, key) for key in root.path)
        context.root_path_hash = int(np.uint64(total & hashing.WORD).view(np.int64))
        context.root_slot = root.slot
        for table in self._tables:
            table.set_root(root.position)

    def _set_root_moves(self, moves: tuple[int, ...]) -> None:
        """Write the root moves to search; none for all."""
        if len(moves) > self._max_moves:
            raise PlyforgeError(f"{len(moves)} root moves are more than MAX_MOVES allows")
        self._root_moves = moves
        for index, move in enumerate(moves):
            self._arrays["root_moves"][index] = move
        self.context.root_move_count = len(moves)

    def prune(self, on: bool) -> None:
        """Switch the use of windows on or off; without them the search is plain minimax."""
        self.context.prune = int(on)

    def stop(self) -> None:
        """Make a running search return at once; safe to call from any thread."""
        self.context.stop = 1

    def clear(self) -> None:
        """Forget table, killers and histories."""
        self.table.clear()
        self._clear_arrays()

    def _clear_arrays(self) -> None:
        """Forget killers and histories."""
        for step in self.options.kernel_steps:
            for array in step.arrays:
                self._clear_array(array.name)
        self._history_bits = 0

    def _clear_array(self, name: str) -> None:
        array = self._arrays[name]
        array[:] = 0 if self._memory.compiled else [0] * len(array)

    def new_generation(self) -> None:
        """Start the search of another position: age the table and the histories."""
        self.table.new_generation(GENERATIONS)
        if self.options.get("stamp") == "move":
            self.table.stamp += 1
        self.age_between_positions()

    def age_between_positions(self) -> None:
        """Clear or age killers and histories before the search of another position."""
        for step in self.options.kernel_steps:
            for array in step.arrays:
                if array.between == "clear":
                    self._clear_array(array.name)
        self.age(_OLD_HISTORY)

    def age(self, shift: int) -> None:
        """Divide the histories by 2 to the power `shift`."""
        if shift == 0 or self._history_bits <= 0:
            return
        self._history_bits -= shift
        for step in self.options.kernel_steps:
            for array in step.arrays:
                if array.between == "age":
                    self._age_array(self._arrays[array.name], shift)

    def _age_array(self, array: Any, shift: int) -> None:
        if self.backend == "compiled":
            # Rounded towards 0, as in the Python loop below.
            used = np.flatnonzero(array)
            if len(used) < _SPARSE * len(array):
                values = array[used]
                array[used] = np.sign(values) * (np.abs(values) >> shift)
                return
            negative = array < 0
            np.abs(array, out=array)
            np.right_shift(array, shift, out=array)
            np.negative(array, out=array, where=negative)
        else:
            array[:] = [(abs(v) >> shift) * (1 if v > 0 else -1) for v in array]

    def answer(self, request: SearchRequest) -> SearchReply:
        """Carry out a request by itself: undo a stop, search, and count this search alone."""
        self.reset_stop()
        self.reset_counts()
        result = self.search(request)
        return SearchReply(result, self.counts)

    def search(self, request: SearchRequest) -> WindowResult:
        """Search a position to a depth within a window; see `kernels.alpha_beta.search`."""
        self._prepare(request)
        value = self._run(request)
        self.table.stamp = int(self.context.now)
        result = self._make_result(value, request.low, request.high)
        self._nodes[0].move_count = 0
        if not result.stopped and self.options.added:
            self._check_steps(result)
        if not result.stopped and not abs(result.value) <= WIN:
            raise GameFileError(
                f"{self.game.rules.file}: a finished game had the value {result.value:g}, which is"
                " not a result; run 'plyforge check' to find the position"
            )
        if result.move is None and not result.stopped:
            raise PlyforgeError(
                "there is nothing to search: the game is over in this position, or none of the root"
                " moves is legal"
            )
        return result

    def _prepare(self, request: SearchRequest) -> None:
        """Write to the context what a request says, and what may have changed since the last."""
        if request.root is not self._root:
            self.set_root(request.root)
        if request.moves != self._root_moves:
            self._set_root_moves(request.moves)
        self._reserve_path()
        context = self.context
        context.generation = self.table.generation
        context.now = self.table.stamp
        node = self._nodes[0]
        node.move_count, node.best_index = 0, -1

    def _run(self, request: SearchRequest) -> float:
        """Run the kernel; return the value that it found."""
        arguments = (request.depth, request.low, request.high)
        return float(self._enter_kernel(request.root.position, *arguments))

    def _enter_kernel(self, position: Any, *arguments: Any) -> Any:
        """Enter the kernel with this searcher's context; raise the error of a fault."""
        context = self.context
        cuts, started = context.cuts, thread_time()
        try:
            value = self._kernel.enter(position, *arguments, self._address)
        except BaseException:
            self.note_learning()
            with self._blame():
                raise
        self.kernel_seconds += thread_time() - started
        # Built-in steps change histories only at cuts.
        if context.cuts != cuts or self.options.added:
            self.note_learning()
        if context.fault:
            raise self._fault_error()
        return value

    def note_learning(self) -> None:
        """Note that a search may have changed the histories."""
        self._history_bits = MAX_HISTORY.bit_length()

    def _blame(self) -> AbstractContextManager[None]:
        """Turn an exception of the rules, or of a user's step, into an error with its line."""
        rules, files = self.game.rules, self._step_files()
        if not files:
            return rules.blame("the rules, while searching")
        return blame_file(
            ", ".join(files),
            "a step, or the rules, while searching",
            "; '--backend python' finds the line",
            others=(*files, rules.file),
        )

    def _step_files(self) -> list[str]:
        """Return the files of users' steps that are on."""
        return [step.file for step in self.options.added if self.options.has(step.name)]

    def _check_steps(self, result: WindowResult) -> None:
        """Raise an error if steps of users left the root without a move, or without a value."""
        files = ", ".join(self._step_files())
        if files and not abs(result.value) <= WIN:
            raise GameFileError(
                f"{files}: the search returned {result.value:g}, which is not a value; did a step"
                " return it?"
            )
        if files and result.move is None:
            raise GameFileError(
                f"{files}: a step left the root of the search without a move; skip no move where"
                " node.ply is 0"
            )

    def reset_stop(self, nodes: int | None = None) -> None:
        """Undo a stop; from now on stop after `nodes` nodes, if given."""
        self.context.budget = _NO_LIMIT if nodes is None else min(nodes, _NO_LIMIT)
        self.context.stop = self.context.fault = 0

    @property
    def account(self) -> Account | None:
        """What the threads of a parallel search did."""
        return None

    @property
    def thread_nodes(self) -> tuple[int, ...]:
        """The nodes of each thread of a parallel search since the last `reset_counts`.

        Safe to read from any thread while it searches.
        """
        return ()

    def lift_limit(self) -> None:
        """Remove the limit of nodes; a stopped search stays stopped."""
        self.context.budget = _NO_LIMIT

    def _make_result(self, value: float, alpha: float, beta: float) -> WindowResult:
        node, stopped = self._nodes[0], self.context.stop == 1
        tried = node.move_count > 0 and node.best_index >= 0
        move = int(self._arrays["moves"][node.best_index]) if tried else None
        if stopped and move is not None:
            value = node.best
        line = tuple(int(move) for move in self._lines[: node.line_length])
        return WindowResult(value, alpha, beta, move, line, node.proven == PROVEN, stopped)

    @property
    def counts(self) -> Counts:
        """The counts of all searches since the last `reset_counts`."""
        return Counts.of(self.context, self.options.kernel_steps)

    @property
    def node_counts(self) -> tuple[int, int]:
        """Leaves and interior nodes, as in `counts`, which takes longer to read."""
        return int(self.context.leaves), int(self.context.interior)

    @property
    def lower(self) -> float:
        """The lower bound of the root's value that the running search has found so far.

        Minus infinity if no move has beaten the window's lower end yet, and between searches.
        Safe to read from any thread.
        """
        node = self._nodes[0]
        if node.move_count <= 0 or node.best_index < 0:
            return -math.inf
        return float(node.best) if node.best > node.alpha else -math.inf

    @property
    def root_move(self) -> tuple[int | None, int]:
        """The root move that the running search is at, and its place in the order of search.

        Safe to read from any thread; what is read while the search writes it may be wrong, so the
        caller has to check that the move is legal.
        """
        node = self._nodes[0]
        tried = int(node.tried)
        return (int(node.move), tried) if node.move_count > 0 and tried > 0 else (None, 0)

    def reset_counts(self) -> None:
        self.kernel_seconds = 0.0
        for name in CORE_COUNTS:
            setattr(self.context, name, 0)
        for step in self.options.kernel_steps:
            for name in step.counters:
                setattr(self.context, name, 0)
        self.context.logged = 0
        self._arrays["distinct_keys"][:] = 0

    def _fault_error(self) -> PlyforgeError:
        position, context = self.root.position, self.context
        for level in range(context.fault_level):
            move = int(self._nodes[level].move)
            if move >= 0:
                position = self.game.play(position, move)
        text, file = self.game.text(position), self.game.rules.file
        if context.fault == TOO_MANY_MOVES:
            return GameFileError(
                f"{file}: position {text} has {context.fault_count} moves, but MAX_MOVES is"
                f" {self._max_moves}; raise it"
            )
        if context.fault == BAD_PROBABILITIES:
            outcomes = self.game.chance_outcomes(position)  # raises the error
            return GameFileError(f"{file}: position {text} has the outcomes {outcomes}")
        if context.fault == BAD_RESULT:
            return result_error(self.game, float(context.fault_value))
        if context.fault == BAD_EVALUATION:
            return self.game.out_of_range(position, float(context.fault_value))
        return PlyforgeError(f"the search went deeper than {MAX_PLIES} plies; reduce the depth")
