"""Figures over several games weigh each game the same."""

import pytest

from plyforge.lab.data import Data, Measurement
from plyforge.lab.experiments._pooled import percent, pooled_ratio, pooled_share, saving

DEPTHS = {"small": 2, "large": 3}


def make_data(without: int = -1) -> Data:
    """Return two positions of each of two games; the search takes 0.5 and 0.9 of the baseline."""
    rows = []
    for case in range(4):
        large = case % 2
        base, factor = (10_000.0, 0.9) if large else (10.0, 0.5)
        for name, nodes in (("base", base), ("search", factor * base)):
            if case % 2 != without:
                rows.append(Measurement(case, name, 3 if large else 2, 0, {"nodes": nodes}))
    return Data(rows, ("base", "search"), tuple(DEPTHS))


def test_a_game_with_large_counts_does_not_weigh_more() -> None:
    ratio = pooled_ratio(make_data(), DEPTHS, "search", "base", "nodes")
    assert ratio is not None
    assert ratio.value == pytest.approx((0.5 + 0.9) / 2)
    assert ratio.games == 4
    saved = saving(ratio)
    assert saved is not None
    assert saved.value == pytest.approx(30)


def test_the_share_is_that_of_positions() -> None:
    share = pooled_share(
        make_data(),
        DEPTHS,
        ("search", "base"),
        lambda mine, base: mine["nodes"] < 0.6 * base["nodes"],
    )
    assert share is not None
    assert share.value == 50


@pytest.mark.parametrize("missing", [0, 1])
def test_a_game_that_is_missing_leaves_the_figure_open(missing: int) -> None:
    data = make_data(without=missing)
    assert pooled_ratio(data, DEPTHS, "search", "base", "nodes") is None
    assert pooled_share(data, DEPTHS, ("search", "base"), lambda mine, base: True) is None
    assert percent(None) is saving(None) is None
