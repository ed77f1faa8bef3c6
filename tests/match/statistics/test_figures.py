"""Statistics from bare figures, surveys and budgets."""

import statistics as reference

import numpy as np
import pytest

from plyforge import PlyforgeError
from plyforge.core.scores import LOSS, WIN
from plyforge.match.statistics import Budget, Survey
from plyforge.match.statistics.figures import Tally
from plyforge.match.statistics.playout import BY_RULES, GAME_WORDS, PLY_WORDS, TOO_LONG
from plyforge.match.statistics.sources import Batch

LIMIT = 12


def batch(games: list[tuple[int, int, float]], widths: list[list[int]] | None = None) -> Batch:
    rows = [(length, end, np.float64(value).view(np.int64)) for length, end, value in games]
    plies = np.zeros((LIMIT, PLY_WORDS), np.int64)
    for ply, counts in enumerate(widths or []):
        plies[ply] = len(counts), sum(counts), min(counts), max(counts), counts.count(1)
    return Batch(np.array(rows, np.int64).reshape(-1, GAME_WORDS), plies)


def tally_of(*batches: Batch) -> Tally:
    tally = Tally(LIMIT)
    for one in batches:
        tally.add(one)
    return tally


def test_draws_count_half_and_games_broken_off_are_draws() -> None:
    games = [(5, BY_RULES, WIN), (6, BY_RULES, LOSS), (7, BY_RULES, WIN), (12, TOO_LONG, 0.0)]
    found = tally_of(batch(games)).statistics()
    assert (found.wins, found.draws, found.losses) == (2, 1, 1)
    assert found.first_player_score == 2.5 / 4
    assert found.ends == {
        "rules": 3, "no_move": 0, "drawn": 0, "repetition": 0, "no_progress": 0, "ply_limit": 1
    }  # fmt: skip
    assert found.final_score is None


def test_lengths_agree_with_the_standard_library() -> None:
    lengths = [3, 9, 4, 4, 5, 11, 7, 7, 7, 2, 8]
    length = tally_of(batch([(n, BY_RULES, 0.0) for n in lengths])).statistics().length
    assert length.mean == pytest.approx(reference.mean(lengths))
    assert length.median == reference.median(lengths)
    assert (length.shortest, length.longest) == (2, 11)
    assert length.histogram == {n: lengths.count(n) for n in sorted(set(lengths))}
    assert list(length.quantiles.values()) == [2, 4, 8, 11]


def test_final_scores_leave_out_games_without_a_score() -> None:
    scores = [3.0, -1.0, 4.0, 0.0, 2.5]
    games = [(5, BY_RULES, score) for score in scores]
    others = [(5, BY_RULES, WIN), (12, TOO_LONG, 0.0)]
    score = tally_of(batch(games), batch(others)).statistics().final_score
    assert score is not None
    assert (score.games, score.mean) == (5, pytest.approx(reference.mean(scores)))
    half = 1.96 * reference.stdev(scores) / 5**0.5
    assert score.interval[1] - score.mean == pytest.approx(half, rel=1e-3)


def test_plies_are_summed_over_batches() -> None:
    one = batch([(2, BY_RULES, 0.0)] * 2, [[3, 5], [1, 2]])
    other = batch([(3, BY_RULES, 0.0)], [[4], [1], [7]])
    found = tally_of(one, other).statistics()
    assert [(p.games, p.mean, p.minimum, p.maximum) for p in found.plies] == [
        (3, 4.0, 3, 5), (3, pytest.approx(4 / 3), 1, 2), (1, 7.0, 7, 7)
    ]  # fmt: skip
    assert found.plies[1].forced == pytest.approx(2 / 3)
    assert found.branching == pytest.approx(23 / 7)
    assert found.forced == pytest.approx(2 / 7)


class CountingSource:
    """A source that counts its games and can be interrupted."""

    def __init__(self, interrupt_at: int | None = None) -> None:
        self.asked: list[tuple[int, int]] = []
        self._interrupt_at = interrupt_at

    def play(self, first: int, count: int) -> Batch:
        if self._interrupt_at is not None and first + count > self._interrupt_at:
            raise KeyboardInterrupt
        self.asked.append((first, count))
        return batch([(1, BY_RULES, WIN)] * count)


def test_a_survey_plays_each_number_once_and_no_more_than_asked() -> None:
    source, reports = CountingSource(), []
    Survey(source, Tally(LIMIT)).run(Budget(games=1000), reports.append)
    numbers = [n for first, count in source.asked for n in range(first, first + count)]
    assert numbers == list(range(1000))
    assert reports[-1] == 1000


def test_an_interrupt_keeps_the_batches_that_are_done() -> None:
    survey = Survey(CountingSource(interrupt_at=100), Tally(LIMIT))
    with pytest.raises(KeyboardInterrupt):
        survey.run(Budget(games=1000))
    assert 0 < survey.tally.games <= 100
    assert survey.tally.statistics().wins == survey.tally.games


def test_the_shortest_time_plays_one_game() -> None:
    survey = Survey(CountingSource(), Tally(LIMIT))
    survey.run(Budget(seconds=1e-9))
    assert survey.tally.games == 1


def test_a_budget_with_one_limit_leaves_the_other_open() -> None:
    assert (Budget().max_games, Budget().max_seconds) == (10_000, 60.0)
    assert Budget(seconds=2.0).max_games == 10**9
    assert Budget(games=5).max_seconds > 10**5


@pytest.mark.parametrize("games", [0, -1, 10**9 + 1])
def test_absurd_numbers_of_games_are_refused(games: int) -> None:
    with pytest.raises(
        PlyforgeError, match=f"games must be between 1 and 1,000,000,000, not {games}"
    ):
        Budget(games=games)


@pytest.mark.parametrize("seconds", [0.0, -1.0, 1e9, float("nan"), float("inf")])
def test_absurd_times_are_refused(seconds: float) -> None:
    with pytest.raises(PlyforgeError, match="time must be more than 0"):
        Budget(seconds=seconds)
