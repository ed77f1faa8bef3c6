"""The files of the user that games and players are made of."""

from collections.abc import Iterable

from plyforge.games import game_file
from plyforge.jobs.user_files import UserFile, game_file_path, read_user_file
from plyforge.match.players import Description


def read_user_files(game: str, players: Iterable[str]) -> list[UserFile]:
    """Read the files of a game and of the descriptions of players."""
    own = game_file(game)
    paths = [own]
    for description in map(Description.parse, players):
        paths += description.files()
        if own is not None:
            paths += [str(game_file_path(own, name)) for name in description.files_of_game()]
    return [read_user_file(path) for path in dict.fromkeys(paths) if path is not None]
