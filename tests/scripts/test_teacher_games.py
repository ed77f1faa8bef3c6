"""The match that plays a teacher's games."""

from plyforge.match.players.description import Description
from scripts.teacher_games import match_command, parse


def test_both_players_are_the_engine_with_its_options() -> None:
    options = parse(["engine --name=a,b", "--nodes", "500", "--option", "Threads=1"])
    command = match_command(options)
    players = [Description.parse(word) for word in command if word.startswith("uci:")]
    assert [player.main for player in players] == ["engine --name=a,b"] * 2
    for player in players:
        assert player.settings["nodes"] == "500"
        assert player.settings["option.Threads"] == "1"
    assert command[command.index("--records") + 1] == "teacher.pgn"
