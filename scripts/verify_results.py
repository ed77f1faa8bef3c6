"""Measure a sample of the figures in docs/results again, and say where a count differs.

python -m scripts.verify_results [NAME ...] [--seconds S] [--seed N]

Counts are the same on every machine; times are not, and are left out.
"""

import argparse
import csv
import gzip
import io
import time
from collections.abc import Iterator
from pathlib import Path

from plyforge.core.randomness import Stream
from plyforge.lab.cases import Case
from plyforge.lab.experiment import Experiment, experiment, names

RESULTS = Path(__file__).parents[1] / "docs" / "results"
RUN_SEED = 0
"""The seed of all committed runs."""
_TIMES = ("seconds",)


def rows(name: str) -> list[dict[str, str]]:
    """The committed measurements of an experiment."""
    plain, packed = RESULTS / f"{name}.csv", RESULTS / f"{name}.csv.gz"
    if packed.exists():
        text = gzip.decompress(packed.read_bytes()).decode()
    else:
        text = plain.read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def differences(found: Experiment, case: Case, row: dict[str, str]) -> Iterator[str]:
    """What of a measurement is not as it was."""
    values = found.measure(case, found.variation(row["configuration"]), int(row["depth"]))
    for metric, value in values.items():
        committed = row.get(f"measured_{metric}", row.get(metric)) or "nan"
        if metric not in _TIMES and float(committed) != float(value):
            yield f"{metric} {committed} is now {value}"


def verify(name: str, seconds: float, seed: int) -> tuple[int, int, int]:
    """How many measurements were made again, how many differ, and how many there are."""
    found, committed = experiment(name), rows(name)
    cases = found.cases(RUN_SEED, 1 + max(int(row["position"]) for row in committed))
    order, stream = list(range(len(committed))), Stream(seed).split(name)
    again = different = 0
    started = time.monotonic()
    while order and time.monotonic() - started < seconds:
        row = committed[order.pop(stream.below(len(order)))]
        told = list(differences(found, cases[int(row["position"])], row))
        again, different = again + 1, different + bool(told)
        if told:
            where = f"position {row['position']}, {row['configuration']}, depth {row['depth']}"
            print(f"{name}: {where}: {'; '.join(told)}")
    return again, different, len(committed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=names())
    parser.add_argument("--seconds", type=float, default=60.0, help="for each experiment")
    parser.add_argument("--seed", type=int, default=0, help="which measurements are taken")
    given = parser.parse_args()
    worst = 0
    for name in given.names:
        again, different, all_ = verify(name, given.seconds, given.seed)
        worst += different
        print(f"{name}: {again:,} of {all_:,} measured again, {different} differ", flush=True)
    raise SystemExit(1 if worst else 0)


if __name__ == "__main__":
    main()
