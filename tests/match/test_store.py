"""The store of matches: reading, writing, errors and claims."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs import database
from plyforge.match.openings import Opening
from plyforge.match.referee import GameResult
from plyforge.match.schedule import Pairing
from plyforge.match.store import Store, StoredGame

PLAYED = GameResult((1, 2**62, 3), 0.5, "by ✓ rule", "path", True, -1.5, (0.25, 1.0), (10, 2**40))


def game(number: int, played: GameResult = PLAYED) -> StoredGame:
    return StoredGame(Pairing(number, number // 2, number % 2, 1 - number % 2), played)


def fill(file: Path, games: int) -> list[StoredGame]:
    found = [game(number) for number in range(games)]
    with Store(file) as store:
        match = store.match("a", {"game": "x"})
        for one in found:
            store.add(match, one.pairing, one.result)
    return found


def stored_games(file: Path) -> list[StoredGame]:
    with Store(file) as store:
        return store.games(store.match("a", {}))


def is_intact(file: Path) -> bool:
    connection = sqlite3.connect(file)
    try:
        return connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        connection.close()


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "games.db"


def test_stored_games_are_read_in_the_order_of_their_numbers(file):
    other = GameResult((), 1.0, "", "forfeit", False, None, (0.0, 0.0), (0, 0))
    with Store(file) as store:
        match = store.match("a", {})
        for number in (2, 0, 1):
            store.add(match, game(number).pairing, other if number == 1 else PLAYED)
    assert stored_games(file) == [game(0), game(1, other), game(2)]


def test_matches_of_one_file_are_separate(file):
    with Store(file) as store:
        one, other = store.match("a", {"seed": 1}), store.match("b", {"seed": 2})
        assert store.match("a", {"seed": 1}) == one != other
        store.add(one, game(0).pairing, PLAYED)
        store.add(other, game(0).pairing, PLAYED)
        store.add(other, game(1).pairing, PLAYED)
        assert (len(store.games(one)), len(store.games(other))) == (1, 2)
        assert [match.plan for match in store.list_matches()] == [{"seed": 2}, {"seed": 1}]


def test_stored_openings_are_read(file):
    found = [Opening((1, 2)), Opening((), "x y"), Opening((2**62,), "z")]
    with Store(file) as store:
        match = store.match("a", {})
        for number, opening in enumerate(found):
            store.add_opening(match, number, opening)
        store.add_opening(match, 0, Opening((9,)))
    with Store(file) as store:
        assert store.openings(store.match("a", {})) == found


def test_no_game_is_stored_twice(file):
    fill(file, 2)
    with Store(file) as store, pytest.raises(PlyforgeError, match="UNIQUE"):
        store.add(1, game(1).pairing, PLAYED)
    assert len(stored_games(file)) == 2


@pytest.mark.parametrize("content", [b"no database at all, but a long text\n" * 200, b"\0" * 5000])
def test_a_file_that_is_not_a_database_is_not_changed(file, content):
    file.write_bytes(content)
    with pytest.raises(PlyforgeError, match=r"games\.db: file is not a database"):
        Store(file)
    assert file.read_bytes() == content


def test_another_kind_of_database_is_named(file):
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE game (name TEXT)")
    connection.close()
    with Store(file) as store, pytest.raises(PlyforgeError, match=r"games\.db: "):
        store.add(store.match("a", {}), game(0).pairing, PLAYED)


def test_a_path_that_cannot_be_opened_is_named(tmp_path):
    for path in (tmp_path, tmp_path / "none" / "games.db"):
        with pytest.raises(PlyforgeError, match="unable to open database file"):
            Store(path)


def make_files_read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open every file read-only from now on; file permissions do not restrict root."""
    connect = sqlite3.connect

    def only_read(name: str, **more: object) -> sqlite3.Connection:
        return connect(f"file:{name}?mode=ro", uri=True, **more)

    monkeypatch.setattr(sqlite3, "connect", only_read)


def test_a_read_only_file_is_reported_and_kept(file, monkeypatch):
    found = fill(file, 3)
    with monkeypatch.context() as patch:
        make_files_read_only(patch)
        # What is there can be looked at, but no game added.
        with (
            pytest.raises(PlyforgeError, match="attempt to write a readonly database"),
            Store(file) as store,
        ):
            store.add(store.match("b", {}), game(9).pairing, PLAYED)
        with pytest.raises(PlyforgeError, match="unable to open database file"):
            Store(file.with_name("new.db"))
    assert stored_games(file) == found


def test_a_lock_that_cannot_be_made_is_not_taken_for_another_process(file, monkeypatch):
    with Store(file) as store, monkeypatch.context() as patch:
        make_files_read_only(patch)
        with pytest.raises(PlyforgeError, match="unable to open database file"):
            store.claim()


def test_a_locked_database_is_reported_and_loses_nothing(file, monkeypatch):
    monkeypatch.setattr(database, "_WRITE_TIMEOUT", 0.05)
    found = fill(file, 3)
    with Store(file) as store:
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(PlyforgeError, match="database is locked; stored games are kept"):
            store.add(1, game(3).pairing, PLAYED)
        assert store.games(1) == found
        other.execute("ROLLBACK")
        other.close()
        store.add(1, game(3).pairing, PLAYED)
    assert stored_games(file) == [*found, game(3)]


def test_a_full_disk_is_reported_and_loses_nothing(file):
    found = fill(file, 3)
    long = GameResult(tuple(range(10_000)), 1.0, "long", "rules", False, None, (0.0, 0.0), (0, 0))
    with Store(file) as store:
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(
            PlyforgeError, match="database or disk is full; free some space; stored games are"
        ):
            store.add(1, game(3).pairing, long)
        assert store.games(1) == found
        store.connection.execute(f"PRAGMA max_page_count = {pages + 100}")
        store.add(1, game(3).pairing, long)
    assert stored_games(file) == [*found, game(3, long)]
    assert is_intact(file)


# Claims


def test_two_processes_cannot_play_matches_of_one_file(file):
    with Store(file) as one, Store(file) as other:
        one.claim()
        one.claim()
        for _ in range(2):
            with pytest.raises(PlyforgeError, match="another process is playing a match"):
                other.claim()
        assert other.list_matches() == []
    with Store(file) as later:
        later.claim()


def test_claims_of_different_files_are_independent(file):
    with Store(file) as one, Store(file.with_name("other.db")) as other:
        one.claim()
        other.claim()


HOLD = """
import sys
from plyforge.match.store import Store
store = Store(sys.argv[1])
store.claim()
store.connection.execute("INSERT INTO match (identity, plan, created) VALUES ('b', '{}', '')")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_claim_ends_with_its_process_even_when_that_is_killed(file):
    found = fill(file, 2)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout.readline() == b"held\n"
        with Store(file) as store, pytest.raises(PlyforgeError, match="another process"):
            store.claim()
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with Store(file) as store:
        store.claim()
        # What it had not committed is not there.
        assert [match.plan for match in store.list_matches()] == [{"game": "x"}]
        assert store.games(1) == found
    assert is_intact(file)


# Reading


def test_reading_does_not_change_the_file(file):
    found = fill(file, 3)
    before = file.read_bytes(), sorted(file.parent.iterdir())
    with Store.open_read_only(file) as store:
        assert store.games(1) == found
        with pytest.raises(PlyforgeError, match="readonly"):
            store.add(1, game(9).pairing, PLAYED)
    assert (file.read_bytes(), sorted(file.parent.iterdir())) == before


def test_a_reader_sees_stored_games_at_once(file):
    fill(file, 1)
    with Store(file) as writer:
        writer.add(1, game(1).pairing, PLAYED)
        with Store.open_read_only(file) as store:
            assert len(store.games(1)) == 2


@pytest.mark.parametrize("name", ["none.db", "no/folder.db", "x" * 5000, "."])
def test_reading_does_not_create_a_missing_file(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlyforgeError, match="'plyforge match GAME A B' creates it"):
        Store.open_read_only(name)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_or_foreign_file_is_refused(file):
    file.touch()
    with pytest.raises(PlyforgeError, match="holds no matches"):
        Store.open_read_only(file)
    assert file.read_bytes() == b""


def test_games_and_matches_are_read_in_parts(file):
    found = fill(file, 5)
    with Store(file) as store:
        store.match("b", {"game": "y"})
    with Store.open_read_only(file) as store:
        assert store.games(1, begin=1, limit=2) == found[1:3]
        assert [one.result.moves for one in store.games(1, moves=False)] == [()] * 5
        assert store.count() == 2
        newest, oldest = store.list_matches()
        assert (newest.games, oldest.games, oldest.plan) == (0, 5, {"game": "x"})
        assert store.list_matches(1, 1) == [oldest] == [store.find_match(1)]
        assert store.game(1, 3)[0] == found[3]
        for wrong in (lambda: store.find_match(7), lambda: store.game(1, 7)):
            with pytest.raises(PlyforgeError, match="has no"):
                wrong()
