"""The nets of the learning draughts players, by training, for experiments."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from plyforge.games import checkers
from plyforge.games.checkers.named_players import TRAININGS, weights
from plyforge.lab import Case, Estimate, random_cases
from plyforge.lab.experiments._learning import files_digest
from plyforge.lab.statistics import difference

NEURODRAUGHTS, LS_DRAUGHTS = "neurodraughts", "ls-draughts"
GROUPS = tuple(f"training {number}" for number in range(1, TRAININGS + 1))


@cache
def weights_digest(*nets: str) -> str:
    """Return a digest of the files of weights."""
    names = [weights(net, number + 1) for net in nets for number in range(TRAININGS)]
    return files_digest(str(checkers.__file__), names)


def trained_cases(plies: int, seed: int, count: int) -> list[Case]:
    """Return positions after random moves; each names the trainings whose nets are used there.

    Position i has training i mod 5 of one net, and i // 5 mod 5 of another, both counted from 1.
    """
    return [
        replace(case, label=f"{case.label}, trainings {1 + n % TRAININGS} {_other(n)}")
        for n, case in enumerate(random_cases("checkers", plies, seed, count))
    ]


def _other(number: int) -> int:
    return 1 + number // TRAININGS % TRAININGS


def trainings(case: Case) -> tuple[int, int]:
    """Return the trainings of a position.

    >>> trainings(Case("checkers", label="position 7, trainings 2 1"))
    (2, 1)
    """
    first, second = case.label.split()[-2:]
    return int(first), int(second)


def over_trainings(values: Mapping[int, float]) -> Estimate | None:
    """Return the mean of values by position, which may be negative; the units are trainings.

    So the interval holds for nets that are trained anew, not only for these.
    """
    units = [case % TRAININGS for case in values]
    return difference(list(values.values()), units) if values else None
