"""The games of a match as records."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from plyforge.core.game import Game
from plyforge.core.records import GameRecord, record_of
from plyforge.match.openings import Opening
from plyforge.match.store import StoredGame

RESULTS: Final = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def record(game: Game, stored: StoredGame, opening: Opening, names: Sequence[str]) -> GameRecord:
    """A game of a match, with its players, its opening, and how it ended."""
    played, fixture = stored.played, stored.fixture
    first, second = game.players
    tags = {
        "Round": f"{fixture.number + 1}",
        first: names[fixture.first],
        second: names[fixture.second],
        "Opening": f"{fixture.opening + 1}, {len(opening.moves)} plies",
        "Termination": played.reason,
    }
    history = Opening(played.moves, opening.start).history(game)
    # A forfeit or a limit of moves is no end by the rules, which a record tells by itself.
    return replace(record_of(history, tags), result=RESULTS[played.points])
