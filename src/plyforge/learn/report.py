"""Tables of runs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from plyforge.learn.inputs import Reals
from plyforge.learn.store import Round
from plyforge.match.tables import Table

_SHOWN_ROUNDS: Final = 20
"""Rows of the table of rounds: of more, some are left out."""


def last_score(rounds: Sequence[Round]) -> float | None:
    """Return the share of points in the last test against the start, None if there was none."""
    scores = [one.score for one in rounds if one.score is not None]
    return scores[-1] if scores else None


def last_held_out(rounds: Sequence[Round]) -> float | None:
    """Return the last loss in held-out games; None if there was none."""
    found = [one.held_out_loss for one in rounds if one.held_out_loss is not None]
    return found[-1] if found else None


def rounds_table(rounds: Sequence[Round], title: str = "") -> Table:
    """Return the figures of rounds as a table, with the tests against the start."""
    shown = [one for one in rounds if one.score is not None or one.note] or list(rounds)
    if rounds[-1] not in shown:
        shown.append(rounds[-1])
    step = -(-len(shown) // _SHOWN_ROUNDS)
    rows = [
        (
            f"{one.games:,}",
            "" if one.loss is None else f"{one.loss:.5g}",
            "" if one.held_out_loss is None else f"{one.held_out_loss:.5g}",
            "" if one.score is None else f"{one.score:.1%} of {one.score_games}",
            one.note,
        )
        for one in shown[::-1][::step][::-1]
    ]
    headings = ("games", "loss", "held-out loss", "against the start", "note")
    used = [n for n in range(len(headings)) if n < 2 or any(row[n] for row in rows)]
    return Table(
        tuple(headings[n] for n in used), tuple(tuple(row[n] for n in used) for row in rows), title
    )


def errors_table(errors: Sequence[Mapping[str, Any]]) -> Table:
    """Return the mean errors by stage as a table."""
    rows = [
        (
            str(one["stage"]),
            f"{one['positions']:,}",
            f"{one['error']:.2f}" if one["positions"] else "",
            f"{one['held_out_positions']:,}",
            "" if one["held_out_error"] is None else f"{one['held_out_error']:.2f}",
        )
        for one in errors
    ]
    headings = ("stage", "positions", "mean error", "held out", "mean error held out")
    return Table(headings, tuple(rows))


def weights_table(
    title: str, names: Sequence[str], first: Reals, last: Reals, games: tuple[int, int]
) -> Table:
    """Return weights after two numbers of games, and how much they changed."""
    if games[0] == games[1]:
        values = tuple((name, f"{value:.4g}") for name, value in zip(names, last, strict=True))
        return Table(("weight", f"after {games[1]:,} games"), values, title)
    rows = tuple(
        (name, f"{before:.4g}", f"{after:.4g}", f"{after - before:+.3g}")
        for name, before, after in zip(names, first, last, strict=True)
    )
    after = tuple(f"after {number:,} games" for number in games)
    return Table(("weight", *after, "change"), rows, title)


def settings_tables(plans: Sequence[tuple[str, Mapping[str, Any]]]) -> tuple[Table, Table]:
    """Return the settings of runs: those that differ, and those that are the same."""
    settings = [dict(_settings(plan)) for _, plan in plans]
    names = list(dict.fromkeys(name for one in settings for name in one))
    rows = [(name, *(one.get(name, "") for one in settings)) for name in names]
    differ = tuple(row for row in rows if len(set(row[1:])) > 1)
    same = tuple(row[:2] for row in rows if len(set(row[1:])) == 1)
    labels = tuple(label for label, _ in plans)
    title = "Settings that are the same" if len(plans) > 1 else "Settings"
    return (
        Table(("setting", *labels), differ, "Settings that differ"),
        Table(("setting", "value"), same, title),
    )


def _settings(plan: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the settings of a plan as text, in plain words; those that are empty are left out."""
    for key, value in plan.items():
        if isinstance(value, Mapping):
            yield from _settings(value, f"{prefix}file " if key == "files" else prefix)
        elif value not in ("", None):
            yield f"{prefix}{key.replace('_', ' ')}", _setting_text(value)


def _setting_text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
