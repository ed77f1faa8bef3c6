"""`plyforge eval`."""

from pathlib import Path
from typing import Any

from rich.console import Console

from plyforge.core.errors import UnknownName
from plyforge.evaluate import (
    PRECISIONS,
    QuantisationError,
    evaluation_of,
    save_evaluation,
    with_evaluation,
)
from plyforge.game.game import Game
from plyforge.interfaces.cli.engines import EngineOptions
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.positions import open_game, open_history
from plyforge.match.files import check_output


def run(
    name: str,
    position: str | None,
    moves: str | None,
    evaluation: str | None,
    as_json: bool,
    save: str | None = None,
    precision: str = "int16",
    overwrite: bool = False,
) -> None:
    """Print the evaluation of a position and its features; save its weights if asked."""
    if precision not in PRECISIONS:
        raise UnknownName("precision", precision, PRECISIONS)
    game = open_game(name)
    evaluation = EngineOptions(evaluation=evaluation).with_learned(game).evaluation
    if evaluation is not None:
        game = with_evaluation(game, evaluation)
    current = open_history(game, position, moves).position
    found = to_dict(game, current)
    error = None if save is None else _save(game, Path(save), precision, overwrite, evaluation)
    if as_json:
        saved = {} if error is None else {"saved": {"file": save, **vars(error)}}
        print_json(found | saved)
        return
    print_evaluation(console(), game, current)
    if error is not None:
        size = evaluation_of(game).form.size
        console().print(f"saved {size} weights as {precision} to {save}: {error}", markup=False)


def to_dict(game: Game, position: Any) -> dict[str, Any]:
    """Return the evaluation of a position as plain data."""
    minimum, maximum = game.rules.constant("EVALUATION_RANGE")
    return {
        "game": game.name,
        "position": game.text(position),
        "evaluation": game.evaluation(position),
        "range": [minimum, maximum],
        "meaning": game.rules.constant("EVALUATION_MEANING"),
        "features": [
            {"feature": feature, "value": value, "weight": weight, "product": value * weight}
            for feature, value, weight in game.terms(position)
        ],
    }


def _save(
    game: Game, path: Path, precision: str, overwrite: bool, evaluation: str | None
) -> QuantisationError:
    evaluation_of(game)
    check_output(path, overwrite)
    source = f"evaluation {evaluation}" if evaluation else "built-in evaluation"
    made = f"plyforge eval {game.name} --save, from the {source}"
    return save_evaluation(path, game, made=made, precision=precision)


def print_evaluation(out: Console, game: Game, position: Any) -> None:
    """Print the features of a position as a table, and their sum."""
    total, terms = game.evaluation(position), game.terms(position)
    minimum, maximum = game.rules.constant("EVALUATION_RANGE")
    if terms:
        width = max(len("feature"), *(len(feature) for feature, _, _ in terms))
        out.print(f"{'feature':<{width}} {'value':>10} {'weight':>10} {'product':>10}")
        for feature, value, weight in terms:
            row = f"{feature:<{width}} {value:>10g} {weight:>10g} {value * weight:>+10.4g}"
            out.print(row, markup=False)
    elif "evaluate" not in game.rules.hooks:
        out.print("the game has no evaluation; every position counts as 0")
    out.print(f"evaluation {total:+.6g} for the side to move, range {minimum:g} to {maximum:g}")
