"""Vary the settings of the draughts players' training, one at a time, and compare strengths.

    python scripts/draughts_sweep.py [--only NAME ...] [--games N] [--db FILE]
    python scripts/draughts_sweep.py --players

Every setting is trained twice, and each training plays against the game's hand evaluation at the
same depth.  Run it again to resume; it prints the table of docs/games/checkers-players.md.  With
`--players` the nets of the players are tested in the same way.
"""

import argparse
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.core.randomness import Stream
from plyforge.engine.engine import Engine
from plyforge.evaluate import evaluation_of, save_evaluation
from plyforge.game.game import Game, History
from plyforge.games import load
from plyforge.games.checkers.named_players import TRAININGS as PLAYER_TRAININGS
from plyforge.games.checkers.named_players import weights
from plyforge.games.checkers.samuel import FEATURES, NEURODRAUGHTS, samuel_net
from plyforge.jobs.local import local_executor
from plyforge.learn.games import GamePlan, result_of
from plyforge.learn.plan import CLONE, SELF, ZERO, LearningPlan
from plyforge.learn.runs import LearningRun
from plyforge.learn.selfplay import play_out
from plyforge.learn.store import LearningStore

TEST_DEPTH = 3
TEST_OPENING = 6
TEST_PAIRS = 60
"""Openings for each training; both sides of each are played."""
TRAININGS = 2


@dataclass(frozen=True)
class Setting:
    """How a net is trained."""

    features: tuple[str, ...] = NEURODRAUGHTS
    hidden: int = 20
    parameters: Mapping[str, Any] = field(default_factory=dict)
    games: Mapping[str, Any] = field(default_factory=dict)
    plan: Mapping[str, Any] = field(default_factory=dict)
    method: str = "td"


BASE_PARAMETERS = {"rate": 0.02, "trace": 0.7}
BASE_GAMES = {"depth": 3, "opening": 4, "explored": 10, "max_plies": 200}
BASE_PLAN = {"opponent": CLONE, "tournament": 20, "round_games": 10, "replace_above": 0.5}
SETTINGS: dict[str, Setting] = {
    "usual": Setting(),
    "against itself": Setting(plan={"opponent": SELF}),
    "clone replaced after 200 games": Setting(plan={"tournament": 200}),
    "clone replaced after 200 games, random moves in the opening only": Setting(
        plan={"tournament": 200}, games={"explored": 0}
    ),
    "clone replaced with 55 % of the points": Setting(plan={"replace_above": 0.55}),
    "random moves in the opening only": Setting(games={"explored": 0}),
    "λ 0.1": Setting(parameters={"trace": 0.1}),
    "λ 0.95": Setting(parameters={"trace": 0.95}),
    "rate 0.005": Setting(parameters={"rate": 0.005}),
    "rate 0.1": Setting(parameters={"rate": 0.1}),
    "rate half after 200 games": Setting(plan={"slow_after": 200}),
    "look-ahead of 1 ply": Setting(games={"depth": 1}),
    "games of 120 plies are drawn": Setting(games={"max_plies": 120}),
    "31 features": Setting(features=tuple(FEATURES)),
    "10 hidden units": Setting(hidden=10),
    "40 hidden units": Setting(hidden=40),
    "discount 0.98": Setting(parameters={"discount": 0.98}),
    "TDLeaf": Setting(method="tdleaf"),
}


def train(setting: Setting, seed: int, count: int, folder: Path, db: str) -> np.ndarray:
    """Return the weights of a training."""
    with LearningStore(db) as store:
        plan = make_plan(setting, seed, folder)
        run = LearningRun(plan, store, f"{setting!r} {seed}", local_executor(0))
        for _ in run.run(count):
            pass
        return run.weights


def make_plan(setting: Setting, seed: int, folder: Path) -> LearningPlan:
    """Return the plan of a training."""
    games = GamePlan(
        "checkers",
        str(empty_net(setting, folder)),
        seed=seed,
        lines=setting.method == "tdleaf",
        **{**BASE_GAMES, **setting.games},
    )
    return LearningPlan(
        games,
        setting.method,
        {**BASE_PARAMETERS, **setting.parameters},
        start=ZERO,
        test_rounds=0,
        **{**BASE_PLAN, **setting.plan},
    )


def empty_net(setting: Setting, folder: Path) -> Path:
    """Write the file of a net without weights, unless it exists."""
    path = folder / f"net-{len(setting.features)}-{setting.hidden}.npz"
    if not path.exists():
        empty = samuel_net(setting.features, hidden=setting.hidden)
        save_evaluation(path, load("checkers"), empty, made="all weights are 0")
    return path


@cache
def engine_of(game: Game) -> Engine:
    return Engine(game, entries=1 << 14)


def pair_scores(game: Game, vector: np.ndarray, pairs: int, seed: int = 0) -> list[float]:
    """Return the net's share of points in pairs of games against the hand evaluation."""
    net, hand = engine_of(game), engine_of(hand_game())
    net.set_weights(vector)
    scores = []
    for number in range(pairs):
        points = 0.0
        for side in (0, 1):
            net.clear()
            hand.clear()

            def choose(history: History, side: int = side) -> int:
                engine = net if history.turn == side else hand
                move = engine.search(history, depth=TEST_DEPTH).move
                assert move is not None
                return move

            history = hand_game().history()
            stream = Stream(seed).split(f"test {number}")
            play_out(history, stream, TEST_OPENING, 0, 200, choose)
            result = result_of(history)[0]
            points += (1.0 + (result if side == 0 else -result)) / 4.0
        scores.append(points)
    return scores


@cache
def hand_game() -> Game:
    return GamePlan("checkers").load_game()


def interval(scores: Sequence[float]) -> tuple[float, float]:
    """Return the mean and half of its 95 % interval, in percent; the units are pairs of games."""
    return 100 * float(np.mean(scores)), 196 * float(np.std(scores, ddof=1)) / math.sqrt(
        len(scores)
    )


def test_players() -> None:
    """Print the strength of the players' nets."""
    for net in ("neurodraughts", "ls-draughts"):
        scores: list[float] = []
        for training in range(1, PLAYER_TRAININGS + 1):
            game = GamePlan("checkers", weights(net, training)).load_game()
            part = pair_scores(game, evaluation_of(game).vector, TEST_PAIRS, training)
            scores += part
            mean, half = interval(part)
            print(f"| `{net}-{training}` | {mean:.1f} ± {half:.1f} % |", flush=True)
        mean, half = interval(scores)
        print(f"| {net}, all | {mean:.1f} ± {half:.1f} % |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Vary the training of the draughts players.")
    parser.add_argument("--only", nargs="*", choices=SETTINGS)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--db", default="draughts-sweep.db")
    parser.add_argument("--players", action="store_true", help="test the players' nets instead")
    given = parser.parse_args()
    if given.players:
        test_players()
        return
    print("| setting | points | trainings |\n|---|---|---|")
    folder = Path(given.db).resolve().with_suffix(".nets")
    folder.mkdir(exist_ok=True)
    for label in given.only or SETTINGS:
        setting = SETTINGS[label]
        game = make_plan(setting, 1, folder).games.load_game()
        parts = []
        for seed in range(1, TRAININGS + 1):
            learned = train(setting, seed, given.games, folder, given.db)
            parts.append(pair_scores(game, learned, TEST_PAIRS, seed))
        mean, half = interval([score for part in parts for score in part])
        each = ", ".join(f"{interval(part)[0]:.0f}" for part in parts)
        print(f"| {label} | {mean:.1f} ± {half:.1f} % | {each} |", flush=True)


if __name__ == "__main__":
    main()
