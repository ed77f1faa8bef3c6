"""`plyforge suite`."""

from pathlib import Path
from typing import Any

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine.limits import Limits
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.engines import EngineOptions
from plyforge.interfaces.cli.output import console, print_json, print_table
from plyforge.interfaces.cli.positions import open_game
from plyforge.interfaces.cli.progress import Progress
from plyforge.match.suite import (
    Attempt,
    attempt_all,
    attempts_table,
    count_solved,
    read_problems,
    summary_lines,
)


def run(
    file: str, name: str, limits: Limits, options: EngineOptions, backend: str | None, json: bool
) -> int:
    """Search all positions of a file, and print what was solved; return the exit code."""
    game = open_game(name, backend)
    problems = _read(file, lambda text: read_problems(game, text))
    engine = options.engine(game)
    attempts: list[Attempt] = []
    interrupted = False
    try:
        with Progress("positions") as progress:
            engine.prepare()
            progress.start(len(problems))
            for one in attempt_all(engine, problems, limits):
                attempts.append(one)
                progress.update(len(attempts))
    except KeyboardInterrupt:
        if not attempts:
            raise
        interrupted = True
    if json:
        measures = ("depth", "nodes", "seconds")
        print_json(
            {
                "file": file,
                "game": game.name,
                "positions": len(problems),
                "searched": len(attempts),
                "solved": sum(one.solved for one in attempts),
                "interrupted": interrupted,
                "solved_by": {
                    measure: [list(pair) for pair in count_solved(attempts, measure).items()]
                    for measure in measures
                },
                "attempts": [one.fields(game) for one in attempts],
            }
        )
    else:
        print_table(attempts_table(game, attempts))
        lines = summary_lines(attempts)
        if interrupted:
            lines.append(f"interrupted after {len(attempts)} of {len(problems)} positions")
        for line in lines:
            console().print(line, markup=False)
    return exits.INTERRUPTED if interrupted else exits.DONE


def _read(file: str, read: Any) -> Any:
    try:
        return read(Path(file).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise PlyforgeError(f"{clip(file)} cannot be read: {error.strerror}") from None
    except ValueError as error:  # not UTF-8, or a null byte in the name
        raise PlyforgeError(f"{clip(repr(file))} cannot be read: {error}") from None
    except PlyforgeError as error:
        raise PlyforgeError(f"{clip(file)}: {error}") from None
