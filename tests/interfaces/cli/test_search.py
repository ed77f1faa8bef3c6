"""`analyse`, `solve`, `bench`, `eval` and `options`."""

import json
import signal
import subprocess
import sys

import pytest

from tests.processes import popen

AIMA = "[[3,12,8],[2,4,6],[14,5,2]]"


def test_plain_alpha_beta_visits_the_leaves_of_the_textbook(plyforge):
    answer = plyforge(
        "analyse", "tree", "--position", AIMA, "--depth", "2", "--off", "all",
        "--driver", "alphabeta", "--json",
    )  # fmt: skip
    fields = answer.json
    assert answer.code == 0
    assert (fields["score"], fields["leaves"], fields["interior"]) == (3, 7, 4)
    assert (fields["best"], fields["pv"], fields["proved"]) == ("1", ["1", "1"], True)
    assert (fields["bound"], fields["depth"], fields["driver"]) == ("exact", 2, "alphabeta")
    assert fields["nodes"] == 11
    assert fields["iterations"] == 1


def test_minimax_visits_every_leaf(plyforge):
    fields = plyforge(
        "analyse", "tree", "--position", AIMA, "--depth", "2", "--driver", "minimax", "--json"
    ).json
    assert (fields["score"], fields["leaves"]) == (3, 9)


@pytest.mark.parametrize("driver", ["aspiration", "mtdf", "real-mtdf", "mtd-bi", "sss", "dual"])
def test_every_driver_finds_the_value_and_reports_its_steps(plyforge, driver):
    fields = plyforge("analyse", "tictactoe", "--depth", "9", "--driver", driver, "--json").json
    assert (fields["score"], fields["proved"], fields["outcome"]) == (0, True, "draw")
    assert fields["iterations"] == len(fields["steps"])
    assert sum(step["nodes"] for step in fields["steps"]) == fields["nodes"]


def test_switches_and_parameters_reach_the_search(plyforge):
    start = ("analyse", "connect4:4x4", "--depth", "7", "--json")
    fields = plyforge(*start, "--off", "all", "--on", "table,pvs", "--set", "depth-rule=at-least",
                     "--replace", "newer", "--entries", "1024").json  # fmt: skip
    assert fields["probes"] > fields["hits"] > 0
    assert fields["iterations"] == 1
    assert plyforge(*start, "--set", "depth-step=1").json["iterations"] == 7
    assert plyforge(*start, "--set", "distinct=yes").json["distinct_interior"] > 100


def test_several_lines_are_sorted_best_first(plyforge):
    fields = plyforge("analyse", "tictactoe", "--depth", "5", "--multipv", "3", "--json").json
    scores = [line["score"] for line in fields["lines"]]
    assert len({line["pv"][0] for line in fields["lines"]}) == 3
    assert scores == sorted(scores, reverse=True)


def test_only_the_named_moves_are_searched(plyforge):
    fields = plyforge("analyse", "tictactoe", "--depth", "3", "--only", "a1 c2", "--json").json
    assert fields["best"] in ("a1", "c2")


def test_stream_prints_every_iteration_as_json(plyforge):
    lines = plyforge("analyse", "tictactoe", "--depth", "5", "--stream").out.splitlines()
    assert [json.loads(line)["depth"] for line in lines] == [1, 3, 5, 5]


def test_analyse_prints_a_table_the_best_move_and_the_line(plyforge):
    out = plyforge("analyse", "tictactoe", "--depth", "9").out
    assert "depth" in out.splitlines()[0]
    assert "proved" in out
    assert "\nline " in out


def test_solve_returns_the_value_of_perfect_play(plyforge):
    won = plyforge("solve", "tictactoe", "--moves", "b2 b1", "--json")
    assert (won.code, won.json["value"], won.json["outcome"]) == (0, 1, "win")
    score = plyforge("solve", "othello:4", "--json").json
    assert (score["value"], score["outcome"]) == (-8, "loss")
    assert "value -8" in plyforge("solve", "othello:4").out


def test_solve_accepts_a_preset(plyforge):
    assert plyforge("solve", "tictactoe", "--preset", "exact", "--json").json["outcome"] == "draw"
    assert "did you mean 'exact'?" in plyforge("solve", "tictactoe", "--preset", "exakt").err


def test_solve_fails_when_a_limit_is_reached_first(plyforge):
    answer = plyforge("solve", "connect4", "--nodes", "1000", "--json")
    assert (answer.code, answer.json["solved"], answer.json["value"]) == (3, False, None)


def test_solve_says_which_limit_was_reached(plyforge):
    answer = plyforge("solve", "tictactoe", "--nodes", "10", "--backend", "python")
    assert answer.code == 3
    assert "not solved: out of nodes after depth" in answer.out
    assert "best so far" in answer.out


@pytest.mark.parametrize("method", ["df-pn", "proof-number", "pn2"])
def test_solve_by_proofs(plyforge, method):
    words = ("tictactoe", "--moves", "b2 b1 a1 c3", "--method", method, "--backend", "python")
    fields = plyforge("solve", *words, "--entries", "5000", "--json").json
    assert (fields["value"], fields["outcome"], fields["method"]) == (1, "win", method)
    assert fields["questions"] == [{"threshold": "win", "answer": True, "nodes": fields["nodes"]}]
    text = plyforge("solve", *words, "--entries", "5000").out
    assert "win, value 1 for the side to move" in text
    assert "proved win: yes" in text


@pytest.mark.parametrize("method", ["df-pn", "alpha-beta"])
def test_solve_each_move(plyforge, method):
    words = ("tictactoe", "--moves", "a1 b2 a2", "--method", method, "--backend", "python")
    words = ("solve", *words, "--entries", "5000", "--each-move")
    fields = plyforge(*words, "--json").json
    assert fields["solved"]
    assert {one["move"]: one["value"] for one in fields["moves"]}["a3"] == 0
    assert {one["value"] for one in fields["moves"] if one["move"] != "a3"} == {-1}
    assert all(one["outcome"] in ("draw", "loss") for one in fields["moves"])
    answer = plyforge(*words)
    assert answer.code == 0
    assert "6 of 6 moves solved" in answer.out
    assert ("loss in 2" in answer.out) == (method == "alpha-beta")


def test_solve_each_move_stops_at_limits_and_at_the_end(plyforge):
    words = ("solve", "tictactoe", "--each-move", "--backend", "python", "--entries", "5000")
    answer = plyforge(*words, "--nodes", "5", "--method", "df-pn")
    assert answer.code == 3
    assert "0 of 9 moves solved" in answer.out
    over = plyforge(*words, "--moves", "a1 b1 a2 b2 a3")
    assert over.code == 2
    assert "the game is over" in over.err


def test_solve_by_proofs_says_which_limit_was_reached(plyforge):
    words = ("tictactoe", "--method", "df-pn", "--backend", "python", "--nodes", "10")
    answer = plyforge("solve", *words, "--entries", "5000")
    assert answer.code == 3
    assert "not solved: out of nodes" in answer.out
    assert "the value is between -1 and 1" in answer.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--method", "dfpn"), "did you mean 'df-pn'?"),
        (("--method", "df-pn", "--driver", "mtdf"), "--driver belongs to the method 'alpha-beta'"),
        (("--method", "df-pn", "--hash", "0.001"), "entries must be between 256 and"),
        (("--method", "df-pn", "--hash", "-1"), "hash must be a positive number of MiB"),
    ],
)
def test_solve_refuses_wrong_options_of_proofs(plyforge, words, message):
    answer = plyforge("solve", "tictactoe", *words, "--backend", "python")
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_bench_is_reproducible(plyforge):
    first, second = (plyforge("bench", "tictactoe", "--json").json for _ in range(2))
    assert first["signature"] == second["signature"] > 0
    assert first["nodes_per_second"] > 0


def test_bench_prints_nothing_before_an_error(plyforge):
    answer = plyforge("bench", "nope")
    assert (answer.code, answer.out) == (2, "")
    assert "unknown game 'nope'" in answer.err


def test_the_features_of_an_evaluation_add_up(plyforge):
    fields = plyforge("eval", "checkers", "--moves", "11-15 22-18", "--json").json
    total = sum(row["product"] for row in fields["features"])
    assert total == pytest.approx(fields["evaluation"])
    assert "mobility" in plyforge("eval", "checkers").out
    assert "queens" in plyforge("eval", "chess", "--evaluation", "teaching").out


@pytest.mark.parametrize("value", ["float('nan')", "float('inf')", "100.5"])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_an_evaluation_out_of_range_is_reported_with_its_position(plyforge, tmp_path, value, form):
    path = tmp_path / "strange.py"
    path.write_text(f"def evaluate(p): return {value} if p.mine | p.theirs else 0.0\n")
    words = ("eval", "tictactoe", "--evaluation", str(path), "--moves", "b2", *form)
    answer = plyforge(*words)
    assert (answer.code, answer.out) == (2, "")
    assert "strange.py: 'evaluate' returned" in answer.err
    assert "in position .../.X./... O; EVALUATION_RANGE declares (-100, 100)" in answer.err


def test_options_lists_every_switch_and_driver(plyforge):
    from plyforge.engine import DRIVERS
    from plyforge.search.enhancements import ENHANCEMENTS, PARAMETERS

    out = plyforge("options").out
    assert all(name in out for name in [*ENHANCEMENTS, *DRIVERS, *PARAMETERS])
    assert {row["name"] for row in plyforge("options", "--json").json["switches"]} == set(
        ENHANCEMENTS
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--driver", "mtdg"), "unknown driver 'mtdg'; did you mean 'mtdf'?"),
        (("--on", "killer"), "unknown switch 'killer'; did you mean 'killers'?"),
        (("--set", "depth-stepp=1"), "unknown parameter 'depth-stepp'; did you mean 'depth-step'?"),
        (("--set", "depth-step"), "must be NAME=VALUE"),
        (("--set", "depth-step=99"), "depth-step must be between 1 and 8, not 99"),
        (("--set", "depth-step=x"), "depth-step must be an integer between 1 and 8, not 'x'"),
        (("--set", "depth-step=1", "--set", "depth-step=2"), "twice"),
        (("--preset", "exakt"), "did you mean 'exact'?"),
        (("--replace", "never"), "did you mean 'newer'?"),
        (("--on", "etc", "--off", "etc"), "both on and off"),
        (("--on", "etc", "--off", "table"), "does nothing without 'table'"),
        (("--driver", "pvs", "--off", "pvs"), "use the driver 'alphabeta'"),
        (("--hash", "1", "--entries", "1000"), "not both"),
        (("--hash", "100000000"), "hash must be at most"),
        (("--hash", "-3"), "positive"),
        (("--entries", "10"), "at least 256"),
        (("--depth", "0"), "depth must be between 1 and 250, not 0"),
        (("--depth", "1000"), "depth must be between 1 and 250, not 1000"),
        (("--time", "0"), "positive"),
        (("--time", "nan"), "finite"),
        (("--nodes", "0"), "at least 1"),
        (("--threads", "0"), "threads must be between 1 and 256, not 0"),
        (("--multipv", "0"), "at least 1"),
        (("--only", "z9"), "legal"),
        (("--moves", "a1 b1 a2 b2 a3"), "the game is over"),
        (("--evaluation", "nowhere.py"), "no file nowhere.py; give the path of a Python file with"),
        (("--evaluation", "best"), "lists none by name"),
    ],
)
def test_wrong_input_names_the_value_and_the_remedy(plyforge, words, message):
    answer = plyforge("analyse", "tictactoe", *words)
    assert answer.code == 2
    assert message in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("words", [("--set", "depth-rule=at-least"), ("--preset", "play")])
def test_solving_needs_exact_options(plyforge, words):
    answer = plyforge("solve", "tictactoe", *words)
    assert answer.code == 2
    assert "exact" in answer.err


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_an_interrupted_analysis_prints_the_best_move_so_far():
    # The kernel of other tests; the usual one would be compiled for this process alone.
    options = ["--time", "600", "--set", "specialise=no"]
    command = [sys.executable, "-m", "plyforge", "analyse", "checkers", *options]
    process = popen(command, stdout=subprocess.PIPE, text=True)
    while not process.stdout.readline().startswith("    8"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "best " in out
