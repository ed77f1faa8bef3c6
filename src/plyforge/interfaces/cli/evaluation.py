"""`plyforge eval`."""

from typing import Any

from rich.console import Console

from plyforge.game.evaluations import with_evaluation
from plyforge.game.game import Game
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.positions import open_game, open_history


def run(
    name: str, position: str | None, moves: str | None, evaluation: str | None, as_json: bool
) -> None:
    """Print the evaluation of a position and its features."""
    game = open_game(name)
    if evaluation is not None:
        game = with_evaluation(game, evaluation)
    current = open_history(game, position, moves).position
    if as_json:
        minimum, maximum = game.rules.constant("EVALUATION_RANGE")
        rows = [
            {"feature": feature, "value": value, "weight": weight, "product": value * weight}
            for feature, value, weight in game.terms(current)
        ]
        print_json(
            {
                "game": game.name,
                "position": game.text(current),
                "evaluation": game.evaluation(current),
                "range": [minimum, maximum],
                "meaning": game.rules.constant("EVALUATION_MEANING"),
                "features": rows,
            }
        )
        return
    print_evaluation(console(), game, current)


def print_evaluation(out: Console, game: Game, position: Any) -> None:
    """Print the features of a position as a table, and their sum."""
    total, terms = game.evaluation(position), game.terms(position)
    minimum, maximum = game.rules.constant("EVALUATION_RANGE")
    if terms:
        width = max(len(feature) for feature, _, _ in terms)
        out.print(f"{'feature':<{width}} {'value':>10} {'weight':>10} {'product':>10}")
        for feature, value, weight in terms:
            row = f"{feature:<{width}} {value:>10g} {weight:>10g} {value * weight:>+10.4g}"
            out.print(row, markup=False)
    elif "evaluate" not in game.rules.hooks:
        out.print("the game has no evaluation; every position counts as 0")
    out.print(f"evaluation {total:+.6g} for the side to move, range {minimum:g} to {maximum:g}")
