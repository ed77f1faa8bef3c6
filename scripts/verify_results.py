"""Measure a sample of the figures in docs/results again, and say where a count differs.

python -m scripts.verify_results [NAME ...] [--seconds S] [--seed N]

Counts are the same on every machine; times are not, and are left out.
"""

import argparse
import time
from collections.abc import Iterator

from plyforge.core.randomness import Stream
from plyforge.lab.cases import Case
from plyforge.lab.data import Measurement
from plyforge.lab.experiment import Experiment, experiment_names, load_experiment
from scripts import raw_figures

RUN_SEED = 0
"""The seed of all committed runs."""
_TIMES = ("seconds",)


def differences(experiment: Experiment, case: Case, committed: Measurement) -> Iterator[str]:
    """Measure again, and describe each count that differs."""
    values = experiment.measure(case, experiment.variation(committed.variation), committed.depth)
    for metric, value in committed.values.items():
        if metric not in _TIMES and values[metric] != value:
            yield f"{metric} {value} is now {values[metric]}"


def verify(name: str, seconds: float, seed: int) -> tuple[int, int, int]:
    """Return how many measurements were repeated, how many differ, and how many there are."""
    experiment, committed = load_experiment(name), raw_figures.read(name, raw_figures.RESULTS)
    cases = experiment.cases(RUN_SEED, 1 + max(measurement.case for measurement in committed))
    order, stream = list(range(len(committed))), Stream(seed).split(name)
    repeated = different = 0
    started = time.monotonic()
    while order and time.monotonic() - started < seconds:
        measurement = committed[order.pop(stream.below(len(order)))]
        changes = list(differences(experiment, cases[measurement.case], measurement))
        repeated, different = repeated + 1, different + bool(changes)
        if changes:
            where = (
                f"position {measurement.case}, {measurement.variation}, depth {measurement.depth}"
            )
            print(f"{name}: {where}: {'; '.join(changes)}")
    return repeated, different, len(committed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=experiment_names())
    parser.add_argument("--seconds", type=float, default=60.0, help="for each experiment")
    parser.add_argument("--seed", type=int, default=0, help="which measurements are taken")
    arguments = parser.parse_args()
    all_different = 0
    for name in arguments.names:
        repeated, different, total = verify(name, arguments.seconds, arguments.seed)
        all_different += different
        print(f"{name}: {repeated:,} of {total:,} measured again, {different} differ", flush=True)
    raise SystemExit(1 if all_different else 0)


if __name__ == "__main__":
    main()
