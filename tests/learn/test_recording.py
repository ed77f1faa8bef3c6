"""Recorded games: resumed, repeated, refused and damaged files."""

import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from plyforge import PlyforgeError
from plyforge.engine import Engine
from plyforge.jobs.local import local_executor
from plyforge.learn.game_file import DECIDED, KNOWN, GameFile, RecordedGame
from plyforge.learn.recording import DeepeningSearch, Lead, RecordingPlan, play_game, record_games

PLAN = RecordingPlan("tictactoe", depth=9, seed=3, opening=1, backend="python", nodes=60)


def record(path, plan=PLAN, games=6, stop_after=None):
    with GameFile(path) as file:
        for done in record_games(plan, games, file, local_executor(0)):
            if stop_after is not None and done >= stop_after:
                break
        return list(file.games())


def test_a_recording_that_was_left_ends_like_one_that_was_not(tmp_path, monkeypatch):
    whole = record(tmp_path / "whole.games")
    monkeypatch.setattr("plyforge.learn.recording.BATCH", 2)
    record(tmp_path / "parts.games", stop_after=2)
    assert record(tmp_path / "parts.games") == whole
    assert [game.number for game in whole] == list(range(6))
    assert record(tmp_path / "whole.games", games=8)[:6] == whole


def test_games_of_another_plan_are_refused(tmp_path):
    record(tmp_path / "a.games", games=2)
    with pytest.raises(PlyforgeError, match=r"has games with nodes 60, not 70; repeat its options"):
        record(tmp_path / "a.games", replace(PLAN, nodes=70))


def test_a_game_survives_being_stored():
    game = RecordedGame(7, (3, 2**60 + 1, 5), (None, 0.25, -1.5), -1.0, DECIDED)
    assert RecordedGame.from_bytes(7, game.to_bytes()) == game


@pytest.mark.parametrize("change", [lambda data: data[:-3], lambda data: b"no", lambda data: b""])
def test_a_damaged_game_is_named(tmp_path, change):
    path = tmp_path / "a.games"
    record(path, games=3)
    connection = sqlite3.connect(path)
    (data,) = connection.execute("SELECT data FROM recorded_game WHERE number = 1").fetchone()
    connection.execute("UPDATE recorded_game SET data = ? WHERE number = 1", (change(data),))
    connection.commit()
    connection.close()
    with GameFile.open_read_only(path) as file, pytest.raises(PlyforgeError, match="game 2 is dam"):
        list(file.games())


def test_searches_of_a_game_are_those_before_moves_with_a_choice():
    game = play_game(PLAN, 0, Engine("tictactoe", backend="python", preset="play"))
    assert game.values[0] is None  # the random opening
    assert all(value is not None for value in game.values[1:-1])
    assert game.result in (-1.0, 0.0, 1.0)


def test_a_game_ends_when_a_search_knows_its_result():
    engine = Engine("tictactoe", backend="python", preset="play")
    games = [play_game(replace(PLAN, nodes=10**6, seed=seed), 0, engine) for seed in range(8)]
    assert {game.ending for game in games} == {KNOWN}
    for game in games:
        assert len(game.moves) == 1  # of the opening; the first search solves the game
        history = engine.game.history()
        history.play(game.moves[0])
        assert game.result == -engine.analyse(history).score == 0


def test_a_known_result_is_that_of_side_0():
    plan = RecordingPlan("tictactoe", depth=2, seed=1, opening=4, backend="python", nodes=1000)
    engine = Engine("tictactoe", backend="python", preset="play")
    endings = set()
    for number in range(40):
        game = play_game(plan, number, engine)
        history = engine.game.history()
        for move in game.moves:
            history.play(move)
        if game.ending == KNOWN:
            value = engine.search(history, depth=9).value
            assert game.result == np.sign(-value if history.turn else value)
            endings.add((history.turn, game.result))
    assert {turn for turn, result in endings if result} == {0, 1}


def test_more_nodes_search_deeper():
    depths = []
    for nodes in (5, 200):
        engine = Engine("tictactoe", backend="python", preset="play")
        search = DeepeningSearch(engine, nodes, 9)
        search.run(engine.game.history())
        depths.append(search._depth)
    assert depths[0] < depths[1]


def test_a_lead_decides_after_six_searches_of_both_sides():
    lead = Lead(5.0)
    values = [(0, 6.0), (1, -6.0), (0, 7.0), (1, -9.0), (0, 5.0)]
    assert not any(lead.decides(side, value) for side, value in values)
    assert lead.decides(1, -5.0)
    assert lead.winner == 0


def test_a_lead_that_changes_sides_decides_nothing():
    lead = Lead(5.0)
    assert not any(lead.decides(side % 2, 6.0) for side in range(20))
    assert not any(Lead(0.0).decides(0, 1e9) for _ in range(20))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"nodes": 0}, "nodes must be between 1 and 1,000,000,000,000, not 0"),
        ({"decided_at": -1.0}, "must be at least 0, not -1"),
        ({"max_plies": 1}, "end within the opening"),
    ],
)
def test_plans_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(PlyforgeError, match=message):
        replace(PLAN, **settings)


def test_a_number_of_games_that_makes_no_sense_is_refused(tmp_path):
    with pytest.raises(PlyforgeError, match="must be between 1 and 10,000,000, not 0"):
        record(tmp_path / "a.games", games=0)
