"""Alpha-beta in graphs with cycles, compared with a solver that follows every path."""

import pytest

from plyforge import Engine
from plyforge.core.scores import SCORE_LIMIT
from tests.reference.path_solver import PathSolver, TooManyPaths
from tests.search.proof.test_cycles import RULES, random_root

DEPTH = 60
"""More plies than any line of these graphs has before a position comes back often enough."""


class Comparison:
    """Compares the values of graphs; counts the nodes of both policies."""

    def __init__(self) -> None:
        self._engines: dict[tuple[str, int, str], Engine] = {}
        self.compared = dict.fromkeys(RULES, 0)
        self.wrong: dict[str, dict[str, list[int]]] = {
            policy: {rule: [] for rule in RULES} for policy in ("safe", "fast")
        }
        self.nodes = {"safe": 0, "fast": 0}

    def compare(self, seed: int, rule: str) -> None:
        count = 3 if seed % 4 == 0 else 2
        root = random_root(seed, rule, count)
        if root.verdict().over:
            return
        try:
            expected = PathSolver(root).value
        except TooManyPaths:
            return
        self.compared[rule] += 1
        depth = DEPTH
        for policy in ("safe", "fast"):
            engine = self._engines.get((rule, count, policy))
            if engine is None:
                settings = {"cycle-policy": policy}
                engine = Engine(root.game, entries=1 << 14, settings=settings)
                self._engines[rule, count, policy] = engine
            engine.clear()
            result = engine.analyse(root, depth=depth)
            depth = result.depth  # the other policy searches as deep
            self.nodes[policy] += result.nodes
            value = result.score
            if abs(value) > SCORE_LIMIT:  # without the number of plies
                value = round(value, -6)
            if value != expected or (policy == "safe" and not result.proved):
                self.wrong[policy][rule].append(seed)

    def report(self) -> str:
        lines = [f"{sum(self.compared.values()):,} graphs, nodes {self.nodes}"]
        for policy, rules in self.wrong.items():
            for rule, seeds in rules.items():
                lines.append(f"{policy:<5} {rule:<8} {len(seeds)} wrong of {self.compared[rule]}")
        return "\n".join(lines)


@pytest.mark.long
def test_only_results_by_path_are_those_of_all_paths() -> None:
    comparison = Comparison()
    for seed in range(1000):
        for rule in RULES:
            comparison.compare(seed, rule)
    print(comparison.report())
    assert sum(comparison.compared.values()) > 2000
    assert not any(comparison.wrong["safe"].values())
    assert any(comparison.wrong["fast"].values())
