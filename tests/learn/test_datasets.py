"""Data sets from games and CSV files, and back."""

import pytest

import plyforge
from plyforge import PlyforgeError
from plyforge.jobs.local import local_executor
from plyforge.learn.datasets import (
    make_samples,
    read_dataset,
    rows_of_games,
    write_csv,
    write_games,
)
from plyforge.learn.games import GameQueue
from plyforge.learn.model import GameModel
from tests.learn.plans import GAMES
from tests.learn.test_games import START

GAME = plyforge.load("tictactoe", "python")


@pytest.fixture(scope="module")
def played():
    with GameQueue(local_executor(0), []) as queue:
        found = queue.play(GAMES, [(number, START, START) for number in range(4)])
        return sorted(found, key=lambda game: game.number)


def test_rows_have_the_result_for_the_side_to_move(played):
    rows = list(rows_of_games(GAME, played, 2))
    assert len(rows) == sum(len(game.moves) - 2 for game in played)
    first = [row for row in rows if row.game == 0]
    assert [row.result for row in first[:3]] == [played[0].result * sign for sign in (1, -1, 1)]
    assert [row.search for row in first] == list(played[0].searched[2:])


def test_a_csv_file_gives_the_same_samples(played, tmp_path):
    rows = list(rows_of_games(GAME, played, 2))
    write_csv(tmp_path / "a.csv", GAME, rows)
    again = read_dataset(tmp_path / "a.csv", GAME)
    model = GameModel(GAME)
    one, other = (make_samples(model, some, 0.5) for some in (rows, again))
    assert one.targets.tolist() == pytest.approx(other.targets.tolist(), abs=1e-6)
    assert one.games.tolist() == other.games.tolist()
    assert one.inputs.count == other.inputs.count


def test_games_are_written_and_read(played, tmp_path):
    write_games(tmp_path / "a.txt", GAME, played)
    rows = read_dataset(tmp_path / "a.txt", GAME, 2)
    expected = list(rows_of_games(GAME, played, 2))
    assert [row.result for row in rows] == [row.result for row in expected]
    assert [row.position for row in rows] == [row.position for row in expected]


def test_a_pdn_file_is_a_data_set(tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text('[Event "x"]\n[Result "1-0"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0\n')
    rows = read_dataset(file, plyforge.load("checkers", "python"))
    # In PDN a win of White is 1-0, and Black begins.
    assert [row.result for row in rows] == [-1, 1, -1, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the header lacks game, position, result"),
        ("game,position\n", "the header lacks result"),
        ("game,position,result\n", "the data set is empty"),
        ("game,position,result\n1,rubbish,1\n", "line 2: "),
        ("game,position,result\n1,X ... ... ...,much\n", "line 2: result must be a number"),
        ("game,position,result\n1,X ... ... ...,7\n", "result must be between -1 and 1, not 7"),
        ("game,position,result\n,X ... ... ...,1\n", "game must be a number, not ''"),
        ("game,position,result,search\n1,X ... ... ...,1,nan\n", "search must be a number"),
    ],
)
def test_wrong_csv_files_are_refused_with_the_line(tmp_path, text, message):
    file = tmp_path / "a.csv"
    position = GAME.text(GAME.initial())
    file.write_text(text.replace("X ... ... ...", f'"{position}"'))
    with pytest.raises(PlyforgeError, match=message):
        read_dataset(file, GAME)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(PlyforgeError, match="no file"):
        read_dataset(tmp_path / "none.csv", GAME)
