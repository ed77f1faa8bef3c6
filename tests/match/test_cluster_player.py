"""The player `cluster:workers=N`."""

import pytest

from plyforge import PlyforgeError
from plyforge.games import load
from plyforge.match.players import MoveLimits, player

GAME = load("connect4:4x4")


def moves(description, limits=None):
    one = player(GAME, description, limits)
    one.begin(7)
    history = GAME.history()
    found = []
    for _ in range(4):
        choice = one.choose(history, None)
        found.append(choice)
        history.play(choice.move)
    one.close()
    return found


def test_the_same_description_plays_the_same_moves():
    description = "cluster:workers=3,nodes=200,entries=1024"
    assert moves(description) == moves(description)


def test_one_worker_plays_as_the_engine_does():
    # Their scores are equal; the engine also completes lines, from which later searches profit.
    alone = moves("cluster:workers=1,nodes=200,entries=1024")[0]
    engine = moves("engine:nodes=200,entries=1024")[0]
    assert alone == engine


def test_a_limit_for_all_players_is_that_of_each_worker():
    choices = moves("cluster:workers=2,entries=1024", MoveLimits(nodes=100))
    assert all(choice.nodes <= 200 for choice in choices)


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ("cluster:workers=0,nodes=10", "between 1 and 10,000, not 0"),
        ("cluster:workers=many,nodes=10", "workers=many is not an integer"),
        ("cluster:workers=2", "has no limit"),
        ("cluster:workers=2,level=3", "unknown setting"),
        ("cluster:workers=2,threads=2,nodes=10", "unknown setting"),
        ("cluster:workers=2,nodes=10,executor=slurm", "unknown executor 'slurm'"),
        ("cluster:workers=2,nodes=10,children=0", "children must be an integer of at least 1"),
        ("cluster:workers=2,nodes=10,off=deepening", "the switch 'deepening'"),
        ("cluster:ray,nodes=10", "'ray' has no name"),
    ],
)
def test_wrong_descriptions_are_errors(description, message):
    with pytest.raises(PlyforgeError, match=message):
        player(GAME, description)
