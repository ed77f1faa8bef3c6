"""`plyforge learn record`: play games of self-play into a file."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from plyforge.core.errors import PlyforgeError, clip
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.executors import ExecutorOptions
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.progress import Progress
from plyforge.learn.game_file import SUFFIX, GameFile
from plyforge.learn.recording import RecordingPlan, record_games


@dataclass(frozen=True)
class RecordOptions:
    """The options of `learn record`, as typed."""

    plan: RecordingPlan
    file: str
    games: int
    workers: ExecutorOptions
    json: bool


def run(options: RecordOptions) -> int:
    """Record games; return the exit code.  After Ctrl-C the games so far are kept."""
    path = Path(options.file)
    if path.suffix != SUFFIX:
        raise PlyforgeError(f"the file '{clip(options.file)}' must end in {SUFFIX}")
    options.plan.load_game()  # so that mistakes are found before the file is made
    executor = options.workers.choose(allow_zero=True)
    with GameFile(path) as file:
        steps = record_games(options.plan, options.games, file, executor)
        try:
            with Progress("games", executor) as progress:
                done = next(steps)
                if done:
                    progress.print(f"{done:,} of {options.games:,} games are already in {path}")
                progress.start(options.games, done)
                for done in steps:
                    progress.update(done)
        finally:
            steps.close()
        _report(file, options)
    return exits.DONE


def _report(file: GameFile, options: RecordOptions) -> None:
    results: Counter[float] = Counter()
    endings: Counter[str] = Counter()
    plies = positions = count = 0
    for game in file.games():
        count += 1
        results[game.result] += 1
        endings[game.ending] += 1
        plies += len(game.moves)
        positions += sum(value is not None for value in game.values)
    wins, draws, losses = results[1.0], results[0.0], results[-1.0]
    if options.json:
        figures = {"file": str(file.file), "games": count, "plies": plies, "positions": positions}
        print_json(figures | {"wins": wins, "draws": draws, "losses": losses, "endings": endings})
        return
    out = console()
    out.print(
        f"{file.file}: {count:,} games, {plies / max(count, 1):.1f} plies each; the first side won"
        f" {wins:,}, drew {draws:,} and lost {losses:,}; {positions:,} positions were searched",
        markup=False,
    )
    ended = ", ".join(f"{number:,} by {name}" for name, number in endings.most_common())
    out.print(f"games ended: {ended}", markup=False)
