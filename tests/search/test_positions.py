"""Tactics of the preset `play` in chess: mates, stalemates, zugzwangs, and the values of windows.

The positions are in files of EPD in `positions`; they also work with `plyforge suite`:

* `mates.epd`: `bm` are all moves that mate in `dm` moves, the shortest mate.  The positions come
  from games in which moves were drawn at random or chosen by a shallow search.
* `stalemates.epd`: `am` are moves that throw away a win because of a stalemate, `bm` is the only
  move that saves a draw by one.  Most positions were drawn at random around a king in a corner.
* `zugzwangs.epd`: `bm` are moves that reach the best result, or fastest; it depends on zugzwang.
  Some positions were constructed, others are well-known.  `acd` is the depth of the test.

All were checked with Stockfish, the mates with the preset `exact` as well.
"""

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import chess
import pytest

from plyforge.core.scores import SCORE_LIMIT, WIN
from plyforge.engine import Engine
from plyforge.games.chess import EVALUATION_RANGE
from plyforge.records.epd import EpdRecord, read_epd
from plyforge.search.parameters import MAX_PLIES

pytestmark = pytest.mark.special_kernel  # the one that UCI uses

FOLDER = Path(__file__).parent / "positions"
MARGIN = 8
"""Plies that a mate may be found later than by a search without selective steps.  Most are found
within 4; reverse futility and null moves delay quiet mates of a side that is far ahead."""
STALEMATE_DEPTH = 8
WINDOW_DEPTH = 5
PAWN_UP = 600
"""More than the evaluation of an extra pawn that has not been promoted."""
NODES = [1, 50, 1000, 4321]
MARKS = {
    "mate in 4, a06": (pytest.mark.long,),
    "knights and rooks": (
        pytest.mark.long,
        pytest.mark.xfail(reason="solved at depth 8 without null-move, not by depth 16 with it"),
    ),
    "Lasker and Reichhelm 1901": (
        pytest.mark.long,
        pytest.mark.xfail(reason="corresponding squares: 0 at depth 40, as repetitions are stored"),
    ),
    "queen sacrifice": (
        pytest.mark.long,
        pytest.mark.xfail(reason="too deep, also without null-move"),
    ),
}


def records(name: str) -> list[EpdRecord]:
    return read_epd((FOLDER / name).read_text())


def cases(name: str) -> list[Any]:
    return [
        pytest.param(record, id=record.name, marks=MARKS.get(record.name, ()))
        for record in records(name)
    ]


MATES, STALEMATES, ZUGZWANGS = (
    cases(name) for name in ("mates.epd", "stalemates.epd", "zugzwangs.epd")
)


@pytest.fixture(scope="module")
def shared() -> Engine:
    return Engine("chess", preset="play", hash=8)


@pytest.fixture
def engine(shared: Engine) -> Engine:
    """The engine with an empty table."""
    shared.clear()
    return shared


def board_of(record: EpdRecord) -> chess.Board:
    return chess.Board.from_epd(record.position)[0]


def moves_of(record: EpdRecord, operation: str) -> set[chess.Move]:
    board = board_of(record)
    return {board.parse_san(san) for san in record.operations.get(operation, [])}


def mate_plies(record: EpdRecord) -> int:
    """Return the number of plies to the shortest mate."""
    return 2 * int(record.operations["dm"][0]) - 1


def is_win(score: float) -> bool:
    return score > SCORE_LIMIT


def is_legal_value(value: float) -> bool:
    """Whether a search may return a value: an evaluation, or a win or loss within the limit."""
    low, high = EVALUATION_RANGE
    return low <= value <= high or WIN - MAX_PLIES <= abs(value) <= WIN


def solves(record: EpdRecord, move: chess.Move) -> bool:
    best = moves_of(record, "bm")
    return move not in moves_of(record, "am") and (not best or move in best)


@pytest.mark.parametrize("record", MATES)
def test_a_mate_is_found_with_its_distance(engine: Engine, record: EpdRecord) -> None:
    plies = mate_plies(record)
    result = engine.analyse(record.position, depth=plies + MARGIN)
    assert result.score == WIN - plies
    assert chess.Move.from_uci(engine.text(result)) in moves_of(record, "bm")


@pytest.mark.parametrize("record", MATES)
def test_no_iteration_claims_a_shorter_mate(engine: Engine, record: EpdRecord) -> None:
    plies = mate_plies(record)
    for info in engine.infos(record.position, depth=plies + 1):
        assert info.score <= WIN - plies
        assert not is_win(-info.score)


@pytest.mark.parametrize("record", [*MATES, *STALEMATES])
def test_the_line_of_a_mate_ends_with_it(engine: Engine, record: EpdRecord) -> None:
    """A line may be incomplete, but it does not end differently, nor later."""
    for info in engine.infos(record.position, depth=6):
        board = board_of(record)
        for text in engine.line_texts(info.root or engine.root(record.position), info.pv):
            board.push_uci(text)
        claimed = WIN - abs(info.score)
        if claimed <= MAX_PLIES:
            assert len(info.pv) <= claimed
            assert board.is_checkmate() == (len(info.pv) == claimed)
        else:
            assert not board.is_checkmate()


@pytest.mark.parametrize("record", STALEMATES)
def test_stalemate_is_avoided_when_ahead_and_found_when_behind(
    engine: Engine, record: EpdRecord
) -> None:
    result = engine.analyse(record.position, depth=STALEMATE_DEPTH)
    assert solves(record, chess.Move.from_uci(engine.text(result)))
    assert (result.score > 0) == ("am" in record.operations)


@pytest.mark.parametrize("record", ZUGZWANGS)
def test_zugzwang_is_understood(engine: Engine, record: EpdRecord) -> None:
    result = engine.analyse(record.position, depth=int(record.operations["acd"][0]))
    assert solves(record, chess.Move.from_uci(engine.text(result)))


@pytest.mark.parametrize(
    "position", ["8/8/6K1/4p3/4P3/2k5/8/8 w - -", "8/4k3/8/4K3/8/4P3/8/8 w - -"]
)
def test_a_draw_by_repetition_does_not_hide_a_win(engine: Engine, position: str) -> None:
    """Stored as proven, such a draw would answer later searches at any depth, on any path."""
    assert engine.analyse(position, depth=24).score > PAWN_UP


@pytest.mark.parametrize("record", MATES[::4] + STALEMATES[::3] + ZUGZWANGS[:9:3])
def test_the_value_of_any_window_is_a_legal_one(engine: Engine, record: EpdRecord) -> None:
    """Selective steps depend on the window, so values of two windows may contradict each other.

    But each is a value or a bound that the rules allow: finite, and a win or loss only if one can
    be forced as fast as it says.
    """
    limit = WIN - mate_plies(record) if "dm" in record.operations else WIN
    centre = engine.search(record.position, depth=WINDOW_DEPTH).value
    assert is_legal_value(centre)
    edges = sorted({-WIN, -500.0, -1.0, 0.0, 1.0, 500.0, centre - 1, centre, centre + 1, WIN})
    for low, high in pairwise(edges):
        engine.clear()
        result = engine.search(record.position, low, high, WINDOW_DEPTH)
        assert is_legal_value(result.value), (low, high)
        if result.value > low:  # exact, or a lower bound: the position is worth at least so much
            assert result.value <= limit, (low, high)
        if "dm" in record.operations and result.value < high:
            assert not is_win(-result.value), (low, high)


@pytest.mark.parametrize("record", MATES[::10] + STALEMATES[::6])
def test_a_search_is_repeatable(engine: Engine, record: EpdRecord) -> None:
    first = engine.search(record.position, -math.inf, math.inf, WINDOW_DEPTH)
    engine.clear()
    assert engine.search(record.position, -math.inf, math.inf, WINDOW_DEPTH) == first


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("record", ZUGZWANGS[9:11])
def test_a_limit_of_nodes_is_exact(engine: Engine, record: EpdRecord, nodes: int) -> None:
    result = engine.analyse(record.position, depth=60, nodes=nodes)
    assert result.nodes == nodes
    assert engine.text(result) in {move.uci() for move in board_of(record).legal_moves}
