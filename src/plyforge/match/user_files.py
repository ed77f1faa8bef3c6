"""The files of the user that games and players are made of."""

from collections.abc import Iterable

from plyforge.games import game_file
from plyforge.jobs.user_files import UserFile, read_user_file
from plyforge.match.players import Description


def read_user_files(game: str, players: Iterable[str]) -> list[UserFile]:
    """Read the files of a game and of the descriptions of players."""
    paths = [game_file(game)]
    paths += [path for text in players for path in Description.parse(text).files()]
    return [read_user_file(path) for path in dict.fromkeys(paths) if path is not None]
