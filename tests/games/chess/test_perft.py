"""Known move counts of chess, compiled."""

import pytest

import plyforge
from tests.games.chess.perft import PERFT

QUICK = 5_000_000
game = plyforge.load("chess")
cases = [
    (fen, depth, count) for fen, counts in PERFT for depth, count in enumerate(counts, start=1)
]


@pytest.mark.parametrize(("fen", "depth", "count"), [case for case in cases if case[2] <= QUICK])
def test_the_count_is_the_published_one(fen: str, depth: int, count: int) -> None:
    assert game.perft(game.parse(fen), depth) == count


@pytest.mark.long
@pytest.mark.parametrize(("fen", "depth", "count"), [case for case in cases if case[2] > QUICK])
def test_the_deep_count_is_the_published_one(fen: str, depth: int, count: int) -> None:
    assert game.perft(game.parse(fen), depth) == count


def test_perft_counts_on_after_a_draw_by_insufficient_material() -> None:
    """Perft ignores draws by rule, as other programs do."""
    kings = game.parse("8/8/4k3/8/8/4K3/8/8 w - - 0 1")
    assert game.verdict(kings).name == "draw"
    assert game.perft(kings, 1) == 8
