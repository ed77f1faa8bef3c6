"""Train the net of `plyforge.games.chess.net` on recorded games, and write its weights.

    plyforge learn record chess chess.games --games 20000 --nodes 500 --opening 6 \\
        --longest-opening 12 --decided-at 1000 --max-plies 160 --seed 1
    python scripts/chess_net.py chess.games --output net.npz

Targets mix results with values of the searches.  Every epoch is stored beside the output; run the
same command again to resume.
"""

import argparse
from pathlib import Path

import numpy as np

import plyforge
from plyforge.evaluate import evaluation_of, save_evaluation, with_evaluation
from plyforge.game.forms.layers import initial_weights
from plyforge.games.chess import net
from plyforge.learn.methods.supervised import SupervisedParameters, TrainingState, train_epochs
from plyforge.learn.model import GameModel
from plyforge.learn.prediction import Prediction
from plyforge.learn.recorded_samples import PositionChoice, read_positions

_STORED = ("rate", "slow_after", "batch", "scale", "search_weight", "seed")


def main() -> None:
    """Train, convert, write."""
    parser = argparse.ArgumentParser(description="Train the net of chess on recorded games.")
    parser.add_argument("games", type=Path, help="a file of 'plyforge learn record chess'")
    parser.add_argument("--output", type=Path, default=Path("net.npz"))
    parser.add_argument("--positions", type=int, default=60, help="of each game at most")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--slow-after", type=int, default=4, help="epochs until half the rate")
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--scale", type=float, default=220.0, help="centipawns of the sigmoid")
    parser.add_argument("--search-weight", type=float, default=0.7)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chess = plyforge.load("chess")
    model = GameModel(
        with_evaluation(chess, net.SEEN), net.SEEN, Prediction("sigmoid", options.scale)
    )
    choice = PositionChoice(None, 0.05, options.positions, True, options.seed)
    samples = read_positions(options.games, model, choice).samples(
        model.prediction, options.search_weight
    )
    print(f"{samples.inputs.count:,} positions", flush=True)
    parameters = SupervisedParameters(
        rate=options.rate,
        slow_after=options.slow_after,
        batch=options.batch,
        epochs=options.epochs,
        loss="cross-entropy",
        patience=4,
        seed=options.seed,
    )
    part = options.output.with_suffix(".part")
    before = TrainingState.from_bytes(part.read_bytes()) if part.exists() else None
    assert model.network is not None
    weights, state = initial_weights(model.network, options.seed), before
    for state in train_epochs(model, weights, samples, parameters, before):
        part.write_bytes(state.to_bytes())
        loss, held = state.history[-1]
        print(f"epoch {len(state.history)}: loss {loss:.5f}, held out {held:.5f}", flush=True)
    assert state is not None
    write(options, state, samples.inputs.count)


def write(options: argparse.Namespace, state: TrainingState, positions: int) -> None:
    """Convert the best weights to the net that searches use, and save them."""
    vector = net.from_seen(np.array(state.learned.weights))
    game = with_evaluation(plyforge.load("chess"), net, untrained=True)
    evaluation = evaluation_of(game).with_weights(vector)
    made = {
        "command": "scripts/chess_net.py",
        "games": options.games.name,
        "positions": positions,
        "epochs": len(state.history),
        "held out loss": state.learned.held_out_loss,
        **{name: getattr(options, name) for name in _STORED},
    }
    error = save_evaluation(options.output, game, evaluation, made=made)
    print(f"wrote {options.output}: {error}")


if __name__ == "__main__":
    main()
