"""`plyforge show`."""

from plyforge.game.game import History
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.positions import open_game, open_history


def run(name: str, position: str | None, moves: str | None, as_json: bool) -> None:
    game = open_game(name)
    history = open_history(game, position, moves)
    legal = [game.move_text(history.position, move) for move in history.legal_moves()]
    verdict = history.verdict()
    if as_json:
        print_json(
            {
                "game": game.name,
                "position": game.text(history.position),
                "turn": game.players[history.turn],
                "chance": game.is_chance(history.position) and not verdict.over,
                "moves": legal,
                "outcome": verdict.name,
                "reason": verdict.reason,
                "board": game.board(history.position),
            }
        )
        return
    out = console()
    out.print(game.board(history.position), markup=False)
    out.print()
    out.print(f"position  {game.text(history.position)}", markup=False)
    out.print(_status(history), markup=False)
    if legal:
        name = "outcomes" if game.is_chance(history.position) else "moves"
        separator = ", " if any(" " in text for text in legal) else " "
        out.print(f"{name:<10}{separator.join(legal)}", markup=False)


def _status(history: History) -> str:
    verdict = history.verdict()
    mover = history.game.players[history.turn]
    if not verdict.over and history.game.is_chance(history.position):
        return f"to move   chance, for {mover}"
    if not verdict.over:
        return f"to move   {mover}"
    result = {"draw": "a draw", "win": f"{mover} has won", "loss": f"{mover} has lost"}[
        verdict.name
    ]
    return f"game over {result}: {verdict.reason}"
