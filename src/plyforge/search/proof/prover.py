"""A prover: a kernel of proof search built for a game, and the memory that it works in."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyforge.compilation.kernel import Backend, build
from plyforge.compilation.notices import Notices
from plyforge.core import hashing
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.core.scores import LOSS, WIN
from plyforge.database.folder import open_shared
from plyforge.database.ranking import with_index
from plyforge.game.chance import reject_chance
from plyforge.game.game import Game
from plyforge.game.kernels.path_ends import REPETITION_CODES
from plyforge.search.memory import Memory
from plyforge.search.proof.kernels import context as fields
from plyforge.search.proof.kernels.context import Frame
from plyforge.search.proof.kernels.databases import with_database
from plyforge.search.proof.kernels.table import SIZES
from plyforge.search.proof.methods import METHODS, ProofMethod
from plyforge.search.request import SearchRoot

_NO_LIMIT: Final = 1 << 62
_LEVELS: Final = {"compiled": 2000, "python": 250}
"""The longest line, in plies: deeper recursion would exceed the stack."""
_CHILDREN: Final = 40_000
_PLIES: Final = 400
"""A path has room for so many children at least, and for as many plies with the most moves."""
_SLACK: Final = 4096
_COUNTS: Final = 1024
_MIB: Final = 1 << 20
DEFAULT_MIB: Final = 256
MIN_ENTRIES: Final = 256


@dataclass(frozen=True)
class ProofResult:
    """The answer of a proof search to whether a value is at least a threshold."""

    answer: bool | None
    """None if the search was stopped."""
    lower: float
    """The lowest value for the attacker that the answer allows."""
    upper: float
    """The highest."""
    move: int | None
    """The move that decides, or one of the moves; None if the search was stopped."""
    seen: tuple[float, float]
    """The lowest and the highest value that an end of a game has had in this search."""
    longest_run: int
    """The maximum number of moves without progress in the lines that the answer rests on."""
    nodes: int
    fault: str = ""
    """Why the search could not go on, if so."""


class Prover:
    """Answers whether positions of one game have at least a certain value."""

    def __init__(
        self,
        game: Game,
        method: str | ProofMethod = "df-pn",
        *,
        hash: float | None = None,
        entries: int | None = None,
        weak: bool = True,
        epsilon: float = 0.25,
        treat_cycles: bool = True,
        simulate: bool = True,
        scan_path: bool = False,
        database: str | None = None,
        backend: Backend | None = None,
        notices: Notices | None = None,
    ) -> None:
        """`hash` is the memory in MiB, `entries` the same in entries of the table or nodes.

        `weak` and `epsilon` change the order of the search; `treat_cycles` and `simulate` are for
        experiments, and so is `scan_path`, which looks through the path for repetitions instead of
        a table of its positions.  `database` is the folder of an endgame database.
        """
        self.method = METHODS[method] if isinstance(method, str) else method
        reject_chance(game, f"the method '{self.method.name}'", "use 'alpha-beta'")
        self.game = with_index(game) if database else game
        self.backend: Backend = backend or game.backend
        self._memory = Memory(self.backend)
        self._arrays: dict[str, Any] = {}
        self._max_moves = int(game.rules.constant("MAX_MOVES"))
        kernel = with_database(self.method.kernel) if database else self.method.kernel
        self.context = self._memory.record(kernel.context)
        self._address = self._memory.address(self.context)
        self._allocate(self._entries(hash, entries), 0 if scan_path else _COUNTS)
        context = self.context
        context.weak, context.epsilon = int(weak), float(epsilon)
        context.treats_cycles, context.simulates = int(treat_cycles), int(simulate)
        constant = game.rules.constant
        context.symmetry = int("canonical_key" in game.rules.hooks)
        context.repetition = REPETITION_CODES[constant("REPETITION")]
        context.repetition_count = int(constant("REPETITION_COUNT"))
        if database:
            self._table = open_shared(database, self.game).table(self.backend)
            self._attach("database", self._table.words)
        self._kernel = build(
            kernel, self.game.rules, game.position_type, self.backend, notices=notices
        )

    # Memory

    def _entries(self, mib: float | None, entries: int | None) -> int:
        if mib is not None and entries is not None:
            raise PlyforgeError("give the memory in MiB or in entries, not both")
        each = self.method.entry_words * 8
        if entries is None:
            mib = DEFAULT_MIB if mib is None else mib
            if isinstance(mib, bool) or not isinstance(mib, (int, float)) or not mib > 0:
                raise PlyforgeError(f"hash must be a positive number of MiB, not {mib!r}")
            entries = int(mib * _MIB) // each
        if isinstance(entries, bool) or not isinstance(entries, int):
            raise PlyforgeError(f"entries must be an integer, not {entries!r}")
        if not MIN_ENTRIES <= entries < 1 << 31:
            raise PlyforgeError(
                f"entries must be between {MIN_ENTRIES} and {(1 << 31) - 1}, not {entries}"
                f" ({entries * each / _MIB:g} MiB)"
            )
        return entries

    def _attach(self, name: str, array: Any) -> Any:
        self._arrays[name] = array
        setattr(self.context, name, self._memory.address(array))
        return array

    def _allocate(self, entries: int, counts: int) -> None:
        memory, context = self._memory, self.context
        levels = _LEVELS[self.backend]
        children = max(_CHILDREN, _PLIES * self._max_moves) + _SLACK
        self._frames = self._attach("frames", memory.records(Frame, levels + 2))
        for name in ("proof", "disproof", "cycle", "run", "longest", "work"):
            self._attach(f"child_{name}", memory.words(children))
        self._attach("moves", memory.words(children))
        self._attach("counts", memory.words(max(counts, 1)))
        self._attach("sizes", memory.words(SIZES))
        try:
            words = entries * self.method.entry_words
            in_tree = self.method.memory == "tree"
            self._attach("tree", memory.words(words if in_tree else 1))
            self._attach("entries", memory.keys((), 1 if in_tree else words))
        except MemoryError:
            raise PlyforgeError(
                f"not enough memory for {entries} entries of {self.method.entry_words * 8} bytes;"
                " reduce hash or entries"
            ) from None
        context.levels, context.capacity = levels, entries
        context.children_size = children - _SLACK
        context.counts_size = counts

    @property
    def keeps_results(self) -> bool:
        """Whether later searches find the results of earlier ones."""
        return self.method.memory == "entries"

    def clear(self) -> None:
        """Forget all results."""
        if self.keeps_results:
            self._arrays["entries"][:] = 0
            self.context.used = 0

    # Searching

    def stop(self) -> None:
        """Make a running search return; safe to call from any thread."""
        self.context.stop = 1

    def prove(
        self, root: SearchRoot, threshold: float, attacker: int, nodes: int | None = None
    ) -> ProofResult:
        """Find out whether the value for the side `attacker` is at least `threshold`.

        `nodes` limits the search.  A stop must be undone by `reset_stop` before.
        """
        self._prepare(root, threshold, attacker, nodes)
        with self.game.rules.blame("the rules, while searching"):
            answer = int(self._kernel.enter(root.position, self._address))
        return self._result(answer, root)

    def reset_stop(self) -> None:
        """Undo a stop."""
        self.context.stop = 0

    def _prepare(
        self, root: SearchRoot, threshold: float, attacker: int, nodes: int | None
    ) -> None:
        context = self.context
        context.attacker, context.threshold = attacker, float(threshold)
        context.root_side = root.side
        context.best_below, context.best_above = -np.inf, np.inf
        context.lowest, context.highest = np.inf, -np.inf
        context.budget = _NO_LIMIT if nodes is None else nodes
        context.fault = 0
        context.before_root = len(root.path)
        size = len(root.path) + context.levels + 2
        path = self._memory.keys(root.path, size)
        self._attach("path", path)
        context.salt = self._salt(root, threshold, attacker)
        counts = self._arrays["counts"]
        counts[:] = 0 if self._memory.compiled else [0] * len(counts)
        for name in ("nodes", "ends", "repetitions", "twins", "simulations", "confirmed"):
            setattr(context, name, 0)
        context.max_level = 0
        context.root_proof = context.root_disproof = 1

    def _salt(self, root: SearchRoot, threshold: float, attacker: int) -> int:
        """Return a number for the question, and for the positions that cannot be entered again."""
        rules = self.game.rules
        rule, limit = rules.constant("REPETITION"), int(rules.constant("REPETITION_COUNT"))
        needed = 1 if rule == "illegal" else limit - 1
        word = int(np.float64(threshold).view(np.uint64))
        state = hashing.mix(hashing.mix(0x5DEECE66D, word), attacker)
        if rule is not None:
            exact = rule != "draw" and limit > 2
            for key, count in sorted(Counter(root.path).items()):
                if exact or count >= needed:
                    state = hashing.mix(hashing.mix(state, key), count)
        return int(np.uint64(state & hashing.WORD).view(np.int64))

    def _result(self, answer: int, root: SearchRoot) -> ProofResult:
        context, frame = self.context, self._frames[0]
        if context.fault in (fields.TOO_MANY_MOVES, fields.BAD_RESULT):
            raise self._fault_error()
        seen = float(context.lowest), float(context.highest)
        if answer < 0:
            fault = self.method.faults.get(int(context.fault), "").format(levels=context.levels)
            return ProofResult(None, LOSS, WIN, None, seen, 0, int(context.nodes), fault)
        yes = answer == 1
        move = None if frame.count == 0 else int(self._arrays["moves"][frame.start + frame.best])
        run = max(root.reversible_plies + int(frame.run), int(frame.longest))
        return ProofResult(
            yes,
            float(context.best_above) if yes else LOSS,
            WIN if yes else float(context.best_below),
            move,
            seen,
            run,
            int(context.nodes),
        )

    def _fault_error(self) -> GameFileError:
        context, file = self.context, self.game.rules.file
        if context.fault == fields.TOO_MANY_MOVES:
            return GameFileError(
                f"{file}: a position has {context.fault_count} moves, but MAX_MOVES is"
                f" {self._max_moves}; raise it"
            )
        return GameFileError(
            f"{file}: a finished game had the value {context.fault_value:g}, which is not a"
            " result; run 'plyforge check' to find the position"
        )
