"""Check pictures: pieces and moves are on cells of the board, and `arrange` restores pieces."""

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
