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

    def make(name, *texts, backend="python", method="auto", distances=True):
        key = name, texts, backend, method, distances
        if key not in made:
            folder = tmp_path_factory.mktemp("database")
            game = with_index(load(name, backend))
            options = {"method": method, "distances": distances}
            build_database(game, name, texts, folder, SerialExecutor(), **options)
            made[key] = Database.open(folder, game)
        return made[key]

    return make
