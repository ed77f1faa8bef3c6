"""`plyforge analyse --workers N`: an analysis by a master and its workers."""

from contextlib import closing
from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine import score_text
from plyforge.engine.master.estimate import EXACT, LOWER, OPEN, UPPER, Estimate
from plyforge.engine.master.opening import open_master
from plyforge.engine.master.result import MasterResult, WorkerSummary, line_texts
from plyforge.engine.master.settings import validate_workers
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.analyse import DEFAULT_SECONDS
from plyforge.interfaces.cli.engines import EngineOptions
from plyforge.interfaces.cli.output import console, print_json, print_table
from plyforge.interfaces.cli.positions import open_game, open_history
from plyforge.jobs.choosing import LOCAL, check_name
from plyforge.match.players.computer import DEFAULT_MIB
from plyforge.match.tables import Table

DEFAULT_WORKERS: Final = 4
_BOUNDS: Final = {EXACT: "", LOWER: " or more", UPPER: " or less", OPEN: " (some moves open)"}


@dataclass(frozen=True)
class MasterOptions:
    """The options of the command that concern the master."""

    workers: int | None
    executor: str | None
    engine: EngineOptions
    as_json: bool
    stream: bool


def reject_options(only: str | None, multipv: int) -> None:
    """Reject options that do not go with workers."""
    if only is not None or multipv != 1:
        name = "--multipv" if only is None else "--only"
        raise PlyforgeError(
            f"{name} does not go with --workers and --executor: workers share out all moves, and"
            " find one line; leave one of them out"
        )


def run(
    name: str,
    position: str | None,
    moves: str | None,
    depth: int | None,
    time: float | None,
    nodes: int | None,
    options: MasterOptions,
    backend: str | None,
) -> int:
    """Analyse a position with workers and print the result; return the exit code."""
    workers = validate_workers(DEFAULT_WORKERS if options.workers is None else options.workers)
    executor = options.executor or LOCAL
    check_name(executor)
    game = open_game(name, backend)
    root = open_history(game, position, moves)
    if depth is None and time is None and nodes is None:
        time = DEFAULT_SECONDS
    arguments = options.engine.arguments()
    if arguments["hash"] is None and arguments["entries"] is None:
        arguments["hash"] = DEFAULT_MIB
    with closing(open_master(game, arguments, workers, executor)) as master:
        master.prepare()
        printer = _Printer(options)
        result = master.search(
            root,
            depth=depth,
            time=time,
            nodes=nodes,
            report=printer.print_change,
            catch_interrupt=True,
        )
    printer.print_result(result, executor)
    return exits.INTERRUPTED if result.interrupted else 0


class _Printer:
    """Prints each change of the best move or its score, then the result."""

    def __init__(self, options: MasterOptions) -> None:
        self._options = options
        self._out = console()
        self._has_header = False

    def print_change(self, result: MasterResult) -> None:
        if self._options.stream:
            fields = result.fields()
            names = ("depth", "score", "bound", "pv", "nodes", "seconds")
            print_json({name: fields[name] for name in names})
        elif not self._options.as_json:
            if not self._has_header:
                self._out.print(f"{'depth':>5} {'score':>12} {'nodes':>14} {'seconds':>8}  line")
                self._has_header = True
            estimate = result.estimate
            line = " ".join(_texts(result, estimate.line))
            self._out.print(
                f"{estimate.depth:>5} {_score(estimate):>12} {result.nodes:>14,}"
                f" {result.seconds:>8.2f}  {line}",
                markup=False,
            )

    def print_result(self, result: MasterResult, executor: str) -> None:
        options = self._options
        if options.as_json or options.stream:
            print_json(
                {
                    "game": result.root.game.name,
                    "preset": options.engine.preset,
                    "executor": executor,
                    **result.fields(),
                }
            )
            return
        estimate = result.estimate
        line = _texts(result, estimate.line)
        proved = ", proved" if estimate.proved else ""
        bound = _BOUNDS[estimate.bound] if result.searched else " (nothing searched)"
        self._out.print(
            f"best {line[0]}  score {score_text(estimate.score)}{bound}{proved}", markup=False
        )
        self._out.print(f"line {' '.join(line)}", markup=False)
        print_table(_worker_table(result))
        self._out.print(
            f"{len(result.workers)} workers, preset {options.engine.preset}: {result.nodes:,}"
            f" nodes, and {result.quick_nodes:,} of the master, {result.seconds:.2f} s",
            markup=False,
        )


def _worker_table(result: MasterResult) -> Table:
    """Return who worked where."""
    headings = ("worker", "node", "moves", "depth", "score", "nodes", "reports", "moved", "place")
    return Table(headings, tuple(_worker_row(result, worker) for worker in result.workers))


def _worker_row(result: MasterResult, worker: WorkerSummary) -> tuple[str, ...]:
    estimate = worker.estimate
    if worker.path is None:
        node, moves = "-", "-"
    else:
        node = " ".join(_texts(result, worker.path)) or "the root"
        moves = "all" if worker.rest is None else f"{worker.rest} others"
    return (
        str(worker.number),
        node,
        moves,
        "-" if estimate is None else str(estimate.depth),
        "-" if estimate is None else _score(estimate),
        f"{worker.nodes:,}",
        str(worker.reports),
        str(worker.moves),
        f"lost: {worker.lost}" if worker.lost else worker.place,
    )


def _score(estimate: Estimate) -> str:
    """Return a score with a mark if it is a bound."""
    mark = {EXACT: "", LOWER: "+", UPPER: "-", OPEN: "?"}[estimate.bound]
    return score_text(estimate.score) + mark


def _texts(result: MasterResult, line: tuple[int, ...]) -> list[str]:
    return line_texts(result.root.game, result.root.position, line)
