"""Profiles as the strategies of the reference."""

from plyforge.equilibrium import Profile
from tests.reference.hidden_information import Strategy


def as_strategy(profile: Profile) -> Strategy:
    """Return the strategies of both players by information."""
    return {
        (one.player, one.label): dict(zip(one.codes, profile.moves(number).values(), strict=True))
        for number, one in enumerate(profile.tree.sets)
    }
