"""Check the start position: always the same, not over, and the first player to move."""

from plyforge.check.guard import Guard, Hang
from plyforge.check.node import Node, same_position
from plyforge.check.report import Place, Recorder
from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import ONGOING, outcome_name
from plyforge.game.game import Game
from plyforge.game.opening_names import read_openings
from plyforge.game.variants import initial_position


def check_initial(game: Game, guard: Guard, recorder: Recorder) -> None:
    """Check that `initial` returns the same position again."""
    try:
        again = game.position_type.cast(
            guard.call("python", "initial", initial_position, game.rules, game.variant)
        )
    except (PlyforgeError, Hang):
        again = None
    if again is None or same_position(game.position_type, game.initial(), again):
        return
    code = game.rules.hooks["initial"].__code__
    recorder.problem(
        "initial",
        "changes",
        "'initial' returns another position when it is called again; make it a fixed one, or an"
        " argument of 'initial' (a variant, such as a seed)",
        Place(code.co_filename, code.co_firstlineno),
    )


def check_openings(game: Game, guard: Guard, recorder: Recorder) -> None:
    """Check that the lines of `OPENINGS` can be played from the start position."""
    if game.variant is not None or not game.rules.constant("OPENINGS"):
        return
    try:
        names = guard.call("python", "parse_move", read_openings, game)
    except (PlyforgeError, Hang):  # `parse_move` and `play` have checks of their own
        return
    for line, reason in names.wrong:
        recorder.problem("OPENINGS", line, f"OPENINGS has '{line}', which is illegal: {reason}")


def check_start(node: Node, recorder: Recorder, place: Place | None) -> None:
    """Check the first position of a game; `outcome`, or `moves` without it, is at `place`."""
    result = node.values.get("outcome", ONGOING)
    if result != ONGOING:
        hint = "; return ONGOING, not 0, while the game is not over" if result == 0 else ""
        recorder.problem(
            "outcome",
            "start",
            f"the game is over before the first move: 'outcome' returned {result:g}, a"
            f" {outcome_name(result)}{hint}",
            place,
        )
    elif not node.moves and not recorder.has("moves"):
        recorder.problem("moves", "start", "'moves' gives no move in the start position", place)
    elif node.moves and node.over:
        recorder.problem("drawn", "start", "'drawn' returned True in the start position")


def check_first_player(node: Node, recorder: Recorder) -> None:
    """Check that the first player is to move in the first position."""
    if node.values.get("turn") == 1 and not recorder.has("turn"):
        recorder.set_context(node.text)
        recorder.problem(
            "turn",
            "start",
            "'turn' returned 1 in the start position, but the first player is number 0 and moves"
            " first; return 0 for the player who starts",
        )
        recorder.set_context(None)
