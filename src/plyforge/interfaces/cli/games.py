"""`plyforge games`."""

from rich.table import Table

from plyforge.core.contract import HOOKS
from plyforge.game.game import Game
from plyforge.game.variants import describe
from plyforge.games import load, names
from plyforge.interfaces.cli.output import console, print_json


def run(as_json: bool) -> None:
    games = [load(name) for name in names()]
    if as_json:
        print_json({"games": [_fields(game) for game in games]})
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "game", "variants", "hooks"):
        table.add_column(heading, overflow="fold")
    for game in games:
        table.add_row(game.name, game.title, _parameters(game) or "-", " ".join(_rule_hooks(game)))
    out = console()
    out.soft_wrap = False
    out.print(table)


def _rule_hooks(game: Game) -> list[str]:
    """Return the hooks for rules and search, without those for text and picture."""
    return [name for name in game.hooks if HOOKS[name].group != "Text and picture"]


def _parameters(game: Game) -> str:
    return describe(game.rules.hooks["initial"])


def _fields(game: Game) -> dict[str, object]:
    return {
        "name": game.name,
        "title": game.title,
        "parameters": _parameters(game),
        "variants": [f"{game.name}:{text}" for text in game.rules.constant("VARIANTS")],
        "hooks": game.hooks,
    }
