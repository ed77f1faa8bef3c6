"""Searches take values from a database: exact, with distances, and without loops."""

import shutil

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import WIN
from plyforge.database.files import database_files
from plyforge.database.slices import position_at
from plyforge.engine import Engine
from plyforge.engine.database_check import check_samples
from plyforge.jobs.user_files import read_available, use_files
from plyforge.lab.variations import Variation
from plyforge.learn.recording import RecordingPlan
from plyforge.match.players.description import Description


def sample(database, count):
    """Return positions of a slice, spread evenly, in which the game is not over."""
    file = next(f for f in database.files.values() if f.header.name == "K-K")
    step = file.header.size // count
    found = [position_at(database.game, file.header.slice.number(p * step)) for p in range(count)]
    return [one for one in found if one is not None and not database.game.verdict(one).over]


@pytest.mark.parametrize("preset", ["exact", "play"])
def test_a_search_of_one_ply_has_the_exact_value(make_database, preset):
    database = make_database("checkers", "K-K")
    engine = Engine(database.game, preset=preset, database=database.folder)
    for position in sample(database, 40):
        result = engine.search(position, depth=1)
        assert result.value == database.probe(position).value
        assert result.proven


def test_all_switches_off_still_use_the_database(make_database):
    database = make_database("checkers", "K-K")
    engine = Engine(database.game, off=["all"], database=database.folder)
    position = sample(database, 40)[3]
    assert engine.search(position, depth=1).value == database.probe(position).value


def test_the_kernel_reads_what_python_reads(make_database):
    database = make_database("connect4:3x3", "0-4")
    engine = Engine(database.game, database=database.folder)
    for file in database.files.values():
        for place in range(0, file.header.size, 1 + file.header.size // 20):
            position = position_at(database.game, file.header.slice.number(place))
            if position is None or database.game.verdict(position).over:
                continue
            assert engine.search(position, depth=1).value == database.probe(position).value


def test_final_scores_count_what_is_secured(make_database):
    database = make_database("kalah:2,2", "0-4")
    engine = Engine(database.game, database=database.folder)
    position = database.game.parse("1,1/3 1,0/2 S")
    assert engine.search(position, depth=1).value == database.probe(position).value


def test_a_won_ending_is_won_in_the_shortest_way(make_database):
    database = make_database("checkers", "K-K")
    game = database.game
    engine = Engine(game, database=database.folder)
    won = max(
        (p for p in sample(database, 496) if database.probe(p).outcome == "win"),
        key=lambda p: database.probe(p).distance,
    )
    distance = database.probe(won).distance
    history = game.history(won)
    while not history.verdict().over:
        history.play(engine.analyse(history, depth=1).move)
    assert len(history.moves) == distance
    assert history.verdict().name == "loss"


def test_samples_agree_with_searches_without_the_database(make_database):
    database = make_database("checkers", "K-K")
    samples = list(check_samples(database, 12, 4, seed=1))
    assert samples
    assert all(one.right for one in samples)


def test_a_contradiction_is_found(make_database):
    from plyforge.engine.database_check import Sample

    assert not Sample("", "", WIN - 3, 0.0, False, 5).right
    assert Sample("", "", WIN - 7, 0.0, False, 5).right
    assert not Sample("", "", 0.0, WIN - 3, False, 5).right
    assert not Sample("", "", 1.0, 2.0, True, 5).right


def test_a_job_that_carries_a_database_needs_no_folder(make_database, tmp_path):
    database = make_database("checkers", "K-K")
    folder = tmp_path / "database"
    shutil.copytree(database.folder, folder)
    carried = read_available(database_files(str(folder)))
    shutil.rmtree(folder)
    position = sample(database, 40)[3]
    with use_files(carried):
        engine = Engine(database.game, database=folder)
        assert engine.search(position, depth=1).value == database.probe(position).value
    with pytest.raises(PlyforgeError, match="is not a folder"):
        Engine(database.game, database=folder).search(position, depth=1)


def test_players_searches_and_recordings_name_the_files_of_their_database(make_database):
    database = make_database("checkers", "K-K")
    folder = str(database.folder)
    files = [str(database.folder / name) for name in ("K-0.slice", "K-K.slice")]
    assert Description.parse(f"engine:depth=4,database={folder}").files() == files
    assert Variation("with", settings={"database": folder}).files() == files
    assert [one.name for one in RecordingPlan("checkers", database=folder).files()] == files
    setup = Engine(database.game, database=folder).setup()
    assert [one.name for one in setup.files] == files
