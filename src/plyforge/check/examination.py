"""Play random games and check every position of them."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyforge.check.backends import BothBackends
from plyforge.check.guard import Guard
from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.names import check_names
from plyforge.check.node import Node, identity
from plyforge.check.position_checks import PositionChecks
from plyforge.check.report import Recorder, Statistics
from plyforge.check.start import check_initial, check_openings
from plyforge.core.randomness import Stream
from plyforge.core.scores import ONGOING
from plyforge.game.game import Game

MAX_PLIES = 1000
"""Moves after which a random game is ended."""
MAX_TRIED = 9
"""Moves of a position that are tried; one of them is played."""
_ESSENTIAL = ("moves", "play", "outcome")


@dataclass(frozen=True)
class Budget:
    """How much is played: until one of the limits is reached."""

    seed: int = 0
    games: int = 100
    seconds: float = 20.0


class Examination:
    """The check of one game."""

    def __init__(self, game: Game, guard: Guard, recorder: Recorder) -> None:
        self._game = game
        self._guard = guard
        self._recorder = recorder
        self.statistics = Statistics()
        self._hooks = GuardedHooks(game, guard, recorder)
        self._backends = BothBackends(game, self._hooks, recorder)
        self._checks = PositionChecks(game, self._hooks, self._backends, recorder, self.statistics)
        constant = game.rules.constant
        self._repetition = constant("REPETITION")
        self._occurrences = int(constant("REPETITION_COUNT"))
        self._limit: int | None = constant("NO_PROGRESS_LIMIT")
        # Chance ends a game some time, even if positions can come back.
        chance = game.has_chance()
        self._endless = self._repetition is None and self._limit is None and not chance

    def check_definitions(self) -> None:
        """Check what needs no play: the names that the game defines, and `initial`."""
        check_names(self._game.rules, self._recorder)
        check_initial(self._game, self._guard, self._recorder)
        check_openings(self._game, self._guard, self._recorder)
        self._checks.check_definitions()

    def compile(self, cache: Path) -> None:
        """Build the compiled backend, to compare it in `play`; `cache` is an empty folder."""
        seconds = self._backends.compile(self._guard, cache)
        self.statistics.compiled = seconds is not None
        self.statistics.compile_seconds = seconds or 0.0

    def play(
        self,
        budget: Budget,
        report: Callable[[], object] = lambda: None,
        announce: Callable[[str], object] = lambda text: None,
    ) -> None:
        """Play the games and report what they show together.

        `report` is called after each game, `announce` with the text of each position.
        """
        stream = Stream(budget.seed)
        self._checks.announce = announce
        end = time.monotonic() + budget.seconds
        with self._guard.interrupt_slow_calls():
            for number in range(budget.games):
                late = time.monotonic() >= end and self.statistics.games > 0
                if late or any(map(self._hooks.has_hung, _ESSENTIAL)):
                    break
                length = self._play_game(stream.split(str(number)), end)
                self.statistics.longest_game = max(self.statistics.longest_game, length)
                self.statistics.games += 1
                report()
        self._checks.conclude()

    def _play_game(self, stream: Stream, end: float) -> int:
        """Play one game; return its length in moves."""
        keys: list[int] = []
        seen: dict[Any, int] = {}
        since = 0
        try:
            self._checks.endings.begin()
            node = self._checks.start(self._game.initial())
            self._checks.endings.add(node)
            while not node.over and time.monotonic() < end:
                self._note_repetition(node, seen)
                keys.append(node.values.get("key", 0))
                if self._is_over(keys, since):
                    break
                tried = self._checks.try_moves(node, self._sample(node, stream))
                playable = [move for move in tried if self._is_playable(tried[move][0], keys)]
                if not playable:
                    break
                child, final = tried[stream.choice(playable)]
                since = 0 if final else since + 1
                after = self._checks.visit(child, 1 - node.side)
                self._checks.sides.add(node, after)
                self._checks.endings.add(after)
                node = after
            self._count_end(node)
            self._checks.endings.conclude()
        except CallFailed:
            pass
        return len(keys)

    def _count_end(self, node: Node) -> None:
        if node.over and node.values.get("outcome", ONGOING) != ONGOING:
            self.statistics.ends_by_outcome += 1
        elif node.over and not node.moves:
            self.statistics.ends_without_move += 1

    def _sample(self, node: Node, stream: Stream) -> list[int]:
        moves = list(node.moves)
        stream.shuffle(moves)
        return moves[:MAX_TRIED]

    def _is_playable(self, child: Any, keys: list[int]) -> bool:
        return self._repetition != "illegal" or self._checks.key_of(child) not in keys

    def _is_over(self, keys: list[int], since: int) -> bool:
        """Return whether repetition, lack of progress or `MAX_PLIES` ends the game."""
        if len(keys) > MAX_PLIES:
            self._note_length()
            return True
        if self._repetition in ("draw", "loss") and keys.count(keys[-1]) >= self._occurrences:
            return True
        return self._limit is not None and since >= self._limit

    def _note_length(self) -> None:
        if self._endless:
            self._recorder.set_context(None)
            self._recorder.remark(
                "rules",
                "long",
                f"a random game was not over after {MAX_PLIES} moves, and neither REPETITION nor"
                " NO_PROGRESS_LIMIT is declared; does every game end?",
            )

    def _note_repetition(self, node: Node, seen: dict[Any, int]) -> None:
        what = identity(self._game.position_type, node.position)
        if what in seen and self._endless:
            self._recorder.set_context(node.text)
            self._recorder.remark(
                "rules",
                "repetition",
                f"a position came back after {len(seen) - seen[what]} moves, and nothing ends"
                " such a game; declare REPETITION or NO_PROGRESS_LIMIT",
            )
        seen.setdefault(what, len(seen))
