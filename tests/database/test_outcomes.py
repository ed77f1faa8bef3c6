"""Databases without distances: the same outcomes, probed exactly, and won by finding a way."""

import shutil

import numpy as np
import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import SCORE_LIMIT, outcome_name, plies_to_end
from plyforge.database.building import build_database
from plyforge.database.files import DatabaseError, read_slice
from plyforge.database.folder import Database
from plyforge.database.slices import position_at
from plyforge.database.verification import verify_slices
from plyforge.engine import Engine
from plyforge.engine.solve import solve
from plyforge.games import load
from plyforge.jobs.serial import SerialExecutor
from plyforge.search.values import is_open


@pytest.fixture(scope="module")
def both(make_database):
    """The same slices with and without distances."""
    return [make_database("giveaway", "K-K", distances=flag) for flag in (True, False)]


def positions_of(database, step=1):
    """Yield the positions of all slices in which the game is not over."""
    for file in database.files.values():
        for place in range(0, file.header.size, step):
            position = position_at(database.game, file.header.slice.number(place))
            if position is not None and not database.game.verdict(position).over:
                yield position


def test_outcomes_are_those_of_the_files_with_distances(both):
    exact, small = both
    assert {path.suffix for path in small.folder.iterdir()} == {".wdl"}
    for position in positions_of(exact):
        known, expected = small.probe(position), exact.probe(position)
        assert known.outcome == expected.outcome
        assert known.distance is None
    for code, file in small.files.items():
        full = exact.files[code].header
        counts = [(h.positions, h.wins, h.draws, h.losses) for h in (file.header, full)]
        assert counts[0] == counts[1]


@pytest.mark.parametrize("preset", ["exact", "play"])
def test_a_search_of_one_ply_has_the_right_outcome(both, preset):
    exact, small = both
    engine = Engine(small.game, preset=preset, database=small.folder)
    for position in positions_of(exact, 7):
        result = engine.search(position, depth=1)
        assert outcome_name(result.value) == exact.probe(position).outcome


@pytest.mark.long
def test_a_root_outside_the_slices_has_wins_without_distance(make_database, tmp_path):
    exact = make_database("checkers", "K-M")
    small = make_database("checkers", "K-K", distances=False)
    for path in small.folder.glob("K-[0K].wdl"):
        shutil.copy(path, tmp_path)
    engine = Engine(exact.game, database=tmp_path)
    (file,) = [f for f in exact.files.values() if f.header.name == "K-M"]
    seen = set()
    for place in range(0, file.header.size, 41):
        position = position_at(exact.game, file.header.slice.number(place))
        if position is None or exact.game.verdict(position).over:
            continue
        value = engine.search(position, depth=3).value
        if abs(value) > SCORE_LIMIT:
            assert outcome_name(value) == exact.probe(position).outcome
            assert plies_to_end(value) in (None, exact.probe(position).distance)
            seen.add(plies_to_end(value) is None)
    assert True in seen


def test_a_won_ending_is_won_without_distances(both):
    exact, small = both
    game = small.game
    won = max(
        (p for p in positions_of(exact) if exact.probe(p).outcome == "win"),
        key=lambda p: exact.probe(p).distance,
    )
    engine = Engine(game, database=small.folder)
    history = game.history(won)
    while not history.verdict().over:
        history.play(engine.analyse(history, depth=6).move)
    assert history.verdict().name == ("loss" if len(history.moves) % 2 else "win")


def test_a_win_whose_way_is_not_seen_is_open(both):
    exact, small = both
    engine = Engine(small.game, database=small.folder)
    far = [p for p in positions_of(exact) if (exact.probe(p).distance or 0) > 6]
    results = [engine.analyse(p, depth=2) for p in far[:20]]
    assert results
    for position, result in zip(far, results, strict=False):
        assert is_open(result.score)
        assert outcome_name(result.score) == exact.probe(position).outcome
        assert result.depth == 2
        assert result.proved
        assert result.moves_to_end is None


def test_solving_a_position_of_the_database_takes_one_ply(both):
    exact, small = both
    engine = Engine(small.game, database=small.folder)
    for position in list(positions_of(exact, 11))[:20]:
        solution = solve(engine, position)
        assert solution.outcome == exact.probe(position).outcome
        assert solution.result.depth == 1


def test_verification_builds_again(both):
    _, small = both
    assert all(check.right for check in verify_slices(small))


def test_verification_finds_a_wrong_outcome(both):
    _, small = both
    file = next(f for f in small.files.values() if f.header.name == "K-K")
    values = np.sign(file.values())
    values[::50] = -values[::50]

    class Wrong:
        path, header, compressed = file.path, file.header, file.compressed

        def values(self):
            return values

    changed = Database(small.folder, small.game, small.files | {file.header.code: Wrong()})
    check = next(c for c in verify_slices(changed, ["K-K"]))
    assert check.wrong > 0


@pytest.mark.long
def test_both_kinds_work_in_one_folder(tmp_path):
    game = load("giveaway", "python")
    build_database(game, "giveaway", ["K-0"], tmp_path, SerialExecutor())
    built = build_database(game, "giveaway", ["K-K"], tmp_path, SerialExecutor(), distances=False)
    assert {one.header.name: one.header.distances for one in built}["K-K"] is False
    assert sorted(path.name for path in tmp_path.iterdir()) == ["K-0.slice", "K-K.wdl"]
    # A slice with distances needs others with distances.
    build_database(game, "giveaway", ["K-K"], tmp_path, SerialExecutor())
    database = Database.open(tmp_path, game)
    assert all(file.header.distances for file in database.files.values())


def test_a_game_for_points_is_refused(tmp_path):
    game = load("kalah:2,2", "python")
    with pytest.raises(PlyforgeError, match="is played for points, and slice"):
        build_database(game, "kalah:2,2", ["0-4"], tmp_path, SerialExecutor(), distances=False)


def test_a_file_without_distances_is_smaller(make_database):
    sizes = [
        (make_database("checkers", "K-K", distances=flag).folder / name).stat().st_size
        for flag, name in ((True, "K-K.slice"), (False, "K-K.wdl"))
    ]
    assert sizes[1] < 0.5 * sizes[0]


@pytest.mark.parametrize("place", [-3, 60, -200])
def test_a_changed_file_is_refused(make_database, tmp_path, place):
    database = make_database("checkers", "K-K", distances=False)
    path = tmp_path / "K-K.wdl"
    shutil.copy(database.folder / "K-K.wdl", path)
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)
    with pytest.raises(DatabaseError, match=r"K-K\.wdl is damaged"):
        read_slice(path, database.game)
