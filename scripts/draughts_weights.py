"""Make the weights of the learning draughts players, in src/plyforge/games/checkers/weights.

    python scripts/draughts_weights.py [--only NET] [--training N] [--db FILE]

Each training is 2,000 games against a clone, which is replaced after every 20 games that the
learner wins.  Run it again to resume; files that
are complete are made again only with --again.  The result is the same on every machine, bit for
bit.  docs/games/checkers-players.md says why each setting was chosen.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import plyforge
from plyforge.evaluate import save_evaluation
from plyforge.games import checkers
from plyforge.games.checkers.named_players import HIDDEN, LS_DRAUGHTS, TRAININGS
from plyforge.games.checkers.samuel import NEURODRAUGHTS, samuel_net

FOLDER = Path(checkers.__file__).parent / "weights"
NETS = {"neurodraughts": NEURODRAUGHTS, "ls-draughts": LS_DRAUGHTS}
OPTIONS = [
    *("--opponent", "clone", "--tournament", "20", "--replace-above", "0.5", "--round", "10"),
    *("--games", "2000", "--depth", "3", "--opening", "4", "--explored", "10"),
    *("--max-plies", "120", "--set", "rate=0.02", "--set", "trace=0.7", "--slow-after", "1000"),
    *("--test-rounds", "0", "--precision", "int16"),
]


def command(net: str, training: int, db: Path) -> list[str]:
    """Return the command of a training; `NET.npz`, the empty net, is in the working folder."""
    name = f"{net}-{training}"
    return [
        *("plyforge", "learn", "checkers", "td", "--evaluation", f"{net}.npz", *OPTIONS),
        *("--seed", str(training), "--name", name, "--db", str(db), "-o", f"{name}.npz"),
    ]


def train(net: str, training: int, db: Path) -> bytes:
    """Return the file of weights of a training."""
    with tempfile.TemporaryDirectory() as folder:
        empty = samuel_net(NETS[net], hidden=HIDDEN)
        game = plyforge.load("checkers")
        save_evaluation(Path(folder) / f"{net}.npz", game, empty, made="all weights are 0")
        words = command(net, training, db)
        print(" ".join(words), flush=True)
        subprocess.run([sys.executable, "-m", *words, "--jobs", "0"], cwd=folder, check=True)
        return (Path(folder) / f"{net}-{training}.npz").read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the weights of the draughts players.")
    parser.add_argument("--only", choices=NETS)
    parser.add_argument("--training", type=int, choices=range(1, TRAININGS + 1))
    parser.add_argument("--db", default="draughts-weights.db")
    parser.add_argument("--again", action="store_true", help="make files that exist again")
    given = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for net in [given.only] if given.only else NETS:
        for training in [given.training] if given.training else range(1, TRAININGS + 1):
            path = FOLDER / f"{net}-{training}.npz"
            if given.again or not path.exists():
                path.write_bytes(train(net, training, Path(given.db).resolve()))


if __name__ == "__main__":
    main()
