"""`plyforge matrix`."""

from typing import Any

from rich.console import Console

from plyforge.core.errors import PlyforgeError
from plyforge.equilibrium.bimatrix import Equilibria, find_equilibria
from plyforge.equilibrium.dominance import Elimination, eliminate
from plyforge.equilibrium.matrix import COLUMN, ROW, MatrixGame, Reals, best_replies
from plyforge.equilibrium.matrix_file import read_matrix, read_number
from plyforge.equilibrium.text import PLAYERS, describe_step, fraction_text, mix_text
from plyforge.equilibrium.zero_sum import ZeroSumSolution, solve_zero_sum
from plyforge.interfaces.cli.output import console, print_json


def run(
    file: str, weak: bool, every: bool, row: str | None, column: str | None, as_json: bool
) -> None:
    """Solve the game in a file, and print the result."""
    game = read_matrix(file)
    given = {player: read_mix_text(game, player, text)
             for player, text in ((ROW, row), (COLUMN, column)) if text is not None}  # fmt: skip
    elimination = eliminate(game, weak)
    solution = solve_zero_sum(game) if game.is_zero_sum else None
    equilibria = find_equilibria(game) if solution is None or every else None
    if as_json:
        print_json(_fields(game, elimination, solution, equilibria, given))
        return
    out = console()
    kind = "zero-sum" if game.is_zero_sum else "not zero-sum"
    title = f"{game.title}\n" if game.title else ""
    out.print(f"{title}{kind}, {len(game.row_names)} x {len(game.column_names)}", markup=False)
    _print_elimination(out, game, elimination)
    if solution is not None:
        _print_solution(out, game, solution)
    if equilibria is not None:
        _print_equilibria(out, game, equilibria)
    for player, mix in given.items():
        out.print(_reply_text(game, player, mix), markup=False)


def read_mix_text(game: MatrixGame, player: int, text: str) -> Reals:
    """Read the probabilities of a mix, such as `1/2 1/4 1/4`."""
    try:
        shares = [read_number(word) for word in text.replace(",", " ").split()]
    except ValueError as error:
        raise PlyforgeError(f"the {PLAYERS[player]} player's mix: {error}") from None
    return game.mix(player, shares)


def _print_elimination(out: Console, game: MatrixGame, elimination: Elimination) -> None:
    for step in elimination.steps:
        out.print(describe_step(game, step), markup=False)
    if elimination.steps:
        rows = " ".join(game.row_names[i] for i in elimination.rows)
        columns = " ".join(game.column_names[j] for j in elimination.columns)
        out.print(f"left: rows {rows}; columns {columns}", markup=False)
        if any(not step.strict for step in elimination.steps):
            out.print(
                "weakly dominated strategies may be part of equilibria; another order of"
                " elimination may leave others",
                markup=False,
            )


def _print_solution(out: Console, game: MatrixGame, solution: ZeroSumSolution) -> None:
    out.print(f"value {fraction_text(solution.value)} for the row player", markup=False)
    out.print(f"row      {mix_text(game.row_names, solution.row)}", markup=False)
    out.print(f"column   {mix_text(game.column_names, solution.column)}", markup=False)
    cells = "  ".join(
        f"{game.row_names[i]},{game.column_names[j]}" for i, j in solution.saddle_points
    )
    out.print(f"pure     {cells or 'none: no saddle point'}", markup=False)


def _print_equilibria(out: Console, game: MatrixGame, equilibria: Equilibria) -> None:
    count = len(equilibria.extreme)
    out.print(f"{count} equilibri{'um' if count == 1 else 'a'}", markup=False)
    for number, one in enumerate(equilibria.extreme, 1):
        payoffs = ", ".join(fraction_text(payoff) for payoff in one.payoffs)
        component = f"  (set {one.component})" if equilibria.degenerate else ""
        out.print(
            f"{number:>3}  row {mix_text(game.row_names, one.row)}"
            f" | column {mix_text(game.column_names, one.column)} | payoffs {payoffs}{component}",
            markup=False,
        )
    if equilibria.degenerate:
        out.print(
            "the game is degenerate: these are the corners of the sets of equilibria; mixtures of"
            " corners of one set that share a player's mix are equilibria, too",
            markup=False,
        )


def _reply_text(game: MatrixGame, player: int, mix: Reals) -> str:
    replies, gain = best_replies(game, player, mix)
    names = " ".join(game.names[1 - player][k] for k in replies)
    return (
        f"against the {PLAYERS[player]} player's {mix_text(game.names[player], mix)}:"
        f" best {names}, which wins {fraction_text(gain)} for the {PLAYERS[1 - player]} player"
    )


def _fields(
    game: MatrixGame,
    elimination: Elimination,
    solution: ZeroSumSolution | None,
    equilibria: Equilibria | None,
    given: dict[int, Reals],
) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "title": game.title,
        "zero_sum": game.is_zero_sum,
        "rows": list(game.row_names),
        "columns": list(game.column_names),
        "dominated": [
            {
                "player": PLAYERS[step.player],
                "strategy": game.names[step.player][step.strategy],
                "by": {game.names[step.player][k]: share for k, share in step.by},
                "strict": step.strict,
            }
            for step in elimination.steps
        ],
        "left": {
            "rows": [game.row_names[i] for i in elimination.rows],
            "columns": [game.column_names[j] for j in elimination.columns],
        },
        "pure": [[game.row_names[i], game.column_names[j]] for i, j in game.pure_equilibria()],
    }
    if solution is not None:
        fields |= {
            "value": solution.value,
            "row": solution.row.tolist(),
            "column": solution.column.tolist(),
        }
    if equilibria is not None:
        fields["degenerate"] = equilibria.degenerate
        fields["equilibria"] = [
            {
                "row": one.row.tolist(),
                "column": one.column.tolist(),
                "payoffs": list(one.payoffs),
                "set": one.component,
            }
            for one in equilibria.extreme
        ]
    for player, mix in given.items():
        replies, gain = best_replies(game, player, mix)
        names = [game.names[1 - player][k] for k in replies]
        fields[f"replies_to_{PLAYERS[player]}"] = {"best": names, "payoff": gain}
    return fields
