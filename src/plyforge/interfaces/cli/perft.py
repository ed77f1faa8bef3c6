"""`plyforge perft`."""

from plyforge.core.counting import Count, validate_depth
from plyforge.core.errors import PlyforgeError
from plyforge.core.game import Game
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.positions import open_game, open_history


def run(
    name: str,
    depth: int,
    position: str | None,
    moves: str | None,
    divide: bool,
    gear: str | None,
    as_json: bool,
) -> None:
    validate_depth(depth)
    game = open_game(name, gear)
    start = open_history(game, position, moves).position
    if divide:
        _divide(game, start, depth, as_json)
    elif as_json:
        print_json(_fields(game, depth, game.counter().count(start, depth)))
    else:
        _table(game, start, depth)


def _fields(game: Game, depth: int, count: Count) -> dict[str, object]:
    return {"game": game.name, "depth": depth, "nodes": count.nodes, "seconds": count.seconds}


def _table(game: Game, start: object, depth: int) -> None:
    """A line per depth, each printed when it is known."""
    counter = game.counter()
    out = console()
    out.print(f"{'depth':>5} {'nodes':>20} {'seconds':>9} {'nodes/s':>15}")
    for length in range(min(depth, 1), depth + 1):
        count = counter.count(start, length)
        speed = f"{count.nodes / count.seconds:,.0f}" if count.seconds > 1e-3 else "-"
        out.print(f"{length:>5} {count.nodes:>20,} {count.seconds:>9.3f} {speed:>15}")


def _divide(game: Game, start: object, depth: int, as_json: bool) -> None:
    if depth < 1:
        raise PlyforgeError(f"--divide needs a depth of at least 1, not {depth}")
    out = console()
    counter = game.counter()
    parts: dict[str, int] = {}
    seconds = 0.0
    for move in game.legal_moves(start):
        count = counter.count(game.play(start, move), depth - 1)
        parts[game.move_text(start, move)] = count.nodes
        seconds += count.seconds
        if not as_json:
            out.print(f"{game.move_text(start, move):<12} {count.nodes:>20,}", markup=False)
    total = Count(sum(parts.values()), seconds)
    if as_json:
        print_json(_fields(game, depth, total) | {"divide": parts})
    else:
        out.print(f"{'total':<12} {total.nodes:>20,}")
