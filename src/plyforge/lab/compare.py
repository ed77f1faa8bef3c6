"""Compare the counts of two runs of one experiment."""

from collections.abc import Iterable

from plyforge.lab.data import TIMES, Measurement
from plyforge.lab.store import Run
from plyforge.match.tables import Table


def compare_runs(one: Iterable[Measurement], other: Iterable[Measurement]) -> Table:
    """Compare two runs by configuration and depth.

    A row has the number of common measurements, how many differ, and the metric that differs most.
    """
    first, second = ({m.key: m.values for m in run} for run in (one, other))
    groups: dict[tuple[str, int], list[tuple[dict[str, float], dict[str, float]]]] = {}
    for key in sorted(first.keys() & second.keys()):
        _, variation, depth, _ = key
        groups.setdefault((variation, depth), []).append((first[key], second[key]))
    rows = tuple(_row(name, depth, pairs) for (name, depth), pairs in sorted(groups.items()))
    headings = ("configuration", "depth", "in common", "different", "metric", "first", "second")
    return Table(headings, rows)


def explain_differences(one: Run, other: Run) -> list[str]:
    """Return reasons why the counts of two runs may differ."""
    reasons = []
    if one.about["seed"] != other.about["seed"]:
        reasons.append("the seeds differ: these are not the same positions")
    if one.about["digest"] != other.about["digest"]:
        reasons.append("the experiment was changed between the runs")
    if one.about["version"] != other.about["version"]:
        reasons.append(f"Plyforge {one.about['version']} and {other.about['version']}")
    return reasons


def _row(
    name: str, depth: int, pairs: list[tuple[dict[str, float], dict[str, float]]]
) -> tuple[str, ...]:
    both = (metric for pair in pairs for values in pair for metric in values)
    metrics = [metric for metric in dict.fromkeys(both) if metric not in TIMES]
    different = sum(any(a.get(m) != b.get(m) for m in metrics) for a, b in pairs)
    if not different:
        return (name, str(depth), str(len(pairs)), "0", "", "", "")
    sums = {m: tuple(sum(pair[i].get(m, 0.0) for pair in pairs) for i in (0, 1)) for m in metrics}
    most = max(metrics, key=lambda m: abs(sums[m][0] - sums[m][1]) / (abs(sums[m][0]) or 1.0))
    means = [f"{total / len(pairs):.6g}" for total in sums[most]]
    return (name, str(depth), str(len(pairs)), str(different), most, *means)
