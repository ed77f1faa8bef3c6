"""Sentences that explain a visit: what happened and why; all values are for MAX."""

from collections.abc import Sequence

from plyforge.core.scores import SCORE_LIMIT, WIN
from plyforge.search.textbook.export import format_value
from plyforge.search.textbook.trace import Event, Visit, probability_text
from plyforge.search.textbook.view import MAX
from plyforge.search.values import next_above

NAMES = ("MAX", "MIN")
INFINITE = "∞"
LISTING = "the published listing searches even leaves again"


def value_for_max(visit: Visit) -> float:
    """Return the value of a visit that has ended."""
    return visit.value if visit.side == MAX else 0.0 - visit.value


def leaf_value_for_max(visit: Visit) -> float:
    """Return the value of a leaf before a fail-hard search limits it to the window."""
    own = visit.value if visit.own is None else visit.own
    return own if visit.side == MAX else 0.0 - own


def window_for_max(visit: Visit) -> tuple[float, float]:
    """Return the window at entry."""
    if visit.side == MAX:
        return visit.alpha, visit.beta
    return 0.0 - visit.beta, 0.0 - visit.alpha


def format_short(value: float) -> str:
    """Format a value in few characters: `W3` is a win of MAX three plies from the root.

    Bounds beyond every value, such as the first one of SSS*, count as infinite.

    >>> [format_short(value) for value in (2.5, WIN - 3.0, 2.0 - WIN, -WIN - 1.0, 1 / 3)]
    ['2.5', 'W3', 'L2', '-∞', '0.333']
    """
    if abs(value) > WIN:
        return INFINITE if value > 0 else f"-{INFINITE}"
    if abs(value) > SCORE_LIMIT:
        return f"{'W' if value > 0 else 'L'}{WIN - abs(value):g}"
    return f"{value + 0.0:.0f}" if value == int(value) else f"{value:.3g}"


def format_long(value: float) -> str:
    """Format a value in words."""
    return format_short(value) if abs(value) > WIN else format_value(value)


def window_text(visit: Visit, short: bool = True) -> str:
    """Format the window at entry as `(3, ∞)`; the float next to 3 is `3⁺` or `3⁻`.

    A node that is explained by something else has its label instead.
    """
    if visit.label is not None:
        return visit.label
    return format_window(*window_for_max(visit), short)


def format_window(low: float, high: float, short: bool = True) -> str:
    """Format a window for MAX."""
    write = format_short if short else format_long
    if abs(low) <= WIN and abs(high) <= WIN and next_above(low) == high:
        if len(format_value(low)) <= len(format_value(high)):
            return f"({write(low)}, {write(low)}⁺)"
        return f"({write(high)}⁻, {write(high)})"
    return f"({write(low)}, {write(high)})"


def parent_windows(
    visits: Sequence[Visit], ended: Sequence[int] | None = None
) -> list[tuple[float, float] | None]:
    """Return the window of each visit's parent when the visit has ended, for MAX.

    `ended` has the steps at which visits end, if siblings do not end in the order in which they
    start.

    A move of MAX raises the lower end, a move of MIN lowers the upper one; in a cutoff they meet or
    cross.  There is no window (None) for a root, for a visit without a value, and if the algorithm
    uses no windows, as minimax.
    """
    bounded = any(visit.alpha >= -WIN or visit.beta <= WIN for visit in visits)
    current: dict[int, tuple[float, float]] = {}
    windows: list[tuple[float, float] | None] = [None] * len(visits)
    for visit in visits if ended is None else sorted(visits, key=lambda one: ended[one.number]):
        if visit.parent is None or visit.open or not bounded:
            continue
        above = visits[visit.parent]
        low, high = current.get(above.number, window_for_max(above))
        entered_low, entered_high = window_for_max(visit)
        value = value_for_max(visit)
        # The window at entry has what a table or an earlier test has added since.
        if above.side == MAX:
            low = max(low, entered_low, value)
        else:
            high = min(high, entered_high, value)
        current[above.number] = low, high
        windows[visit.number] = low, high
    return windows


def format_bound(visit: Visit) -> str:
    """Format the value with its bound: `3`, `at most 3` or `at least 3`."""
    if visit.open:
        return "unknown"
    value, (low, high) = value_for_max(visit), window_for_max(visit)
    if visit.leaf:
        return _leaf_value(visit)
    if visit.confirms or low < value < high:
        return format_long(value)
    return f"at {'most' if value <= low else 'least'} {format_long(value)}"


def kind_text(visit: Visit) -> str:
    """Return the kind of a visit; a value confirmed by a second search is exact."""
    return "PV" if visit.confirms else visit.kind


def explain(visit: Visit) -> str:
    """Explain a visit in a sentence.

    For example `visit 5, move 2: 2, window (3, ∞), CUT by move 1: a value of at most 2 cannot
    interest MAX, who has 3 already; 2 moves left out`.
    """
    if visit.note:
        return f"{_name(visit)}: {format_long(value_for_max(visit))}, {visit.note}"
    window = f"window {window_text(visit, short=False)}"
    again = f" (visited {_times(visit.research)} before)" if visit.research else ""
    if visit.stopped:
        return f"{_name(visit)}{again}: {window}, stopped: {_stop_reason(visit)}"
    if visit.open:
        return f"{_name(visit)}{again}: {window}, not ended: the search was stopped before"
    value = _leaf_value(visit) if visit.leaf else format_long(value_for_max(visit))
    head = f"{_name(visit)}{again}: {value}, {window}"
    if visit.leaf:
        return f"{head}, a leaf: {_leaf_reason(visit)}"
    if visit.table_hit:
        return f"{head}, from the table: {format_bound(visit)} is all that this window needs"
    if visit.cut_by is not None:
        left = len(visit.unseen)
        last = ", its last" if visit.cut_by == visit.moves[-1] and not left else ""
        after = f"; {left} move{'' if left == 1 else 's'} left out" if left else ""
        return f"{head}, CUT by move {visit.cut_by}{last}: {_cut_reason(visit)}{after}"
    if visit.confirms:
        return f"{head}, all moves searched: {_confirmed(visit)}"
    return f"{head}, {visit.kind}: {_whole_reason(visit)}"


def explain_entry(visit: Visit) -> str:
    """Explain a visit at its entry, when only the window is known."""
    if visit.entry:
        return f"{_name(visit)}: {visit.entry}"
    if visit.null:
        return f"{_name(visit)}: {_question(visit)}"
    how = "searched again, from what the test has found," if visit.again else "entered"
    window = window_text(visit, short=False)
    return f"{_name(visit)}: {how} with window {window}, {NAMES[visit.side]} to move"


def explain_event(event: Event, visits: Sequence[Visit]) -> str:
    """Say what a worker of a parallel search does, except enter and leave nodes."""
    visit, worker = visits[event.visit], worker_name(event.worker)
    place = _place(visit)
    match event.kind:
        case "offer":
            return f"{worker} offers the moves that are left at {place} to the others"
        case "join":
            return f"{worker} joins {worker_name(visit.worker)} at {place}"
        case "quit" if event.cut is not None:
            return f"{worker} quits {place}: {_cut_at(event.cut, visit)}"
        case "quit":
            return f"{worker} quits {place}: no move is left to start"
        case "cut":
            return f"{worker} cuts {place} by move {event.move}: the others stop below it"
        case "wait":
            return f"{worker} waits at {place}: others search its last moves"
        case "defer":
            return f"{worker} defers move {event.move} at {place}: another worker searches it"
    return explain_entry(visit) if event.kind == "enter" else explain(visit)


def worker_name(worker: int | None) -> str:
    """Name a worker by its number from 1."""
    return "" if worker is None else f"worker {worker + 1}"


def _cut_at(number: int, visit: Visit) -> str:
    return "it was cut" if number == visit.number else f"a cut at visit {number} makes it useless"


def _stop_reason(visit: Visit) -> str:
    if visit.stopped_by is None:
        return "another worker has found the result"
    return _cut_at(visit.stopped_by, visit)


def _name(visit: Visit) -> str:
    """Name the visit, its worker and the move that led there."""
    return ", ".join(filter(None, [worker_name(visit.worker), _place(visit)]))


def _place(visit: Visit) -> str:
    how = "" if visit.probability is None else f" ({probability_text(visit.probability)})"
    return f"visit {visit.number}, {f'move {visit.move}{how}' if visit.path else 'the root'}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _question(visit: Visit) -> str:
    """Return the question that a null window asks."""
    low, high = window_for_max(visit)
    if len(format_value(low)) < len(format_value(high)):
        return f"is it more than {format_long(low)}?"
    return f"is it at least {format_long(high)}?"


def _answer(visit: Visit) -> str:
    return "yes" if value_for_max(visit) >= window_for_max(visit)[1] else "no"


def _leaf_value(visit: Visit) -> str:
    """Format the value of a leaf, and what a fail-hard search returns instead."""
    if not visit.moved:
        return format_long(value_for_max(visit))
    return f"{format_long(leaf_value_for_max(visit))}, returns {format_long(value_for_max(visit))}"


def _outside(visit: Visit) -> str:
    """Say why a value outside the window does not matter.

    A side has as good a move already, or a test has shown that there is one further up.
    """
    value, (low, high) = value_for_max(visit), window_for_max(visit)
    below = value <= low
    name, has = ("MAX", low) if below else ("MIN", high)
    if visit.alpha_tested if below == (visit.side == MAX) else visit.beta_tested:
        if value == has:
            return f"is the {format_long(has)} that the test has found, no better for {name}"
        return f"is no better for {name} than the {format_long(has)} that the test has found"
    return f"cannot interest {name}, who has {format_long(has)} already"


def _confirmed(visit: Visit) -> str:
    """Say what a second search shows that has found the same value as the test."""
    value = format_long(value_for_max(visit))
    bound = "least" if value_for_max(visit) <= window_for_max(visit)[0] else "most"
    return f"the test showed at {bound} {value}, this search confirms that it is exactly {value}"


def _leaf_reason(visit: Visit) -> str:
    if visit.confirms:
        value = format_long(value_for_max(visit))
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
        # A table has narrowed the window since the visit started.
        return "what the table knows settles the rest"
    if visit.null:
        return f"{_question(visit)} {_answer(visit)}, {format_bound(visit)}"
    return f"a value of {format_bound(visit)} {_outside(visit)}"


def _whole_reason(visit: Visit) -> str:
    best = "greatest" if visit.side == MAX else "least"
    if visit.kind == "PV":
        return f"the {best} value of all moves"
    if visit.null:
        proof = f"{format_bound(visit)}, which took all moves to show"
        return f"{_question(visit)} {_answer(visit)}, {proof}"
    return f"a value of {format_bound(visit)}, the {best} of all moves, {_outside(visit)}"
