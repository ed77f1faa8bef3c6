"""`plyforge bench`."""

from plyforge.engine.bench import Signature, signature
from plyforge.games import names
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.positions import open_game


def run(name: str | None, as_json: bool) -> None:
    """Print the signature of one game, or of all built-in games."""
    out = console()
    signatures: list[Signature] = []
    for game in names() if name is None else [name]:
        one = signature(open_game(game))
        signatures.append(one)
        if len(signatures) == 1 and not as_json:  # only after the first search, which may fail
            out.print(f"{'game':<12} {'positions':>9} {'depth':>5} {'nodes':>12} {'nodes/s':>12}")
        if not as_json:
            row = f"{one.game:<12} {one.positions:>9} {one.max_depth:>5} {one.nodes:>12,}"
            out.print(f"{row} {one.speed:>12,.0f}", markup=False)
    total = sum(one.nodes for one in signatures)
    if as_json:
        seconds = sum(one.seconds for one in signatures)
        games = {
            one.game: {"signature": one.nodes, "nodes_per_second": one.speed} for one in signatures
        }
        speed = sum(one.last_nodes for one in signatures) / seconds if seconds else 0.0
        print_json({"signature": total, "nodes_per_second": speed, "games": games})
    else:
        out.print(f"signature {total}")
