"""What of the search goes with games of chance, and errors for what does not."""

from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.game.game import Game
from plyforge.search.options import Options


def require_steps_for_chance(options: Options) -> None:
    """Reject steps that cannot be used in a game of chance: they are not exact, or ask searches."""
    for step in options.steps:
        unfit = not step.exact or "before_moves" in step.functions
        if unfit and options.has(step.name):
            known = [
                one.name
                for one in options.steps
                if one.exact and "before_moves" not in one.functions and not one.rule
            ]
            raise PlyforgeError(
                f"the step '{step.name}' does not go with a game of chance; switch it off"
                f" (--off {step.name}); these do: {', '.join(known)}"
            )


def result_error(game: Game, value: float) -> GameFileError:
    """Return the error for a final score outside of the range that a game of chance declares."""
    minimum, maximum = game.rules.constant("EVALUATION_RANGE")
    return GameFileError(
        f"{game.rules.file}: a finished game has the score {value:g}, but EVALUATION_RANGE declares"
        f" ({minimum:g}, {maximum:g}); in a game of chance final scores must lie in it, too"
    )
