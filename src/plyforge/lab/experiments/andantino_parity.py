"""Odd and even depths for White and Black in Andantino (Koneru, section 5)."""

from plyforge.core.scores import DRAW
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    MoreThan,
    Series,
    Variation,
    format_estimate,
    open_engine,
)
from plyforge.lab.experiments._andantino_openings import ANY_PARITY, played_openings
from plyforge.match.tables import Table

TITLE = "Odd and even depths for White and Black in Andantino"
SOURCE = "Koneru, Alpha Beta Search on Andantino, section 5"
QUESTION = """
Does Black win more than nine of ten games of Andantino, and is an odd depth better for Black and an
even one for White?
"""
DEFAULTS = "2026"
POSITIONS = 150
"""Games of every pairing, each from a different opening."""
PAIRED = (2, 3, 4, 5)
"""Depths that all play against each other; other depths play only against themselves."""
DEPTHS = (*PAIRED, 6, 7, 8)
"""Black's depths; White's are the variations."""
SAMPLES = {6: 30, 7: 30, 8: 100}
"""The number of openings for depths above the paired ones."""
QUICK = (6, PAIRED)
PLIES = 8
"""Moves of an opening."""
JUDGED = 8
"""The depth of both sides for the share of games that Black wins: the published maximum."""
PUBLISHED = 90


def cases(seed: int, count: int) -> list[Case]:
    return played_openings(PLIES, seed, count)


def name_of(depth: int) -> str:
    return f"White at depth {depth}"


def variations() -> list[Variation]:
    return [
        Variation(
            *(name_of(depth), "alphabeta", "koneru"),
            settings=ANY_PARITY,
            entries=1 << 16,
            extra={"white": depth},
        )
        for depth in DEPTHS
    ]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    if depth <= max(PAIRED):
        return variation.extra["white"] in PAIRED
    return variation.extra["white"] == depth and number < SAMPLES[depth]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Play a game; both sides use the same engine, with an empty table at every move."""
    engine, history = open_engine(case, variation)
    depths = (variation.extra["white"], depth)
    while not (verdict := history.verdict()).over:
        engine.clear()
        history.play(engine.analyse(history, depth=depths[history.turn]).move)
    won = verdict.value if history.turn == 1 else -verdict.value
    black = 0.5 if won == DRAW else float(won > 0)
    return {"black": black, "moves": history.position.placed}


def _black_wins(data: Data, white: int, black: int) -> Estimate | None:
    """Return the percentage of games that Black wins."""
    share = data.share(name_of(white), black, lambda row: row["black"] == 1)
    return share and share.rescale(100)


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
    return data.difference_of(gains)


def claims() -> list[Claim]:
    return [
        Claim(
            "Black wins more than nine of ten games against White",
            "more than 90 %",
            f"share of games won by Black, both sides searching depth {JUDGED}, from openings of"
            f" {PLIES} sensible plies",
            MoreThan(PUBLISHED),
            lambda data: _black_wins(data, JUDGED, JUDGED),
            " %",
            "section 5",
            note="the document states neither the players nor the number of games",
        ),
        *(_claim_parity(colour) for colour in ("Black", "White")),
    ]


def _claim_parity(colour: str) -> Claim:
    black = colour == "Black"
    better, worse = ("odd", "even") if black else ("even", "odd")

    def gain(data: Data) -> Estimate | None:
        found = _odd_less_even(data, black)
        return found and found.rescale(100 if black else -100)

    return Claim(
        f"{colour} should search {better} depths",
        f"{better} (no figure)",
        f"{colour}'s share of games at {better} depths less that at {worse} ones, over depths 2 to"
        " 5 of both sides, without trends in depth",
        MoreThan(0),
        gain,
        " points",
        "section 5",
    )


def tables(data: Data) -> list[Table]:
    rows = []
    for white in DEPTHS:
        shares = [_black_wins(data, white, black) for black in DEPTHS]
        cells = ["" if share is None else format_estimate(share, digits=2) for share in shares]
        rows.append((name_of(white), *cells))
    headings = ("", *(f"Black at {depth}" for depth in DEPTHS))
    return [Table(headings, tuple(rows), "Games won by Black, in percent")]


def charts(data: Data) -> list[Chart]:
    equal = Series.of(
        "openings of 8 plies", [(depth, _black_wins(data, depth, depth)) for depth in data.depths]
    )
    claim = Series("more than", DEPTHS, (PUBLISHED,) * len(DEPTHS), published=True)
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
        Chart("black", "Andantino: games between equal depths that Black wins",
              "depth of both sides in plies", "games won by Black (%)", (equal, claim)),
        Chart("parity", "Andantino: score of each colour against depths 2 to 5 of the other",
              "own depth in plies", "share of points won", tuple(own)),
    ]  # fmt: skip


METHOD = """
Both colours use the same search, the preset `koneru` without its parities, with an empty table at
every move. Depths 2 to 5 all play against each other; depths 6 to 8 play against themselves. The
document gives neither the players nor the number of games behind its 90 %; the verdict is on depth
8 for both, the maximum of its program.

Engines repeat themselves, so games from the start of the game would be one observation. A game
starts with eight plies, each drawn from the moves that a search of depth 4 values at most two
points below the best. No two openings are equal up to symmetry, so every game counts once. A deeper
search is better in itself: odd depths are compared with the even ones beside them,
(3 · (s3 - s4) + s5 - s2) / 4 for the score s at each depth, in which linear and quadratic trends
cancel. Black has a stone on the board before White's first move: the first player, to whom
`parity-first` refers, is White.
"""

THREATS = """
The moves of openings are weaker than those of the search, and may help either side. Equal search
depths are not perfect play, and the document's claim may rest on other players. Parity is tested at
depths 2 to 5 only.
"""
