"""The methods of learning, each in its own file, and the table of them.

From the table come the choices and the help of the command line, and tests over all methods.  A
method is pure: it takes a model, weights, data and parameters, and returns new weights and a loss.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from plyforge.core.errors import UnknownName
from plyforge.learn.methods.automatic import AutomaticParameters
from plyforge.learn.methods.evolution import MatchParameters, learn_evolution
from plyforge.learn.methods.genetic import SelectionParameters, evolve_features
from plyforge.learn.methods.logistic import LogisticParameters, learn_logistic
from plyforge.learn.methods.mmto import MmtoParameters, update
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.methods.parameters import Parameters, Range, ranges
from plyforge.learn.methods.patterns import PatternParameters, learn_patterns
from plyforge.learn.methods.regression import (
    GradientParameters,
    NormalParameters,
    learn_gradient,
    learn_normal,
)
from plyforge.learn.methods.supervised import SupervisedParameters, learn_supervised
from plyforge.learn.methods.td import TdParameters, learn_td, learn_td_forward
from plyforge.learn.methods.td_root import TdRootParameters, learn_td_root
from plyforge.learn.methods.tdleaf import learn_tdleaf

EPISODES: Final = "episodes"
LEAVES: Final = "leaves"
SEARCHES: Final = "searches"
SAMPLES: Final = "samples"
JUDGED: Final = "judged"
GENERATIONS: Final = "generations"
TEACHER: Final = "teacher"


@dataclass(frozen=True)
class Method:
    """A row of the table."""

    name: str
    summary: str
    paper: str
    data: str
    """What it learns from: episodes of positions, of leaves or with searches; samples; or `judged`.

    Methods that are judged take a function that rates candidates, instead of a model and data; in a
    run these are rated by games.  `generations` is a set of samples that grows with every round,
    `teacher` a data set of games whose moves are to be found.
    """
    learn: Callable[..., Any]
    parameters: type[Parameters]

    @property
    def needs_lines(self) -> bool:
        """Whether searches must keep their principal variations."""
        return self.data in (LEAVES, TEACHER)

    def ranges(self) -> dict[str, Range]:
        """Return the range of every parameter, by name."""
        return ranges(self.parameters)

    def make_parameters(self, **values: Any) -> Parameters:
        """Return parameters with these values; names may have hyphens."""
        known = self.ranges()
        named = {name.replace("-", "_"): value for name, value in values.items()}
        for name in named:
            if name not in known:
                names = [one.replace("_", "-") for one in known]
                raise UnknownName(f"parameter of {self.name}", name.replace("_", "-"), names)
        return self.parameters(**named)


_ROWS: Final = (
    Method(
        "td",
        "TD(λ) with eligibility traces, over the positions of games",
        "Sutton, Learning to predict by the methods of temporal differences, 1988",
        EPISODES,
        learn_td,
        TdParameters,
    ),
    Method(
        "td-forward",
        "the forward view of TD(λ): every position learns its λ-return",
        "Sutton and Barto, Reinforcement Learning, 2018, chapter 12",
        EPISODES,
        learn_td_forward,
        TdParameters,
    ),
    Method(
        "tdleaf",
        "TD(λ) over the leaves of principal variations",
        "Baxter, Tridgell and Weaver, TDLeaf(λ), 1998",
        LEAVES,
        learn_tdleaf,
        TdParameters,
    ),
    Method(
        "td-root",
        "the value of a search is the target of the static value of its root",
        "Samuel, Some studies in machine learning using the game of checkers, 1959",
        SEARCHES,
        learn_td_root,
        TdRootParameters,
    ),
    Method(
        "regression",
        "linear regression by normal equations",
        "Legendre, 1805; ridge: Hoerl and Kennard, 1970",
        SAMPLES,
        learn_normal,
        NormalParameters,
    ),
    Method(
        "regression-gradient",
        "linear regression by gradient descent",
        "Cauchy, Méthode générale pour la résolution des systèmes d'équations simultanées, 1847",
        SAMPLES,
        learn_gradient,
        GradientParameters,
    ),
    Method(
        "patterns",
        "tables of patterns in generations of games: least squares by conjugate gradients",
        "Buro, Logistello, 1997; Hestenes and Stiefel, 1952",
        GENERATIONS,
        learn_patterns,
        PatternParameters,
    ),
    Method(
        "logistic",
        "logistic regression on results and on values of searches",
        "Cox, 1958; Buro, Statistical feature combination, 1995",
        SAMPLES,
        learn_logistic,
        LogisticParameters,
    ),
    Method(
        "auto",
        "an evaluation found from the rules, fitted to games of self-play in generations",
        "Buro, 1995, for the fit; Bledsoe and Browning, 1959, for n-tuples",
        GENERATIONS,
        learn_logistic,
        AutomaticParameters,
    ),
    Method(
        "mmto",
        "minimax tree optimisation: the search should choose a teacher's moves",
        "Hoki and Kaneko, Large-scale optimization for evaluation functions, 2014",
        TEACHER,
        update,
        MmtoParameters,
    ),
    Method(
        "supervised",
        "mini-batches with Adam, and an early stop on held-out games",
        "Kingma and Ba, Adam, 2015",
        SAMPLES,
        learn_supervised,
        SupervisedParameters,
    ),
    Method(
        "genetic",
        "a genetic algorithm over subsets of features",
        "Holland, Adaptation in Natural and Artificial Systems, 1975",
        JUDGED,
        evolve_features,
        SelectionParameters,
    ),
    Method(
        "evolution",
        "evolution strategies that adapt the covariance matrix, by the package cma",
        "Hansen and Ostermeier, 2001",
        JUDGED,
        learn_evolution,
        MatchParameters,
    ),
)
METHODS: Final[dict[str, Method]] = {method.name: method for method in _ROWS}


def find_method(name: str) -> Method:
    """Return a method by its name."""
    if name not in METHODS:
        raise UnknownName("method", name, METHODS)
    return METHODS[name]


__all__ = ["METHODS", "Learned", "Method", "find_method"]
