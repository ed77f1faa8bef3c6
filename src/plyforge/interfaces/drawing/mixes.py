"""The value of a mix of two strategies as a function of their shares, as a line chart.

Each reply of the other player is a straight line.  The thick line is what the mix is worth if the
other player replies best; its highest point is the row player's optimal mix, its lowest point the
column player's.
"""

from dataclasses import dataclass

import numpy as np

from plyforge.equilibrium.matrix import COLUMN, ROW, MatrixGame, Reals
from plyforge.interfaces.drawing.curves import Axis, Line, curves, line_style


@dataclass(frozen=True)
class MixLines:
    """The row player's payoffs for each reply to a mix of two strategies."""

    player: int
    at_zero: Reals
    """If the share of the first strategy is 0."""
    at_one: Reals

    def values(self, share: float) -> Reals:
        """Return the row player's payoff for each reply."""
        values: Reals = self.at_zero + share * (self.at_one - self.at_zero)
        return values

    def worst(self, share: float) -> float:
        """Return the payoff for the best reply of the other player."""
        values = self.values(share)
        return float(values.min() if self.player == ROW else values.max())

    def bends(self) -> list[tuple[float, float]]:
        """Return the points at which the best reply changes, and both ends."""
        slopes = self.at_one - self.at_zero
        shares = {0.0, 1.0}
        for i in range(len(slopes)):
            for j in range(i):
                if slopes[i] != slopes[j]:
                    share = float((self.at_zero[j] - self.at_zero[i]) / (slopes[i] - slopes[j]))
                    tolerance = 1e-9 * max(1.0, float(np.abs(self.values(share)).max()))
                    value = float(self.values(share)[i])
                    if 0.0 < share < 1.0 and abs(value - self.worst(share)) <= tolerance:
                        shares.add(share)
        return [(share, self.worst(share)) for share in sorted(shares)]


def mix_lines(game: MatrixGame) -> MixLines | None:
    """Return the lines of a zero-sum game in which a player has two strategies, the row player's
    if both have; None for other games.
    """
    if not game.is_zero_sum:
        return None
    rows, columns = game.row.shape
    if rows == 2:
        return MixLines(ROW, game.row[1], game.row[0])
    if columns == 2:
        return MixLines(COLUMN, game.row[:, 1], game.row[:, 0])
    return None


def draw_mixes(game: MatrixGame, lines: MixLines, value: float, width: float = 640.0) -> str:
    """Draw the payoff of the row player against each reply, and the value of the mix."""
    first = game.names[lines.player][0]
    replies = game.names[1 - lines.player]
    drawn = [
        Line(name, [(0.0, float(zero)), (1.0, float(one))], line_style(place))
        for place, (name, zero, one) in enumerate(
            zip(replies, lines.at_zero, lines.at_one, strict=True)
        )
    ]
    drawn.append(Line("value of the mix", lines.bends(), "envelope"))
    axis = Axis("payoff of the row player", reference=value)
    return curves(drawn, axis, f"share of {first}", width)
