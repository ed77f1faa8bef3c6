import pytest

from plyforge.database.building import build_database
from plyforge.database.folder import Database
from plyforge.database.ranking import with_index
from plyforge.games import load
from plyforge.jobs.serial import SerialExecutor


@pytest.fixture(scope="session")
def make_database(tmp_path_factory):
    """Build slices of a game once; return the opened database."""
    made = {}

    def make(name, *texts, backend="python", method="auto"):
        key = name, texts, backend, method
        if key not in made:
            folder = tmp_path_factory.mktemp("database")
            game = with_index(load(name, backend))
            build_database(game, name, texts, folder, SerialExecutor(), method=method)
            made[key] = Database.open(folder, game)
        return made[key]

    return make
