"""The C++ twin plays English checkers: a rival with other rules would prove nothing."""

from pathlib import Path

import pytest

from benchmarks.cpp_twin import NATIVE, PORTABLE, build, compiler, count

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(compiler() is None, reason="no C++ compiler"),
]

# OEIS A133046: different capture routes of the same pieces are counted separately.
START = (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564)
# Kings on both sides; then a circular capture that exists in both directions.
KINGS = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
CIRCLE = "W:WK3:B7,8,15,16,23,24"


@pytest.fixture(scope="module", params=[NATIVE, PORTABLE], ids=" ".join)
def twin(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled twin, in each of the builds that the benchmark uses."""
    return build(tmp_path_factory.mktemp("twin"), request.param)


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (None, START),
        (KINGS, (5, 38, 178, 1378, 5836)),
        (CIRCLE, (6, 32, 88, 388, 997)),
    ],
    ids=["start", "kings", "circle"],
)
def test_node_counts_are_the_published_ones(
    twin: Path, fen: str | None, expected: tuple[int, ...]
) -> None:
    counted = tuple(count(twin, depth, fen).nodes for depth in range(1, len(expected) + 1))
    assert counted == expected


def test_a_fen_with_its_sides_swapped_in_order_is_the_same_position(twin: Path) -> None:
    swapped = "B:B12,16,20,K22,K25,K29:W18,24,27,28,K10,K15"
    assert count(twin, 4, swapped).nodes == count(twin, 4, KINGS).nodes
