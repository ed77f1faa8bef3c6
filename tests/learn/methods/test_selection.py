"""The genetic algorithm, evolution strategies, and the table of methods."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.core.errors import PlyforgeError
from plyforge.learn.methods import METHODS, find_method
from plyforge.learn.methods.evolution import EvolutionParameters, learn_evolution
from plyforge.learn.methods.genetic import (
    Generation,
    GeneticParameters,
    evolve_features,
    fittest,
    fittest_at_the_end,
)
from tests.search.examples import examples

WANTED = np.array([1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1], bool)


def likeness(individuals, number):
    return [float(np.sum(bits == WANTED)) for bits in individuals]


def test_wanted_features_are_found():
    parameters = GeneticParameters(population=30, generations=30, seed=2)
    found = evolve_features(len(WANTED), likeness, parameters)
    assert found.bits.tolist() == WANTED.tolist()
    assert found.fitness == len(WANTED)
    assert [one.number for one in found.generations] == list(range(30))


def test_the_best_survive():
    parameters = GeneticParameters(population=8, generations=12, elite=2, seed=4)
    found = evolve_features(len(WANTED), likeness, parameters)
    best = [max(one.fitness) for one in found.generations]
    assert best == sorted(best)
    assert all(len(one.individuals) == 8 for one in found.generations)
    for before, after in zip(found.generations, found.generations[1:], strict=False):
        elite = np.argsort([-value for value in before.fitness], kind="stable")[:2]
        for place, index in enumerate(elite):
            assert np.array_equal(after.individuals[place], before.individuals[index])


@examples(40)
@given(st.integers(1, 9), st.integers(0, 2**32), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_no_subset_is_empty_and_chance_has_a_seed(features, seed, mutation, crossover, density):
    parameters = GeneticParameters(
        population=4, generations=3, mutation=mutation, crossover=crossover, density=density,
        seed=seed,
    )  # fmt: skip
    runs = [
        evolve_features(features, lambda bits, _: [float(one.sum()) for one in bits], parameters)
        for _ in range(2)
    ]
    for run in runs:
        assert all(bits.any() for one in run.generations for bits in one.individuals)
    one, other = ([list(map(list, g.individuals)) for g in run.generations] for run in runs)
    assert one == other


def test_without_change_children_are_parents():
    parameters = GeneticParameters(population=6, generations=5, mutation=0.0, crossover=0.0)
    found = evolve_features(10, lambda bits, _: [float(one.sum()) for one in bits], parameters)
    first = {tuple(bits) for bits in found.generations[0].individuals}
    for generation in found.generations[1:]:
        assert {tuple(bits) for bits in generation.individuals} <= first


def test_a_wrong_fitness_is_refused():
    with pytest.raises(PlyforgeError, match="generation 0 must be 12 finite numbers"):
        evolve_features(3, lambda bits, _: [1.0], GeneticParameters())
    with pytest.raises(PlyforgeError, match="finite numbers"):
        evolve_features(3, lambda bits, _: [float("nan")] * 12, GeneticParameters())
    with pytest.raises(PlyforgeError, match="at least one feature"):
        evolve_features(0, likeness, GeneticParameters())
    with pytest.raises(PlyforgeError, match="elite must be less than the population of 4, not 4"):
        GeneticParameters(population=4, elite=4)


def bowl(vectors, number):
    goal = np.array([1.0, -2.0, 0.5])
    return [float(np.sum((vector - goal) ** 2 * [1, 10, 100])) for vector in vectors]


@pytest.mark.long
def test_evolution_finds_the_bottom_of_a_bowl():
    pytest.importorskip("cma")
    parameters = EvolutionParameters(deviation=1.0, generations=150, seed=3)
    learned = learn_evolution(np.zeros(3), bowl, parameters)
    assert learned.weights == pytest.approx([1.0, -2.0, 0.5], abs=1e-3)
    again = learn_evolution(np.zeros(3), bowl, parameters)
    assert again.weights.tolist() == learned.weights.tolist()
    assert learned.history[-1][0] < learned.history[0][0]


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(PlyforgeError, match=r"pip install plyforge\[learn\]"):
        learn_evolution(np.zeros(3), bowl, EvolutionParameters())


def test_every_method_has_a_row():
    for name, method in METHODS.items():
        assert method.name == name == name.lower()
        assert method.summary
        assert method.paper
        assert callable(method.learn)
        assert method.make_parameters() == method.parameters()
        for limits in method.ranges().values():
            assert limits.summary
    with pytest.raises(PlyforgeError, match="did you mean 'tdleaf'"):
        find_method("tdleave")
    with pytest.raises(PlyforgeError, match="unknown parameter of supervised 'held-aut'"):
        find_method("supervised").make_parameters(**{"held-aut": 0.5})
    assert find_method("supervised").make_parameters(**{"held-out": 0.5}).held_out == 0.5


def test_points_of_a_tournament_decide_within_the_last_generation():
    subsets = [np.array(bits, bool) for bits in ([1, 0], [0, 1], [1, 1])]
    first = Generation(0, (subsets[0], subsets[1]), (0.9, 0.1))
    last = Generation(1, (subsets[2], subsets[0]), (0.6, 0.4))
    assert fittest([first, last]).bits is subsets[0]
    found = fittest_at_the_end([first, last])
    assert found.bits is subsets[2]
    assert found.fitness == 0.6
    assert found.generations == (first, last)
