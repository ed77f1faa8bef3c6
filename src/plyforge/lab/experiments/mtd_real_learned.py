"""The comparisons of `mtd-real`, with an evaluation that was learned by temporal differences."""

from dataclasses import replace

from plyforge.games import giveaway
from plyforge.lab import Variation
from plyforge.lab.experiments import mtd_real
from plyforge.lab.experiments._learning import files_digest

TITLE = "MTD-bi against full-window alpha-beta with a learned evaluation"
SOURCE = mtd_real.SOURCE
QUESTION = """
The evaluation of the paper was learned by temporal differences, and is not printed. Do the
conclusions of mtd-real, which has a hand-made evaluation, hold with a learned one?
"""
DEFAULTS = mtd_real.DEFAULTS
POSITIONS = mtd_real.POSITIONS
TOGETHER = mtd_real.TOGETHER
DEPTHS = mtd_real.DEPTHS
REPEATS = mtd_real.REPEATS
QUICK = mtd_real.QUICK

LEARNED, UNROUNDED = "learned", "game:weights/td.npz"

cases = mtd_real.cases
measure = mtd_real.measure
wanted = mtd_real.wanted
claims = mtd_real.claims
tables = mtd_real.tables
charts = mtd_real.charts


def variations() -> list[Variation]:
    digest = files_digest(str(giveaway.__file__), (UNROUNDED,))
    return [
        replace(one, evaluation=UNROUNDED, extra={**one.extra, "weights": digest})
        if mtd_real.FINE in one.name
        else replace(one, evaluation=LEARNED)
        for one in mtd_real.variations()
    ]


METHOD = f"""
All is as in mtd-real, the positions included, except for the evaluation: its features are the
same, but their weights were learned by TD(λ) from games of the program against itself
(docs/games/giveaway.md says how). They are multiplied by one factor, so that their absolute values
have the same sum as those of the hand-made evaluation, and rounded to 0.01; 'fine values' are those
before rounding. Where the text below speaks of the hand-made evaluation, the learned one is used.
{mtd_real.METHOD}"""
THREATS = f"""
The features are ours: a learned evaluation of the paper's may have had others, or more of them.
{mtd_real.THREATS}"""
