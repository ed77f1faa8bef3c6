"""`plyforge perft`."""

from plyforge.game.game import Game
from plyforge.game.perft import Count, validate_depth, validate_finished
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.positions import open_game, open_history


def run(
    name: str,
    depth: int,
    position: str | None,
    moves: str | None,
    divide: bool,
    backend: str | None,
    finished: int | None,
    as_json: bool,
) -> None:
    validate_depth(depth)
    game = open_game(name, backend)
    validate_finished(finished, game.rules)
    start = open_history(game, position, moves).position
    if divide:
        _print_division(game, start, depth, finished, as_json)
    elif as_json:
        print_json(_fields(game, depth, game.counter().count(start, depth, finished)))
    else:
        _print_table(game, start, depth, finished)


def _fields(game: Game, depth: int, count: Count) -> dict[str, object]:
    return {"game": game.name, "depth": depth, "nodes": count.nodes, "seconds": count.seconds}


def _print_table(game: Game, start: object, depth: int, finished: int | None) -> None:
    """Print a line per depth, as soon as it is counted."""
    counter = game.counter()
    out = console()
    out.print(f"{'depth':>5} {'nodes':>20} {'seconds':>9} {'nodes/s':>15}")
    for length in range(min(depth, 1), depth + 1):
        count = counter.count(start, length, finished)
        speed = f"{count.nodes / count.seconds:,.0f}" if count.seconds > 1e-3 else "-"
        out.print(f"{length:>5} {count.nodes:>20,} {count.seconds:>9.3f} {speed:>15}")


def _print_division(
    game: Game, start: object, depth: int, finished: int | None, as_json: bool
) -> None:
    out = console()
    parts: dict[str, int] = {}
    seconds = 0.0
    for move, count in game.divisions(start, depth, finished=finished):
        text = game.move_text(start, move)
        parts[text] = count.nodes
        seconds += count.seconds
        if not as_json:
            out.print(f"{text:<12} {count.nodes:>20,}", markup=False)
    total = Count(sum(parts.values()), seconds)
    if as_json:
        print_json(_fields(game, depth, total) | {"divide": parts})
    else:
        out.print(f"{'total':<12} {total.nodes:>20,}")
