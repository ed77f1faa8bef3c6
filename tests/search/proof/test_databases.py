"""Proof search with a database gives the results of perfect play, with fewer nodes."""

import pytest

from plyforge.database.building import build_database
from plyforge.database.folder import Database
from plyforge.database.slices import position_at
from plyforge.engine.proof_solve import solve_by_proof
from plyforge.games import load
from plyforge.jobs.serial import SerialExecutor

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """King against man, and what it leads to, with and without distances."""
    game = load("checkers", "python")
    found = []
    for distances in (True, False):
        folder = tmp_path_factory.mktemp("database")
        build_database(game, "checkers", ["K-M"], folder, SerialExecutor(), distances=distances)
        found.append(folder)
    return game, found


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("method", ["df-pn", "proof-number"])
def test_results_are_those_of_the_database(folders, tmp_path, kind, method):
    game, found = folders
    full = Database.open(found[0], game)
    for path in found[kind].iterdir():
        if path.stem != "K-M":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    (file,) = [f for f in full.files.values() if f.header.name == "K-M"]
    solved = 0
    for place in range(5, file.header.size, 211):
        position = position_at(game, file.header.slice.number(place))
        if position is None or game.verdict(position).over:
            continue
        history = game.history(position)
        options = {"entries": 1 << 12, "nodes": 300, "database": str(tmp_path)}
        solution = solve_by_proof(game, history, method, **options)
        if solution.solved:
            solved += 1
            assert solution.outcome == full.probe(position).outcome
            assert solution.value in (-1, 0, 1)
    assert solved > 5


def test_a_database_saves_nodes(folders):
    game, (folder, _) = folders
    history = game.history(game.parse("B:WK32:B10"))
    options = {"entries": 1 << 12, "nodes": 2000}
    plain = solve_by_proof(game, history, **options)
    quick = solve_by_proof(game, history, database=str(folder), **options)
    assert quick.solved
    assert quick.nodes < 10 < plain.nodes
