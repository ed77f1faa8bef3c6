"""All checks of one position and of moves from it."""

import math
from collections.abc import Callable
from typing import Any

from plyforge.check.backends import BothBackends
from plyforge.check.effects import Effects
from plyforge.check.endings import Endings
from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.keys import Keys
from plyforge.check.node import Node
from plyforge.check.numbering import Numbering
from plyforge.check.perspective import Perspective
from plyforge.check.pictures import Pictures
from plyforge.check.proven_results import ProvenResults
from plyforge.check.quick_ends import QuickEnds
from plyforge.check.report import Recorder, Statistics
from plyforge.check.reversal import Reversal
from plyforge.check.scales import Scales
from plyforge.check.sides import Sides
from plyforge.check.start import check_first_player, check_start
from plyforge.check.swaps import Swaps
from plyforge.check.symmetry import Symmetry
from plyforge.check.texts import Texts
from plyforge.check.turns import Turns
from plyforge.core.contract import HOOKS
from plyforge.core.scores import ONGOING
from plyforge.game.game import Game

_ALWAYS = ("outcome", "turn", "key", "scratch_key")
"""Hooks that are called at finished positions too; the others need an unfinished game."""
_VALUES = ("score", "int", "bool", "key")
_LOOKAHEAD = 2
"""Plies to which positions with the same key are compared."""


class PositionChecks:
    """Checks positions and moves, and collects what only many of them show."""

    def __init__(
        self,
        game: Game,
        hooks: GuardedHooks,
        backends: BothBackends,
        recorder: Recorder,
        statistics: Statistics,
    ) -> None:
        self._game = game
        self._hooks = hooks
        self._backends = backends
        self._recorder = recorder
        self._statistics = statistics
        self._alternating = bool(game.rules.constant("ALTERNATING"))
        self._texts = Texts(hooks, recorder)
        self._pictures = Pictures(hooks, recorder)
        self._symmetry = Symmetry(hooks, backends, recorder)
        self._quick_ends = QuickEnds(hooks, backends, recorder)
        self._proven_results = ProvenResults(hooks, backends, recorder)
        self._numbering = Numbering(hooks, recorder)
        self._keys = Keys(game, recorder, self._future)
        self._reversal = Reversal(game, recorder)
        self.sides = Sides(game.rules, recorder)
        self._turns = Turns(recorder, hooks.defines("turn"), backends.place("play"))
        self._swaps = Swaps(recorder, backends.place("play"))
        self._perspective = Perspective(hooks, recorder, self._turns)
        self._scales = Scales(game.rules, recorder)
        self.endings = Endings(hooks, backends, recorder)
        self._effects = Effects(game.position_type, recorder)
        self._first: Node | None = None
        defined = [name for name in HOOKS if hooks.defines(name) and HOOKS[name].compiled]
        single = [name for name in defined if HOOKS[name].returns in _VALUES]
        self._of_position = [
            n
            for n in single
            if len(HOOKS[n].arguments) == 1 and n not in (*_ALWAYS, "stuck", "chance")
        ]
        self._of_move = [name for name in single if len(HOOKS[name].arguments) == 2]
        self.announce: Callable[[str], object] = lambda text: None
        """Called with the text of each position before it is checked."""

    def check_definitions(self) -> None:
        """Check what needs no play."""
        self._texts.check_definitions()

    def conclude(self) -> None:
        """Report what the collected positions and moves show together."""
        self._keys.conclude(self._backends.place("key"))
        self._reversal.conclude()
        self.sides.conclude()
        place = self._backends.place
        self._turns.conclude()
        if not self._hooks.defines("turn") and not self._turns.other_values():
            self._swaps.conclude()
        self._perspective.evaluate_is_wrong = self.sides.evaluate_is_fixed
        self._perspective.conclude(place)
        self._scales.conclude(place("outcome"), place("evaluate"))
        self._effects.conclude(place("play"))
        if self._first is not None:
            check_first_player(self._first, self._recorder)

    def start(self, position: Any) -> Node:
        """Check the first position of a game."""
        node = self.visit(position, 0)
        self._first = self._first or node
        hook = "outcome" if "outcome" in node.values else "moves"
        check_start(node, self._recorder, self._backends.place(hook))
        return node

    def visit(self, position: Any, side: int) -> Node:
        """Check a position; `side` is to move unless the game defines `turn`."""
        node = Node(position, self._texts.text_of(position), side)
        self._recorder.set_context(node.text)
        self.announce(node.text)
        self._statistics.positions += 1
        for hook in _ALWAYS:
            if self._hooks.defines(hook) or hook == "key":
                self._backends.observe(hook, node)
        node.side = node.values.get("turn", side)
        self._keys.add(node)
        read = self._texts.position(node)
        if read is not None:
            self._keys.reread(node, self.key_of(read))
        self._pictures.position(node)
        if self._hooks.defines("outcome"):
            if "outcome" not in node.values:
                raise CallFailed
            node.over = node.values["outcome"] != ONGOING
        if not node.over:
            self._check_ongoing(node)
        self._symmetry.position(node)
        self._numbering.position(node)
        self._perspective.add(node)
        self._scales.add(node)
        return node

    def _check_ongoing(self, node: Node) -> None:
        """Check a position that `outcome` does not end."""
        if self._hooks.defines("chance"):
            self._backends.observe("chance", node)
            if "chance" not in node.values:
                raise CallFailed
        if node.chance:
            node.moves = self._backends.outcomes(node.position)
        else:
            node.moves = self._backends.moves("moves", node.position)
        self._statistics.max_moves = max(self._statistics.max_moves, len(node.moves))
        if not node.moves:
            node.over = True
            self._check_can_move(node)
            if self._hooks.defines("stuck"):
                self._backends.observe("stuck", node)
            return
        for hook in self._of_position:
            self._backends.observe(hook, node)
        if "evaluate" in node.values and hasattr(self._game.rules.module, "terms"):
            self._check_terms(node)
        node.over = bool(node.values.get("drawn", False))
        if node.chance:
            return
        if self._hooks.defines("noisy_moves"):
            self._check_noisy_moves(node)
        self._check_pass(node)
        self._quick_ends.position(node)
        self._proven_results.position(node)

    def _check_can_move(self, node: Node) -> None:
        """Check that `can_move` does not promise a move where there is none."""
        if self._hooks.defines("can_move"):
            self._backends.observe("can_move", node)
            if node.values.get("can_move"):
                self._recorder.problem(
                    "can_move",
                    "stuck",
                    "'can_move' returned True, but 'moves' gives no move here; it may return"
                    " True only where there is one",
                    self._backends.place("can_move"),
                )

    def _check_terms(self, node: Node) -> None:
        """Check that the author's `terms` add up to `evaluate`."""
        try:
            terms = self._hooks.run("terms", self._game.terms, node.position)
        except CallFailed:
            return
        total = sum(value * weight for _, value, weight in terms)
        value = node.values["evaluate"]
        if not math.isclose(total, value, rel_tol=1e-6, abs_tol=1e-6):
            self._recorder.problem(
                "terms",
                "sum",
                f"the products of value and weight in 'terms' add up to {total:g}, but 'evaluate'"
                f" returns {value:g}",
                self._backends.place("terms"),
            )

    def _check_noisy_moves(self, node: Node) -> None:
        try:
            noisy = self._backends.moves("noisy_moves", node.position)
        except CallFailed:
            return
        illegal = [move for move in noisy if move not in node.moves]
        if illegal:
            self._recorder.problem(
                "noisy_moves",
                "illegal",
                f"'noisy_moves' gives {illegal[0]}, which 'moves' does not give here",
                self._backends.place("noisy_moves"),
            )

    def _check_pass(self, node: Node) -> None:
        move = node.values.get("pass_move", -1)
        if move == -1:
            return
        self._recorder.move = str(move)
        try:
            child = self._backends.play(node.position, move)
            if "turn" in node.values and self._backends.value("turn", child) == node.values["turn"]:
                self._recorder.problem(
                    "pass_move", "turn", "'play' of the 'pass_move' does not pass the turn"
                )
        except CallFailed:
            self._recorder.problem(
                "pass_move", "refused", f"'pass_move' gives {move}, which 'play' does not accept"
            )
        self._recorder.move = None

    def try_moves(self, node: Node, sample: list[int]) -> dict[int, tuple[Any, bool]]:
        """Return, by move, the position after it and whether it is irreversible."""
        texts = self._texts.moves(node, sample)
        tried: dict[int, tuple[Any, bool]] = {}
        for move in sample:
            self._statistics.moves += 1
            text = texts.get(move, str(move))
            self._recorder.set_context(node.text, text)
            child = self._backends.play(node.position, move)
            asked = ["irreversible"] if node.chance else self._of_move
            values = {
                hook: self._backends.observe(hook, node, move)
                for hook in asked
                if hook in self._of_move
            }
            final = bool(values.get("irreversible"))
            self._check_child(node, move, text, child)
            self._reversal.add(node, text, child, final)
            self._turns.add(node, text, child)
            self._swaps.add(node, text, child)
            tried[move] = child, final
        self._effects.add(node, [child for child, _ in tried.values()])
        self._recorder.set_context(node.text)
        return tried

    def _check_child(self, node: Node, move: int, text: str, child: Any) -> None:
        self._pictures.move(node, move)
        if self._keys.constant:
            self._keys.note(child, self.key_of(child))
        turned = self._passes_turn(node, child)
        if "probe" in node.values and self._hooks.defines("outcome"):
            result = self._backends.value("outcome", child)
            self.sides.check_probe(node, text, result, turned)
        if self._backends.stateful and "evaluate" in node.values:
            self._backends.advance(node, move, child)

    def _passes_turn(self, node: Node, child: Any) -> bool:
        """Whether the move passes the turn to the other side."""
        if "turn" not in node.values:
            return True
        turned = bool(self._backends.value("turn", child) != node.values["turn"])
        if not turned and self._alternating:
            self._recorder.problem(
                "turn",
                "alternating",
                "ALTERNATING is True, but 'turn' says that the same side moves again after this"
                " move; remove ALTERNATING, or correct 'turn' or 'play'",
                self._backends.place("turn"),
            )
        return turned

    def key_of(self, position: Any) -> int:
        """Return the uncompiled key."""
        return int(self._backends.value("key", position))

    def _future(self, position: Any) -> Any:
        """Return the results and move lists within a few moves of a position."""
        try:
            return self._subtree(position, _LOOKAHEAD)
        except CallFailed:
            return None

    def _subtree(self, position: Any, depth: int) -> Any:
        result = ONGOING
        if self._hooks.defines("outcome"):
            result = self._backends.value("outcome", position)
        if result != ONGOING or depth == 0:
            return result
        moves = self._backends.uncompiled_moves(position)
        if not moves and self._hooks.defines("stuck"):
            return self._backends.value("stuck", position)
        play = self._backends.uncompiled_play
        return [(move, self._subtree(play(position, move), depth - 1)) for move in moves]
