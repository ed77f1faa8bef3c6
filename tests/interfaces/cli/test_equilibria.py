"""`plyforge matrix` and `plyforge equilibrium`."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"
RED_BLACK = str(EXAMPLES / "hidden" / "red_black.py")


def example(name):
    return str(EXAMPLES / "matrix" / f"{name}.txt")


def test_rock_paper_scissors_is_printed(plyforge):
    result = plyforge("matrix", example("rock_paper_scissors"))
    assert result.code == 0
    assert "value 0 for the row player" in result.out
    assert "row      rock 1/3  paper 1/3  scissors 1/3" in result.out
    assert "none: no saddle point" in result.out


def test_the_prisoners_dilemma_is_printed(plyforge):
    out = plyforge("matrix", example("prisoners_dilemma")).out
    assert "row cooperate is strictly dominated by defect" in out
    assert "row defect 1 | column defect 1 | payoffs -2, -2" in out


def test_a_matrix_game_as_json(plyforge):
    fields = plyforge("matrix", example("two_by_four"), "--all", "--row", "1/2 1/2", "--json").json
    assert fields["value"] == pytest.approx(20 / 11)
    assert fields["row"] == pytest.approx([6 / 11, 5 / 11])
    assert fields["equilibria"][0]["column"] == pytest.approx([4 / 11, 7 / 11, 0, 0])
    assert fields["dominated"][0]["strategy"] == "C"
    assert fields["replies_to_row"] == {"best": ["A"], "payoff": -1.5}
    assert fields["pure"] == []


def test_a_degenerate_game_is_said_to_be_one(plyforge, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text("1,1 0,0\n1,0 2,3")
    assert "the game is degenerate" in plyforge("matrix", str(file)).out


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", [], "there are no payoffs"),
        ("1 2\n3", [], "line 2: the row has 1 payoffs"),
        ("1 two", [], "line 1: 'two' is not a number"),
        ("1 nan", [], "'nan' is not a finite number"),
        ("1 2", ["--column", "0.5 0.6"], "add up to 1.1, not to 1"),
        ("1 2", ["--column", "-1 2"], "the probability of '1' is -1"),
        ("1 2", ["--column", "nan 1"], "'nan' is not a finite number"),
        ("1 2", ["--column", "a b"], "the column player's mix: 'a' is not a number"),
        ("1 2", ["--row", "1 0"], "has 1 strategies"),
    ],
)
def test_a_wrong_matrix_ends_with_code_2(plyforge, tmp_path, content, options, message):
    file = tmp_path / "game.txt"
    file.write_text(content)
    result = plyforge("matrix", str(file), *options)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_kuhn_poker_is_solved(plyforge):
    out = plyforge("equilibrium", "kuhn").out
    assert "58 nodes, 30 ends, 12 information sets" in out
    assert "value -0.05555556 = -1/18 for First" in out
    assert "Second  Qb   fold 2/3  call 1/3" in out


def test_a_users_file_is_solved(plyforge):
    fields = plyforge("equilibrium", RED_BLACK, "--json").json
    assert fields["value"] == pytest.approx(1 / 3)
    assert fields["information_sets"] == 3
    moves = {row["information"]: row["moves"] for row in fields["sets"]}
    assert moves["black"]["raise"] == pytest.approx(1 / 3)
    assert moves["raised"]["meet"] == pytest.approx(2 / 3)


def test_regret_minimisation_is_saved_and_resumed(plyforge, tmp_path):
    words = ["equilibrium", "kuhn", "--method", "cfr+", "--backend", "python", "--json",
             "--save", str(tmp_path / "run.npz")]  # fmt: skip
    first = plyforge(*words, "--iterations", "20").json
    assert (first["iterations"], first["resumed"]) == (20, 0)
    second = plyforge(*words, "--exploitability", "0.005").json
    assert second["resumed"] == 20
    assert second["exploitability"] <= 0.005


def test_the_whole_strategy_and_the_tree_are_written(plyforge, tmp_path):
    strategy = tmp_path / "kuhn.json"
    plyforge("equilibrium", "kuhn", "--strategy", str(strategy), "--rows", "3")
    assert len(json.loads(strategy.read_text())["sets"]) == 12
    for name in ("tree.svg", "tree.dot", "tree.tex"):
        assert plyforge("equilibrium", "kuhn", "--tree", str(tmp_path / name)).code == 0
    picture = ET.fromstring((tmp_path / "tree.svg").read_text())
    dotted = [one for one in picture.iter() if "information" in (one.get("class") or "").split()]
    assert len(dotted) == 12  # 24 nodes of players in 12 sets
    assert sum(one.tag.endswith("circle") for one in picture.iter()) == 4  # deals
    assert (tmp_path / "tree.dot").read_text().count("shape=circle") == 4
    assert (tmp_path / "tree.tex").read_text().count(", circle") == 4
    assert (tmp_path / "tree.dot").read_text().count("style=dotted") == 12
    assert (tmp_path / "tree.tex").read_text().count(r"\draw[dotted") == 12


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["khun"], "unknown game 'khun'; did you mean 'kuhn'"),
        (["kuhn", "--method", "simplex"], "unknown method 'simplex'"),
        (["kuhn", "--iterations", "5"], "--iterations is for --method cfr and cfr+"),
        (["kuhn", "--method", "cfr", "--iterations", "0"], "iterations must be at least 1"),
        (["kuhn", "--method", "cfr", "--time", "nan"], "'nan' is not a finite number"),
        (["kuhn", "--max-sequences", "20"], "26 sequences and 30 payoffs"),
        (["kuhn", "--max-nodes", "20"], "has more than 20 nodes"),
        (["kuhn", "--tree", "tree.pdf"], "must end in .svg, .dot, .tex"),
        (["kuhn", "--strategy", "none/there.json"], "there is no folder 'none'"),
        (["kuhn", "--rows", "-1"], "--rows must be at least 0"),
        (["kuhn", "--backend", "warp"], "unknown backend 'warp'"),
        (["none.py"], "none.py"),
        (["kuhn:3"], "kuhn has no variants"),
    ],
)
def test_wrong_input_ends_with_code_2(plyforge, words, message):
    result = plyforge("equilibrium", *words)
    assert (result.code, result.out) == (2, "")
    assert message in " ".join(result.err.split())
    assert "Traceback" not in result.err


def test_probabilities_of_a_users_file_that_do_not_add_up_end_with_code_2(plyforge, tmp_path):
    file = tmp_path / "mine.py"
    text = Path(RED_BLACK).read_text(encoding="utf-8")
    file.write_text(text.replace("yield 1, 1 / 2", "yield 1, 1 / 3"), encoding="utf-8")
    result = plyforge("equilibrium", str(file))
    assert result.code == 2
    assert "the probabilities add up to 0.8333333333" in " ".join(result.err.split())
