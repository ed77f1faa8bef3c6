"""Put steps into the search kernel: generate the functions that `kernels.phases` declares."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from types import FunctionType
from typing import Any, Final

from plyforge.compilation.kernel import Kernel
from plyforge.compilation.records import (
    Reals,
    Record,
    Records,
    Words,
    extend,
    fields_of,
    fixed_fields,
    with_constants,
)
from plyforge.core.errors import GameFileError
from plyforge.search.distributed import method, partitioned_table, tdsab
from plyforge.search.distributed.counting import spend_node_and_poll
from plyforge.search.distributed.messages import (
    exchange_by_mpi,
    exchange_messages,
    exchange_simulated,
    exchange_with_itself,
)
from plyforge.search.distributed.partition import (
    keep_directly,
    keep_in_parts,
    look_up_directly,
    look_up_in_parts,
)
from plyforge.search.distributed.process import Process
from plyforge.search.distributed.runner import run_process
from plyforge.search.kernels import phases, sharing
from plyforge.search.kernels.alpha_beta import search, search_root
from plyforge.search.kernels.conflicts import count_conflict
from plyforge.search.kernels.context import ASK, NO_VALUE, PER_SEARCH, Context
from plyforge.search.kernels.counting import spend_node
from plyforge.search.kernels.ends import game_value, leaf_value
from plyforge.search.kernels.expectimax import search_with_chance
from plyforge.search.kernels.horizon import expand_noisy
from plyforge.search.kernels.parallel import run_team
from plyforge.search.kernels.table import keep, look_up, note_replaced
from plyforge.search.kernels.team import Team
from plyforge.search.parallel.methods import PARTITIONED_TABLE, TDSAB
from plyforge.search.steps.step import CORE_FIELDS, Step, phase_arguments

_RECURSIVE: Final = "float64(position, int64, int64, float64, float64, context)"
_TEAM_ENTRY: Final = "int64(position, int64, address)"
_TEAM_MODULES: Final = (
    *(
        f"plyforge.search.kernels.{name}"
        for name in ("frames", "locks", "parallel", "simulation", "split_tree", "splits", "turns")
    ),
    "plyforge.search.kernels.workers",
    "plyforge.search.parallel.",
)
_STEP_MODULES: Final = ("plyforge.search.kernels.forced_wins",)
"""What steps do at a few nodes: inlined there, it would only take longer to compile."""
_PROCESS_MODULES: Final = tuple(
    f"plyforge.search.distributed.{name}"
    for name in (
        *("children", "jobs", "messages", "nodes", "partitioned_table", "polling", "results"),
        *("runner", "stealing", "tdsab", "work"),
    )
)
_PROCESS_METHODS: Final[dict[str, dict[Any, Any]]] = {
    TDSAB: {
        method.target_of: tdsab.target_of,
        method.is_request: tdsab.is_request,
        method.serve_request: tdsab.serve_request,
        method.find_work: tdsab.find_work,
    },
    PARTITIONED_TABLE: {
        method.target_of: partitioned_table.target_of,
        method.is_request: partitioned_table.is_request,
        method.serve_request: partitioned_table.serve_request,
        method.find_work: partitioned_table.find_work,
        look_up: look_up_in_parts,
        keep: keep_in_parts,
    },
}
"""What each method of distributed search puts in the place of the functions of `method`."""
_NETWORKS: Final = {
    "mpi": exchange_by_mpi,
    "none": exchange_with_itself,
    "direct": exchange_with_itself,
    "simulated": exchange_simulated,
}
"""What moves the messages of a distributed search; `simulated` is for the backend `python`.

With `none` and `direct`, the caller of the kernel does.  With `direct`, a process also reads and
writes the tables of others, without messages.
"""
_ENTRY: Final = "float64(position, int64, float64, float64, address)"


@lru_cache(maxsize=64)
def search_kernel(steps: tuple[Step, ...]) -> Kernel:
    """Return the search kernel with these steps, in this order."""
    functions = {getattr(phases, name): function for name, function in _phases(steps).items()}
    return Kernel(
        "search",
        search_root,
        _ENTRY,
        {search: _RECURSIVE},
        context_record(steps),
        functions,
        frozenset(f for step in steps if step.authored for f in step.functions.values()),
        seldom=_STEP_MODULES,
    )


@lru_cache(maxsize=64)
def sharing_kernel(steps: tuple[Step, ...]) -> Kernel:
    """Return the search kernel with these steps and the policy `shared` of repetition."""
    kernel = search_kernel(steps)
    return replace(
        kernel,
        name="search with shared results",
        context=extend(kernel.context, sharing.FIELDS),
        replacements={**kernel.replacements, **sharing.REPLACEMENTS},
    )


@lru_cache(maxsize=64)
def chance_kernel(steps: tuple[Step, ...]) -> Kernel:
    """Return the search kernel of a game of chance with these steps."""
    kernel = search_kernel(steps)
    return replace(
        kernel,
        name="search with chance",
        recursive={search_with_chance: _RECURSIVE},
        context=extend(kernel.context, {"outcome_lows": Reals, "outcome_highs": Reals}),
        replacements={**kernel.replacements, search: search_with_chance},
    )


@lru_cache(maxsize=64)
def team_kernel(steps: tuple[Step, ...]) -> Kernel:
    """Return the kernel of a parallel search with these steps."""
    kernel = search_kernel(steps)
    fields = {"team": Records[Team], "worker": int}
    return replace(
        kernel,
        name="parallel search",
        entry=run_team,
        signature=_TEAM_ENTRY,
        context=extend(kernel.context, fields),
        replacements={**kernel.replacements, note_replaced: count_conflict},
        seldom=_STEP_MODULES + _TEAM_MODULES,
    )


@lru_cache(maxsize=64)
def process_kernel(steps: tuple[Step, ...], network: str, name: str) -> Kernel:
    """Return the kernel of a process of a distributed search, for a network and a method."""
    kernel = search_kernel(steps)
    own: dict[Any, Any] = {exchange_messages: _NETWORKS[network], spend_node: spend_node_and_poll}
    own |= _PROCESS_METHODS[name]
    if network == "direct" and look_up in own:
        own[look_up], own[keep] = look_up_directly, keep_directly
    return replace(
        kernel,
        name=f"{name} search" if network == "mpi" else f"{name} search, {network}",
        entry=run_process,
        signature=_TEAM_ENTRY,
        context=extend(kernel.context, {"process": Records[Process]}),
        replacements={**kernel.replacements, **own},
        seldom=_STEP_MODULES + _PROCESS_MODULES,
    )


def specialised(kernel: Kernel, context: Any) -> Kernel:
    """Return the kernel with the options in a context as constants, which LLVM folds."""
    fixed, kinds = fixed_fields(kernel.context) - PER_SEARCH, fields_of(kernel.context)
    names = [name for name in sorted(fixed) if kinds[name] in (int, float)]
    values = tuple((name, getattr(context, name)) for name in names)
    return replace(kernel, context=_with_constants(kernel.context, values))


@lru_cache(maxsize=64)
def _with_constants(record: type[Record], values: tuple[tuple[str, float], ...]) -> type[Record]:
    return with_constants(record, dict(values))


def context_record(steps: Sequence[Step]) -> type[Record]:
    """Return the context with the fields of these steps; two must not share a field."""
    fields: dict[str, Any] = {}
    owners: dict[str, str] = {}
    for step in steps:
        own = step.context_fields() | {array.name: Words for array in step.arrays}
        for name, kind in own.items():
            if name in CORE_FIELDS:
                raise GameFileError(
                    f"{step.file}: the step '{step.name}' needs a field '{name}', which the search"
                    " itself has; choose another name"
                )
            if name in fields:
                raise GameFileError(
                    f"{step.file}: the steps '{owners[name]}' and '{step.name}' both have"
                    f" '{name}'; rename one"
                )
            fields[name], owners[name] = kind, step.name
    return extend(Context, fields)


def _phases(steps: Sequence[Step]) -> dict[str, FunctionType]:
    early = [step for step in steps if "before_moves" in step.functions]
    inexact = any(not step.exact for step in steps)
    sources = {
        "early_steps": _constant("early_steps", len(early)),
        "has_inexact_steps": _constant("has_inexact_steps", inexact),
        "has_horizon_steps": _constant("has_horizon_steps", bool(_acting("at_horizon", steps))),
        "known_value": _known_value(steps),
        "near_end": _look_at("near_end", steps),
        "at_horizon": _at_horizon(steps),
        "expand_beyond": _expand_beyond(steps),
        "before_moves": _early("before_moves", early),
        "after_search": _early("after_search", early),
        "score_move": _gathered("score_move", steps, "0.0", "result += {call}"),
        "promote_move": _gathered("promote_move", steps, "0.0", "result = max(result, {call})"),
        "look_at_child": _look_at("look_at_child", steps),
        "plan_move": _plan_move(steps),
        "search_again": _search_again(steps),
        "on_cut": _told("on_cut", steps),
        "learn_move": _told("learn_move", steps),
    }
    scope: dict[str, Any] = {
        _name(step, phase): function for step in steps for phase, function in step.functions.items()
    }
    scope |= {"NO_VALUE": NO_VALUE, "ASK": ASK, "__name__": __name__}
    scope |= {"leaf_value": leaf_value, "expand_noisy": expand_noisy, "game_value": game_value}
    functions = {}
    for name, source in sources.items():
        exec(source, scope)
        functions[name] = scope[name]
    return functions


def _name(step: Step, phase: str) -> str:
    return f"{step.field}_{phase}"


def _head(phase: str, *before: str) -> str:
    return f"def {phase}({', '.join([*before, *phase_arguments(phase)])}):\n"


def _call(step: Step, phase: str) -> str:
    return f"{_name(step, phase)}({', '.join(phase_arguments(phase))})"


def _condition(step: Step) -> str:
    """Return source for whether a step acts.

    Where all games end within the depth, the search finds the result of perfect play, and inexact
    steps leave that alone.
    """
    condition = f"context.{step.field} != 0"
    if not step.exact and "at_horizon" not in step.functions:
        condition += " and node.to_end == 0"
        if step.min_depth == 1:
            # Beyond the horizon only noisy moves are tried, and none is pruned or extended.
            condition += " and node.depth > 0"
    if step.min_depth != 1:
        condition += f" and node.depth >= {step.min_depth_source()}"
    return condition


def _acting(phase: str, steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if phase in step.functions]


def _constant(name: str, value: int | bool) -> str:
    return f"def {name}():\n    return {value}\n"


def _early(phase: str, steps: Sequence[Step]) -> str:
    """Return source that calls one early step, chosen by its number.

    An inexact step that ends the node or narrows its window leaves nothing proven.
    """
    lines = [_head(phase, "step")]
    for number, step in enumerate(steps):
        if phase not in step.functions:
            continue
        condition = f"step == {number}"
        if phase == "before_moves":
            condition += f" and {_condition(step)}"
        lines.append(f"    if {condition}:\n")
        if step.exact:
            lines.append(f"        return {_call(step, phase)}\n")
            continue
        lines.append("        low, high = node.low, node.high\n")
        lines.append(f"        result = {_call(step, phase)}\n")
        lines.append("        if result != NO_VALUE and result != ASK:\n")
        lines.append("            node.proven = 0\n")
        lines.append("        if node.low != low or node.high != high:\n")
        lines.append("            node.table_proven = 0\n")
        lines.append("        return result\n")
    return "".join([*lines, "    return NO_VALUE\n"])


def _known_value(steps: Sequence[Step]) -> str:
    """Return source that asks the steps for the value of a position, then the game."""
    phase = "known_value"
    lines = [_head(phase)]
    for step in _acting(phase, steps):
        lines.append(f"    if context.{step.field} != 0:\n")
        lines.append(f"        result = {_call(step, phase)}\n")
        lines.append("        if result != NO_VALUE:\n")
        if not step.exact:
            lines.append("            node.proven = 0\n")
        lines.append("            return result\n")
    return "".join([*lines, "    return game_value(position, node)\n"])


def _at_horizon(steps: Sequence[Step]) -> str:
    """Return source that lets the first step that is on decide; a leaf has its evaluation."""
    phase = "at_horizon"
    lines = [_head(phase)]
    for step in _acting(phase, steps):
        lines.append(f"    if context.{step.field} != 0:\n")
        lines.append(f"        return {_call(step, phase)}\n")
    return "".join([*lines, f"    return leaf_value({', '.join(phase_arguments(phase))})\n"])


def _expand_beyond(steps: Sequence[Step]) -> str:
    phase = "expand_beyond"
    result = f"expand_noisy({', '.join(phase_arguments(phase))})"
    if not _acting("at_horizon", steps):
        result = "NO_VALUE"
    return f"{_head(phase)}    return {result}\n"


def _gathered(phase: str, steps: Sequence[Step], start: str, form: str) -> str:
    lines = [_head(phase), f"    result = {start}\n"]
    for step in _acting(phase, steps):
        lines.append(f"    if {_condition(step)}:\n")
        lines.append(f"        {form.format(call=_call(step, phase))}\n")
    return "".join([*lines, "    return result\n"])


def _look_at(phase: str, steps: Sequence[Step]) -> str:
    """Return source that lets steps act until one of them returns a value."""
    lines = [_head(phase)]
    for step in _acting(phase, steps):
        lines.append(f"    if {_condition(step)}:\n")
        lines.append(f"        result = {_call(step, phase)}\n")
        lines.append("        if result != NO_VALUE:\n")
        if not step.exact:
            lines.append("            node.proven = 0\n")
        lines.append("            return result\n")
    return "".join([*lines, "    return NO_VALUE\n"])


def _plan_move(steps: Sequence[Step]) -> str:
    phase = "plan_move"
    lines = [_head(phase)]
    for step in _acting(phase, steps):
        lines.append(f"    if {_condition(step)} and not {_call(step, phase)}:\n")
        if not step.exact:
            lines.append("        node.proven = 0\n")
        lines.append("        return False\n")
    return "".join([*lines, "    return True\n"])


def _search_again(steps: Sequence[Step]) -> str:
    phase = "search_again"
    lines = [_head(phase)]
    for step in _acting(phase, steps):
        lines.append(f"    if {_condition(step)} and {_call(step, phase)}:\n")
        lines.append("        context.researches += 1\n")
        lines.append("        return True\n")
    return "".join([*lines, "    return False\n"])


def _told(phase: str, steps: Sequence[Step]) -> str:
    lines = [_head(phase)]
    for step in _acting(phase, steps):
        lines.append(f"    if {_condition(step)}:\n        {_call(step, phase)}\n")
    return "".join([*lines, "    return None\n"])
