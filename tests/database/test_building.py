"""Databases have the values of perfect play."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from plyforge.core.scores import SCORE_LIMIT, WIN
from plyforge.database.builder import SliceBuilder
from plyforge.database.building import build_database
from plyforge.database.slices import find_slices, position_at
from plyforge.database.verification import verify_slices
from plyforge.games import load
from plyforge.jobs.serial import SerialExecutor
from tests.jobs.executors import EXECUTORS
from tests.reference.databases import reference_values


def positions_of(database):
    """Yield the positions of all slices with their values."""
    for file in database.files.values():
        for place in range(file.header.size):
            position = position_at(database.game, file.header.slice.number(place))
            if position is not None:
                yield position, database.probe(position).value


def compare_with_reference(database):
    pairs = list(positions_of(database))
    form_of = database.game.position_type.to_hashable
    expected = reference_values(database.game, [position for position, _ in pairs])
    for position, value in pairs:
        assert value == expected[form_of(position)], database.game.text(position)
    return pairs


@pytest.mark.parametrize("method", ["auto", "passes"])
def test_king_against_king_has_the_published_results(make_database, method):
    database = make_database("checkers", "K-K", method=method)
    (header,) = [f.header for f in database.files.values() if f.header.name == "K-K"]
    assert (header.positions, header.wins, header.draws, header.losses) == (992, 230, 654, 108)
    assert header.longest == 11
    assert header.leaves_out
    # An immediate jump is the last one: the win takes one ply.
    jumps = [v for p, v in positions_of(database) if database.game.call_hook("in_check", p)]
    assert len(jumps) == 72
    assert all(value == WIN - 1 for value in jumps)


@pytest.mark.parametrize(
    ("game", "slices"),
    [
        ("checkers", ("K-K",)),
        ("giveaway", ("K-K",)),
        ("kalah:2,2", ("0-6",)),
        ("connect4:3x3", ("0-4",)),
    ],
)
def test_values_equal_those_of_the_slow_twin(make_database, game, slices):
    pairs = compare_with_reference(make_database(game, *slices))
    assert len(pairs) > 100


def test_both_methods_give_the_same_files(make_database):
    by_moves, in_passes = (make_database("giveaway", "K-K", method=m) for m in ("auto", "passes"))
    assert contents(by_moves.folder) == contents(in_passes.folder)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_game_for_points_needs_passes(make_database, tmp_path):
    game = load("kalah:2,2", "python")
    built = build_database(game, "kalah:2,2", ["0-3"], tmp_path, SerialExecutor())
    assert {one.method for one in built if one.header.code > 2} == {"passes"}
    game = load("giveaway", "python")
    built = build_database(game, "giveaway", ["K-0"], tmp_path / "giveaway", SerialExecutor())
    assert {one.method for one in built} == {"retrograde"}
    database = make_database("kalah:2,2", "0-4")
    start = database.game.initial()._replace(mine=0b0000001_0000010, theirs=0b0000001_0000000)
    better = start._replace(store=5, their_store=2)
    assert database.probe(better).value == database.probe(start).value + 3
    assert abs(database.probe(start).value) < SCORE_LIMIT


def test_verification_finds_a_wrong_value(make_database):
    database = make_database("checkers", "K-K")
    assert all(check.right for check in verify_slices(database))
    file = next(f for f in database.files.values() if f.header.name == "K-K")
    builder = SliceBuilder(database.game)
    values = file.values()
    built = builder.build(file.header.slice, _finished(database, file.header))
    assert (
        builder.verify(file.header.slice, built.values, _finished(database, file.header)).wrong == 0
    )
    wrong = built.values.copy()
    place = int(np.flatnonzero(wrong == 0)[5])
    wrong[place] = 16_000 - 3
    result = builder.verify(file.header.slice, wrong, _finished(database, file.header))
    assert result.wrong >= 1
    assert len(values) == len(wrong)


def _finished(database, header):
    from plyforge.database.building import load_finished

    return {code: load_finished(database.files[code]) for code in header.needed}


def test_the_memory_limit_chooses_the_method():
    game = load("checkers", "python")
    (target,) = find_slices(game, "K-0")
    builder = SliceBuilder(game)
    assert builder.build(target, {}, memory=10_000).method == "retrograde"
    assert builder.build(target, {}, memory=500).method == "passes"
    with pytest.raises(Exception, match=r"needs at least 1 MiB of memory, and 0 MiB are allowed"):
        builder.build(target, {}, memory=100)


def test_finished_slices_are_not_built_again(tmp_path):
    game = load("checkers", "python")
    build_database(game, "checkers", ["K-0"], tmp_path, SerialExecutor())
    path = tmp_path / "K-0.slice"
    before = path.stat().st_mtime_ns
    (tmp_path / ".K-K.slice.1234").write_bytes(b"half a file of a process that was killed")
    built = build_database(game, "checkers", ["K-0", "M-0"], tmp_path, SerialExecutor())
    assert {one.header.name: bool(one.method) for one in built} == {"K-0": False, "M-0": True}
    assert path.stat().st_mtime_ns == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["K-0.slice", "M-0.slice"]


@pytest.mark.long
def test_checkers_of_three_pieces_has_the_known_counts(make_database):
    database = make_database("checkers", "2-3", backend="compiled")
    headers = [file.header for file in database.files.values()]
    by_pieces = {
        count: sum(h.positions for h in headers if len(h.name.replace("0", "")) == count + 1)
        for count in (2, 3)
    }
    assert by_pieces == {2: 6972, 3: 261_224}
    two = [h for h in headers if len(h.name.replace("0", "")) == 3]
    assert [sum(getattr(h, n) for h in two) for n in ("wins", "losses", "draws")] == [
        *(2458, 2144, 2370),
    ]
    assert all(check.right for check in verify_slices(database))


@pytest.mark.long
def test_give_away_checkers_of_two_pieces_has_no_draws(make_database):
    database = make_database("giveaway", "2", backend="compiled")
    two = [f.header for f in database.files.values() if len(f.header.name.replace("0", "")) == 3]
    assert [sum(getattr(h, n) for h in two) for n in ("positions", "wins", "losses", "draws")] == [
        *(6972, 3424, 3548, 0),
    ]


@pytest.mark.long
def test_chess_has_the_known_longest_mates(make_database):
    database = make_database("chess", "KQK", "KRK", "KPK", backend="compiled")
    longest = {file.header.name: file.header.longest for file in database.files.values()}
    moves = {name: (longest[name] + 1) // 2 for name in ("KQK", "KRK", "KPK")}
    assert moves == {"KQK": 10, "KRK": 16, "KPK": 28}
    assert longest["KBK"] == longest["KNK"] == 0


@pytest.mark.parametrize("name", ["processes", "ray"])
@pytest.mark.long
def test_every_executor_writes_the_same_files(make_database, tmp_path, name):
    expected = contents(make_database("kalah:2,2", "0-6").folder)
    game = load("kalah:2,2", "python")
    build_database(game, "kalah:2,2", ["0-6"], tmp_path, EXECUTORS[name].make(2))
    assert contents(tmp_path) == expected


@pytest.mark.long
def test_a_build_that_was_killed_resumes(make_database, tmp_path):
    expected = contents(make_database("kalah:2,2", "0-6").folder)
    words = ["database", "build", "kalah:2,2", "0-6", "--folder", str(tmp_path)]
    command = [sys.executable, "-m", "plyforge", *words, "--backend", "python", "--jobs", "2"]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL) as process:
        while len(list(tmp_path.glob("*.slice"))) < 2 and process.poll() is None:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.slice")}
    assert 2 <= len(kept) < len(expected)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert contents(tmp_path) == expected
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in kept.items())
