"""Records of the games of a match."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from plyforge.game.game import Game
from plyforge.game.replay import record_of
from plyforge.match.openings import Opening
from plyforge.match.store import StoredGame
from plyforge.records.record import GameRecord

RESULTS: Final = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def make_record(
    game: Game, stored: StoredGame, opening: Opening, names: Sequence[str]
) -> GameRecord:
    """Return a game as a record with its players, its opening and how it ended."""
    result, pairing = stored.result, stored.pairing
    first, second = game.players
    tags = {
        "Round": f"{pairing.number + 1}",
        first: names[pairing.first],
        second: names[pairing.second],
        "Opening": f"{pairing.opening + 1}, {len(opening.moves)} plies",
        "Termination": result.reason,
    }
    history = Opening(result.moves, opening.start).history(game)
    # The moves alone do not show the result of a forfeit or of a limit on plies.
    return replace(record_of(history, tags), result=RESULTS[result.points])
