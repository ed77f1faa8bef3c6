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
"""The time per search if no limit is given."""


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
    """Annotate games, write them and print a summary; return 130 if interrupted meanwhile."""
    if output is not None:
        check_output(Path(output), overwrite)
    game, records = read_file(Path(file), name, check_backend(backend))
    annotation = _Annotation(options.engine(game), records, limits)
    try:
        annotation.run()
    except KeyboardInterrupt:
        if not any(annotation.judgements):
            raise
        annotation.interrupted = True
    text = game.write_games(annotation.annotate(annotator_name(limits)))
    if output is not None:
        write_text(Path(output), text)
    if as_json:
        print_json(annotation.fields(file, output))
    else:
        if output is None:
            sys.stdout.write(text)
        _print_summary(game, annotation, output)
    return exits.INTERRUPTED if annotation.interrupted else 0


def default_limits(depth: int | None, time: float | None, nodes: int | None) -> Limits:
    """Return the limits of each search; by default, one second."""
    unlimited = depth is None and time is None and nodes is None
    return Limits(depth, DEFAULT_SECONDS if unlimited else time, nodes)


class _Annotation:
    """The games of a file with the judgements so far."""

    def __init__(self, engine: Engine, records: list[GameRecord], limits: Limits) -> None:
        self.engine, self.records, self._limits = engine, records, limits
        self.judgements: list[list[Judgement]] = []
        self.interrupted = False

    def run(self) -> None:
        """Judge all moves of all games."""
        for number, record in enumerate(self.records, 1):
            judgements: list[Judgement] = []
            self.judgements.append(judgements)
            with Progress(f"moves of game {number} of {len(self.records)}") as progress:
                progress.start(len(record.moves))
                for judgement in judge(self.engine, record, self._limits):
                    judgements.append(judgement)
                    progress.update(judgement.number)

    def annotate(self, annotator: str) -> list[GameRecord]:
        """Return all records; those not reached yet are unchanged."""
        return [
            annotate(record, self.judgements[i], annotator) if self._has_judgements(i) else record
            for i, record in enumerate(self.records)
        ]

    def _has_judgements(self, index: int) -> bool:
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
                    "players": [asdict(s) for s in summarize(self.engine.game, judgements)],
                    "moves": [judgement.fields() for judgement in judgements],
                }
                for record, judgements in zip(self.records, self.judgements, strict=False)
            ],
        }


def _print_summary(game: Game, annotation: _Annotation, output: str | None) -> None:
    """Print the summary: on standard error if the records go to standard output."""
    out = sys.stderr if output is None else sys.stdout
    pairs = zip(annotation.records, annotation.judgements, strict=False)
    for number, (record, judgements) in enumerate(pairs, 1):
        out.write(f"game {number}: {len(judgements)} of {len(record.moves)} moves\n")
        for one in summarize(game, judgements):
            out.write(
                f"  {one.player}: {one.moves} moves, {one.dubious} ?!, {one.mistakes} ?,"
                f" {one.blunders} ??, mean loss {one.mean_loss:.3f}\n"
            )
    if output is not None:
        out.write(f"wrote {output}\n")
