"""What games say of their players, by hand."""

import csv
import io
import itertools
import math
import random
from dataclasses import replace

import pytest

import plyforge
from plyforge.match.openings import Opening
from plyforge.match.ratings import Score, Sprt, elo
from plyforge.match.records import make_record
from plyforge.match.referee import GameResult
from plyforge.match.report import (
    Table,
    cross_table,
    difference_text,
    figures_table,
    final_score_remark,
    margin_text,
    standings_table,
)
from plyforge.match.results import (
    SprtWatch,
    apply_sprt,
    mean_final_score,
    pair_score,
    points_of,
    standings,
)
from plyforge.match.schedule import Format, Pairing, pairings
from plyforge.match.store import StoredGame

NAMES = ("alpha", "beta", "gamma")


def played(points: float, **more: object) -> GameResult:
    fields = {"reason": "", "ending": "rules", "loop": False, "score": None}
    fields |= {"seconds": (1.0, 2.0), "nodes": (10, 20)}
    return GameResult((), points, **{**fields, **more})


def games_of(points: str, players: int = 2) -> list[StoredGame]:
    """Return games in the order of the schedule, each given by its result for the first side."""
    worth = {"1": 1.0, "=": 0.5, "0": 0.0}
    plan = pairings(players, Format.ROUND_ROBIN, 100)
    return [
        StoredGame(pairing, played(worth[letter]))
        for letter, pairing in zip(points.replace(" ", ""), plan, strict=False)
    ]


def test_points_are_those_of_the_player():
    game = StoredGame(Pairing(0, 0, 2, 1), played(1.0))
    assert (points_of(game, 2), points_of(game, 1)) == (1.0, 0.0)


def test_pairs_are_counted_by_the_sum_of_their_points():
    """The second game of a pair has sides changed: `10` is won twice, `11` by white each time."""
    games = games_of("10 11 1= == =0 01 0= 00")
    score = pair_score(games, 0, 1)
    # 2, 1, 3/2, 1, 3/2, 0, 1/2 and 1 points
    assert score.pairs == (1, 1, 3, 2, 1)
    assert (score.wins, score.draws, score.losses) == (6, 5, 5)
    assert pair_score(games, 1, 0) == score.mirror()


def test_a_game_without_its_partner_is_not_a_pair():
    games = games_of("10 1")
    assert pair_score(games, 0, 1).pairs == (0, 0, 0, 0, 1)
    assert pair_score(games, 0, 1).wins == 3
    # The second of the first pair is missing, too.
    score = pair_score([games[0], games[2]], 0, 1)
    assert (score.wins, score.pairs) == (2, (0,) * 5)


def games_with_scores(*scores: float | None) -> list[StoredGame]:
    """Return games in the order of the schedule, each given by its score for the first side."""
    plan = pairings(2, Format.ROUND_ROBIN, 100)
    return [
        StoredGame(pairing, played(0.5 if score is None else float(score > 0), score=score))
        for score, pairing in zip(scores, plan, strict=False)
    ]


def test_the_mean_final_score_has_an_interval_from_pairs():
    games = games_with_scores(2, -1, 1, 1, -3, 3, 1)
    # For the first player, pairs of 1.5, 0 and -3; the seventh game has no partner.
    mean = mean_final_score(games, 0, 1)
    assert mean is not None
    assert mean.value == pytest.approx(-0.5)
    assert mean.margin == pytest.approx(1.959964 * math.sqrt(5.25 / 3))
    other = mean_final_score(games, 1, 0)
    assert other is not None
    assert (other.value, other.high) == pytest.approx((0.5, -mean.low))
    assert final_score_remark(NAMES, standings(NAMES[:2], games)) == [
        "final score of alpha: -0.500 a game (95 %: -3.093 to +2.093)"
    ]


def test_there_is_no_mean_of_games_without_scores_nor_of_one_pair():
    assert mean_final_score(games_with_scores(2, -1, 1, None), 0, 1) is None
    assert mean_final_score(games_with_scores(2, -1), 0, 1) is None
    assert final_score_remark(NAMES, standings(NAMES[:2], games_of("10 11"))) == []


def test_the_order_in_which_games_ended_does_not_matter():
    games = games_of("10 11 1= == =0 01 0= 00")
    mixed = list(games)
    random.Random(3).shuffle(mixed)
    assert pair_score(mixed, 0, 1) == pair_score(games, 0, 1)
    assert standings(NAMES[:2], mixed) == standings(NAMES[:2], games)


def test_standings_of_two():
    games = games_of("10 11 =0")
    games[1] = StoredGame(games[1].pairing, played(0.0, ending="forfeit"))
    games[4] = StoredGame(games[4].pairing, played(0.5, loop=True, ending="path"))
    found = standings(NAMES[:2], games)
    best, other = found.rows
    assert (best.name, best.points, best.games) == ("alpha", 4.5, 6)
    assert (other.name, other.points, other.games) == ("beta", 1.5, 6)
    assert (best.loops, other.loops, found.loops) == (1, 1, 1)
    assert (best.forfeits, other.forfeits) == (0, 1)
    assert (found.games, found.draws, found.adjudicated) == (6, 1, 0)
    # The first side: 1 0 1 1 = 0.
    assert (found.first.wins, found.first.draws, found.first.losses) == (3, 1, 2)
    assert found.difference == elo(pair_score(games, 0, 1).sample)
    assert 0.5 < found.superiority < 1
    # Three games with each side, of 1 s and 10 nodes or 2 s and 20 nodes.
    assert (best.seconds, best.nodes) == (9.0, 90)
    assert best.rating.value == pytest.approx(-other.rating.value)


def test_standings_of_three_add_up():
    # Each opening: alpha-beta, beta-alpha, alpha-gamma, gamma-alpha, beta-gamma, gamma-beta.
    found = standings(NAMES, games_of("101010 11==10 0110=1", players=3))
    assert [row.name for row in found.rows] == ["alpha", "beta", "gamma"]
    assert sum(row.points for row in found.rows) == 18
    assert all(row.games == 12 for row in found.rows)
    table = cross_table(found)
    assert table.headings == ("player", "1", "2", "3", "points")
    assert table.rows == (
        ("1 alpha", "·", "3/6", "5/6", "8"),
        ("2 beta", "3/6", "·", "4.5/6", "7.5"),
        ("3 gamma", "1/6", "1.5/6", "·", "2.5"),
    )
    for one, other in itertools.permutations(range(3), 2):
        score = found.against[one, other]
        assert score == found.against[other, one].mirror()
    assert found.difference is None
    assert found.superiority is None


def test_a_player_without_games_is_in_the_standings():
    found = standings(NAMES, games_of("1", players=3))
    (gamma,) = [row for row in found.rows if row.name == "gamma"]
    assert (gamma.games, gamma.points, gamma.rating.value) == (0, 0, 0)
    cells = {row[0][2:]: row for row in cross_table(found).rows}
    assert cells["gamma"].count("") == 2
    assert "0.0 %" in str(standings_table(found).rows)
    assert standings(NAMES, []).games == 0


# Sequential tests


def test_a_sequential_test_takes_pairs_in_order_and_stops_when_decided():
    sprt = Sprt(0, 100)
    games = games_of("10" * 40)
    taken, progress = apply_sprt(sprt, games)
    assert progress.verdict == "H1"
    assert taken == games[: len(taken)]
    assert apply_sprt(sprt, games[: len(taken) - 2])[1].verdict == "continue"
    for seed in range(5):
        mixed = list(games)
        random.Random(seed).shuffle(mixed)
        assert apply_sprt(sprt, mixed) == (taken, progress)


def test_a_sequential_test_waits_for_a_missing_pair():
    sprt = Sprt(0, 100)
    games = games_of("10" * 40)
    watch = SprtWatch(sprt)
    for game in games:
        if game.pairing.number != 5:
            watch.add(game)
    assert (len(watch.taken), watch.decided) == (4, False)
    watch.add(games[5])
    assert watch.decided
    assert (watch.taken, watch.progress) == apply_sprt(sprt, games)


# Tables


def test_markdown_keeps_its_columns():
    table = Table(("player", "a|b"), (("x|y", "1"), ("z", "2")))
    assert table.markdown() == ("| player | a\\|b |\n|---|--:|\n| x\\|y | 1 |\n| z | 2 |\n")


def test_csv_reads_back():
    rows = (('a,"b"', "1"), ("ü|;", ""))
    table = Table(("player", "x"), rows)
    assert tuple(map(tuple, csv.reader(io.StringIO(table.csv())))) == (("player", "x"), *rows)


def test_the_figures_are_standings_and_cross_table_in_one():
    found = standings(NAMES, games_of("101010 11==10 0110=1", players=3))
    rows = {row["player"]: row for row in csv.DictReader(io.StringIO(figures_table(found).csv()))}
    assert set(rows) == set(NAMES)
    for name, row in rows.items():
        met = [float(row[f"against {other}"]) for other in NAMES if other != name]
        assert row[f"against {name}"] == ""
        assert sum(met) == float(row["points"])
        assert float(row["elo_low"]) < float(row["elo"]) < float(row["elo_high"])
        assert int(row["wins"]) + int(row["draws"]) + int(row["losses"]) == int(row["games"]) == 12
    assert sum(float(row["elo"]) for row in rows.values()) == pytest.approx(0, abs=0.2)


def test_all_points_for_one_side_are_an_infinite_difference():
    found = standings(NAMES[:2], games_of("10" * 5))
    assert difference_text(found.difference) == "+∞ (95 %: +46 to +∞)"
    assert margin_text(found.difference) == "∞"
    lost = standings(NAMES[:2], games_of("01" * 5))
    assert difference_text(lost.difference) == "-∞ (95 %: -∞ to -46)"
    assert standings_table(found).rows[0][3:8] == ("10", "10", "0", "0", "100.0 %")


def test_an_even_match_has_a_difference_of_0():
    found = standings(NAMES[:2], games_of("11" * 4))
    assert difference_text(found.difference).startswith("+0 (95 %: -")
    assert found.superiority == 0.5


# Records


def test_a_record_has_players_opening_and_end():
    game = plyforge.load("tictactoe")
    opening = Opening((0, 1))
    stored = StoredGame(Pairing(4, 2, 1, 0), played(0.0, reason="X loses: it failed: no [idea]"))
    stored = replace(stored, result=replace(stored.result, moves=(0, 1, 2)))
    found = make_record(game, stored, opening, NAMES)
    assert found.result == "0-1"
    assert found.tags == {
        "Round": "5",
        "X": "beta",
        "O": "alpha",
        "Opening": "3, 2 plies",
        "Termination": "X loses: it failed: no [idea]",
    }
    assert game.replay(found).moves == [0, 1, 2]


@pytest.mark.parametrize("name", ["tictactoe", "chess", "checkers", "othello", "kalah", "hex:5"])
def test_records_are_read_back_by_the_game(name):
    game = plyforge.load(name)
    history = game.history()
    for _ in range(3):
        history.play(history.legal_moves()[0])
    start = game.text(history.position)
    records = []
    for number, (opening, points) in enumerate([(Opening(), 1.0), (Opening((), start), 0.5)]):
        going = opening.history(game)
        for _ in range(4):
            going.play(going.legal_moves()[-1])
        ended = replace(played(points, reason='a "limit"; so'), moves=tuple(going.moves))
        stored = StoredGame(Pairing(number, number, 0, 1), ended)
        records.append(make_record(game, stored, opening, ("engine:depth=2,off=a", "random")))
    read = game.read_games(game.write_games(records))
    assert [one.moves for one in read] == [one.moves for one in records]
    assert [one.result for one in read] == ["1-0", "1/2-1/2"]
    assert "engine:depth=2,off=a" in read[0].tags.values()


def test_many_points_keep_their_halves():
    found = standings(NAMES[:2], games_of("10 1="))
    many = replace(found.rows[0], score=Score(1_000_000, 1, 0))
    table = cross_table(replace(found, rows=(many, found.rows[1])))
    assert table.rows[0][-1] == "1000000.5"
