"""What happened at a visit, and why, in a sentence; all numbers are in view of MAX."""

from plyforge.core.scores import SCORE_LIMIT, WIN
from plyforge.search.textbook.export import shown
from plyforge.search.textbook.trace import Visit
from plyforge.search.textbook.view import MAX
from plyforge.search.values import next_above

NAMES = ("MAX", "MIN")
INFINITE = "∞"
LISTING = "the published listing searches even leaves again"


def value_for_max(visit: Visit) -> float:
    """The value of a visit that has ended."""
    return visit.value if visit.side == MAX else 0.0 - visit.value


def own_for_max(visit: Visit) -> float:
    """The value of a leaf before a fail-hard search moves it into the window."""
    own = visit.value if visit.own is None else visit.own
    return own if visit.side == MAX else 0.0 - own


def window_for_max(visit: Visit) -> tuple[float, float]:
    """The window at entry."""
    if visit.side == MAX:
        return visit.alpha, visit.beta
    return 0.0 - visit.beta, 0.0 - visit.alpha


def brief(value: float) -> str:
    """A value in as few signs as possible: `W3` is a win of MAX three plies from the root.

    Bounds beyond every value, as SSS* starts with, are as good as infinite.

    >>> brief(2.5), brief(WIN - 3.0), brief(2.0 - WIN), brief(-WIN - 1.0), brief(1 / 3)
    ('2.5', 'W3', 'L2', '-∞', '0.333')
    """
    if abs(value) > WIN:
        return INFINITE if value > 0 else f"-{INFINITE}"
    if abs(value) > SCORE_LIMIT:
        return f"{'W' if value > 0 else 'L'}{WIN - abs(value):g}"
    return f"{value + 0.0:.0f}" if value == int(value) else f"{value:.3g}"


def told(value: float) -> str:
    """A value in words."""
    return brief(value) if abs(value) > WIN else shown(value)


def window_text(visit: Visit, short: bool = True) -> str:
    """The window as `(3, ∞)`; the float next to 3 is `3⁺` or `3⁻`, which is how it is meant."""
    write = brief if short else told
    low, high = window_for_max(visit)
    if abs(low) <= WIN and abs(high) <= WIN and next_above(low) == high:
        if len(shown(low)) <= len(shown(high)):
            return f"({write(low)}, {write(low)}⁺)"
        return f"({write(high)}⁻, {write(high)})"
    return f"({write(low)}, {write(high)})"


def bounded(visit: Visit) -> str:
    """The value with what it says of the true one: `3`, `at most 3` or `at least 3`."""
    if visit.open:
        return "unknown"
    value, (low, high) = value_for_max(visit), window_for_max(visit)
    if visit.leaf:
        return _leaf_value(visit)
    if visit.confirms or low < value < high:
        return told(value)
    return f"at {'most' if value <= low else 'least'} {told(value)}"


def kind_told(visit: Visit) -> str:
    """The kind; a value that a second search confirms is exact although no window holds it."""
    return "PV" if visit.confirms else visit.kind


def explain(visit: Visit) -> str:
    """One sentence on a visit.

    For example `visit 5, move 2: 2, window (3, ∞), CUT by move 1: a value of at most 2 cannot
    interest MAX, who has 3 already; 2 moves left out`.
    """
    window = f"window {window_text(visit, short=False)}"
    again = f" (visited {_times(visit.research)} before)" if visit.research else ""
    if visit.open:
        return f"{_name(visit)}{again}: {window}, not ended: the search was stopped before"
    value = _leaf_value(visit) if visit.leaf else told(value_for_max(visit))
    head = f"{_name(visit)}{again}: {value}, {window}"
    if visit.leaf:
        return f"{head}, a leaf: {_leaf_reason(visit)}"
    if visit.table_hit:
        return f"{head}, from the table: {bounded(visit)} is all that this window needs"
    if visit.cut_by is not None:
        left = len(visit.unseen)
        last = "" if left else ", its last"
        after = f"; {left} move{'' if left == 1 else 's'} left out" if left else ""
        return f"{head}, CUT by move {visit.cut_by}{last}: {_cut_reason(visit)}{after}"
    if visit.confirms:
        return f"{head}, all moves searched: {_confirmed(visit)}"
    return f"{head}, {visit.kind}: {_whole_reason(visit)}"


def entered(visit: Visit) -> str:
    """The sentence while nothing but the window is known."""
    if visit.null:
        return f"{_name(visit)}: {_question(visit)}"
    how = "searched again, from what the test has found," if visit.again else "entered"
    window = window_text(visit, short=False)
    return f"{_name(visit)}: {how} with window {window}, {NAMES[visit.side]} to move"


def _name(visit: Visit) -> str:
    """Which visit it is, and the move that led there."""
    return f"visit {visit.number}, {f'move {visit.move}' if visit.path else 'the root'}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _question(visit: Visit) -> str:
    """What a null window asks."""
    low, high = window_for_max(visit)
    if len(shown(low)) < len(shown(high)):
        return f"is it more than {told(low)}?"
    return f"is it at least {told(high)}?"


def _answer(visit: Visit) -> str:
    return "yes" if value_for_max(visit) >= window_for_max(visit)[1] else "no"


def _leaf_value(visit: Visit) -> str:
    """The value of a leaf, and what a fail-hard search returns in its place."""
    if not visit.moved:
        return told(value_for_max(visit))
    return f"{told(own_for_max(visit))}, returns {told(value_for_max(visit))}"


def _outside(visit: Visit) -> str:
    """Why a value outside of the window does not matter: who has as good already, or the test
    which has shown that there is as good further up."""
    value, (low, high) = value_for_max(visit), window_for_max(visit)
    below = value <= low
    name, has = ("MAX", low) if below else ("MIN", high)
    if visit.alpha_tested if below == (visit.side == MAX) else visit.beta_tested:
        if value == has:
            return f"is the {told(has)} that the test has found, no better for {name}"
        return f"is no better for {name} than the {told(has)} that the test has found"
    return f"cannot interest {name}, who has {told(has)} already"


def _confirmed(visit: Visit) -> str:
    """What the second search of a move is worth that has found what the test had."""
    value = told(value_for_max(visit))
    bound = "least" if value_for_max(visit) <= window_for_max(visit)[0] else "most"
    return f"the test showed at {bound} {value}, this search confirms that it is exactly {value}"


def _leaf_reason(visit: Visit) -> str:
    if visit.confirms:
        value = told(value_for_max(visit))
        return f"the test has found {value}, which this search confirms; {LISTING}"
    if visit.kind == "PV":
        return "its value lies inside the window"
    if visit.null:
        return f"{_question(visit)} {_answer(visit)}"
    return f"it {_outside(visit)}"


def _cut_reason(visit: Visit) -> str:
    if visit.confirms:
        return _confirmed(visit)
    if visit.kind != "CUT":
        # A table has narrowed the window since the visit began.
        return "what the table knows settles the rest"
    if visit.null:
        return f"{_question(visit)} {_answer(visit)}, {bounded(visit)}"
    return f"a value of {bounded(visit)} {_outside(visit)}"


def _whole_reason(visit: Visit) -> str:
    best = "greatest" if visit.side == MAX else "least"
    if visit.kind == "PV":
        return f"the {best} value of all moves"
    if visit.null:
        told_all = f"{bounded(visit)}, which took all moves to show"
        return f"{_question(visit)} {_answer(visit)}, {told_all}"
    return f"a value of {bounded(visit)}, the {best} of all moves, {_outside(visit)}"
