"""The C++ twins play by our rules: a rival with other rules would prove nothing."""

from pathlib import Path

import pytest

from benchmarks.cpp_twin import CHECKERS, NATIVE, OTHELLO, PORTABLE, Twin, build, compiler, count
from tests.reference.othello import Game as SlowOthello
from tests.reference.othello import perft as slow_perft

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(compiler() is None, reason="no C++ compiler"),
]

# OEIS A133046: different capture routes of the same pieces are counted separately.
CHECKERS_START = (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564)
# Kings on both sides; then a circular capture that exists in both directions.
KINGS = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
CIRCLE = "W:WK3:B7,8,15,16,23,24"

# Aart Bik: a pass is a ply, and a finished game is one leaf at every later depth.
OTHELLO_START = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284)
# Black can only pass, and games end from ply 7 on; then a game that is over.
PASSES = "OOOOOOOX-X-XX-X-XXXXXXXX-XOOOXXXOXXOXOXXOXOXOOXXOOXOOOOXOOOOOOXX O"
OVER = "X" * 63 + "- O"


@pytest.fixture(scope="module", params=[NATIVE, PORTABLE], ids=" ".join)
def checkers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_twin(CHECKERS, request, tmp_path_factory)


@pytest.fixture(scope="module", params=[NATIVE, PORTABLE], ids=" ".join)
def othello(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_twin(OTHELLO, request, tmp_path_factory)


def build_twin(
    twin: Twin, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The compiled twin, in each of the builds that the benchmark uses."""
    return build(twin, tmp_path_factory.mktemp("twin"), request.param)


def node_counts(program: Path, depths: int, position: str | None) -> tuple[int, ...]:
    return tuple(count(program, depth, position).nodes for depth in range(1, depths + 1))


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (None, CHECKERS_START),
        (KINGS, (5, 38, 178, 1378, 5836)),
        (CIRCLE, (6, 32, 88, 388, 997)),
    ],
    ids=["start", "kings", "circle"],
)
def test_counts_of_checkers_are_the_published_ones(
    checkers: Path, fen: str | None, expected: tuple[int, ...]
) -> None:
    assert node_counts(checkers, len(expected), fen) == expected


def test_a_fen_with_its_sides_swapped_in_order_is_the_same_position(checkers: Path) -> None:
    swapped = "B:B12,16,20,K22,K25,K29:W18,24,27,28,K10,K15"
    assert count(checkers, 4, swapped).nodes == count(checkers, 4, KINGS).nodes


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        (None, OTHELLO_START),
        (PASSES, (5, 5, 19, 19, 49, 49, 74, 74, 74)),
        (OVER, (1, 1, 1)),
    ],
    ids=["start", "passes", "over"],
)
def test_counts_of_othello_are_the_known_ones(
    othello: Path, board: str | None, expected: tuple[int, ...]
) -> None:
    assert node_counts(othello, len(expected), board) == expected


@pytest.mark.parametrize("board", [PASSES, OVER], ids=["passes", "over"])
def test_counts_of_endings_agree_with_the_slow_twin(othello: Path, board: str) -> None:
    cells, side = board.split()
    slow = SlowOthello(8, [list(cells[8 * row : 8 * row + 8]) for row in range(8)], side)
    assert node_counts(othello, 9, board) == tuple(
        slow_perft(slow, depth) for depth in range(1, 10)
    )
