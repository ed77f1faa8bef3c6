"""Check pictures: pieces and moves are on cells of the board, `arrange` restores pieces and
`with_extras` what belongs to them.
"""

from typing import Any

from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.node import Node
from plyforge.check.report import Recorder
from plyforge.core.geometry import Geometry


class Pictures:
    """Calls the hooks that draw."""

    def __init__(self, hooks: GuardedHooks, recorder: Recorder) -> None:
        self._hooks = hooks
        self._recorder = recorder

    def position(self, node: Node) -> None:
        """Check the board, its pieces and its text."""
        try:
            if self._hooks.defines("board"):
                self._hooks.call("board", node.position)
            self._extras(node)
            board = self._geometry(node.position)
            if board is None or not self._hooks.defines("pieces"):
                return
            stones = self._hooks.call("pieces", node.position)
            if not hasattr(stones, "keys"):
                self._recorder.problem(
                    "pieces", "class", f"'pieces' returned {stones!r}; it must be a dict by cell"
                )
                return
            self._check_cells("pieces", "puts a piece on", list(stones.keys()), board)
            if self._hooks.defines("arrange"):
                self._arrange(node, dict(stones))
        except CallFailed:
            return

    def move(self, node: Node, move: int) -> None:
        """Check the cells of one move."""
        if not self._hooks.defines("move_cells"):
            return
        try:
            board = self._geometry(node.position)
            cells = list(self._hooks.call("move_cells", node.position, move))
            if board is not None:
                self._check_cells("move_cells", "names", cells, board)
        except CallFailed:
            return

    def _arrange(self, node: Node, stones: dict[str, Any]) -> None:
        """Arrange the pieces of a position again; a game may refuse to."""
        game = self._hooks.game
        hook = game.rules.hooks["arrange"]
        try:
            again = self._hooks.run(
                "arrange",
                lambda position: game.position_type.cast(hook(position, dict(stones), node.side)),
                node.position,
                expected=(ValueError,),
            )
        except ValueError:
            return
        new = self._hooks.call("pieces", again)
        differing = [cell for cell in {**stones, **new} if stones.get(cell) != new.get(cell)]
        if differing:
            cell = differing[0]
            self._recorder.problem(
                "arrange",
                "pieces",
                f"'arrange' with the pieces of the position gives others: {cell} held"
                f" {stones.get(cell)!r} and now holds {new.get(cell)!r}",
            )
        if self._hooks.defines("turn") and self._hooks.call("turn", again) != node.side:
            self._recorder.problem(
                "arrange",
                "turn",
                f"'arrange' was asked for a position with {game.players[node.side]} to move, but"
                " the other side is to move",
            )

    def _extras(self, node: Node) -> None:
        """Give a position its own extras, and each of their choices."""
        present = [hook for hook in ("extras", "with_extras") if self._hooks.defines(hook)]
        if len(present) == 1:
            other = "extras" if present[0] == "with_extras" else "with_extras"
            self._recorder.problem(
                present[0], "pair", f"'{present[0]}' is of no use without '{other}'; define both"
            )
        if len(present) < 2:
            return
        found = self._hooks.call("extras", node.position)
        if not _are_extras(found):
            self._recorder.problem(
                "extras",
                "class",
                f"'extras' returned {found!r}; it must be a dict of name to (value, choices), all"
                " strings, with the value among the choices",
            )
            return
        own = {name: value for name, (value, _) in found.items()}
        again = self._with_extras(node, own)
        if again is not None and not self._hooks.game.position_type.equal(again, node.position):
            text = self._hooks.game.text(again)
            self._recorder.problem(
                "with_extras",
                "same",
                f"'with_extras' with the extras of the position gives another position: {text}",
            )
            return
        for name, (value, choices) in found.items():
            for choice in choices:
                if choice != value:
                    self._check_choice(node, own, name, choice)

    def _check_choice(self, node: Node, own: dict[str, str], name: str, choice: str) -> None:
        """Give a position another extra: pieces and side must stay."""
        changed = self._with_extras(node, {**own, name: choice})
        if changed is None:
            return
        now = self._hooks.call("extras", changed)
        if not _are_extras(now) or now.get(name, (None,))[0] != choice:
            self._recorder.problem(
                "with_extras",
                "choice",
                f"'with_extras' was asked for {name}: {choice}, which 'extras' offers, but then"
                f" 'extras' returned {now!r}",
            )
        for hook in ("pieces", "turn"):
            if self._hooks.defines(hook):
                before = self._hooks.call(hook, node.position)
                if self._hooks.call(hook, changed) != before:
                    self._recorder.problem(
                        "with_extras", hook, f"'with_extras' with {name}: {choice} changes '{hook}'"
                    )

    def _with_extras(self, node: Node, values: dict[str, str]) -> Any:
        """Return a position with extras; None, with a problem recorded, if the game refuses."""
        game = self._hooks.game
        hook = game.rules.hooks["with_extras"]
        try:
            return self._hooks.run(
                "with_extras",
                lambda position: game.position_type.cast(hook(position, dict(values))),
                node.position,
                expected=(ValueError,),
            )
        except ValueError as error:
            self._recorder.problem(
                "with_extras", "refuses", f"'with_extras' refuses what 'extras' offers: {error}"
            )
            return None

    def _geometry(self, position: Any) -> Geometry | None:
        if not self._hooks.defines("geometry"):
            return None
        board = self._hooks.call("geometry", position)
        if isinstance(board, Geometry):
            return board
        self._recorder.problem(
            "geometry",
            "class",
            f"'geometry' returned {board!r}; use squares, hexagons, pits, points, edges or boxes",
        )
        raise CallFailed

    def _check_cells(self, hook: str, verb: str, cells: list[Any], board: Geometry) -> None:
        unknown = [cell for cell in cells if cell not in board.cells]
        if unknown:
            known = ", ".join(list(board.cells)[:5])
            self._recorder.problem(
                hook,
                "cells",
                f"'{hook}' {verb} cell '{unknown[0]}', which 'geometry' does not have (it has"
                f" {known}, ...)",
            )


def _are_extras(found: Any) -> bool:
    """Whether a value has the form that `extras` returns."""
    try:
        return all(
            isinstance(name, str)
            and value in list(choices)
            and all(isinstance(choice, str) for choice in choices)
            for name, (value, choices) in found.items()
        )
    except (AttributeError, TypeError, ValueError):
        return False
