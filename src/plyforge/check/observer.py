"""Call single hooks in the compiled backend, by one kernel that takes the hook's number.

One kernel compiles each function of the game only once; single calls show which hook hangs,
raises or differs.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from plyforge.check.guard import Guard
from plyforge.compilation import hooks_api
from plyforge.compilation.kernel import BuiltKernel, Kernel, build
from plyforge.compilation.notices import SilentNotices
from plyforge.compilation.store import Store
from plyforge.core.contract import HOOKS
from plyforge.core.rules import Rules
from plyforge.game.game import Game

_SLACK = 4096
"""Words after the move buffer, for rules that write a few more moves than they declare."""

_STORES = {
    "score": "words[0] = float64({}).view(int64)",
    "int": "words[0] = {}",
    "bool": "words[0] = int64({})",
    "key": "words[0] = int64({})",
    "moves": "words[0] = {}",
    "outcomes": "words[0] = {}",
}
_SIGNATURE = "position(position, int64, int64, address, address, address)"
STATEFUL = "evaluate after advance"
"""The task that evaluates a child with the state advanced from its parent."""


@dataclass(frozen=True)
class _Task:
    name: str
    returns: str
    source: str
    before: tuple[str, ...] = ()
    """Statements to run first."""


def _tasks(rules: Rules) -> list[_Task]:
    stateful = rules.constant("STATE") is not None and "evaluate" in rules.hooks
    tasks = []
    for name, hook in HOOKS.items():
        if not hook.compiled or not (name in rules.hooks or name == "key"):
            continue
        if hook.returns == "value" or name == "unindex":
            continue
        if name == "evaluate":
            begin = "begin(position, states, weights)"
            call = "evaluate(position, states, 0, weights)"
            tasks.append(_Task(name, hook.returns, call, (begin,)))
            continue
        if name == "finish":
            call = f"{name}(position, -math.inf, math.inf, words)"
            tasks.append(_Task(name, hook.returns, call, ("words[0] = 0",)))
            continue
        if hook.returns == "outcomes":
            place = 8 * (1 + _buffer_size(rules))
            call = f"{name}(position, offset(words, 1), floats(buffer + {place}))"
        elif hook.returns == "moves":
            call = f"{name}(position, offset(words, 1))"
        else:
            call = f"{name}({', '.join(hook.arguments)})"
        tasks.append(_Task(name, hook.returns, call))
    if stateful:
        before = (
            "begin(position, states, weights)",
            "child = play(position, move)",
            "advance(states, 0, position, move, child, weights)",
        )
        tasks.append(_Task(STATEFUL, "score", "evaluate(child, states, 1, weights)", before))
    return tasks


def _buffer_size(rules: Rules) -> int:
    """Return the words for a list of moves."""
    return int(rules.constant("MAX_MOVES")) + _SLACK


def _kernel(tasks: list[_Task]) -> Kernel:
    lines = [
        "def observe(position, task, move, buffer, states, weights):",
        "    words = pointer(buffer)",
    ]
    for number, task in enumerate(tasks):
        lines.append(f"    if task == {number}:")
        lines += [f"        {statement}" for statement in task.before]
        if task.returns == "position":
            lines.append(f"        return {task.source}")
        else:
            lines.append("        " + _STORES[task.returns].format(task.source))
    lines.append("    return position\n")
    scope: dict[str, Any] = {"__name__": __name__, "float64": np.float64, "int64": np.int64}
    scope["math"] = math
    scope |= {
        name: getattr(hooks_api, name)
        for name in [*HOOKS, "pointer", "offset", "floats"]
        if hasattr(hooks_api, name)
    }
    exec("\n".join(lines), scope)
    function: FunctionType = scope["observe"]
    return Kernel("check", function, _SIGNATURE)


class Compiled:
    """A game's compiled hooks; each call is watched."""

    def __init__(self, game: Game, guard: Guard, cache: Path) -> None:
        tasks = _tasks(game.rules)
        # An empty store, because the lint needs a kernel that is compiled now.
        self._built: BuiltKernel = build(
            _kernel(tasks),
            game.rules,
            game.position_type,
            store=Store(cache),
            notices=SilentNotices(),
        )
        self._tasks = {task.name: (number, task.returns) for number, task in enumerate(tasks)}
        self._guard = guard
        size = _buffer_size(game.rules)
        self._buffer = np.zeros(1 + 2 * size, np.int64)
        self._probabilities = self._buffer[1 + size :].view(np.float64)
        self._max_moves = int(game.rules.constant("MAX_MOVES"))
        self._states = game.rules.new_states(2)
        self._weights = game.rules.weights
        self.seconds = self._built.seconds
        self.findings = self._built.findings

    def value(self, name: str, position: Any, move: int = 0) -> Any:
        """Return the value of a hook that gives a single one."""
        returns = self._run(name, position, move)[1]
        word = self._buffer[0]
        if returns == "score":
            return float(word.view(np.float64))
        if returns == "bool":
            return bool(word)
        return int(word.view(np.uint64)) if returns == "key" else int(word)

    def moves(self, name: str, position: Any) -> tuple[int, list[int]]:
        """Return the count that `moves` or `noisy_moves` returns, and the moves it wrote."""
        self._run(name, position, 0)
        count = int(self._buffer[0])
        return count, [
            int(word) for word in self._buffer[1 : 1 + max(0, min(count, self._max_moves))]
        ]

    def outcomes(self, position: Any) -> list[tuple[int, float]]:
        """Return the outcomes of chance that it wrote, with their probabilities."""
        _, outcomes = self.moves("chance_outcomes", position)
        probabilities = self._probabilities[: len(outcomes)].tolist()
        return list(zip(outcomes, probabilities, strict=True))

    def play(self, position: Any, move: int) -> Any:
        """Return the position after a move."""
        return self._run("play", position, move)[0]

    def _run(self, name: str, position: Any, move: int) -> tuple[Any, str]:
        number, returns = self._tasks[name]
        weights = 0 if self._weights is None else self._weights.words.ctypes.data
        addresses = (self._buffer.ctypes.data, self._states.ctypes.data, weights)
        call = self._built.call
        return self._guard.call("compiled", name, call, position, number, move, *addresses), returns
