"""Messages of the page that solves matrix games."""

import math
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from plyforge.core.errors import PlyforgeError
from plyforge.equilibrium.bimatrix import Equilibria, find_equilibria
from plyforge.equilibrium.dominance import eliminate
from plyforge.equilibrium.matrix import MatrixGame
from plyforge.equilibrium.matrix_file import parse_matrix
from plyforge.equilibrium.text import PLAYERS, describe_step, fraction_text, mix_text
from plyforge.equilibrium.zero_sum import ZeroSumSolution, solve_zero_sum
from plyforge.interfaces.drawing.mixes import draw_mixes, mix_lines
from plyforge.interfaces.web import incoming
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.handlers import Handler, Handlers
from plyforge.interfaces.web.outgoing import MatrixEquilibrium, MatrixView, MixChart
from plyforge.interfaces.web.state import ServerState

MAX_SYSTEMS: Final = 20_000
"""Pairs of supports that are tried; larger games are for the command line."""
MAX_CELLS: Final = 2_500
MAX_LISTED: Final = 100
"""Equilibria that are listed."""
DEGENERATE: Final = (
    "The game is degenerate: these are the corners of the sets of equilibria. Mixtures of corners"
    " of one set that share a player's mix are equilibria, too."
)
ONE_OF_MANY: Final = "One optimal mix of each player; the game is too large to list all of them."


def solve(server: ServerState, client: Client, message: incoming.SolveMatrix) -> None:
    """Solve a game and send the result."""
    game = parse_matrix(message.text)
    if game.row.size > MAX_CELLS:
        raise PlyforgeError(
            f"the game has {game.row.size:,} payoffs; this page solves games of up to"
            f" {MAX_CELLS:,}, 'plyforge matrix FILE' larger ones"
        )
    client.send(_view(game))


def _view(game: MatrixGame) -> MatrixView:
    solution = solve_zero_sum(game) if game.is_zero_sum else None
    small = math.comb(sum(game.row.shape), game.row.shape[0]) <= MAX_SYSTEMS
    if solution is None and not small:
        raise PlyforgeError(
            f"a game of {game.row.shape[0]} x {game.row.shape[1]} that is not zero-sum has too many"
            " pairs of supports for this page; use 'plyforge matrix FILE'"
        )
    rows, note = _rows(game, solution, find_equilibria(game) if small else None)
    return MatrixView(
        title=game.title,
        kind=f"{'zero-sum' if game.is_zero_sum else 'not zero-sum'},"
        f" {game.row.shape[0]} × {game.row.shape[1]}",
        value="" if solution is None else fraction_text(solution.value),
        dominated=[describe_step(game, step) for step in eliminate(game).steps],
        equilibria=rows[:MAX_LISTED],
        note=note,
        chart=None if solution is None else _chart(game, solution),
    )


def _rows(
    game: MatrixGame, solution: ZeroSumSolution | None, found: Equilibria | None
) -> tuple[list[MatrixEquilibrium], str]:
    if found is None:
        assert solution is not None
        payoffs = f"{fraction_text(solution.value)}, {fraction_text(-solution.value)}"
        row, column = (
            mix_text(game.row_names, solution.row, ", "),
            mix_text(game.column_names, solution.column, ", "),
        )
        return [
            MatrixEquilibrium(row=row, column=column, payoffs=payoffs, component=1)
        ], ONE_OF_MANY
    rows = [
        MatrixEquilibrium(
            row=mix_text(game.row_names, one.row, ", "),
            column=mix_text(game.column_names, one.column, ", "),
            payoffs=", ".join(fraction_text(payoff) for payoff in one.payoffs),
            component=one.component,
        )
        for one in found.extreme
    ]
    notes = [DEGENERATE] if found.degenerate else []
    if len(rows) > MAX_LISTED:
        notes.append(f"The first {MAX_LISTED} of {len(rows):,} are listed.")
    return rows, " ".join(notes)


def _chart(game: MatrixGame, solution: ZeroSumSolution) -> MixChart | None:
    lines = mix_lines(game)
    if lines is None:
        return None
    mix = (solution.row, solution.column)[lines.player]
    return MixChart(
        svg=draw_mixes(game, lines, solution.value),
        player=PLAYERS[lines.player],
        strategies=list(game.names[lines.player]),
        replies=list(game.names[1 - lines.player]),
        at_zero=lines.at_zero.tolist(),
        at_one=lines.at_one.tolist(),
        optimum=float(mix[0]),
    )


EXAMPLES: Final = {
    "Two rows: the value as a function of the mix": """# A zero-sum game
         A   B   C   D
top      5   0   3  -1
bottom  -2   4   1   6
""",
    "Two columns": """# A zero-sum game in which the column player mixes two columns
   left  right
A    4    -1
B    0     3
C    2     1
""",
    "Rock-paper-scissors": """# Rock-paper-scissors
          rock  paper  scissors
rock        0    -1       1
paper       1     0      -1
scissors   -1     1       0
""",
    "Prisoner's dilemma": """# Prisoner's dilemma: minus the years in jail
           cooperate  defect
cooperate    -1,-1     -3,0
defect        0,-3     -2,-2
""",
    "Chicken": """# Chicken
          swerve  straight
swerve      0,0     -1,1
straight    1,-1   -10,-10
""",
    "A degenerate game": """# Both rows are equally good against the left column
    left  right
A    1,1   0,0
B    1,0   2,3
""",
}


def _examples(request: Request) -> Response:
    rows = [{"title": title, "text": text} for title, text in EXAMPLES.items()]
    return JSONResponse({"examples": rows})


ROUTES: Final = [Route("/api/matrix", _examples)]
HANDLERS: Final[Handlers] = {incoming.SolveMatrix: Handler(solve, slow=True)}
