import pytest

from plyforge.games import load
from plyforge.lab.cases import mixed_cases
from plyforge.lab.minimal_graph import MinimalGraphs

ENTRIES = 1 << 16


@pytest.mark.parametrize(("name", "depth"), [("connect4", 7), ("othello", 5), ("checkers", 7)])
def test_a_graph_does_not_depend_on_earlier_ones(name: str, depth: int) -> None:
    game = load(name)
    roots = [case.history(game) for case in mixed_cases({name: 10}, seed=0, count=8)]
    busy = MinimalGraphs(game, ENTRIES)
    together = [busy.find(root, depth) for root in roots]
    assert together == [MinimalGraphs(game, ENTRIES).find(root, depth) for root in roots]
