"""Let an engine that speaks UCI play itself, as a teacher for `plyforge learn GAME mmto`.

    python scripts/teacher_games.py stockfish --games 400 --nodes 20000 --output teacher.pgn
    plyforge learn chess mmto --data teacher.pgn --depth 2 --opening 8

The engine is any program in the search path, or a path; it plays both sides at a fixed number of
nodes a move, so the games are the same every time if the engine is deterministic.  Then the two
games of an opening are equal, too, and `learn` counts them once.  Each game begins with random
moves, which are not to be learned: give their number to `learn` as `--opening`.  Games are stored
as they end in the file `--db`; run the same command again to resume, and with more games to add
some.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence


def match_command(options: argparse.Namespace) -> list[str]:
    """Return the match that plays the teacher's games."""
    quoted = '"' + options.engine.replace('"', '""') + '"'
    settings = [f"option.{name}" for name in options.option]
    teacher = ",".join([f"uci:{quoted}", f"nodes={options.nodes}", *settings])
    return [
        *(sys.executable, "-m", "plyforge", "match", options.game),
        *(f"{teacher},name=teacher", f"{teacher},name=other teacher"),
        *("--games", str(options.games), "--openings", f"random:{options.opening}"),
        *("--max-plies", str(options.max_plies), "--seed", str(options.seed)),
        *("--jobs", str(options.jobs), "--db", options.db, "--records", options.output),
        *(["--overwrite"] if options.overwrite else []),
    ]


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="the command of the engine, such as stockfish")
    parser.add_argument("--game", default="chess", help="the game that it plays")
    parser.add_argument("--games", type=int, default=400, help="how many games, an even number")
    parser.add_argument("--nodes", type=int, default=20_000, help="nodes a move")
    parser.add_argument("--opening", type=int, default=8, help="random moves at the start")
    parser.add_argument("--max-plies", type=int, default=160, help="longer games are drawn")
    parser.add_argument("--option", action="append", default=[], help="NAME=VALUE of the engine")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--db", default="teacher.db", help="where games are stored as they end")
    parser.add_argument("--output", default="teacher.pgn", help="the file of games")
    parser.add_argument("--overwrite", action="store_true", help="replace that file")
    return parser.parse_args(arguments)


def main() -> int:
    """Play the games; return the exit code of the match."""
    return subprocess.run(match_command(parse()), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
