"""Counterfactual regret minimisation: runs that can be stopped, saved and resumed."""

import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyforge.compilation.array_kernels import ArrayContext
from plyforge.compilation.kernel import Backend
from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.core.writing import write_atomically
from plyforge.equilibrium.game_tree import GameTree
from plyforge.equilibrium.kernels.regret import REGRET
from plyforge.equilibrium.profile import Profile
from plyforge.equilibrium.sequence_form import SequenceForm

METHODS: Final = ("cfr", "cfr+")
FORMAT: Final = "plyforge regrets 1"
_CHUNK_SECONDS: Final = 0.1
"""The time of one call of the kernel: short enough for Ctrl-C."""
_GROWTH: Final = 1.1
"""Exploitability is computed again when there are this many times as many iterations."""
_STATE: Final = ("regrets_1", "regrets_2", "sums_1", "sums_2")


@dataclass(frozen=True)
class Progress:
    """The state of a run."""

    iterations: int
    seconds: float
    """Of this process."""
    exploitability: float
    """Of the average plans."""


class RegretMinimizer:
    """A run of CFR or CFR+.

    >>> from plyforge.equilibrium import build_tree, load
    >>> run = RegretMinimizer(build_tree(load("rps")), backend="python")
    >>> run.run(iterations=10).iterations
    10
    """

    def __init__(
        self,
        tree: GameTree,
        form: SequenceForm | None = None,
        method: str = "cfr+",
        backend: Backend = "compiled",
    ) -> None:
        if method not in METHODS:
            raise UnknownName("method", method, METHODS)
        self.tree = tree
        self.form = SequenceForm.of(tree) if form is None else form
        self.method = method
        self.seconds = 0.0
        arrays: dict[str, Any] = {}
        for number, (player, payoffs) in enumerate(
            zip(self.form.players, self.form.payoffs, strict=True), 1
        ):
            arrays |= {
                f"sets_{number}": player.sets,
                f"size_{number}": player.size,
                f"starts_{number}": player.starts,
                f"parents_{number}": player.parents,
                f"rows_{number}": payoffs.rows,
                f"columns_{number}": payoffs.columns,
                f"payoffs_{number}": payoffs.values,
            }
            for name in ("regrets", "sums", "plan", "strategy", "values"):
                arrays[f"{name}_{number}"] = np.zeros(player.size)
        self._context = ArrayContext(
            REGRET, backend, plus=int(method == "cfr+"), done=0, iterations=0, **arrays
        )

    @property
    def iterations(self) -> int:
        """The number of iterations so far."""
        return int(self._context.record.done)

    def iterate(self, count: int) -> float:
        """Do `count` iterations; return the exploitability of the average plans."""
        if count < 1 and not self.iterations:
            raise PlyforgeError(f"iterations must be at least 1, not {count}")
        started = time.perf_counter()
        self._context.set(iterations=count)
        exploitability = self._context.run()
        self.seconds += time.perf_counter() - started
        return exploitability

    def run(
        self,
        iterations: int | None = None,
        exploitability: float | None = None,
        seconds: float | None = None,
        report: Callable[[Progress], None] | None = None,
    ) -> Progress:
        """Iterate until a limit is reached: iterations in all, exploitability, or seconds.

        `report` is called now and then.  After an exception in it, such as KeyboardInterrupt, the
        run can be continued.
        """
        check_limits(iterations, exploitability, seconds)
        chunk = 1
        next_check = self.iterations + 1
        while True:
            count = min(chunk, max(1, next_check - self.iterations))
            if iterations is not None:
                count = max(0, min(count, iterations - self.iterations))
            before = self.seconds
            reached = self.iterate(count)
            progress = Progress(self.iterations, self.seconds, reached)
            if report is not None:
                report(progress)
            if exploitability is not None and reached <= exploitability:
                return progress
            if iterations is not None and self.iterations >= iterations:
                return progress
            if seconds is not None and self.seconds >= seconds:
                return progress
            if self.iterations >= next_check:
                next_check = max(self.iterations + 1, int(self.iterations * _GROWTH))
            if self.seconds - before < _CHUNK_SECONDS and count == chunk:
                chunk *= 2
            elif self.seconds - before > 2 * _CHUNK_SECONDS:
                chunk = max(1, chunk // 2)

    def profile(self) -> Profile:
        """Return the average plans."""
        if not self.iterations:
            raise PlyforgeError("there are no iterations yet; call 'run' first")
        first, second = (
            self._context.arrays[f"sums_{n}"] / self._context.arrays[f"sums_{n}"][0] for n in (1, 2)
        )
        return Profile(self.tree, self.form, (first, second), self.method)

    def save(self, path: Path) -> None:
        """Save the run to a file."""
        arrays = {name: self._context.arrays[name] for name in _STATE}
        head = [FORMAT, self.method, self.form.fingerprint, str(self.iterations)]
        data = io.BytesIO()
        np.savez_compressed(data, head=np.array(head), **arrays)
        write_atomically(path, data.getvalue())

    def resume(self, path: Path) -> None:
        """Continue a run that was saved; raise an error if it is of another game or method."""
        try:
            with path.open("rb") as data, np.load(data, allow_pickle=False) as file:
                head = [str(text) for text in file["head"]]
                arrays = {name: file[name] for name in _STATE}
            if head[0] != FORMAT:
                raise ValueError(head[0])
            done = int(head[3])
        except OSError as error:
            raise PlyforgeError(f"'{clip(str(path))}' cannot be read: {error.strerror}") from error
        except (ValueError, KeyError, IndexError, EOFError) as error:
            raise PlyforgeError(
                f"'{clip(str(path))}' is not a run that 'plyforge equilibrium' has saved; choose"
                " another file, or remove it"
            ) from error
        except Exception as error:  # zipfile and zlib have errors of their own
            raise PlyforgeError(f"'{clip(str(path))}' is damaged: {error}") from error
        if head[1:3] != [self.method, self.form.fingerprint]:
            what = "another game" if head[2] != self.form.fingerprint else f"method {head[1]}"
            raise PlyforgeError(
                f"'{clip(str(path))}' is a run of {what}; choose another file, or remove it"
            )
        for name, array in arrays.items():
            own = self._context.arrays[name]
            if array.shape != own.shape or not np.all(np.isfinite(array)):
                raise PlyforgeError(f"'{clip(str(path))}' is damaged: '{name}' does not fit")
            own[:] = array
        self._context.record.done = done


def check_limits(
    iterations: int | None, exploitability: float | None, seconds: float | None
) -> None:
    """Raise an error unless the limits of a run make sense."""
    if iterations is None and exploitability is None and seconds is None:
        raise PlyforgeError("give a limit: iterations, exploitability or seconds")
    if iterations is not None and iterations < 1:
        raise PlyforgeError(f"iterations must be at least 1, not {iterations}")
    if exploitability is not None and not exploitability > 0.0:
        raise PlyforgeError(f"exploitability must be above 0, not {exploitability:g}")
    if seconds is not None and not seconds > 0.0:
        raise PlyforgeError(f"seconds must be above 0, not {seconds:g}")
