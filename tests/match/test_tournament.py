"""Matches: reproducible games, faults, interrupts and resuming."""

import hashlib
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.local import local_executor
from plyforge.match import tournament as module
from plyforge.match.openings import OpeningSource, random_openings
from plyforge.match.plan import Plan, identify
from plyforge.match.players import Description, MoveLimits
from plyforge.match.ratings import Sprt
from plyforge.match.referee import GameResult, MatchRules
from plyforge.match.results import apply_sprt
from plyforge.match.schedule import Format
from plyforge.match.store import Store, StoredGame
from plyforge.match.tournament import Job, Tournament
from tests.match.scripts import script
from tests.processes import popen

PATIENCE = 120.0
"""Seconds after which a test fails; no machine is that slow."""
LONG = pytest.mark.long
SMALL = "entries=1024"
MIXED = ("random", f"engine:depth=2,{SMALL}", f"engine:level=2,{SMALL}")
SHORT = OpeningSource("random", 2)
PLAYED = GameResult((), 1.0, "", "rules", False, None, (0.0, 0.0), (0, 0))


def games_of(plan: Plan, file: Path, processes: int = 0) -> list[StoredGame]:
    """Play a match; return all its games without their seconds."""
    with Store(file) as store:
        tournament = Tournament(plan, store, local_executor(processes))
        tournament.prepare()
        for game in tournament.run():
            assert game in store.games(tournament.number), "it is yielded before it is stored"
        return untimed(store.games(tournament.number))


def untimed(games: list[StoredGame]) -> list[StoredGame]:
    return [replace(game, result=replace(game.result, seconds=(0.0, 0.0))) for game in games]


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "games.db"


# Reproducible games


@pytest.mark.parametrize("processes", [pytest.param(1, marks=LONG), 2, pytest.param(3, marks=LONG)])
def test_the_number_of_processes_changes_no_game(tmp_path, processes):
    plan = Plan("tictactoe", MIXED, games=6, openings=SHORT, seed=11)
    found = games_of(plan, tmp_path / "many.db", processes)
    assert found == games_of(plan, tmp_path / "one.db")
    assert [game.pairing for game in found] == list(plan.pairings())
    assert len(found) == plan.total == 18


def test_games_with_fixed_nodes_are_reproducible_also_if_players_are_closed(tmp_path, monkeypatch):
    players = tuple(f"engine:nodes={n},{SMALL}" for n in (20, 90, 400))
    plan = Plan("connect4:5x4", players, games=2, seed=3)
    found = games_of(plan, tmp_path / "some.db")
    monkeypatch.setattr(module, "_MAX_PLAYERS_KEPT", 2)
    module._players.clear()
    assert games_of(plan, tmp_path / "few.db") == found
    assert len(module._players) == 2


def test_a_player_is_not_closed_during_its_game(file, monkeypatch):
    monkeypatch.setattr(module, "_MAX_PLAYERS_KEPT", 2)
    monkeypatch.setattr(module, "_players", {})
    closed = []
    make = module.player

    def make_watched(game, text, limits):
        player = make(game, text, limits)
        player.close = lambda: closed.append(player)
        choose = player.choose

        def watched_choose(history, clock):
            assert player not in closed
            return choose(history, clock)

        player.choose = watched_choose
        return player

    with Store(file) as store:
        names = tuple(f"random:name={n}" for n in "abcd")
        tournament = Tournament(Plan("tictactoe", names, games=2), store, local_executor(0))
        tournament.prepare()
        monkeypatch.setattr(module, "player", make_watched)
        assert all(game.result.ending == "rules" for game in tournament.run())
    assert closed


def test_a_longer_match_keeps_the_games_of_the_shorter_one(file, tmp_path):
    short = Plan("tictactoe", MIXED[:2], games=4, openings=SHORT, seed=5)
    long = replace(short, games=10)
    first = games_of(short, file)
    # The seconds of a game that was played again would differ.
    with Store(file) as store:
        before = Tournament(short, store).games
    assert games_of(long, file)[:4] == first
    assert games_of(long, file) == games_of(long, tmp_path / "fresh.db")
    with Store(file) as store:
        assert Tournament(long, store).games[:4] == before
        # A shorter match takes its own games from a longer one that is stored.
        assert Tournament(short, store).games == before


def test_another_seed_is_another_match_in_the_same_file(file):
    plan = Plan("tictactoe", ("random", "random:name=other"), games=6, openings=SHORT)
    one, other = games_of(plan, file), games_of(replace(plan, seed=1), file)
    assert one != other
    assert games_of(plan, file) == one
    with Store(file) as store:
        assert [match.plan["seed"] for match in store.list_matches()] == [1, 0]


def identity(plan: Plan) -> str:
    return identify(plan.settings())


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"game": "connect4"},
        {"players": ("random", "random:name=b")},
        {"form": Format.GAUNTLET},
        {"openings": OpeningSource("random", 3)},
        {"limits": MoveLimits(depth=1)},
        {"rules": MatchRules(max_plies=7)},
    ],
)
def test_another_setting_makes_another_match(change):
    plan = Plan("tictactoe", ("random", "random:name=a"))
    assert identity(replace(plan, **change)) != identity(plan)


RULES = (
    "def initial(): return 0\n"
    "def moves(n): yield from range(1, 3) if n < 4 else ()\n"
    "def play(n, move): return n + move\n"
)


def files_plan(folder: Path, **change: object) -> Plan:
    """A match that uses a game file, a script, an evaluation file and an openings file."""
    (folder / "game.py").write_text(RULES, encoding="utf-8")
    (folder / "sum.py").write_text("def evaluate(n): return float(n)\n", encoding="utf-8")
    (folder / "lines.txt").write_text("1\n2\n", encoding="utf-8")
    players = (script(folder, "last"), f"engine:depth=1,evaluation={folder / 'sum.py'},{SMALL}")
    source = OpeningSource.parse(f"file:{folder / 'lines.txt'}")
    return Plan(str(folder / "game.py"), players, games=2, openings=source, **change)


@pytest.mark.parametrize("name", ["game.py", "last.py", "sum.py", "lines.txt"])
def test_a_file_with_another_text_makes_another_match(tmp_path, name):
    plan = files_plan(tmp_path)
    before = identity(plan)
    assert identity(plan) == before
    with (tmp_path / name).open("a", encoding="utf-8") as file:
        file.write("\n# changed\n")
    assert identity(plan) != before


def test_the_files_of_a_match_include_weights_and_their_form() -> None:
    text = "engine:depth=1,evaluation=form.py:weights.npz"
    players = (text, "engine:depth=1,evaluation=other.npz", "engine:depth=1,evaluation=none")
    files = [path for text in players for path in Description.parse(text).files()]
    assert files == ["form.py", "weights.npz", "other.npz"]


def test_a_changed_file_begins_a_new_match_and_keeps_the_old_games(tmp_path, file):
    plan = Plan("tictactoe", (script(tmp_path, "last"), "random"), games=2, openings=SHORT)
    games_of(plan, file)
    with Store(file) as store:
        assert Tournament(plan, store).earlier is None
    (tmp_path / "last.py").write_text(
        "def choose(history):\n    return history.legal_moves()[0]\n", encoding="utf-8"
    )
    with Store(file) as store:
        tournament = Tournament(plan, store)
        assert tournament.games == []
        assert "2 games of this match, played with another version of" in tournament.earlier
        assert "last.py" in tournament.earlier
    games_of(plan, file)
    with Store(file) as store:
        assert [match.games for match in store.list_matches()] == [2, 2]
        assert Tournament(plan, store).earlier is None


def test_a_match_stored_by_an_earlier_version_is_kept_and_not_resumed(file):
    plan = Plan("tictactoe", ("random", "random:name=b"), games=2, openings=SHORT)
    new = plan.settings()
    old = {name: new[name] for name in ("game", "players", "openings", "seed")}
    with Store(file) as store:
        store.add(store.match("old", old), next(plan.pairings()), PLAYED)
        tournament = Tournament(plan, store)
        assert tournament.games == []
        assert "1 game of this match, played with an earlier version" in tournament.earlier


def test_other_limits_are_another_match_without_a_remark(file):
    plan = Plan("tictactoe", ("random", "random:name=b"), games=2, openings=SHORT)
    games_of(plan, file)
    with Store(file) as store:
        assert Tournament(replace(plan, limits=MoveLimits(depth=1)), store).earlier is None


def test_a_missing_file_is_named(tmp_path):
    plan = files_plan(tmp_path)
    (tmp_path / "lines.txt").unlink()
    with pytest.raises(PlyforgeError, match=r"lines\.txt cannot be read"):
        plan.settings()


def test_the_number_of_games_and_the_test_make_the_same_match():
    plan = Plan("tictactoe", ("random", "random:name=a"))
    assert identity(replace(plan, games=8, sprt=Sprt(0, 10))) == identity(plan)


def test_stored_openings_are_not_searched_again(file, monkeypatch):
    plan = Plan("tictactoe", ("random", "random:name=a"), games=6, openings=SHORT)
    found = games_of(plan, file)

    def fail(*arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr(OpeningSource, "openings", fail)
    assert games_of(plan, file) == found


def test_a_longer_match_is_refused_if_its_source_gives_other_openings(file, monkeypatch):
    """Balanced openings may change with the engine that finds them."""
    plan = Plan("tictactoe", ("random", "random:name=a"), games=4, openings=SHORT)
    games = games_of(plan, file)
    with monkeypatch.context() as patch:
        patch.setattr(
            OpeningSource, "openings", lambda self, game, seed: random_openings(game, 2, seed + 1)
        )
        assert games_of(plan, file) == games
        with pytest.raises(PlyforgeError, match=r"random:2': number 1 differs from the stored one"):
            games_of(replace(plan, games=6), file)
    assert games_of(replace(plan, games=6), file)[:4] == games


def test_too_few_openings_are_an_error_before_a_game_is_played(file):
    plan = Plan(
        "tictactoe", ("random", "random:name=a"), games=20, openings=OpeningSource("random", 1)
    )
    with pytest.raises(PlyforgeError, match=r"only 9 different ones, but 20 games need 10"):
        games_of(plan, file)
    assert len(games_of(replace(plan, games=18), file)) == 18


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": ("random",)}, "at least two players"),
        ({"players": ()}, "at least two players"),
        ({"players": ("random", "random")}, "two players are called 'random'"),
        ({"players": ("random:name=x", "engine:name=x")}, "two players are called 'x'"),
        ({"players": ("random", "rondom")}, "'rondom'"),
        ({"games": 0}, "at least 2, not 0"),
        ({"games": -2}, "at least 2, not -2"),
        ({"games": 3}, "games must be an even number, not 3"),
        ({"games": 2.0}, r"not 2\.0"),
        ({"games": True}, "not True"),
        ({"rules": MatchRules(max_plies=0)}, "limit of plies must be at least 1, not 0"),
    ],
)
def test_a_wrong_plan_is_refused(change, message):
    plan = {"game": "tictactoe", "players": ("random", "random:name=b")}
    with pytest.raises(PlyforgeError, match=message):
        Plan(**{**plan, **change})


def test_a_sequential_test_needs_two_players():
    with pytest.raises(PlyforgeError, match="a sequential test compares two players"):
        Plan("tictactoe", MIXED, sprt=Sprt(0, 10))


# Sequential tests


@pytest.mark.long
def test_a_sequential_test_stops_at_the_same_game_for_any_number_of_processes(tmp_path):
    players = (f"engine:depth=3,{SMALL}", "random")
    sprt = Sprt(0, 150)
    plan = Plan("tictactoe", players, games=140, openings=SHORT, seed=4, sprt=sprt)
    found = {}
    for processes in (0, 2, 3):
        games = games_of(plan, tmp_path / f"{processes}.db", processes)
        taken, progress = apply_sprt(sprt, games)
        assert progress.verdict == "H1"
        assert len(taken) < 60  # other games may have been running
        found[processes] = taken, progress
    assert found[0] == found[2] == found[3]
    # In one process, no game is played beyond those that count.
    assert found[0][0] == games_of(plan, tmp_path / "0.db")


def test_a_decided_sequential_test_plays_no_further_game(file):
    players = (f"engine:depth=3,{SMALL}", "random")
    plan = Plan("tictactoe", players, games=100, openings=SHORT, sprt=Sprt(0, 150))
    first = games_of(plan, file)
    assert games_of(replace(plan, games=140), file) == first
    # Without the test the match continues.
    assert len(games_of(replace(plan, games=len(first) + 2, sprt=None), file)) == len(first) + 2


def test_a_sequential_test_counts_only_games_of_its_plan(file):
    players = (f"engine:depth=3,{SMALL}", "random")
    long = Plan("tictactoe", players, games=60, openings=SHORT, seed=4)
    games_of(long, file)
    with Store(file) as store:
        assert not Tournament(replace(long, games=4, sprt=Sprt(0, 150)), store).ended
        assert Tournament(replace(long, sprt=Sprt(0, 150)), store).ended


# Faults


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("exits", "it crashed (exit code 3)"),
        pytest.param("aborts", f"it crashed (exit code {-signal.SIGABRT})", marks=LONG),
        ("leaves", "it failed: SystemExit: 2"),
        ("raises", "it failed: ValueError: no idea"),
        ("fails_to_begin", "it failed: OSError: no disk"),
        pytest.param("dies_beginning", "it crashed (exit code 4)", marks=LONG),
        ("cheats", "its move 77 is not legal"),
        ("silent", "its move None is not legal"),
        ("array", "its move array([0, 1, 2]) is not legal"),
        ("hangs", "it did not answer in time"),
        pytest.param("spins", "it did not answer in time", marks=LONG),
    ],
)
def test_a_faulty_player_loses_and_the_match_continues(tmp_path, file, name, fault):
    bad = f"{script(tmp_path, name)},time=0.2,name=bad"
    plan = Plan("tictactoe", ("random", bad), games=4, openings=SHORT)
    # Faults that the referee notices do not need another process.
    found = games_of(plan, file, 0 if fault.startswith(("it failed", "its move")) else 2)
    assert [game.pairing.number for game in found] == [0, 1, 2, 3]
    for game in found:
        side = int(game.pairing.second == 1)
        assert game.result.reason == f"{'XO'[side]} loses: {fault}"
        assert (game.result.ending, game.result.points) == ("forfeit", float(side == 1))
    # A lost game is not played again.
    assert games_of(plan, file, 0) == found


def test_a_process_ended_from_outside_is_not_a_fault_of_the_player(tmp_path, file):
    """A signal to all processes of a match may reach those that play first."""
    plan = Plan("tictactoe", ("random", script(tmp_path, "is_ended")), games=2, openings=SHORT)
    with Store(file) as store:
        tournament = Tournament(plan, store, local_executor(1))
        tournament.prepare()
        with pytest.raises(PlyforgeError, match=r"could not be played \(died\): exit code -15"):
            list(tournament.run())
        assert tournament.games == []


@pytest.mark.long
def test_other_games_of_a_match_with_a_faulty_player_count(tmp_path, file):
    players = ("random", script(tmp_path, "exits"), script(tmp_path, "last"))
    found = games_of(Plan("tictactoe", players, games=4, openings=SHORT), file, 2)
    endings = {game.pairing.number: game.result.ending for game in found}
    bad = [game.pairing.number for game in found if 1 in (game.pairing.first, game.pairing.second)]
    assert len(endings) == 12
    assert {number for number, ending in endings.items() if ending == "forfeit"} == set(bad)


def test_a_player_is_reported_before_it_begins_so_that_it_can_be_named_if_it_hangs(tmp_path):
    reports = []
    plan = Plan("tictactoe", (script(tmp_path, "last"), "random"))
    job = Job(
        plan.game,
        (plan.players[0], plan.players[1]),
        next(SHORT.openings(module.load("tictactoe"), 0)),
        plan.limits,
        MatchRules(hang_timeout=7.0),
        1,
        next(plan.pairings()),
    )
    assert isinstance(module.play(job, lambda *words: reports.append(words)), GameResult)
    moves = list(job.opening.moves)
    assert [note for note, _ in reports[:3]] == [f"[0, {moves}]", f"[1, {moves}]", f"[0, {moves}]"]
    assert all(7.0 <= seconds < 10.0 for _, seconds in reports)


# Files of the user


@pytest.mark.long
def test_a_match_needs_no_file_after_it_has_begun(tmp_path, file, monkeypatch):
    """Workers may be on another machine, and files may change during a match."""
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.chdir(folder)
    rules = f"from limits import GOAL\n{RULES}".replace("n < 4", "n < GOAL")
    first = "from habits import pick\ndef choose(history): return pick(history.legal_moves())\n"
    texts = {"game.py": rules, "limits.py": "GOAL = 9\n", "first.py": first}
    texts |= {"habits.py": "def pick(moves): return moves[0]\n", "lines.txt": "1 2\n2 2\n1 1\n"}
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")
    players = ("python:first.py", script(Path(), "raises"), "random")
    plan = Plan("game.py", players, games=4, openings=OpeningSource.parse("file:lines.txt"))
    expected = games_of(plan, tmp_path / "expected.db")
    assert {game.result.ending for game in expected} == {"rules", "forfeit"}
    with Store(file) as store:
        tournament = Tournament(plan, store, local_executor(2))
        for name in texts:
            Path(name).write_text("changed", encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        folder.rename(tmp_path / "moved")
        tournament.prepare()
        assert len(list(tournament.run())) == plan.total
        assert untimed(store.games(tournament.number)) == expected


def test_a_process_that_plays_two_matches_does_not_mix_their_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    player = "from habits import pick\ndef choose(history): return pick(history.legal_moves())\n"
    Path("mine.py").write_text(player, encoding="utf-8")
    plan = Plan("tictactoe", ("python:mine.py", "random"), games=2, openings=SHORT)
    for number in (0, -1, 0):
        habits = f"def pick(moves): return moves[{number}]\n"
        Path("habits.py").write_text(habits, encoding="utf-8")
        for game in games_of(plan, Path(f"{number}.db")):
            history = module.load("tictactoe").history()
            for ply, move in enumerate(game.result.moves):
                if ply >= 2 and ply % 2 == game.pairing.first:
                    assert move == history.legal_moves()[number]
                history.play(move)


def test_a_changed_module_of_a_file_makes_another_match(tmp_path, monkeypatch, file):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "import habits\ndef choose(history): return history.legal_moves()[habits.PLACE]\n",
        encoding="utf-8",
    )
    Path("habits.py").write_text("PLACE = 0\n", encoding="utf-8")
    plan = Plan("tictactoe", ("python:mine.py", "random"), games=2, openings=SHORT)
    assert list(plan.settings()["files"]) == ["mine.py", "habits.py"]
    games_of(plan, file)
    Path("habits.py").write_text("PLACE = 1\n", encoding="utf-8")
    with Store(file) as store:
        assert "played with another version of habits.py;" in Tournament(plan, store).earlier


def test_the_identity_of_a_match_with_files_is_that_of_their_bytes(tmp_path, monkeypatch):
    """Matches that were stored by earlier versions are resumed."""
    monkeypatch.chdir(tmp_path)
    Path("game.py").write_text(RULES.replace("initial()", "initial(n=0)"), encoding="utf-8")
    for name in ("sum.py", "lines.txt"):
        Path(name).write_text(name, encoding="utf-8")
    players = (script(Path(), "last"), f"engine:depth=1,evaluation=sum.py,{SMALL}")
    source = OpeningSource.parse("file:lines.txt")
    found = Plan("game.py:1", players, openings=source).settings()["files"]
    names = {"game.py:1": "game.py", **{name: name for name in ("last.py", "sum.py", "lines.txt")}}
    assert found == {
        name: hashlib.blake2b(Path(path).read_bytes(), digest_size=16).hexdigest()
        for name, path in names.items()
    }


@pytest.mark.parametrize(
    ("game", "message"),
    [("chekers", "unknown game 'chekers'"), ("nowhere.py", r"nowhere\.py cannot be read")],
)
def test_a_match_of_an_unknown_game_is_not_stored(file, game, message):
    with Store(file) as store:
        with pytest.raises(PlyforgeError, match=message):
            Tournament(Plan(game, ("random", "random:name=b")), store)
        assert store.count() == 0


# Interrupts


def test_an_interrupt_keeps_the_finished_games(file, tmp_path):
    plan = Plan("tictactoe", ("random", "random:name=b"), games=8, openings=SHORT)

    def interrupt(store: Store) -> None:
        tournament = Tournament(plan, store, local_executor(2))
        tournament.prepare()
        for number, _ in enumerate(tournament.run(), 1):
            if number == 3:
                raise KeyboardInterrupt

    with Store(file) as store:
        with pytest.raises(KeyboardInterrupt):
            interrupt(store)
        assert len(Tournament(plan, store).games) == 3
    assert games_of(plan, file) == games_of(plan, tmp_path / "fresh.db")


def test_a_full_disk_stops_the_match_and_keeps_the_stored_games(file, tmp_path):
    plan = Plan(
        "tictactoe", ("random", "random:name=b"), games=60, openings=OpeningSource("random", 3)
    )
    with Store(file) as store:
        tournament = Tournament(plan, store, local_executor(0))
        tournament.prepare()
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(PlyforgeError, match="database or disk is full"):
            list(tournament.run())
    with Store(file) as store:
        some = untimed(Tournament(plan, store).games)
    fresh = games_of(plan, tmp_path / "fresh.db")
    assert 0 < len(some) < 60
    assert all(game in fresh for game in some)
    assert games_of(plan, file) == fresh


# As a separate program


def command(file: Path, folder: Path, games: int = 12) -> list[str]:
    slow = script(folder, "slow")
    return [
        *(sys.executable, "-m", "plyforge", "match", "tictactoe", slow, "random"),
        *("--games", str(games), "--openings", "random:2", "--jobs", "2", "--db", str(file)),
    ]


def stored(file: Path) -> list[int]:
    """Return the numbers of the stored games, read from another process."""
    if not file.exists():
        return []
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            return [n for (n,) in connection.execute("SELECT number FROM game ORDER BY number")]
    except sqlite3.OperationalError:  # its tables do not exist yet
        return []


def count_begun(folder: Path) -> int:
    log = folder / "slow.log"
    return len(log.read_text(encoding="utf-8").splitlines()) if log.exists() else 0


def play_undisturbed(folder: Path, games: int = 12) -> list[StoredGame]:
    plan = Plan("tictactoe", (script(folder, "slow"), "random"), games=games, openings=SHORT)
    found = games_of(plan, folder / "undisturbed.db")
    (folder / "slow.log").unlink(missing_ok=True)
    return found


def all_games(folder: Path, file: Path) -> list[StoredGame]:
    plan = Plan("tictactoe", (f"python:{folder / 'slow.py'}", "random"), openings=SHORT)
    with Store(file) as store:
        return untimed(store.games(store.match(identify(plan.settings()), {})))


@pytest.mark.long
def test_a_killed_match_resumes_without_losing_or_repeating_games(tmp_path, file):
    """Kill it before the first game, then after some more games each time."""
    fresh = play_undisturbed(tmp_path)
    for expected in (0, 1, 4, 9):
        before, begun_before = stored(file), count_begun(tmp_path)
        program = subprocess.Popen(command(file, tmp_path), stderr=subprocess.PIPE)
        end = time.monotonic() + PATIENCE
        while len(stored(file)) < expected or (expected == 0 and not file.exists()):
            assert program.poll() is None, program.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.01)
        program.send_signal(signal.SIGKILL)
        program.communicate()
        after = stored(file)
        assert set(before) <= set(after)
        assert len(after) == len(set(after)) < 12
        # Each process may have been playing a game, and one may have ended unstored.
        assert count_begun(tmp_path) - begun_before <= len(after) - len(before) + 4
    left = 12 - len(stored(file))
    before = count_begun(tmp_path)
    done = subprocess.run(command(file, tmp_path), capture_output=True, check=False)
    assert (done.returncode, stored(file)) == (0, list(range(12)))
    assert b"games are stored already in" in done.stderr
    assert count_begun(tmp_path) - before == left
    assert all_games(tmp_path, file) == fresh
    # Once more: no game is left to play.
    again = subprocess.run(command(file, tmp_path), capture_output=True, check=False)
    assert again.returncode == 0
    assert count_begun(tmp_path) - before == left
    assert b"12 games: " in again.stdout


@pytest.mark.long
def test_ctrl_c_prints_the_finished_games_and_the_same_command_resumes(tmp_path, file):
    fresh = play_undisturbed(tmp_path)
    program = popen(
        command(file, tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    end = time.monotonic() + PATIENCE
    while len(stored(file)) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    os.killpg(program.pid, signal.SIGINT)  # to the whole group, as a terminal does
    out, errors = program.communicate(timeout=PATIENCE)
    assert (program.returncode, b"Traceback" in errors) == (130, False)
    some = len(stored(file))
    assert 3 <= some < 12
    assert b"of 12 games; run the same command to resume" in out
    assert b" player " in out
    done = subprocess.run(command(file, tmp_path), capture_output=True, check=False)
    assert done.returncode == 0
    assert all_games(tmp_path, file) == fresh


@pytest.mark.long
def test_a_second_program_on_the_same_file_is_refused(tmp_path, file):
    program = subprocess.Popen(command(file, tmp_path, 140), stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + PATIENCE
        while not stored(file) and time.monotonic() < end and program.poll() is None:
            time.sleep(0.01)
        second = subprocess.run(command(file, tmp_path, 140), capture_output=True, check=False)
    finally:
        program.kill()
        program.wait()
    assert second.returncode == 2
    assert b"another process is playing a match of this file" in second.stderr
    assert b"Traceback" not in second.stderr


@pytest.mark.long
def test_a_program_on_a_full_disk_ends_cleanly(tmp_path, file):
    """Limit the size of files: the system refuses to write, as on a full disk."""
    fresh = play_undisturbed(tmp_path)

    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, 90_000))

    stopped = subprocess.run(
        command(file, tmp_path),
        capture_output=True,
        check=False,
        preexec_fn=limit_files,
        # Python would write half of a compiled module, which other programs then find.
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert stopped.returncode == 2
    assert b"Traceback" not in stopped.stderr
    assert b"stored games are kept; run the same command again to resume" in stopped.stderr
    some = stored(file)
    assert len(some) < 12
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    done = subprocess.run(command(file, tmp_path), capture_output=True, check=False)
    assert (done.returncode, set(some) <= set(stored(file))) == (0, True)
    assert all_games(tmp_path, file) == fresh
