"""The experiments with the learning draughts players, on measurements that are made up."""

import pytest

from plyforge.games.checkers.named_players import NAMED_PLAYERS, TRAININGS
from plyforge.lab.catalog import load_experiment
from plyforge.lab.claims import judge_claims
from plyforge.lab.data import Data, Measurement
from plyforge.lab.experiments import draughts_table_1 as games
from plyforge.lab.experiments._draughts import over_trainings, trained_cases, trainings
from plyforge.lab.runner import Scale, list_jobs
from plyforge.match.players import Description

NAMES = ("draughts-table-1", "draughts-search-time")


@pytest.mark.parametrize("name", NAMES)
def test_without_measurements_nothing_is_claimed(name: str) -> None:
    experiment = load_experiment(name)
    empty = experiment.data([])
    assert {one.verdict for one in judge_claims(experiment.claims, empty)} == {"not measured"}
    assert not any(s.x for c in experiment.charts(empty) for s in c.series if not s.published)
    assert experiment.tables is not None
    for table in experiment.tables(empty):
        assert all(len(row) == len(table.headings) <= 7 for row in table.rows)


def test_all_pairs_of_trainings_occur_equally_often() -> None:
    pairs = [trainings(case) for case in trained_cases(2, seed=1, count=2 * TRAININGS**2)]
    assert all(pairs.count(pair) == 2 for pair in pairs)
    assert {first for first, _ in pairs} == set(range(1, TRAININGS + 1))
    assert all(first == 1 + number % TRAININGS for number, (first, _) in enumerate(pairs))


def test_units_of_intervals_are_trainings() -> None:
    values = {case: float(case % TRAININGS) for case in range(100)}
    found = over_trainings(values)
    assert found is not None
    assert found.games == TRAININGS
    assert found.value == 2.0


def test_there_are_a_thousand_games_for_each_pairing_and_limit() -> None:
    experiment = load_experiment("draughts-table-1")
    jobs = list_jobs(experiment, Scale(experiment.positions, experiment.depths), seed=1)
    for variation in experiment.variations:
        count = sum(job.variation == variation.name and job.depth == games.DEPTH for job in jobs)
        assert 2 * count >= 1000
    at_nodes = [job for job in jobs if games.BY_NODES in job.variation]
    assert {job.depth for job in at_nodes} == {games.DEPTH}


@pytest.mark.parametrize("limit", [games.BY_DEPTH, games.BY_NODES])
@pytest.mark.parametrize("name", [games.ORDERED, games.UNORDERED, games.LS])
def test_players_have_one_limit_and_the_net_of_their_training(name: str, limit: str) -> None:
    described = Description.parse(games.describe(name, 3, limit, 4), NAMED_PLAYERS)
    assert ("depth" in described.settings) != ("nodes" in described.settings)
    assert described.settings["evaluation"].endswith("-3.npz")
    assert described.settings["off"] == "all"


def made_up(loops: dict[str, float]) -> Data:
    """Return measurements in which the first player wins half of the games and loses none."""
    experiment = load_experiment("draughts-table-1")
    return experiment.data(
        [
            Measurement(
                case,
                variation.name,
                games.DEPTH,
                0,
                {
                    "won": 0.5,
                    "lost": 0.0,
                    "drawn": 0.5,
                    "loops": loops[variation.extra["pairing"]] + 0.01 * (case % TRAININGS),
                },
            )
            for variation in experiment.variations
            for case in range(20)
        ]
    )


def test_verdicts_follow_the_figures() -> None:
    data = made_up({games.FIRST: 0.2, games.BY_ORDERED: 0.1, games.BY_UNORDERED: 0.4})
    found = {one.claim.statement: one for one in judge_claims(games.claims(), data)}
    fewer = found["Ordering reduces the number of loops, at equal depth"]
    assert fewer.estimate is not None
    assert round(fewer.estimate.value, 6) == -30.0
    assert fewer.verdict == "reproduced"
    more = made_up({games.FIRST: 0.2, games.BY_ORDERED: 0.4, games.BY_UNORDERED: 0.1})
    verdicts = {one.claim.statement: one.verdict for one in judge_claims(games.claims(), more)}
    assert verdicts["Ordering reduces the number of loops, at equal depth"] == "refuted"
