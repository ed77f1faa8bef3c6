"""Players that a game names."""

import shutil
from pathlib import Path

import pytest

import plyforge
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.games.checkers.named_players import NAMED_PLAYERS, TRAININGS, weights
from plyforge.interfaces.web.drivers import DriverCatalog
from plyforge.interfaces.web.players import read_description as read_for_page
from plyforge.jobs.user_files import game_file_path
from plyforge.match.plan import Plan
from plyforge.match.players import Description, Kind, player, read_description

NAMED = {"quick": "engine:depth=3,off=history,hash=1"}
RULES = Path(plyforge.load("tictactoe").rules.file)


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    """Return a game of the user that names a player."""
    file = tmp_path / "mine.py"
    shutil.copy(RULES, file)
    with file.open("a") as text:
        text.write('\nNAMED_PLAYERS = {"quick": "engine:depth=1,evaluation=none"}\n')
    return file


def test_settings_replace_those_of_the_game() -> None:
    read = Description.parse("quick:off=killers", NAMED)
    assert read.kind is Kind.ENGINE
    assert read.settings["depth"] == "3"
    assert read.settings["off"] == "killers"


@pytest.mark.parametrize("limit", ["depth=6", "nodes=100", "time=0.1", "level=3"])
def test_a_limit_replaces_all_limits(limit: str) -> None:
    settings = Description.parse(f"quick:{limit}", NAMED).settings
    assert [name for name in ("level", "depth", "nodes", "time") if name in settings] == [
        limit.partition("=")[0]
    ]


def test_the_name_in_tables_is_what_was_written() -> None:
    assert Description.parse("quick", NAMED).name == "quick"
    assert Description.parse("quick:depth=6", NAMED).name == "quick:depth=6"
    assert Description.parse("quick:depth=6,name=mine", NAMED).name == "mine"


def test_what_was_read_can_be_read_again_without_the_game() -> None:
    read = Description.parse('quick:off=killers,name="a,b"', NAMED)
    assert Description.parse(str(read)) == read


def test_unknown_names_are_listed() -> None:
    with pytest.raises(PlyforgeError, match="vision-draughts"):
        read_description(plyforge.load("checkers"), "vision-draught")
    with pytest.raises(PlyforgeError, match="no name"):
        Description.parse("quick:6", NAMED)


def test_a_user_s_game_names_players(game_file: Path) -> None:
    game = plyforge.load(str(game_file))
    made = player(game, "quick")
    made.close()
    plan = Plan(str(game_file), ("quick", "random"))
    assert plan.names == ["quick", "random"]
    assert plan.players[0] == "engine:depth=1,evaluation=none,name=quick"


@pytest.mark.parametrize("value", ["['quick']", "{'a b': 'random'}", "{'quick': 3}"])
def test_wrong_declarations_are_errors(tmp_path: Path, value: str) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(RULES.read_text() + f"\nNAMED_PLAYERS = {value}\n")
    with pytest.raises(GameFileError, match="NAMED_PLAYERS is"):
        plyforge.load(str(file))


def test_weights_beside_a_user_s_game_are_read_for_workers(game_file: Path) -> None:
    (game_file.parent / "w.npz").write_bytes(b"weights")
    plan = Plan(str(game_file), ("quick:evaluation=game:w.npz", "random"))
    assert str(game_file.parent / "w.npz") in [file.name for file in plan.read_files()]


def test_a_page_can_use_named_players_but_no_other_files() -> None:
    assert read_for_page("vision-draughts", DriverCatalog(), NAMED_PLAYERS).settings["off"] == "all"
    assert read_for_page("vision-draughts:depth=4", DriverCatalog(), NAMED_PLAYERS)
    for more in ("evaluation=x.npz", "hash=9999", "evaluation=game:../x.npz"):
        with pytest.raises(PlyforgeError, match="unknown setting"):
            read_for_page(f"vision-draughts:{more}", DriverCatalog(), NAMED_PLAYERS)
    with pytest.raises(PlyforgeError, match="must be between"):
        read_for_page("vision-draughts:depth=99", DriverCatalog(), NAMED_PLAYERS)


@pytest.mark.parametrize("name", NAMED_PLAYERS)
def test_draughts_players_can_be_made_in_any_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    player(plyforge.load("checkers"), name).close()


def test_all_trainings_are_there_and_differ() -> None:
    file = plyforge.load("checkers").rules.file
    for net in ("neurodraughts", "ls-draughts"):
        numbers = range(1, TRAININGS + 1)
        contents = [game_file_path(file, weights(net, n)).read_bytes() for n in numbers]
        assert len(set(contents)) == TRAININGS
