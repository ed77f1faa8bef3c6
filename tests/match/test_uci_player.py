"""External engines as players: good ones, and those that die, hang or lie."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.engine.clock import Clock
from plyforge.jobs.local import local_executor
from plyforge.match.openings import OpeningSource
from plyforge.match.plan import Plan
from plyforge.match.players import Description, MoveLimits, external, player
from plyforge.match.players import uci as uci_module
from plyforge.match.referee import MatchRules
from plyforge.match.store import Store
from plyforge.match.tournament import Tournament
from tests.processes import popen

FAKE = Path(__file__).with_name("fake_uci.py")
GAME = plyforge.load("tictactoe")
TIMEOUT = 60.0
"""Seconds after which a process counts as not ended."""


def description(how, *arguments, settings="depth=1"):
    command = shlex.join([sys.executable, str(FAKE), how, *map(str, arguments)])
    return f'uci:"{command}",{settings}'


@pytest.fixture
def make():
    """Make players that are closed after the test."""
    made = []

    def make_one(*arguments, **settings):
        made.append(player(GAME, description(*arguments, **settings)))
        return made[-1]

    yield make_one
    for one in made:
        one.close()


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")  # an orphan may wait for its new parent to take notice
    try:
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for_end(pid):
    end = time.monotonic() + TIMEOUT
    while is_running(pid):
        assert time.monotonic() < end, f"process {pid} still runs"
        time.sleep(0.02)


def read_pids(file, count=1):
    end = time.monotonic() + TIMEOUT
    while not file.exists() or len(file.read_text().split()) < count:
        assert time.monotonic() < end, "the engine was not started"
        time.sleep(0.02)
    return [int(line) for line in file.read_text().split()]


def play(tmp_path, how, *arguments, processes=0, rules=None, games=2):
    plan = Plan(
        "tictactoe",
        (description(how, *arguments), "random"),
        games=games,
        openings=OpeningSource("random", 1),
        rules=rules or MatchRules(),
    )
    with Store(tmp_path / "games.db") as store:
        tournament = Tournament(plan, store, local_executor(processes))
        tournament.prepare()
        return [game.result for game in tournament.run()]


def test_a_choice_has_the_engines_move_score_and_effort(make):
    one = make("good")
    one.warm_up()
    one.begin(1)
    choice = one.choose(GAME.history(), None)
    assert GAME.move_text(GAME.initial(), choice.move) == "a1"
    assert choice.score == pytest.approx(120 * GAME.ahead / 300)
    assert (choice.depth, choice.nodes) == (3, 40)


def test_options_and_limits_are_sent(make, tmp_path):
    log = tmp_path / "log"
    one = make("echoes", log, settings="option.Skill Level=3,nodes=5")
    one.choose(GAME.history(), Clock(2.5, 0.25))
    assert "{'Skill Level': '3'} go wtime 2500 btime 2500 winc 250 binc 250 nodes 5" in (
        log.read_text()
    )
    other = make("echoes", log, settings="time=0.5")
    other.choose(GAME.history(), None)
    assert log.read_text().endswith("{} go movetime 500\n")
    assert other.seconds == 0.5


def test_a_start_position_is_sent_as_text(make):
    one = make("good")
    history = GAME.history(GAME.parse(".../.../X.. O"))
    with pytest.raises(PlyforgeError, match="bestmove a1"):  # the fake engine looks at moves only
        one.choose(history, None)


def test_a_good_engine_plays_all_its_games(tmp_path):
    results = play(tmp_path, "good", games=4)
    assert all(result.ending == "rules" for result in results)


@pytest.mark.parametrize(
    ("how", "fault"),
    [
        ("illegal", "is not a legal move"),
        ("none", "'bestmove (none)' is not a legal move"),
        ("empty", "'bestmove' is not a legal move"),
        ("crashes", "signal 9"),
        ("closes", "it closed its output"),
    ],
)
def test_a_fault_loses_the_game_and_the_match_goes_on(tmp_path, how, fault):
    results = play(tmp_path, how)
    assert [result.ending for result in results] == ["forfeit", "forfeit"]
    assert all(fault in result.reason for result in results)
    assert [result.points for result in results] == [0.0, 1.0]


def test_garbage_around_the_answer_is_ignored(tmp_path):
    assert all(result.ending == "rules" for result in play(tmp_path, "flood"))


def test_an_engine_that_does_not_answer_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(uci_module, "MOVE_SECONDS", 0.2)
    pids = tmp_path / "pids"
    results = play(tmp_path, "hangs", pids)
    assert all("did not answer in time" in result.reason for result in results)
    for pid in read_pids(pids):
        wait_for_end(pid)


def test_a_late_answer_is_too_late(make):
    one = make("late", settings="time=0.05")
    with pytest.raises(PlyforgeError, match="did not answer in time"):
        one.choose(GAME.history(), None)


@pytest.mark.parametrize(
    ("how", "settings", "named"),
    [
        ("dies", "depth=1", "exit code 3"),
        ("mute", "depth=1", "'uciok' was expected"),
        ("good", "depth=1,option.Hash=3", "no option 'Hash'; it has Skill Level"),
    ],
)
def test_an_engine_that_cannot_start_stops_the_match_early(how, settings, named, monkeypatch):
    monkeypatch.setattr(uci_module, "START_SECONDS", 0.5 if how == "mute" else TIMEOUT)
    one = player(GAME, description(how, settings=settings))
    with pytest.raises(PlyforgeError, match=named):
        one.warm_up()
    one.close()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("uci", "needs a command"),
        ("uci:no-such-engine,depth=1", "no program 'no-such-engine'"),
        (f"uci:{sys.executable}", "has no limit"),
        (f"uci:{sys.executable},depth=0", "not 0"),
        (f"uci:{sys.executable},depht=3", "did you mean 'depth'"),
        ('uci:"a \'b",depth=1', "No closing quotation"),
    ],
)
def test_a_wrong_description_is_explained(text, named):
    with pytest.raises(PlyforgeError, match=named):
        player(GAME, text)


def test_a_time_per_move_and_a_clock_contradict():
    with pytest.raises(PlyforgeError, match="not both"):
        player(GAME, f"uci:{sys.executable},time=1", MoveLimits(clock=Clock(10)))


def test_a_command_may_contain_commas_and_quotes():
    text = 'uci:"engine ""my, file"" --a=b",option.Path="/a,b",time=1'
    read = Description.parse(text)
    assert read.main == 'engine "my, file" --a=b'
    assert read.settings == {"option.Path": "/a,b", "time": "1"}
    assert str(read) == text
    assert read.files() == []


def test_close_ends_the_process(make, tmp_path):
    pids = tmp_path / "pids"
    one = make("good", pids)
    one.begin(1)
    one.close()
    wait_for_end(*read_pids(pids))


def test_the_engine_ends_when_its_client_is_killed(tmp_path):
    pids = tmp_path / "pids"
    code = (
        "import sys, time; from plyforge.match.players.external import ExternalProcess;"
        "p = ExternalProcess(sys.argv[1:]); p.send('uci', 'go'); time.sleep(1000)"
    )
    client = subprocess.Popen(
        [sys.executable, "-c", code, sys.executable, str(FAKE), "hangs", str(pids)]
    )
    (pid,) = read_pids(pids)
    client.kill()
    client.wait()
    wait_for_end(pid)


def test_a_process_that_cannot_be_executed_is_explained(tmp_path):
    with pytest.raises(PlyforgeError, match="cannot be started"):
        external.ExternalProcess([str(tmp_path)])


@pytest.mark.long
def test_a_hanging_worker_is_killed_with_its_engine(tmp_path):
    pids = tmp_path / "pids"
    rules = MatchRules(hang_timeout=2.0)
    results = play(tmp_path, "hangs", pids, processes=1, rules=rules)
    assert all("did not answer in time" in result.reason for result in results)
    for pid in read_pids(pids, 2):
        wait_for_end(pid)


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_engines_end_with_the_match(tmp_path, number):
    pids = tmp_path / "pids"
    command = [sys.executable, "-m", "plyforge", "match", "tictactoe", description("hangs", pids)]
    match = popen(
        [*command, "random", "--games", "2", "--jobs", "1", "--db", str(tmp_path / "games.db")]
    )
    running = read_pids(pids, 2)  # the first one only says hello
    time.sleep(0.5)
    match.send_signal(number)
    match.wait(TIMEOUT)
    for pid in running:
        wait_for_end(pid)
