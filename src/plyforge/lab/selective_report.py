"""Tables and charts of the experiments on selective steps."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from plyforge.lab.ablate import ratio_chart
from plyforge.lab.charts import Chart, Series
from plyforge.lab.data import Data, Values
from plyforge.lab.experiments._comparisons import figure_table, undecided
from plyforge.lab.experiments._pooled import percent
from plyforge.lab.statistics import Estimate
from plyforge.lab.variations import Variation
from plyforge.match.tables import Table

GROUP: Final = "group"
"""What a configuration is about; others are only there to be compared with."""
ALONE, PLAY = "alone", "play"
GROUPS: Final = {ALONE: "Each step alone", PLAY: "Each step taken out of play"}
BASELINE: Final = "baseline"
"""The configuration over which nodes and times of another one are given."""
REFERENCE: Final = "reference"
"""The configuration that prunes nothing, from which values and best moves may differ."""
COLUMNS: Final = ("nodes ×", "time ×", "mean error", "other best move (%)", "missed results (%)")
_METRICS: Final = {"nodes": "nodes", "time": "seconds"}


def value_error(data: Data, name: str, reference: str, depth: int) -> Estimate | None:
    """Return the mean absolute difference of root values, without forced results."""
    rows = _undecided_rows(data, name, reference, depth)
    # Many differences are 0, so a logarithmic scale is of no use.
    found = data.difference_of(
        {case: abs(mine["value"] - base["value"]) for case, (mine, base) in rows.items()}
    )
    return None if found is None else replace(found, low=max(found.low, 0.0))


def other_moves(data: Data, name: str, reference: str, depth: int) -> Estimate | None:
    """Return the percentage of positions with another best move, without forced results."""
    rows = _undecided_rows(data, name, reference, depth)
    return percent(
        data.share_of({case: mine["move"] != base["move"] for case, (mine, base) in rows.items()})
    )


def missed_results(data: Data, name: str, reference: str, depth: int) -> Estimate | None:
    """Return the percentage of the reference's forced results that a configuration misses."""
    return percent(
        data.share_of(
            {
                case: mine["value"] * base["value"] < 0 or undecided(mine)
                for case, (mine, base) in _rows(data, name, reference, depth).items()
                if not undecided(base)
            }
        )
    )


def _undecided_rows(
    data: Data, name: str, reference: str, depth: int
) -> dict[int, tuple[Values, Values]]:
    rows = _rows(data, name, reference, depth)
    return {case: pair for case, pair in rows.items() if all(map(undecided, pair))}


def _rows(data: Data, name: str, reference: str, depth: int) -> dict[int, tuple[Values, Values]]:
    """Return the figures of two configurations by position."""
    return {
        case: (data.row(name, depth, case), data.row(reference, depth, case))
        for case in data.cases(depth, (name, reference), ("value", "move"))
    }


def tables(data: Data, variations: Sequence[Variation]) -> list[Table]:
    """Compare each step alone with a search without it, and `play` with and without each step."""
    depth = data.max_depth(data.variations)
    if depth is None:
        return []
    counted = data.without_forced_wins()
    results = []
    for group, text in GROUPS.items():
        rows = {}
        for one in _in_group(variations, group):
            baseline, reference = one.extra[BASELINE], one.extra[REFERENCE]
            rows[f"{one.name} (over {baseline})" if one.name == group else one.name] = (
                counted.ratio(one.name, baseline, depth, "nodes"),
                counted.ratio(one.name, baseline, depth, "seconds"),
                value_error(data, one.name, reference, depth),
                other_moves(data, one.name, reference, depth),
                missed_results(data, one.name, reference, depth) or "none to find",
            )
        positions = f"depth {depth}, {len(data.cases(depth))} positions"
        left = f"{len(counted.cases(depth))} without a forced result"
        results.append(figure_table(f"{text}: {positions}, {left}", "", COLUMNS, rows))
    return results


def charts(data: Data, variations: Sequence[Variation]) -> list[Chart]:
    depth = data.max_depth(data.variations)
    if depth is None:
        return []
    counted = data.without_forced_wins()
    pictures = []
    for group, text in GROUPS.items():
        pairs = [(one.name, one.extra[BASELINE]) for one in _in_group(variations, group)]
        over = "over the search without it" if group == ALONE else "over play"
        pairs = [(name, baseline) for name, baseline in pairs if name != group]
        labels = (group, f"{text} (depth {depth})", over)
        pictures.append(ratio_chart(counted, depth, labels, pairs, _METRICS))
    chosen = [one for one in variations if one.extra]
    points = [
        (float(place), value_error(data, one.name, one.extra[REFERENCE], depth))
        for place, one in enumerate(chosen)
    ]
    title = f"Root value: difference from a search that prunes nothing (depth {depth})"
    names = tuple(one.name for one in chosen)
    errors = Series.of("mean absolute difference", points)
    pictures.append(Chart("errors", title, "", "units of the evaluation", (errors,), names))
    return pictures


def _in_group(variations: Sequence[Variation], group: str) -> list[Variation]:
    return [one for one in variations if one.extra.get(GROUP) == group]
