"""Odd against even depths for White and Black in Andantino (Koneru, section 5)."""

from plyforge.core.scores import DRAW
from plyforge.lab import (
    Case,
    Chart,
    Data,
    Estimate,
    Finding,
    Series,
    Variation,
    opened,
    random_cases,
    shown,
)
from plyforge.lab.statistics import mean

TITLE = "Odd and even depths for White and Black in Andantino"
SOURCE = "S. Koneru, Alpha Beta Search on Andantino, section 5"
GAME = "andantino"
POSITIONS = 120
"""Games of every pairing, each from another random opening."""
DEPTHS = (2, 3, 4, 5)
"""Black's depths; White's are the variations."""
QUICK = (6, DEPTHS)
METRICS = (("black", "share won by Black (depths are Black's)"), ("moves", "stones at the end"))
OPENINGS = (2, 4, 6)
"""Random plies at the beginning, in turn; all openings of 2 are the start but for symmetry."""
PUBLISHED = 0.9
_ANY = {"parity-first": "any", "parity-second": "any"}


def cases(seed: int, count: int) -> list[Case]:
    layers = [random_cases(GAME, plies, seed, -(-count // len(OPENINGS))) for plies in OPENINGS]
    return [case for turn in zip(*layers, strict=True) for case in turn][:count]


def called(depth: int) -> str:
    return f"White at depth {depth}"


def variations() -> list[Variation]:
    return [
        Variation(
            *(called(depth), "alphabeta", "koneru"),
            settings=_ANY,
            entries=1 << 16,
            extra={"white": depth},
        )
        for depth in DEPTHS
    ]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """A game; both sides search with the same engine, from an empty table at every move."""
    engine, history = opened(case, variation)
    depths = (variation.extra["white"], depth)
    while not (verdict := history.verdict()).over:
        engine.clear()
        history.play(engine.analyse(history, depth=depths[history.turn]).move)
    won = verdict.value if history.turn == 1 else -verdict.value
    black = 0.5 if won == DRAW else float(won > 0)
    return {"black": black, "moves": history.position.placed, "opening": len(case.moves)}


def _share(data: Data, opening: int | None = None) -> Estimate | None:
    """Black's share where both search the same depth, of all openings or of some length."""
    won: dict[int, list[float]] = {}
    for depth in data.depths:
        for case in data.cases(depth, [called(depth)]):
            row = data.row(called(depth), depth, case)
            if opening in (None, row["opening"]):
                won.setdefault(case, []).append(row["black"])
    return mean([sum(games) / len(games) for games in won.values()]) if won else None


def _common(data: Data) -> list[int]:
    """The openings from which every pairing was played."""
    names = [called(depth) for depth in DEPTHS]
    found = [set(data.cases(depth, names)) for depth in DEPTHS]
    return sorted(set.intersection(*found))


def _scores(data: Data, case: int, black: bool) -> list[float]:
    """What a colour scores at each of its depths, against all depths of the other one."""
    table = {
        (white, depth): data.row(called(white), depth, case)["black"]
        for white in DEPTHS
        for depth in DEPTHS
    }
    if black:
        return [sum(table[white, own] for white in DEPTHS) / len(DEPTHS) for own in DEPTHS]
    return [1 - sum(table[own, depth] for depth in DEPTHS) / len(DEPTHS) for own in DEPTHS]


def _odd_less_even(data: Data, black: bool) -> Estimate | None:
    """What an odd depth scores more than the mean of the even ones beside it, and the reverse.

    Trends over depths, straight or bent once, drop out.
    """
    games = [_scores(data, case, black) for case in _common(data)]
    gains = [(3 * (three - four) + five - two) / 4 for two, three, four, five in games]
    return mean(gains) if gains else None


def findings(data: Data) -> list[Finding]:
    rows = []
    for opening in (None, *OPENINGS):
        share = _share(data, opening)
        if share is not None:
            rows.append(
                Finding(
                    "Black's share of games between equal depths"
                    + ("" if opening is None else f", openings of {opening} plies"),
                    "more than 90 %",
                    shown(share.mapped(100), " %"),
                    "reproduced" if share.value > PUBLISHED else "not reproduced",
                    "" if share.value > PUBLISHED else "opponents and openings are not stated",
                )
            )
    for colour, black, sign in (("Black", True, 1), ("White", False, -1)):
        gain = _odd_less_even(data, black)
        if gain is not None:
            better = "odd" if black else "even"
            own = gain.mapped(100 * sign)
            rows.append(
                Finding(
                    f"{colour} should search {better} depths",
                    f"{better} is better (no figure)",
                    f"{shown(own)} points of 100 more",
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
    pairings = [
        Series.of(name, [(depth, data.mean(name, depth, "black")) for depth in data.depths])
        for name in data.variations
    ]
    claim = Series("Black wins", DEPTHS, (PUBLISHED,) * len(DEPTHS), published=True)
    games = [(_scores(data, case, True), _scores(data, case, False)) for case in _common(data)]
    own = [
        Series.of(
            colour,
            [
                (depth, mean([game[number][place] for game in games]))
                for place, depth in enumerate(DEPTHS if games else ())
            ],
        )
        for number, colour in enumerate(("Black", "White"))
    ]
    return [
        Chart("black", "Andantino: games that Black wins", "Black's depth", "share won by Black",
              (*pairings, claim)),
        Chart("parity", "Andantino: score of each colour against all depths of the other",
              "own depth", "share won", (*own, claim)),
    ]  # fmt: skip


NOTES = """
The report gives neither the opponents nor the number of games behind its 90 %. Here both colours
play the same search (the preset `koneru` without its parities) at depths 2 to 5, every depth
against every other, from random openings. A deeper search is better in itself, so each odd depth is
compared with the mean of the even ones beside it, and the reverse. Black has a stone on the board
before White's first move: in this game the first player, of whom `parity-first` speaks, is White.
"""
