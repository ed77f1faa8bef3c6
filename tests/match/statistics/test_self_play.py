"""Games of a player against itself."""

from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import plyforge
from plyforge import PlyforgeError
from plyforge.jobs.executor import JobResult
from plyforge.jobs.local import local_executor
from plyforge.match.openings import Opening
from plyforge.match.statistics import Budget, ParallelSurvey, SelfPlay, SelfPlaySettings, Survey
from plyforge.match.statistics.figures import Tally
from plyforge.match.statistics.playout import TOO_LONG
from tests.match.statistics.test_sources import RULES, ring
from tests.reference.playouts import HistoryPlay

SEED = 2**63 + 5


def settings(game: str = "tictactoe", player: str = "engine:depth=2", **others) -> SelfPlaySettings:
    return SelfPlaySettings(game, player, **others)


def write_script(folder: Path, body: str) -> str:
    path = folder / "mine.py"
    path.write_text(body, encoding="utf-8")
    return f"python:{path}"


@pytest.mark.parametrize("case", RULES)
def test_games_end_by_every_rule_as_random_games_do(tmp_path: Path, case: str) -> None:
    """With all plies random, the moves differ from random play only in where the stream begins."""
    game = ring(tmp_path, *RULES[case])
    source = SelfPlay(settings(game.rules.file, "random", random_plies=100, ply_limit=60), game)

    class AfterTwoWords(HistoryPlay):
        def _one(self, stream, widths):
            stream.next_word(), stream.next_word()  # the seeds of the two players
            return super()._one(stream, widths)

    expected = AfterTwoWords(game.history(), 0, 60).play(0, 12)
    batch = source.play(0, 12)
    assert np.array_equal(batch.games, expected.games)
    assert np.array_equal(batch.plies, expected.plies[: len(batch.plies)])
    assert not expected.plies[len(batch.plies) :].any()


def test_a_game_depends_on_seed_and_number_alone() -> None:
    source = SelfPlay(settings(seed=SEED))
    whole, part = source.play(0, 8), source.play(5, 3)
    assert np.array_equal(whole.games[5:], part.games)
    assert np.array_equal(whole.lines[5:], part.lines)
    other = SelfPlay(settings(seed=SEED + 1)).play(0, 8)
    assert not np.array_equal(whole.lines, other.lines)


def test_without_random_plies_a_deterministic_player_repeats_its_game() -> None:
    tally = Tally()
    tally.add(SelfPlay(settings(random_plies=0)).play(0, 5))
    statistics = tally.statistics()
    assert (statistics.games, statistics.different) == (5, 1)
    tally = Tally()
    tally.add(SelfPlay(settings(random_plies=3)).play(0, 20))
    assert tally.statistics().different > 10


def test_a_level_varies_its_games_by_the_seed() -> None:
    batch = SelfPlay(settings(player="engine:level=1", random_plies=0)).play(0, 12)
    assert len(set(batch.lines.tolist())) > 1


def test_play_begins_after_the_given_moves() -> None:
    history = plyforge.load("tictactoe").history()
    history.play_text("a1 b1 a2 b2")
    batch = SelfPlay(settings(start=Opening(tuple(history.moves)), random_plies=0)).play(0, 1)
    assert batch.games[0, 0] == 1  # X wins at once
    assert batch.plies[0].tolist() == [1, 5, 5, 5, 0]


def test_a_game_that_is_too_long_is_broken_off() -> None:
    batch = SelfPlay(settings(ply_limit=3)).play(0, 4)
    assert batch.games[:, 0].tolist() == [3] * 4
    assert batch.games[:, 1].tolist() == [TOO_LONG] * 4


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def choose(history): return 99", "MoveError: 99 is not a legal move"),
        ("def choose(history): return 1 // 0", "it failed: ZeroDivisionError"),
        ("def choose(history): raise SystemExit(3)", "it failed: SystemExit: 3"),
        ("def begin(game, seed): 1 // 0\ndef choose(history): pass", "it failed: ZeroDivision"),
    ],
)
def test_a_player_that_fails_ends_the_survey_with_its_reason(tmp_path, body, message) -> None:
    source = SelfPlay(settings(player=write_script(tmp_path, body), random_plies=0))
    with pytest.raises(PlyforgeError, match=rf"mine.py', game 3, move 1: .*{message}"):
        source.play(2, 1)


def test_a_player_may_change_the_history_that_it_gets(tmp_path: Path) -> None:
    body = (
        "def choose(history):\n"
        "    move = history.legal_moves()[0]\n"
        "    history.play(move)\n"
        "    return move\n"
    )
    batch = SelfPlay(settings(player=write_script(tmp_path, body), random_plies=0)).play(0, 1)
    assert batch.games[0, 0] == 7


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": -1}, "seed must be between 0 and 2"),
        ({"random_plies": -1}, "random plies must be between 0 and 1000, not -1"),
        ({"random_plies": 1001}, "not 1001"),
    ],
)
def test_settings_out_of_range_are_refused(change, message) -> None:
    with pytest.raises(PlyforgeError, match=message):
        settings(**change)


def test_a_finished_position_is_refused() -> None:
    history = plyforge.load("tictactoe").history()
    history.play_text("a1 b1 a2 b2 a3")
    with pytest.raises(PlyforgeError, match="the game is over"):
        SelfPlay(settings(start=Opening(tuple(history.moves))))


@pytest.mark.long
def test_the_number_of_processes_does_not_change_the_statistics() -> None:
    chosen = settings(seed=3)
    one = Survey(SelfPlay(chosen), Tally())
    one.run(Budget(games=12))
    reports: list[int] = []
    two = ParallelSurvey(chosen, Tally(), local_executor(2))
    two.run(Budget(games=12), reports.append)
    assert two.tally.statistics() == one.tally.statistics()
    assert reports == sorted(reports)
    assert reports[-1] == 12


class ScriptedExecutor:
    """Gives the results of the first jobs in an order of its own."""

    workers = 5

    def __init__(self, order: list[int], **failure) -> None:
        self._order, self._failure = order, failure

    @contextmanager
    def open(self, work, files=()):
        self._work, self._jobs = work, []
        yield self

    def submit(self, job) -> None:
        self._jobs.append(job)

    def results(self):
        for number in self._order:
            job = self._jobs[number]
            yield JobResult(job, None if self._failure else self._work(job, None), **self._failure)


def test_a_parallel_survey_counts_an_unbroken_range_of_games() -> None:
    """Results that come early wait for the games before them."""
    reports: list[int] = []
    executor = ScriptedExecutor([2, 0, 3])
    ParallelSurvey(settings(), Tally(), executor).run(Budget(games=5), reports.append)
    assert reports == [0, 1, 1]


def test_a_process_that_dies_ends_the_survey_with_its_reason() -> None:
    executor = ScriptedExecutor([0], failure="died", detail="exit code -9")
    with pytest.raises(PlyforgeError, match=r"game 1 could not be played.*died.*-9"):
        ParallelSurvey(settings(), Tally(), executor).run(Budget(games=5))


def test_a_parallel_survey_needs_no_file_after_it_was_made(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    mine = write_script(Path(), "def choose(history):\n    return history.legal_moves()[0]\n")
    expected = Survey(SelfPlay(settings(player=mine)), Tally())
    expected.run(Budget(games=3))
    survey = ParallelSurvey(settings(player=mine), Tally(), local_executor(1))
    Path("mine.py").unlink()
    survey.run(Budget(games=3))
    assert survey.tally.statistics() == expected.tally.statistics()
