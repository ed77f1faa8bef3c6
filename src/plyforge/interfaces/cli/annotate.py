"""`plyforge annotate`."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plyforge.engine import Engine
from plyforge.engine.limits import Limits
from plyforge.game.files import full_name
from plyforge.game.game import Game
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.engines import EngineOptions
from plyforge.interfaces.cli.output import print_json
from plyforge.interfaces.cli.positions import check_backend
from plyforge.interfaces.cli.progress import Progress
from plyforge.match.annotate import Judgement, annotate, annotator_name, judge, summarize
from plyforge.match.files import check_output, read_file, write_text
from plyforge.records.record import GameRecord

DEFAULT_SECONDS = 1.0
"""How long to search each position where no limit is given."""


def run(
    file: str,
    name: str | None,
    limits: Limits,
    output: str | None,
    overwrite: bool,
    options: EngineOptions,
    backend: str | None,
    as_json: bool,
) -> int:
    """Annotate, write, print; 130 if an interrupt ended it, with what was done until then."""
    if output is not None:
        check_output(Path(output), overwrite)
    game, records = read_file(Path(file), name, check_backend(backend))
    work = _Work(options.engine(game), records, limits)
    try:
        work.do()
    except KeyboardInterrupt:
        if not any(work.judgements):
            raise
        work.interrupted = True
    text = game.write_games(work.annotate(annotator_name(limits)))
    if output is not None:
        write_text(Path(output), text)
    if as_json:
        print_json(work.fields(file, output))
    else:
        if output is None:
            sys.stdout.write(text)
        _print_summary(game, work, output)
    return exits.INTERRUPTED if work.interrupted else 0


def default_limits(depth: int | None, time: float | None, nodes: int | None) -> Limits:
    """The limits of each search; a second where none is given."""
    unlimited = depth is None and time is None and nodes is None
    return Limits(depth, DEFAULT_SECONDS if unlimited else time, nodes)


class _Work:
    """The games of a file, and what the engine has said of them so far."""

    def __init__(self, engine: Engine, records: list[GameRecord], limits: Limits) -> None:
        self.engine, self.records, self._limits = engine, records, limits
        self.judgements: list[list[Judgement]] = []
        self.interrupted = False

    def do(self) -> None:
        for number, record in enumerate(self.records, 1):
            found: list[Judgement] = []
            self.judgements.append(found)
            with Progress(f"moves of game {number} of {len(self.records)}") as progress:
                progress.start(len(record.moves))
                for judgement in judge(self.engine, record, self._limits):
                    found.append(judgement)
                    progress.update(judgement.number)

    def annotate(self, annotator: str) -> list[GameRecord]:
        """All records; those that the engine has not come to are as they were."""
        return [
            annotate(record, self.judgements[i], annotator) if self._begun(i) else record
            for i, record in enumerate(self.records)
        ]

    def _begun(self, index: int) -> bool:
        return index < len(self.judgements) and bool(self.judgements[index])

    def fields(self, file: str, output: str | None) -> dict[str, Any]:
        return {
            "game": full_name(self.engine.game),
            "file": file,
            "output": output,
            "interrupted": self.interrupted,
            "games": [
                {
                    "result": record.result,
                    "tags": record.tags,
                    "players": [asdict(s) for s in summarize(self.engine.game, found)],
                    "moves": [judgement.fields() for judgement in found],
                }
                for record, found in zip(self.records, self.judgements, strict=False)
            ],
        }


def _print_summary(game: Game, work: _Work, output: str | None) -> None:
    """Behind the records on standard output it would be in the way: then on standard error."""
    out = sys.stderr if output is None else sys.stdout
    for number, found in enumerate(work.judgements, 1):
        out.write(f"game {number}: {len(found)} of {len(work.records[number - 1].moves)} moves\n")
        for one in summarize(game, found):
            out.write(
                f"  {one.player}: {one.moves} moves, {one.dubious} ?!, {one.mistakes} ?,"
                f" {one.blunders} ??, mean loss {one.mean_loss:.3f}\n"
            )
    if output is not None:
        out.write(f"wrote {output}\n")
