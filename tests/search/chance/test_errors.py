"""What does not go with chance is an error that says what does; so are wrong probabilities."""

from pathlib import Path

import pytest

import plyforge
from plyforge import Engine
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.database.building import build_database
from plyforge.engine import expect
from plyforge.engine.master.settings import check_engine
from plyforge.engine.proof_solve import solve_by_proof
from plyforge.jobs.local import local_executor
from plyforge.search.textbook.algorithms import check_algorithm
from tests.search.chance.dice_game import RULES


def load(tmp_path: Path, outcomes: str, backend: str = "python") -> plyforge.Game:
    file = tmp_path / "dice.py"
    file.write_text(RULES.replace("{outcomes}", outcomes))
    return plyforge.load(str(file), backend)


@pytest.mark.parametrize(
    ("outcomes", "reason"),
    [
        ("yield 1, 0.5", "the probabilities add up to 0.5; they must add up to 1"),
        ("yield 1, 1.5; yield 2, -0.5", "the probability 1.5; it must be above 0 and at most 1"),
        ("yield 1, 0.5; yield 2, 0.0; yield 3, 0.5", "the outcome 2 has the probability 0;"),
        ("yield 1, float('nan'); yield 2, 0.5", "the outcome 1 has the probability nan"),
        ("yield 1, 0.5; yield 1, 0.5", "the outcome 1 comes twice"),
        ("yield from ()", "there is no outcome"),
        ("yield 1", "it must yield pairs"),
        ("yield 1, 'x'", "the probability 'x'; it must be a number"),
        ("yield 1.5, 1.0", "an outcome must be an int"),
    ],
)
def test_wrong_outcomes_are_explained(tmp_path: Path, outcomes: str, reason: str) -> None:
    game = load(tmp_path, outcomes)
    position = game.play(game.initial(), 1)
    with pytest.raises(GameFileError) as error:
        game.chance_outcomes(position)
    assert reason in str(error.value)
    if "yield 1, 0.5" in outcomes or "nan" in outcomes:
        with pytest.raises(GameFileError) as error:
            Engine(game).analyse(depth=2)
        assert reason in str(error.value)


@pytest.mark.parametrize(
    ("without", "needed"),
    [
        ("def turn", "'chance' needs 'turn(position)'"),
        ("def chance(", "'chance_outcomes' needs 'chance(position)'"),
    ],
)
def test_incomplete_hooks_are_explained(tmp_path: Path, without: str, needed: str) -> None:
    file = tmp_path / "dice.py"
    lines = RULES.replace("{outcomes}", "yield 1, 1.0").splitlines()
    file.write_text("\n".join(line for line in lines if not line.startswith(without)))
    with pytest.raises(GameFileError) as error:
        plyforge.load(str(file))
    assert needed in str(error.value)


def test_a_final_score_outside_of_the_range_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "dice.py"
    text = RULES.replace("{outcomes}", "yield 1, 0.5; yield 2, 0.5")
    file.write_text(f"{text}\ndef stuck(position): return 500.0\n")
    with pytest.raises(GameFileError, match=r"a finished game has the score -?500"):
        Engine(plyforge.load(str(file), "python")).analyse(depth=6)


def test_there_is_no_best_move_where_chance_moves() -> None:
    game = plyforge.load("pig", "python")
    with pytest.raises(PlyforgeError, match=r"chance moves in this position.*such as '1'"):
        Engine(game).analyse("0 0 0 First rolls", depth=2)


@pytest.mark.parametrize("method", ["ybwc", "abdada", "aphid", "root-split"])
def test_parallel_methods_that_do_not_know_chance_say_which_do(method: str) -> None:
    with pytest.raises(PlyforgeError) as error:
        Engine(plyforge.load("pig", "python"), threads=2, parallel=method)
    assert str(error.value) == (
        f"the parallel method '{method}' does not go with a game of chance; these do:"
        " shared-table, lazy"
    )


@pytest.mark.parametrize("step", ["null-move", "lmr", "singular", "probcut"])
def test_steps_that_do_not_know_chance_say_which_do(step: str) -> None:
    with pytest.raises(
        PlyforgeError, match=r"does not go with a game of chance|needs the hook|fit"
    ):
        Engine(plyforge.load("pig", "python"), on=[step])


def test_proofs_workers_and_databases_know_only_moves_of_players(tmp_path: Path) -> None:
    game = plyforge.load("pig", "python")
    with pytest.raises(PlyforgeError, match=r"'df-pn' does not go with a game of chance; use 'alp"):
        solve_by_proof(game, game.history())
    with pytest.raises(PlyforgeError, match="a master with workers does not go with a game of ch"):
        check_engine(Engine(game))
    with pytest.raises(PlyforgeError, match="an endgame database does not go with a game of cha"):
        build_database(game, "pig", ["1"], tmp_path, local_executor(1))


def test_star1_is_for_games_of_chance() -> None:
    assert "star1" not in Engine(plyforge.load("tictactoe", "python")).options.switches
    with pytest.raises(PlyforgeError, match="needs the hook 'chance'"):
        Engine(plyforge.load("tictactoe", "python"), on=["star1"])


def test_textbook_algorithms_are_for_one_kind_of_games() -> None:
    with pytest.raises(PlyforgeError, match="these can: expectimax, star1, star2"):
        check_algorithm(plyforge.load("pig", "python"), "alpha-beta")
    with pytest.raises(PlyforgeError, match="not a game of chance; these can: minimax"):
        check_algorithm(plyforge.load("tictactoe", "python"), "star2")


def test_the_expected_value_of_pig_near_the_end_is_known() -> None:
    """At 99 to 99 the side to move rolls and wins with probability 6/7."""
    game = plyforge.load("pig", "python")
    result = Engine(game).analyse("99 99 0 First", depth=16)
    assert result.score == pytest.approx(100 * (2 * 6 / 7 - 1), abs=1e-4)
    found = expect(Engine(game), "99 99 0 First rolls", depth=15)
    assert found.score == pytest.approx(result.score, abs=1e-3)
