"""The sequence form of a tree: its payoffs by pairs of sequences of moves.

A sequence of a player is an information set and a move in it; the player's moves before are those
of its parent sequence.  Number 0 is the empty sequence.  A plan gives each sequence the probability
that its player makes all of its moves; the expected payoff is then linear in each player's plan
(Koller, Megiddo and von Stengel 1996).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from plyforge.equilibrium.game_tree import GameTree

Reals = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Sequences:
    """The information sets of one player; a set's sequences have consecutive numbers."""

    starts: Indices
    """The first sequence of each set, and the number of all sequences at the end."""
    parents: Indices
    """The sequence that leads to each set, whose number is smaller than the set's own."""

    @property
    def sets(self) -> int:
        """The number of information sets."""
        return len(self.parents)

    @property
    def size(self) -> int:
        """The number of sequences, with the empty one."""
        return int(self.starts[-1])

    @cached_property
    def set_of(self) -> Indices:
        """The set of each sequence, -1 for the empty one."""
        numbers = np.full(self.size, -1, np.int64)
        numbers[1:] = np.repeat(np.arange(self.sets), np.diff(self.starts))
        return numbers

    def plan(self, strategy: Reals) -> Reals:
        """Return the plan of a strategy, which has the probability of each move in its set."""
        plan = np.ones(self.size)
        for number, parent in enumerate(self.parents):
            begin, end = self.starts[number], self.starts[number + 1]
            plan[begin:end] = plan[parent] * strategy[begin:end]
        return plan

    def strategy(self, plan: Reals) -> Reals:
        """Return the strategy of a plan; in sets that are never reached all moves are equal."""
        counts = np.diff(self.starts)
        strategy = np.ones(self.size)
        before = np.repeat(plan[self.parents], counts)
        uniform = np.repeat(1.0 / counts, counts)
        reached = before > 0.0
        strategy[1:] = np.where(reached, plan[1:] / np.where(reached, before, 1.0), uniform)
        return strategy


@dataclass(frozen=True)
class Payoffs:
    """A sparse matrix by rows: what a player wins for each pair of own and other sequence."""

    rows: Indices
    """The first entry of each row, and the number of all entries at the end."""
    columns: Indices
    values: Reals

    def times(self, plan: Reals) -> Reals:
        """Return the product with a plan of the other player, one number for each row."""
        products = self.values * plan[self.columns]
        numbers = np.repeat(np.arange(len(self.rows) - 1), np.diff(self.rows))
        sums: Reals = np.bincount(numbers, products, len(self.rows) - 1).astype(np.float64)
        return sums


@dataclass(frozen=True)
class SequenceForm:
    """A game in sequence form."""

    players: tuple[Sequences, Sequences]
    payoffs: tuple[Payoffs, Payoffs]
    """For each player, by own sequences."""

    @classmethod
    def of(cls, tree: GameTree) -> "SequenceForm":
        """Return the sequence form of a tree."""
        players = (_sequences(tree, 0), _sequences(tree, 1))
        first = np.array([one for one, _, _ in tree.ends], np.int64)
        second = np.array([other for _, other, _ in tree.ends], np.int64)
        values = np.array([value for _, _, value in tree.ends], np.float64)
        sizes = [player.size for player in players]
        return cls(
            players,
            (
                _sparse(first, second, values, sizes[0], sizes[1]),
                _sparse(second, first, 0.0 - values, sizes[1], sizes[0]),
            ),
        )

    def value(self, plans: Sequence[Reals]) -> float:
        """Return what the first player wins on average if the players follow these plans."""
        return float(plans[0] @ self.payoffs[0].times(plans[1]))

    @property
    def size(self) -> int:
        """The number of sequences of both players."""
        return sum(player.size for player in self.players)

    @property
    def entries(self) -> int:
        """The number of pairs of sequences with a payoff."""
        return len(self.payoffs[0].values)

    @cached_property
    def fingerprint(self) -> str:
        """A text that differs for different games, the same on every machine."""
        digest = hashlib.sha256()
        for player, payoffs in zip(self.players, self.payoffs, strict=True):
            for array in (player.starts, player.parents, payoffs.rows, payoffs.columns):
                digest.update(array.astype("<i8").tobytes())
            digest.update(payoffs.values.astype("<f8").tobytes())
        return digest.hexdigest()[:32]


def _sequences(tree: GameTree, player: int) -> Sequences:
    sets = tree.sets_of(player)
    return Sequences(
        np.array([one.first for one in sets] + [tree.sequence_counts[player]], np.int64),
        np.array([one.parent for one in sets], np.int64),
    )


def _sparse(own: Indices, other: Indices, values: Reals, size: int, other_size: int) -> Payoffs:
    """Add up the values of equal pairs; leave out those that are 0."""
    keys, places = np.unique(own * other_size + other, return_inverse=True)
    sums = np.bincount(places, values, len(keys))
    keys, sums = keys[sums != 0.0], sums[sums != 0.0]
    rows = np.searchsorted(keys // other_size, np.arange(size + 1)).astype(np.int64)
    return Payoffs(rows, keys % other_size, sums)
