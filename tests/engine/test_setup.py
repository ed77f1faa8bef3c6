"""Setups: another process with only the bytes repeats a search."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.engine.engine import Engine
from plyforge.engine.setup import SearchSetup
from plyforge.evaluate import with_evaluation
from plyforge.evaluate.saving import evaluation_of, save_evaluation
from plyforge.game.forms import Evaluation, Weights
from plyforge.search.packing import PackedDataError
from plyforge.search.request import SearchReply, SearchRequest
from tests.search.test_request import random_history

EXAMPLES = Path(__file__).parents[2] / "examples"
CHILD = """
import sys
from pathlib import Path
from plyforge.engine.setup import SearchSetup
from plyforge.search.request import SearchRequest, requested_setup

folder = Path(sys.argv[1])
for file in sorted(folder.glob("*.request")):
    data = file.read_bytes()
    setup = SearchSetup.unpack((folder / requested_setup(data).hex()).read_bytes())
    searcher = setup.make_searcher()
    reply = searcher.answer(SearchRequest.unpack(data, searcher.game, setup.digest()))
    file.with_suffix(".reply").write_bytes(reply.pack())
"""
GAME = '''
"""Countdown: take one to three; `total` is a float and `taken` an array."""
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from limits import MOST

class Position(NamedTuple):
    left: int
    total: float
    taken: NDArray[np.int64]

def initial(left=9):
    return Position(left, 0.5, np.zeros(2, np.int64))

def moves(position):
    for number in range(1, min(MOST, position.left) + 1):
        yield number

def play(position, move):
    taken = position.taken.copy()
    taken[position.left % 2] += move
    return Position(position.left - move, position.total + move / 3, taken)

EVALUATION_RANGE = (-50, 50)

def evaluate(position):
    return float(position.taken[0] - position.taken[1]) + position.total
'''
EVALUATION = """
EVALUATION_RANGE = (-9, 9)

def evaluate(position):
    return float(position.left % 4)
"""


def half_evaluation() -> Evaluation:
    """Othello's evaluation with half of the weights."""
    own = evaluation_of(plyforge.load("othello"))
    return replace(own, weights=Weights(own.weights.numbers // 2, own.weights.scales))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A user's folder: a game, a module that it imports, an evaluation, weights and a step."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "countdown.py").write_text(GAME)
    (home / "limits.py").write_text("MOST = 3\n")
    (home / "remainder.py").write_text(EVALUATION)
    shutil.copy(EXAMPLES / "steps" / "static_cut.py", home)
    save_evaluation(home / "half.npz", plyforge.load("othello"), half_evaluation(), positions=())
    return home


def make_engine(game: str, **options: Any) -> Engine:
    return Engine(plyforge.load(game, "python"), backend="python", entries=512, **options)


def exchanges(folder: Path) -> list[tuple[Engine, SearchRequest]]:
    """Searches of games with repetition, a limit without progress, floats, arrays and files."""
    checkers = make_engine("checkers", settings={"replace": "two-level"})
    kings = checkers.game.history(checkers.game.parse("W:WK1,K2:BK31"))
    kings.play_text("1-6 31-27 6-1 27-31 1-6 31-27 6-1")
    chess = make_engine("chess", driver="alphabeta", off=["all"], on=["history", "cycles"])
    rooks = chess.game.history(chess.game.parse("8/8/8/3k4/8/8/4R3/4K3 w - - 98 90"))
    tree = make_engine("tree:cyclic,seed=5", driver="minimax")
    hexagons = make_engine("hex:3")
    mine = make_engine(
        f"{folder / 'countdown.py'}:12",
        evaluation=str(folder / "remainder.py"),
        steps=[str(folder / "static_cut.py")],
        settings={"static-cut-margin": 0.5},
    )
    own = make_engine(str(folder / "countdown.py"), preset="play")
    weights = make_engine("othello:4", evaluation=str(folder / "half.npz"))
    return [
        (checkers, checkers.request(kings, -10, 10, 3)),
        (chess, chess.request(rooks, depth=2)),
        (tree, tree.request(None, depth=4)),
        (hexagons, hexagons.request(random_history(hexagons.game, 2, 1), depth=3)),
        (
            hexagons,
            hexagons.request(None, -1, 1, 2, hexagons.game.moves(hexagons.game.initial())[3:5]),
        ),
        (mine, mine.request(random_history(mine.game, 1, 1), depth=5)),
        (own, own.request(None, depth=4)),
        (weights, weights.request(None, depth=3)),
    ]


def test_a_fresh_process_with_only_the_bytes_repeats_the_searches(tmp_path, folder) -> None:
    box, expected = tmp_path / "box", []
    box.mkdir()
    for number, (engine, request) in enumerate(exchanges(folder)):
        setup = engine.setup()
        (box / setup.digest().hex()).write_bytes(setup.pack())
        (box / f"{number}.request").write_bytes(request.pack(engine.game, setup.digest()))
        engine.clear()
        expected.append(engine.searcher.answer(request))
    shutil.rmtree(folder)
    subprocess.run([sys.executable, "-c", CHILD, str(box)], check=True, cwd=box)
    replies = [
        SearchReply.unpack((box / f"{number}.reply").read_bytes())
        for number in range(len(expected))
    ]
    assert replies == expected
    assert all(reply.counts.nodes > 0 and reply.result.move is not None for reply in replies)
    assert replies[5].counts.static_cuts > 0, "the user's step acted"


def test_the_path_matters_for_the_searches_above(folder: Path) -> None:
    """Without it, the other process would find something else."""
    for engine, request in exchanges(folder)[:2]:
        bare = msgspec.structs.replace(request.root, path=(), reversible_plies=0)
        other = msgspec.structs.replace(request, root=bare)
        replies = []
        for one in (request, other):
            engine.clear()
            replies.append(engine.searcher.answer(one))
        assert replies[0] != replies[1]


@pytest.mark.parametrize("name", plyforge.names())
def test_a_setup_of_every_game_survives_packing(name: str) -> None:
    setup = make_engine(name, on=["etc", "wins"], settings={"order": ["wins", "table"]}).setup()
    found = SearchSetup.unpack(setup.pack())
    assert found == setup
    assert found.digest() == setup.digest()
    assert found.load_game().position_type.fields == plyforge.load(name).position_type.fields


def test_a_setup_with_files_survives_packing(folder: Path) -> None:
    engine = make_engine(f"{folder}/countdown.py", steps=[f"{folder}/static_cut.py"])
    setup = engine.setup()
    assert SearchSetup.unpack(setup.pack()) == setup
    assert [file.path for file in setup.files] == [
        f"{folder}/countdown.py",
        f"{folder}/static_cut.py",
    ]
    assert [module.name for module in setup.files[0].modules] == ["limits"]


def test_options_are_the_same_after_packing() -> None:
    engine = make_engine("othello", driver="mtd-step", preset="koneru", off=["wins"])
    options = SearchSetup.unpack(engine.setup().pack()).load_options()
    assert options.switches == engine.options.switches
    assert {name: options.get(name) for name in options.parameters} == {
        name: engine.options.get(name) for name in options.parameters
    }


def test_the_digest_depends_on_everything(folder: Path) -> None:
    engines = [
        make_engine("kalah"),
        make_engine("kalah:4,3"),
        make_engine("kalah", off=["etc"]),
        make_engine("kalah", settings={"history-growth": "power"}),
        make_engine("kalah", evaluation="none"),
        make_engine("kalah", driver="minimax"),
        make_engine("kalah", steps=[str(folder / "static_cut.py")]),
        Engine("kalah", entries=512),
        Engine("kalah", entries=1024),
    ]
    assert len({engine.setup().digest() for engine in engines}) == len(engines)
    assert make_engine("kalah").setup().digest() == engines[0].setup().digest()


# What cannot be sent, and what is refused


def test_a_file_that_was_changed_after_loading_is_refused(folder: Path) -> None:
    engine = make_engine(str(folder / "countdown.py"))
    (folder / "limits.py").write_text("MOST = 2\n")
    with pytest.raises(PlyforgeError, match=r"countdown\.py.*load it again"):
        engine.setup()


def test_an_evaluation_that_is_a_python_object_is_refused() -> None:
    engine = make_engine("tictactoe", evaluation=lambda position: 0.0)
    with pytest.raises(PlyforgeError, match="cannot be sent"):
        engine.setup()


def test_a_game_whose_evaluation_was_replaced_elsewhere_is_refused() -> None:
    game = with_evaluation(plyforge.load("tictactoe", "python"), "none")
    with pytest.raises(PlyforgeError, match="cannot be repeated elsewhere"):
        Engine(game, backend="python").setup()


SETUP = make_engine("tictactoe").setup()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"program": "9.9"}, "of Plyforge 9.9, and this is"),
        ({"game": "chekers"}, "did you mean 'checkers'"),
        ({"evaluation": "none"}, "evaluation of tictactoe has the fingerprint"),
        ({"evaluation_fingerprint": "0"}, "evaluation of tictactoe has the fingerprint"),
        ({"switches": ("etcc",)}, "unknown switch 'etcc'"),
        ({"settings": {"depth-rules": "equal"}}, "unknown parameter 'depth-rules'"),
        ({"settings": {"depth-step": 99}}, "depth-step must be between 1 and 8"),
        ({"steps": ("none.py",)}, "no file none.py"),
        ({"entries": 1}, "entries must be at least 256"),
    ],
)
def test_a_setup_that_does_not_fit_is_refused(fields: dict[str, Any], message: str) -> None:
    wrong = SearchSetup.unpack(msgspec.structs.replace(SETUP, **fields).pack())
    with pytest.raises(PlyforgeError, match=message):
        wrong.make_searcher()


@pytest.mark.parametrize(
    "fields", [{"backend": "gpu"}, {"entries": 0}, {"files": (1,)}, {"settings": {"order": None}}]
)
def test_fields_of_a_wrong_type_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(PackedDataError, match=f"{next(iter(fields))}.*: "):
        SearchSetup.unpack(msgspec.structs.replace(SETUP, **fields).pack())


def test_a_setup_cut_off_anywhere_is_refused() -> None:
    data = SETUP.pack()
    for length in range(len(data)):
        with pytest.raises(PackedDataError):
            SearchSetup.unpack(data[:length])
