"""Alpha-beta in graphs with cycles, compared with a solver that follows every path."""

import pytest

from plyforge import Engine
from plyforge.compilation.kernel import Backend
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.result import SearchResult
from plyforge.game.game import History
from tests.reference.path_solver import PathSolver, TooManyPaths
from tests.search.proof.test_cycles import GRAPHS, PARTS, RULES, SEEDS, random_root

DEPTH = 60
"""More plies than any line of these graphs has before a position comes back often enough."""
POLICIES = ("safe", "shared", "fast")


class Comparison:
    """Compares the values of graphs; counts the nodes of each policy."""

    def __init__(self, policies: tuple[str, ...] = POLICIES, backend: Backend = "compiled") -> None:
        self._backend: Backend = backend
        self._engines: dict[tuple[str, int, str], Engine] = {}
        self.compared = dict.fromkeys(RULES, 0)
        self.wrong: dict[str, dict[str, list[int]]] = {
            policy: {rule: [] for rule in RULES} for policy in policies
        }
        self.nodes = dict.fromkeys(policies, 0)

    def compare_all(self, seeds: range) -> None:
        for seed in seeds:
            for rule in RULES:
                self.compare(seed, rule)

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
        for policy in self.wrong:
            # An inexact search proves nothing, so it searches as deep as the one before.
            exact = policy != "fast"
            result = self._search(root, rule, count, policy, DEPTH if exact else depth)
            depth = result.depth
            self.nodes[policy] += result.nodes
            value = result.score
            if abs(value) > SCORE_LIMIT:  # without the number of plies
                value = round(value, -6)
            if value != expected or (exact and not result.proved):
                self.wrong[policy][rule].append(seed)

    def _search(
        self, root: History, rule: str, count: int, policy: str, depth: int
    ) -> SearchResult:
        engine = self._engines.get((rule, count, policy))
        if engine is None:
            settings = {"cycle-policy": policy}
            engine = Engine(root.game, entries=1 << 14, settings=settings, backend=self._backend)
            self._engines[rule, count, policy] = engine
        engine.clear()
        return engine.analyse(root, depth=depth)

    def report(self) -> str:
        lines = [f"{sum(self.compared.values()):,} graphs, nodes {self.nodes}"]
        for policy, rules in self.wrong.items():
            for rule, seeds in rules.items():
                lines.append(f"{policy:<6} {rule:<8} {len(seeds)} wrong of {self.compared[rule]}")
        return "\n".join(lines)


def test_uncompiled_search_has_the_values_of_all_paths() -> None:
    comparison = Comparison(("safe", "shared"), "python")
    comparison.compare_all(range(8))
    assert sum(comparison.compared.values()) > 10
    assert not any(any(rules.values()) for rules in comparison.wrong.values())


@pytest.mark.long
def test_only_exact_policies_have_the_values_of_all_paths() -> None:
    comparison = Comparison()
    comparison.compare_all(range(1000))
    print(comparison.report())
    assert sum(comparison.compared.values()) > 2000
    assert not any(comparison.wrong["safe"].values())
    assert not any(comparison.wrong["shared"].values())
    assert any(comparison.wrong["fast"].values())


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_many_graphs_have_the_values_of_all_paths(part: int) -> None:
    """All parts together compare `GRAPHS` graphs, of which `fast` gets many wrong."""
    comparison = Comparison(("shared",))
    comparison.compare_all(range(10_000 + part * SEEDS, 10_000 + (part + 1) * SEEDS))
    print(comparison.report())
    assert not any(comparison.wrong["shared"].values())
    assert sum(comparison.compared.values()) * PARTS >= GRAPHS
