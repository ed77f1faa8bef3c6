"""`plyforge analyse`."""

from typing import Any

from rich.console import Console

from plyforge.core.errors import PlyforgeError
from plyforge.engine import INTERACTIVE_LINE_BUDGET, Engine, Info, SearchResult, score_text
from plyforge.engine.expectation import OutcomeValue, expect
from plyforge.game.game import History
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.engines import EngineOptions
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.positions import open_game, open_history

DEFAULT_SECONDS = 5.0
"""Seconds to search if no limit is given."""
_MAX_MOVES = 12
"""Maximum number of moves shown per line."""


def run(
    name: str,
    position: str | None,
    moves: str | None,
    depth: int | None,
    time: float | None,
    nodes: int | None,
    only: str | None,
    multipv: int,
    options: EngineOptions,
    backend: str | None,
    as_json: bool,
    stream: bool,
) -> int:
    """Analyse a position and print the result; return the exit code."""
    game = open_game(name, backend)
    root = open_history(game, position, moves)
    engine = options.with_learned(game).engine(game)
    if depth is None and time is None and nodes is None:
        time = DEFAULT_SECONDS
    if root.chance_outcomes():
        _reject_move_options(only, multipv, stream)
        try:
            return _print_expectation(
                engine, root, {"depth": depth, "time": time, "nodes": nodes}, as_json
            )
        finally:
            engine.close()
    root_moves = None if only is None else _parse_moves(root, only)
    printer = _Printer(engine, options.preset, root, as_json, stream)
    try:
        result = engine.analyse(
            root,
            depth=depth,
            time=time,
            nodes=nodes,
            moves=root_moves,
            multipv=multipv,
            line_budget=INTERACTIVE_LINE_BUDGET,
            report=printer.print_iteration,
            catch_interrupt=True,
        )
    finally:
        engine.close()
    printer.print_result(result)
    if result.failure:
        raise PlyforgeError(f"{result.failure}; the move above is the best one so far")
    return exits.INTERRUPTED if result.interrupted else 0


def _reject_move_options(only: str | None, multipv: int, stream: bool) -> None:
    """Reject options that need a side to move."""
    given = {"--only": only is not None, "--multipv": multipv != 1, "--stream": stream}
    for name, is_given in given.items():
        if is_given:
            raise PlyforgeError(
                f"{name} does not go with a position where chance moves; leave it out, or add an"
                " outcome to --moves"
            )


def _print_expectation(engine: Engine, root: History, limits: dict[str, Any], as_json: bool) -> int:
    """Print the value of every outcome of chance, and the expected value."""
    game, out = root.game, console()

    def texts(one: OutcomeValue) -> tuple[str, str]:
        outcome = game.move_text(root.position, one.outcome)
        after = game.play(root.position, one.outcome)
        return outcome, "-" if one.best is None else game.move_text(after, one.best)

    has_header = False

    def print_row(one: OutcomeValue) -> None:
        nonlocal has_header
        if not has_header:
            has_header = True
            out.print(f"{'outcome':<10} {'probability':>11} {'score':>12}  best", markup=False)
        outcome, best = texts(one)
        row = f"{outcome:<10} {one.probability:>11.4f} {score_text(one.score):>12}  {best}"
        out.print(row, markup=False)

    found = expect(engine, root, report=(lambda one: None) if as_json else print_row, **limits)
    if as_json:
        rows = [
            {
                "outcome": texts(one)[0],
                "probability": one.probability,
                "score": one.score,
                "best": None if one.best is None else texts(one)[1],
            }
            for one in found.outcomes
        ]
        print_json(
            {
                "game": game.name,
                "score": found.score,
                "proved": found.proved,
                "outcomes": rows,
                "nodes": found.nodes,
                "seconds": found.seconds,
            }
        )
        return 0
    proved = ", proved" if found.proved else ""
    out.print(
        f"expected value {found.score:+.6g} for {game.players[root.turn]}{proved};"
        f" {found.nodes:,} nodes, {found.seconds:.2f} s",
        markup=False,
    )
    return 0


def _parse_moves(root: History, text: str) -> list[int]:
    game = root.game
    return [game.parse_move(root.position, word) for word in game.split_moves(text)]


class _Printer:
    """Prints each iteration, then the result."""

    def __init__(
        self, engine: Engine, preset: str, root: History, as_json: bool, stream: bool
    ) -> None:
        self._preset = preset
        self._engine, self._root = engine, root
        self._json, self._stream = as_json, stream
        self._out: Console = console()
        self._has_header = False

    def print_iteration(self, info: Info) -> None:
        if self._stream:
            print_json(
                {
                    "depth": info.depth,
                    "score": info.score,
                    "bound": info.bound,
                    "score_depth": info.lines[0].depth,
                    "pv": self._texts(info.pv),
                    "nodes": info.nodes,
                    "seconds": info.seconds,
                }
            )
        elif not self._json:
            self._print_row(info)

    def _print_row(self, info: Info) -> None:
        if not self._has_header:
            self._out.print(f"{'depth':>5} {'score':>12} {'nodes':>14} {'nodes/s':>12}  line")
            self._has_header = True
        speed = f"{info.nodes / info.seconds:,.0f}" if info.seconds > 1e-3 else "-"
        for number, line in enumerate(info.lines):
            score = score_text(line.score) + ("+" if line.bound != "exact" else "")
            start = f"{line.depth:>5} {score:>12}"
            counts = f"{info.nodes:>14,} {speed:>12}" if number == 0 else " " * 27
            texts = self._texts(line.pv[:_MAX_MOVES])
            more = " ..." if len(line.pv) > _MAX_MOVES else ""
            self._out.print(f"{start} {counts}  {' '.join(texts)}{more}", markup=False)

    def _texts(self, line: tuple[int, ...]) -> list[str]:
        return self._engine.line_texts(self._root, line)

    def print_result(self, result: SearchResult) -> None:
        lines = [self._texts(line.pv) for line in result.lines]
        if self._json or self._stream:
            opening = self._root.opening
            print_json(
                {
                    "game": self._engine.game.name,
                    **({} if opening is None else {"opening": opening}),
                    "preset": self._preset,
                    "evaluation": self._engine.evaluation,
                    **result.fields(lines),
                }
            )
            return
        counts = result.counts
        proved = ", proved" if result.proved else ""
        bound = {"exact": "", "lower": " or more", "none": " (nothing searched)"}[result.bound]
        self._out.print(
            f"best {lines[0][0]}  score {score_text(result.score)}{bound}{proved}", markup=False
        )
        self._out.print(f"line {' '.join(lines[0])}", markup=False)
        if self._root.opening is not None:
            self._out.print(f"opening {self._root.opening}", markup=False)
        evaluation = self._engine.evaluation
        named = f", evaluation {evaluation}" if evaluation else ""
        self._out.print(
            f"{result.driver}, preset {self._preset}{named}: {counts.nodes:,} nodes"
            f" ({counts.leaves:,} leaves, {counts.transpositions:,} transpositions),"
            f" {len(result.steps)} searches, {result.seconds:.2f} s",
            markup=False,
        )
        if result.account is not None:
            self._out.print(str(result.account), markup=False)
        if result.step_counts:
            texts = [f"{name} {count:,}" for name, count in result.step_counts.items()]
            self._out.print(f"steps: {', '.join(texts)}", markup=False)
