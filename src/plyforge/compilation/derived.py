"""Functions of `hooks_api` that depend on several parts of the contract, not on one hook.

Each is generated as source text, the same for both backends.  A fingerprint of the text covers
everything it depends on except the hooks it names.
"""

from plyforge.core.rules import Rules
from plyforge.core.scores import LOSS, WIN

_MULTIPLIER = 0x7F4A7C15
"""An odd number that spreads moves over slots."""


def _slot(rules: Rules) -> tuple[str, tuple[str, ...]]:
    slots = int(rules.constant("MOVE_SLOTS"))
    if "move_slot" not in rules.hooks:
        # A hash of the move, from bits of the product that 64-bit words and Python's ints share.
        spread = f"((move ^ move >> 31) * {_MULTIPLIER} >> 12 & {0x7FFFFFFF})"
        return f"def slot_of(position, move):\n    return {spread} % {slots}\n", ()
    # A slot outside the tables would overwrite other memory.
    return (
        "def slot_of(position, move):\n"
        "    slot = int64(rule_move_slot(position, move))\n"
        f"    return slot if 0 <= slot < {slots} else 0\n"
    ), ("move_slot",)


def _keeps_turn(rules: Rules) -> tuple[str, tuple[str, ...]]:
    if "turn" not in rules.hooks or rules.constant("ALTERNATING"):
        return "def keeps_turn(position, child):\n    return False\n", ()
    return (
        "def keeps_turn(position, child):\n    return rule_turn(position) == rule_turn(child)\n"
    ), ("turn",)


def _evaluate(rules: Rules) -> tuple[str, tuple[str, ...]]:
    head = "def evaluate(position, states, level, weights):\n"
    if "evaluate" not in rules.hooks:
        return f"{head}    return 0.0\n", ()
    state = "" if _lacks_state(rules) else ", state_at(states, level)"
    call = f"rule_evaluate(position{state}{_weights(rules)})"
    return f"{head}    return float64({call})\n", ("evaluate",)


def _begin(rules: Rules) -> tuple[str, tuple[str, ...]]:
    head = "def begin(position, states, weights):\n"
    if _lacks_state(rules):
        return f"{head}    pass\n", ()
    return f"{head}    rule_begin(position, state_at(states, 0){_weights(rules)})\n", ("begin",)


def _advance(rules: Rules) -> tuple[str, tuple[str, ...]]:
    head = "def advance(states, level, position, move, child, weights):\n"
    if _lacks_state(rules):
        return f"{head}    pass\n", ()
    before, after = "state_at(states, level)", "state_at(states, level + 1)"
    arguments = f"{before}, position, move, child, {after}{_weights(rules)}"
    return f"{head}    rule_advance({arguments})\n", ("advance",)


_COPY = (
    "    before, after = state_at(states, level), state_at(states, level + 1)\n"
    "    for place in range(len(before)):\n"
    "        after[place] = before[place]\n"
)


def _copy_state(rules: Rules) -> tuple[str, tuple[str, ...]]:
    head = "def copy_state(states, level):\n"
    if _lacks_state(rules):
        return f"{head}    pass\n", ()
    # A loop: Numba would compile an error message for `after[:] = before`, which took a quarter
    # of the compile time of chess.
    return f"{head}{_COPY}", ()


def _lacks_state(rules: Rules) -> bool:
    return rules.constant("STATE") is None


def _weights(rules: Rules) -> str:
    """Return the last argument of an evaluation's hooks, if they read their weights from memory."""
    return "" if rules.weights is None else ", weights"


def _has_cycles(rules: Rules) -> tuple[str, tuple[str, ...]]:
    constants = (rules.constant("REPETITION"), rules.constant("NO_PROGRESS_LIMIT"))
    return f"def has_cycles():\n    return {constants != (None, None)}\n", ()


def _move_limit(rules: Rules) -> tuple[str, tuple[str, ...]]:
    return f"def move_limit():\n    return {int(rules.constant('MAX_MOVES'))}\n", ()


def _slot_limit(rules: Rules) -> tuple[str, tuple[str, ...]]:
    return f"def slot_limit():\n    return {int(rules.constant('MOVE_SLOTS'))}\n", ()


def _value_limit(rules: Rules) -> tuple[str, tuple[str, ...]]:
    limit = max(abs(float(bound)) for bound in rules.constant("EVALUATION_RANGE"))
    return f"def value_limit():\n    return {limit!r}\n", ()


def _result_value(rules: Rules) -> tuple[str, tuple[str, ...]]:
    head = "def result_value(value):\n"
    if "chance" not in rules.hooks:
        return f"{head}    return value\n", ()
    limit = max(abs(float(bound)) for bound in rules.constant("EVALUATION_RANGE"))
    return (
        f"{head}    if value == {float(WIN)}:\n        return {limit!r}\n"
        f"    if value == {float(LOSS)}:\n        return {-limit!r}\n    return value\n"
    ), ()


DERIVED = {
    "slot_of": _slot,
    "keeps_turn": _keeps_turn,
    "evaluate": _evaluate,
    "begin": _begin,
    "advance": _advance,
    "copy_state": _copy_state,
    "has_cycles": _has_cycles,
    "move_limit": _move_limit,
    "slot_limit": _slot_limit,
    "value_limit": _value_limit,
    "result_value": _result_value,
}
"""By name: a function from the rules to the source, and the hooks it calls as `rule_...`."""
