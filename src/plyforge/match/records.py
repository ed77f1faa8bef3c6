"""The games of a match as records."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from plyforge.game.game import Game
from plyforge.game.replay import record_of
from plyforge.match.openings import Opening
from plyforge.match.store import StoredGame
from plyforge.records.record import GameRecord

RESULTS: Final = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def record(game: Game, stored: StoredGame, opening: Opening, names: Sequence[str]) -> GameRecord:
    """A game of a match, with its players, its opening, and how it ended."""
    played, pairing = stored.played, stored.pairing
    first, second = game.players
    tags = {
        "Round": f"{pairing.number + 1}",
        first: names[pairing.first],
        second: names[pairing.second],
        "Opening": f"{pairing.opening + 1}, {len(opening.moves)} plies",
        "Termination": played.reason,
    }
    history = Opening(played.moves, opening.start).history(game)
    # A forfeit or a limit of moves is no end by the rules, which a record tells by itself.
    return replace(record_of(history, tags), result=RESULTS[played.points])
