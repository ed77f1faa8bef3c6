"""Figures over several games, each at a depth of its own and with the same weight."""

from collections.abc import Callable, Mapping

from plyforge.lab.data import Data, Values
from plyforge.lab.statistics import Estimate

Pair = tuple[float, float]


def pooled_ratio(
    data: Data, depths: Mapping[str, int], name: str, baseline: str, metric: str
) -> Estimate | None:
    """Return the mean over games of the ratio of a metric to the baseline's.

    `depths` gives the depth of each group. The result is None if one of them was not measured.
    """
    return pooled_pairs(
        data, depths, (name, baseline), lambda mine, base: (mine[metric], base[metric]), (metric,)
    )


def pooled_pairs(
    data: Data,
    depths: Mapping[str, int],
    names: tuple[str, str],
    pair: Callable[[Values, Values], Pair],
    metrics: tuple[str, ...] = (),
) -> Estimate | None:
    """Return the mean over games of the ratio of two figures of the measurements of a position.

    `pair` gets its measurements in two configurations. In each game, both figures are divided by
    the game's mean of the second, so that games with large counts do not weigh more.
    """
    pairs: dict[int, Pair] = {}
    for group, depth in depths.items():
        part = data.part(group)
        rows = {
            case: pair(part.row(names[0], depth, case), part.row(names[1], depth, case))
            for case in part.cases(depth, names, metrics)
        }
        below = sum(pair[1] for pair in rows.values())
        if not below:
            return None
        mean = below / len(rows)
        pairs |= {case: (top / mean, bottom / mean) for case, (top, bottom) in rows.items()}
    return data.ratio_of(pairs) if pairs else None


def pooled_share(
    data: Data,
    depths: Mapping[str, int],
    names: tuple[str, str],
    holds: Callable[[Values, Values], bool],
) -> Estimate | None:
    """Return the percentage of positions at which something holds for two configurations."""
    held: dict[int, bool] = {}
    for group, depth in depths.items():
        part = data.part(group)
        cases = part.cases(depth, names)
        if not cases:
            return None
        for case in cases:
            held[case] = holds(part.row(names[0], depth, case), part.row(names[1], depth, case))
    found = data.share_of(held)
    return None if found is None else found.rescale(100)


def saving(ratio: Estimate | None) -> Estimate | None:
    """Return how much less than 1 a ratio is, in percent."""
    return None if ratio is None else ratio.rescale(-100, 100)


def percent(share: Estimate | None) -> Estimate | None:
    """Return a share in percent."""
    return None if share is None else share.rescale(100)
