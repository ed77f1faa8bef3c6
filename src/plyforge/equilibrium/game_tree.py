"""The whole tree of a game, with the information sets of both players.

The tree is walked once, uncompiled.  Every information set must have the same moves in all of its
nodes, and no player may forget what they knew or did: all nodes of a set have the same moves of
their player before them (perfect recall, Kuhn 1953).  A tree that breaks a rule is refused with the
two histories that show it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from plyforge.core.errors import GameFileError, PlyforgeError, clip
from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN
from plyforge.game.chance import read_outcomes
from plyforge.game.game import Game

CHANCE: Final = 2
END: Final = 3
"""Kinds of nodes besides 0 and 1, those in which a player moves."""
MAX_NODES: Final = 3_000_000
"""The default limit of nodes."""
MAX_PLIES: Final = 1000
"""The limit of moves and outcomes of chance in one game: a game that need not end has no tree."""
_REPORT_EVERY: Final = 10_000
_NO_SET: Final = -1
Report = Callable[[int], None]


@dataclass(frozen=True)
class InformationSet:
    """Nodes that their player cannot tell apart."""

    player: int
    label: str
    """What the player knows."""
    moves: tuple[str, ...]
    first: int
    """The number of the player's sequence that ends with its first move; the others follow."""
    parent: int
    """The number of the sequence of the player's moves that leads to the set."""
    node: int
    """The first of its nodes."""
    codes: tuple[int, ...] = ()
    """The moves as the rules write them."""


@dataclass
class GameTree:
    """A game as a tree; the lists of nodes are in the order of a walk, parents first."""

    game: Game
    parents: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    """0 or 1: a player moves; `CHANCE`; `END`."""
    moves: list[str] = field(default_factory=list)
    """The move that leads to each node; empty at the root."""
    codes: list[int] = field(default_factory=list)
    """The same as the rules write it."""
    probabilities: list[float] = field(default_factory=list)
    """Of that move if nature makes it, else 1."""
    set_numbers: list[int] = field(default_factory=list)
    """The place in `sets` of each node of a player, -1 for others."""
    payoffs: list[float] = field(default_factory=list)
    """What the first player wins at each end; 0 elsewhere."""
    sets: list[InformationSet] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    """The number of nodes of each set."""
    sequence_counts: list[int] = field(default_factory=lambda: [1, 1])
    """The number of sequences of each player; number 0 is the empty one."""
    ends: list[tuple[int, int, float]] = field(default_factory=list)
    """At each end the players' last sequences, and payoff times the probability of chance."""

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.parents)

    def history(self, node: int) -> str:
        """Return the moves that lead to a node."""
        return " ".join(self._moves_to(node)) or "the start"

    def _moves_to(self, node: int) -> list[str]:
        path = []
        while node > 0:
            path.append(self.moves[node])
            node = self.parents[node]
        return path[::-1]

    def sets_of(self, player: int) -> list[InformationSet]:
        """Return the information sets of a player, parents first."""
        return [one for one in self.sets if one.player == player]

    def describe(self) -> str:
        """Return the size of the tree in words."""
        return (
            f"{self.size:,} nodes, {len(self.ends):,} ends, {len(self.sets):,} information sets,"
            f" {self.sequence_counts[0]:,} and {self.sequence_counts[1]:,} sequences"
        )


@dataclass(frozen=True)
class _Step:
    """A node that is still to be visited."""

    position: Any
    parent: int
    move: str
    code: int
    probability: float
    reach: float
    """The product of the probabilities of chance."""
    sequences: tuple[int, int]
    side: int
    ply: int


def build_tree(game: Game, max_nodes: int = MAX_NODES, report: Report | None = None) -> GameTree:
    """Walk the tree of a game; `report` is called with the number of nodes so far.

    >>> from plyforge.equilibrium import load
    >>> build_tree(load("kuhn")).describe()
    '58 nodes, 30 ends, 12 information sets, 13 and 13 sequences'
    """
    return _Builder(game, max_nodes, report).build()


class _Builder:
    def __init__(self, game: Game, max_nodes: int, report: Report | None) -> None:
        if max_nodes < 1:
            raise PlyforgeError(f"the limit of nodes must be at least 1, not {max_nodes}")
        self._game, self._max_nodes, self._report = game, max_nodes, report
        self._tree = GameTree(game)
        self._known: dict[tuple[int, Any], int] = {}
        hooks = game.rules.hooks
        self._has_turn = "turn" in hooks
        self._hides = "information" in hooks
        self._scores: set[str] = set()

    def build(self) -> GameTree:
        tree, game = self._tree, self._game
        position = game.initial()
        stack = [_Step(position, -1, "", -1, 1.0, 1.0, (0, 0), 0, 0)]
        while stack:
            step = stack.pop()
            if tree.size >= self._max_nodes:
                raise PlyforgeError(
                    f"the tree of {game.name} has more than {self._max_nodes:,} nodes; choose a"
                    " smaller variant, or raise the limit with --max-nodes"
                )
            if step.ply > MAX_PLIES:
                raise PlyforgeError(
                    f"a game of {game.name} can be longer than {MAX_PLIES:,} moves, and may never"
                    " end; only games with a finite tree can be solved"
                    + ("" if self._hides else ": search this one with 'plyforge analyse'")
                )
            node = self._add(step)
            stack += reversed(self._expand(step, node))
            if self._report is not None and tree.size % _REPORT_EVERY == 0:
                self._report(tree.size)
        return tree

    def _add(self, step: _Step) -> int:
        tree = self._tree
        tree.parents.append(step.parent)
        tree.moves.append(step.move)
        tree.codes.append(step.code)
        tree.probabilities.append(step.probability)
        tree.kinds.append(END)
        tree.set_numbers.append(_NO_SET)
        tree.payoffs.append(0.0)
        return tree.size - 1

    def _expand(self, step: _Step, node: int) -> list[_Step]:
        """Return the children of a node in order, none at an end."""
        game, position = self._game, step.position
        value = game.outcome(position)
        if value != ONGOING:
            return self._end(step, node, value)
        if game.is_chance(position):
            return self._deal(step, node)
        codes = game.moves(position)
        if not codes:
            return self._end(step, node, game.stuck(position))
        if game.drawn(position):
            return self._end(step, node, DRAW)
        side = self._side(step)
        texts = tuple(game.move_text(position, code) for code in codes)
        number = self._join_set(step, node, side, texts, tuple(codes))
        self._tree.kinds[node] = side
        self._tree.set_numbers[node] = number
        first = self._tree.sets[number].first
        return [
            self._child(step, node, code, text, 1.0, self._after(step, side, first + index), side)
            for index, (code, text) in enumerate(zip(codes, texts, strict=True))
        ]

    def _side(self, step: _Step) -> int:
        side = self._game.turn(step.position) if self._has_turn else step.side
        assert side is not None
        return side

    @staticmethod
    def _after(step: _Step, side: int, sequence: int) -> tuple[int, int]:
        first, second = step.sequences
        return (sequence, second) if side == 0 else (first, sequence)

    def _child(
        self,
        step: _Step,
        node: int,
        code: int,
        text: str,
        probability: float,
        sequences: tuple[int, int],
        side: int,
    ) -> _Step:
        position = self._game.play(step.position, code)
        reach = step.reach * probability
        return _Step(
            position, node, text, code, probability, reach, sequences, 1 - side, step.ply + 1
        )

    def _end(self, step: _Step, node: int, value: float) -> list[_Step]:
        if value in (WIN, LOSS):
            self._scores.add("results")
            value = 1.0 if value == WIN else -1.0
        elif value != DRAW:
            self._scores.add("scores")
        if len(self._scores) > 1:
            raise GameFileError(
                f"{self._game.rules.file}: some games end with WIN or LOSS, others with a score, as"
                f" after {self._tree.history(node)}; use scores everywhere, such as 1 and -1"
            )
        payoff = value if self._side(step) == 0 else 0.0 - value
        self._tree.payoffs[node] = payoff
        self._tree.ends.append((*step.sequences, step.reach * payoff))
        return []

    def _deal(self, step: _Step, node: int) -> list[_Step]:
        self._tree.kinds[node] = CHANCE
        pairs = read_outcomes(
            self._game, step.position, lambda: f"after the history '{self._tree.history(node)}'"
        )
        return [
            self._child(
                step,
                node,
                outcome,
                self._game.move_text(step.position, outcome),
                probability,
                step.sequences,
                1 - step.side,  # nature's move does not change whose turn it is
            )
            for outcome, probability in pairs
        ]

    def _join_set(
        self, step: _Step, node: int, side: int, moves: tuple[str, ...], codes: tuple[int, ...]
    ) -> int:
        """Return the number of the node's information set, which may be new."""
        tree = self._tree
        label: Any = node
        if self._hides:
            label = self._information(step.position, node)
        number = self._known.get((side, label))
        if number is None:
            number = self._known[side, label] = len(tree.sets)
            text = str(label) if self._hides else tree.history(node)
            first = tree.sequence_counts[side]
            tree.sequence_counts[side] += len(moves)
            parent = step.sequences[side]
            tree.sets.append(InformationSet(side, text, moves, first, parent, node, codes))
            tree.sizes.append(0)
        tree.sizes[number] += 1
        known = tree.sets[number]
        if known.codes != codes:
            raise self._moves_differ(known, moves, node)
        if known.parent != step.sequences[side]:
            raise self._forgets(known, step.sequences[side], node)
        return number

    def _information(self, position: Any, node: int) -> Any:
        label = self._game.call_hook("information", position)
        try:
            hash(label)
        except TypeError:
            raise GameFileError(
                f"{self._game.rules.file}: 'information' returned {clip(repr(label))} after"
                f" {self._tree.history(node)}; it must return a string or another hashable value"
            ) from None
        return label

    def _moves_differ(self, known: InformationSet, moves: tuple[str, ...], node: int) -> Exception:
        tree = self._tree
        return GameFileError(
            f"{self._game.rules.file}: the information '{clip(known.label)}' of"
            f" {self._game.players[known.player]} has the moves {' '.join(known.moves)} after the"
            f" history '{tree.history(known.node)}', but {' '.join(moves)} after"
            f" '{tree.history(node)}'; positions that look the same must have the same moves"
        )

    def _forgets(self, known: InformationSet, sequence: int, node: int) -> Exception:
        tree, player = self._tree, known.player
        one, other = self._own_moves(player, known.parent), self._own_moves(player, sequence)
        return GameFileError(
            f"{self._game.rules.file}: {self._game.players[player]} does not have perfect recall:"
            f" the information '{clip(known.label)}' is the same after the history"
            f" '{tree.history(known.node)}' and after '{tree.history(node)}', but the player's own"
            f" moves are {one} in the first and {other} in the second; let 'information' keep what"
            " the player knew and did before"
        )

    def _own_moves(self, player: int, sequence: int) -> str:
        """Return what a player knew and did, in words."""
        parts = []
        sets = self._tree.sets_of(player)
        while sequence:
            one = next(s for s in sets if s.first <= sequence < s.first + len(s.moves))
            parts.append(f"{one.moves[sequence - one.first]} knowing '{clip(one.label, 60)}'")
            sequence = one.parent
        return ", then ".join(parts[::-1]) or "none"
