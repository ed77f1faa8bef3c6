"""Games of chance at the command line."""

from pathlib import Path

import pytest

from tests.search.chance.dice_game import RULES

EINSTEIN = Path(__file__).parents[3] / "examples" / "chance" / "einstein.py"
WRONG = {
    "negative": ("yield 1, 1.5; yield 2, -0.5", "it must be above 0 and at most 1"),
    "NaN": ("yield 1, float('nan'); yield 2, 0.5", "has the probability nan"),
    "sum": ("yield 1, 0.5; yield 2, 0.4", "the probabilities add up to 0.9; they must add up to 1"),
}
COMMANDS = {
    "analyse": ("--depth", "3", "--backend", "python"),
    "equilibrium": (),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("command", COMMANDS)
def test_wrong_probabilities_end_with_code_2(plyforge, tmp_path, command, case):
    outcomes, reason = WRONG[case]
    file = tmp_path / "dice.py"
    file.write_text(RULES.replace("{outcomes}", outcomes))
    result = plyforge(command, str(file), *COMMANDS[command])
    assert result.code == 2
    assert reason in " ".join(result.err.split())
    assert "Traceback" not in result.err


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("backend", ["python", "compiled"])
def test_random_games_with_wrong_probabilities_are_not_counted(plyforge, tmp_path, case, backend):
    file = tmp_path / "dice.py"
    file.write_text(RULES.replace("{outcomes}", WRONG[case][0]))
    result = plyforge("stats", str(file), "--games", "3", "--backend", backend)
    assert (result.code, result.out) == (2, "")
    assert "gives probabilities that are not above 0, or do not add up to 1" in " ".join(
        result.err.split()
    )


def test_the_expected_value_where_chance_moves_is_printed(plyforge):
    words = ("analyse", "pig", "--position", "99 99 0 First rolls", "--depth", "8",
             "--backend", "python")  # fmt: skip
    lines = plyforge(*words).out.splitlines()
    assert lines[1].split() == ["1", "0.1667", "-71.4288", "roll"]
    assert lines[2].split() == ["2", "0.1667", "+100", "-"]
    assert lines[-1].startswith("expected value +71.4285 for First")
    fields = plyforge(*words, "--json").json
    assert [row["outcome"] for row in fields["outcomes"]] == list("123456")
    assert fields["score"] == pytest.approx(500 / 7, abs=1e-3)


def test_a_solved_game_of_chance_has_an_expected_value(plyforge):
    """The die shows 1: Top wins 31 of 81 games, that is 5 * (2 * 31 / 81 - 1)."""
    words = ("solve", f"{EINSTEIN}:3", "--moves", "1", "--backend", "python")
    assert "expected value -1.17284 for the side to move" in plyforge(*words).out
    fields = plyforge(*words, "--json").json
    assert (fields["solved"], fields["outcome"]) == (True, None)
    assert fields["value"] == pytest.approx(5 * (2 * 31 / 81 - 1), abs=1e-6)


@pytest.mark.parametrize("option", [("--only", "1"), ("--multipv", "2"), ("--stream",)])
def test_options_that_need_a_side_to_move_are_refused_where_chance_moves(plyforge, option):
    result = plyforge(
        "analyse", "pig", "--moves", "roll", "--depth", "2", "--backend", "python", *option
    )
    assert (result.code, result.out) == (2, "")
    assert f"{option[0]} does not go with a position where chance moves" in result.err


def test_outcomes_of_chance_are_not_shown_as_moves(plyforge):
    lines = plyforge("show", "pig", "--moves", "roll").out.splitlines()
    assert lines[-2:] == ["to move   chance, for First", "outcomes  1 2 3 4 5 6"]
    assert plyforge("show", "pig", "--json").json["chance"] is False
    assert plyforge("show", "pig", "--moves", "roll", "--json").json["chance"] is True


def test_moves_with_spaces_are_separated_by_commas(plyforge):
    lines = plyforge("show", "backgammon", "--moves", "65").out.splitlines()
    assert lines[-1].startswith("moves     24/18 18/13, 24/18 13/8, 24/18 8/3")
