"""Odd and even depths for White and Black in Andantino (Koneru, section 5)."""

from collections.abc import Sequence

from plyforge.core.scores import DRAW
from plyforge.lab import (
    Case,
    Chart,
    Data,
    Estimate,
    Finding,
    Series,
    Variation,
    format_estimate,
    open_engine,
    random_cases,
)
from plyforge.lab.findings import Verdict

TITLE = "Odd and even depths for White and Black in Andantino"
SOURCE = "S. Koneru, Alpha Beta Search on Andantino, section 5"
DEFAULTS = "2026"
GAME = "andantino"
POSITIONS = 150
"""Games of every pairing, each from a different random opening."""
PAIRED = (2, 3, 4, 5)
"""Depths that all play against each other; other depths play only against themselves."""
DEPTHS = (*PAIRED, 6, 7, 8)
"""Black's depths; White's are the variations."""
DEEP_SAMPLE = 60
"""The number of openings for depths above the paired ones."""
QUICK = (6, PAIRED)
METRICS = (("black", "share won by Black (depths are Black's)"), ("moves", "stones at the end"))
OPENINGS = (2, 4, 6)
"""Random plies at the start, alternating; all openings of 2 are the start up to symmetry."""
AT_FULL_DEPTH = (6, 7, 8)
"""The published program searches up to eight plies."""
_GAMES = (
    (OPENINGS[:1], AT_FULL_DEPTH, "openings of 2 plies, depths 6 to 8"),
    (OPENINGS[:1], PAIRED, "openings of 2 plies, depths 2 to 5"),
    *((OPENINGS[place : place + 1], depths, f"openings of {plies} plies, depths {label}")
      for place, plies in enumerate(OPENINGS) if place
      for depths, label in ((AT_FULL_DEPTH, "6 to 8"), (PAIRED, "2 to 5"))),
)  # fmt: skip
PUBLISHED = 0.9
_ANY = {"parity-first": "any", "parity-second": "any"}


def cases(seed: int, count: int) -> list[Case]:
    layers = [random_cases(GAME, plies, seed, -(-count // len(OPENINGS))) for plies in OPENINGS]
    return [case for turn in zip(*layers, strict=True) for case in turn][:count]


def name_of(depth: int) -> str:
    return f"White at depth {depth}"


def variations() -> list[Variation]:
    return [
        Variation(
            *(name_of(depth), "alphabeta", "koneru"),
            settings=_ANY,
            entries=1 << 16,
            extra={"white": depth},
        )
        for depth in DEPTHS
    ]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    if depth <= max(PAIRED):
        return variation.extra["white"] in PAIRED
    return variation.extra["white"] == depth and number < DEEP_SAMPLE


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Play a game; both sides use the same engine, with an empty table at every move."""
    engine, history = open_engine(case, variation)
    depths = (variation.extra["white"], depth)
    while not (verdict := history.verdict()).over:
        engine.clear()
        history.play(engine.analyse(history, depth=depths[history.turn]).move)
    won = verdict.value if history.turn == 1 else -verdict.value
    black = 0.5 if won == DRAW else float(won > 0)
    return {"black": black, "moves": history.position.placed, "opening": len(case.moves)}


def _share(data: Data, openings: Sequence[int], depths: Sequence[int]) -> Estimate | None:
    """Return Black's share of games between equal depths."""
    won: dict[int, list[float]] = {}
    for depth in depths:
        for case in data.cases(depth, [name_of(depth)]):
            row = data.row(name_of(depth), depth, case)
            if row["opening"] in openings:
                won.setdefault(case, []).append(row["black"])
    return data.mean_of({case: sum(games) / len(games) for case, games in won.items()})


def _common(data: Data) -> list[int]:
    """Return the openings from which every pairing was played."""
    names = [name_of(depth) for depth in PAIRED]
    cases = [set(data.cases(depth, names)) for depth in PAIRED]
    return sorted(set.intersection(*cases))


def _scores(data: Data, case: int, black: bool) -> list[float]:
    """Return a colour's score at each of its depths, against all depths of the other."""
    table = {
        (white, depth): data.row(name_of(white), depth, case)["black"]
        for white in PAIRED
        for depth in PAIRED
    }
    if black:
        return [sum(table[white, own] for white in PAIRED) / len(PAIRED) for own in PAIRED]
    return [1 - sum(table[own, depth] for depth in PAIRED) / len(PAIRED) for own in PAIRED]


def _odd_less_even(data: Data, black: bool) -> Estimate | None:
    """Return how much more odd depths score than the even ones beside them.

    Linear and quadratic trends over depths cancel.
    """
    gains = {}
    for case in _common(data):
        two, three, four, five = _scores(data, case, black)
        gains[case] = (3 * (three - four) + five - two) / 4
    return data.mean_of(gains)


def findings(data: Data) -> list[Finding]:
    rows = []
    for openings, depths, label in _GAMES:
        share = _share(data, openings, depths)
        if share is not None:
            claimed = openings == OPENINGS[:1] and depths == AT_FULL_DEPTH
            verdict: Verdict = "reproduced" if share.value > PUBLISHED else "not reproduced"
            rows.append(
                Finding(
                    f"Black's share of games between equal depths, {label}",
                    "more than 90 %",
                    format_estimate(share.rescale(100), " %"),
                    verdict if claimed else "not comparable",
                    "" if claimed else "the claim is about the game itself, and depths up to 8",
                )
            )
    for colour, black, sign in (("Black", True, 1), ("White", False, -1)):
        gain = _odd_less_even(data, black)
        if gain is not None:
            better = "odd" if black else "even"
            own = gain.rescale(100 * sign)
            rows.append(
                Finding(
                    f"{colour} should search {better} depths",
                    f"{better} is better (no figure)",
                    f"{format_estimate(own)} points of 100 more",
                    "reproduced" if own.low > 0 else "not reproduced",
                    "" if own.low > 0 else _why(own, better),
                )
            )
    return rows


def _why(own: Estimate, better: str) -> str:
    if own.high < 0:
        return f"{'even' if better == 'odd' else 'odd'} is better"
    return "no clear difference"


def charts(data: Data) -> list[Chart]:
    equal = [
        Series.of(
            f"openings of {opening} plies",
            [(depth, _share(data, (opening,), (depth,))) for depth in data.depths],
        )
        for opening in OPENINGS
    ]
    claim = Series("Black wins", DEPTHS, (PUBLISHED,) * len(DEPTHS), published=True)
    games = {
        case: (_scores(data, case, True), _scores(data, case, False)) for case in _common(data)
    }
    own = [
        Series.of(
            colour,
            [
                (depth, data.mean_of({case: both[number][place] for case, both in games.items()}))
                for place, depth in enumerate(PAIRED if games else ())
            ],
        )
        for number, colour in enumerate(("Black", "White"))
    ]
    return [
        Chart("black", "Andantino: games between equal depths that Black wins", "depth of both",
              "share won by Black", (*equal, claim)),
        Chart("parity", "Andantino: score of each colour against all depths of the other",
              "own depth", "share won", tuple(own)),
    ]  # fmt: skip


NOTES = """
The report gives neither the opponents nor the number of games behind its 90 %. Here both colours
use the same search (the preset `koneru` without its parities) from random openings: depths 2 to 5
all against each other, depths 6 to 8 against themselves. All openings of two plies are the game's
start up to symmetry. There are twelve, and games from them differ only where equal moves come in
another order, so intervals for them are too narrow. Four and six random plies are mistakes by
either side. The claim is compared with games from the start at depths 6 to 8, which the published
program plays; this was decided after shallower games had shown less. A deeper search is better in
itself, so each odd depth is compared with the mean of the even ones beside it, and vice versa.
Black has a stone on the board before White's first move: the first player, to whom `parity-first`
refers, is White.
"""
