"""Damaged and foreign files are refused by name."""

import shutil

import pytest

from plyforge.database.building import build_database
from plyforge.database.files import DatabaseError, read_slice
from plyforge.database.folder import Database
from plyforge.games import load
from plyforge.jobs.serial import SerialExecutor


@pytest.fixture
def copied(make_database, tmp_path):
    """A copy of a database whose files a test may change."""
    database = make_database("checkers", "K-K")
    folder = tmp_path / "database"
    shutil.copytree(database.folder, folder)
    return database.game, folder


def change(path, place, value=None):
    data = bytearray(path.read_bytes())
    data[place] = data[place] ^ 1 if value is None else value
    path.write_bytes(data)


def test_a_changed_block_is_refused(copied):
    game, folder = copied
    change(folder / "K-K.slice", -3)
    with pytest.raises(DatabaseError, match=r"K-K\.slice is damaged: block 0 of 1 has a wrong"):
        Database.open(folder, game)


def test_a_changed_header_is_refused(copied):
    game, folder = copied
    change(folder / "K-K.slice", 60)
    with pytest.raises(DatabaseError, match=r"K-K\.slice is damaged: its header"):
        Database.open(folder, game)


@pytest.mark.parametrize("size", [0, 10, 200, -1, -30])
def test_a_truncated_file_is_refused(copied, size):
    game, folder = copied
    path = folder / "K-K.slice"
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(DatabaseError, match=r"K-K\.slice is"):
        Database.open(folder, game)


def test_another_kind_of_file_is_refused(copied):
    game, folder = copied
    (folder / "K-K.slice").write_text("nothing of that kind")
    with pytest.raises(DatabaseError, match=r"K-K\.slice is not a file of"):
        Database.open(folder, game)


def test_a_database_of_other_rules_is_refused(copied):
    _, folder = copied
    with pytest.raises(DatabaseError, match="is of checkers, not of giveaway"):
        Database.open(folder, load("giveaway", "python"))
    other = load("giveaway", "python")
    with pytest.raises(DatabaseError, match="has a database of other rules"):
        build_database(other, "giveaway", ["K-0"], folder, SerialExecutor())


def test_another_variant_is_refused(make_database):
    database = make_database("kalah:2,2", "0-4")
    with pytest.raises(DatabaseError, match="built with other rules or another variant"):
        Database.open(database.folder, load("kalah:3,2", "python"))


def test_a_folder_without_a_database_is_refused(tmp_path):
    game = load("checkers", "python")
    with pytest.raises(DatabaseError, match="has no database; build one with"):
        Database.open(tmp_path, game)
    with pytest.raises(DatabaseError, match="is not a folder"):
        Database.open(tmp_path / "missing", game)


def test_no_room_on_the_disk_is_reported(monkeypatch, tmp_path):
    monkeypatch.setattr("shutil.disk_usage", lambda folder: shutil._ntuple_diskusage(1000, 1000, 0))
    game = load("checkers", "python")
    with pytest.raises(DatabaseError, match="no room in"):
        build_database(game, "checkers", ["K-0"], tmp_path, SerialExecutor())
    assert list(tmp_path.iterdir()) == []


def test_what_is_read_is_what_was_written(copied):
    game, folder = copied
    file = read_slice(folder / "K-K.slice", game)
    assert file.header.positions == 992
    assert len(file.values()) == file.header.size
