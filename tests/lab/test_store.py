"""Files of measurements: errors are reported, and the content is kept."""

import sqlite3
from collections import deque

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.lab.data import Measurement
from plyforge.lab.store import LabStore
from plyforge.match.store import Store

ONE = Measurement(0, "base", 1, 0, {"count": 1, "share": 0.1, "seconds": 1e-7})


def test_a_measurement_is_read_as_it_was_written(toy, store):
    number = store.run(toy, 0)
    store.add(number, ONE)
    assert store.measurements(number) == [ONE]
    assert store.count(number) == 1


def test_a_measurement_is_stored_at_once(toy, store):
    store.add(store.run(toy, 0), ONE)
    with LabStore(store.file) as other:
        assert other.measurements(other.runs()[0]) == [ONE]


def test_a_measurement_is_never_stored_twice(toy, store):
    number = store.run(toy, 0)
    store.add(number, ONE)
    with pytest.raises(PlyforgeError, match="UNIQUE"):
        store.add(number, ONE)
    assert store.count(number) == 1


def test_a_run_is_found_by_its_number(toy, store):
    assert store.find_run(store.run(toy, 0).id).experiment == "toy"
    with pytest.raises(PlyforgeError, match=r"lab\.db has no run 7; it has 1"):
        store.find_run(7)


def test_runs_of_other_experiments_are_left_out(toy, store):
    store.run(toy, 0)
    assert store.runs("other") == []
    assert len(store.runs("toy")) == len(store.runs()) == 1


@pytest.mark.parametrize("kind", [LabStore, Store])
def test_a_file_that_is_not_a_database_is_refused_and_unchanged(tmp_path, kind):
    file = tmp_path / "notes.txt"
    file.write_text("not a database, but a text of some length\n" * 40)
    with pytest.raises(PlyforgeError, match=r"notes\.txt: file is not a database; give another"):
        kind(file)
    assert file.read_text().startswith("not a database")


@pytest.mark.parametrize("kind", [LabStore, Store])
def test_a_folder_is_refused(tmp_path, kind):
    with pytest.raises(PlyforgeError, match="unable to open database file; give another file"):
        kind(tmp_path)
    with pytest.raises(PlyforgeError, match="unable to open database file; give another file"):
        kind(tmp_path / "no folder" / "lab.db")


def test_a_locked_file_is_reported_after_a_timeout(toy, store, monkeypatch):
    number = store.run(toy, 0)
    store.connection.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(store.file)
    try:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(PlyforgeError, match=r"database is locked; stored results are kept"):
            store.add(number, ONE)
    finally:
        other.close()
    store.add(number, ONE)
    assert store.count(number) == 1


def test_a_full_disk_keeps_what_is_stored(toy, store):
    number = store.run(toy, 0)
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count = {pages}")
    many = (Measurement(case, "base", 1, 0, {"count": 1}) for case in range(1000))
    with pytest.raises(PlyforgeError, match=r"is full; free some space; stored results are kept"):
        deque((store.add(number, one) for one in many), 0)
    stored = store.count(number)
    assert 0 < stored < 1000
    assert next(many).case == stored + 1


def test_a_read_only_file_can_be_read(toy, store, complete_run):
    made = complete_run(toy, positions=1)
    store.connection.execute("PRAGMA query_only = 1")
    assert store.measurements(store.runs()[0]) == made
    with pytest.raises(PlyforgeError, match="attempt to write a readonly database"):
        store.add(store.runs()[0], ONE)


@pytest.mark.parametrize("kind", [LabStore, Store])
def test_a_lock_that_cannot_be_taken_is_reported(tmp_path, kind):
    with kind(tmp_path / "x.db") as store:
        (tmp_path / "x.db.lock").mkdir()
        with pytest.raises(PlyforgeError, match="unable to open database file"):
            store.claim()


@pytest.mark.parametrize(
    ("kind", "message"),
    [(LabStore, "another process is working"), (Store, "another process is playing a match")],
)
def test_a_claimed_file_is_refused_until_it_is_closed(tmp_path, kind, message):
    with kind(tmp_path / "x.db") as one, kind(tmp_path / "x.db") as other:
        one.claim()
        one.claim()
        with pytest.raises(PlyforgeError, match=message):
            other.claim()
        one.close()
        other.claim()


def test_matches_and_measurements_may_share_a_file(toy, tmp_path):
    with Store(tmp_path / "x.db") as matches:
        matches.match("identity", {})
    with LabStore(tmp_path / "x.db") as lab:
        lab.add(lab.run(toy, 0), ONE)
    with Store(tmp_path / "x.db") as matches:
        assert len(matches.list_matches()) == 1
