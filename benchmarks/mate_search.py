"""What the step `mate-search` finds in chess, and what it costs.

    python -m benchmarks.mate_search --games 60

Positions come from games in which both sides play shallow searches and some random moves.  In some
of them python-chess finds a mate of 5 to 9 plies in which every move is a check, by trying all, and
no such mate that is shorter.  The first table shows at which depth of the preset `play` the search
sees that these are won.  The second shows the overhead in positions of all kinds: the share of
nodes of mate searches, and the processor time of a node, measured in turn in one process.
"""

from __future__ import annotations

from statistics import median
from typing import Annotated, Any

import chess
import typer

import plyforge
from plyforge.core.randomness import Stream
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine import Engine

LENGTHS = (5, 7, 9)
MAX_BOARDS = 20_000
"""Boards after which the slow search gives up on a position."""
MAX_DEPTH = 8
PER_GAME = 2
"""Mates that are taken from one game, at most: neighbouring positions are alike."""
VARIANTS: dict[str, dict[str, Any]] = {
    "off": {},
    "on, 200 nodes": {"on": ["mate-search"]},
    "on, 2000 nodes": {"on": ["mate-search"], "settings": {"mate-search-nodes": 2000}},
}


class GaveUp(Exception):
    """The slow search has looked at too many boards."""


class SlowSearch:
    """Finds mates by checks in one position, by trying everything."""

    def __init__(self) -> None:
        self._boards = 0

    def has_mate(self, board: chess.Board, plies: int, attacking: bool = True) -> bool:
        """Whether the attacker mates within `plies`, each of its moves being a check."""
        self._boards += 1
        if self._boards > MAX_BOARDS:
            raise GaveUp
        if plies == 0:
            return not attacking and board.is_checkmate()
        for move in list(board.legal_moves):
            if attacking and not board.gives_check(move):
                continue
            board.push(move)
            mate = self.has_mate(board, plies - 1, not attacking)
            board.pop()
            if mate == attacking:
                return attacking
        return not attacking and board.is_check()


def mate_length(fen: str) -> int | None:
    """Return the length of the shortest mate by checks, or None if there is none up to 9 plies."""
    search = SlowSearch()
    try:
        return next((n for n in (1, 3, *LENGTHS) if search.has_mate(chess.Board(fen), n)), None)
    except GaveUp:
        return None


def play_game(game: Any, engine: Engine, stream: Stream, max_plies: int = 120) -> list[str]:
    """Play a game, a quarter of its moves at random; return its positions."""
    history, positions = game.history(), []
    while not history.verdict().over and len(positions) < max_plies:
        positions.append(game.text(history.position))
        if len(positions) < 8 or stream.below(4) == 0:
            history.play(stream.choice(history.playable()))
        else:
            history.play(engine.analyse(history, depth=2).move)
    return positions


def collect(game: Any, games: int, seed: int) -> tuple[list[tuple[str, int]], list[str]]:
    """Return mates with their lengths, and one position of each game."""
    engine, stream = Engine(game, preset="play", entries=1 << 14), Stream(seed)
    mates, others = [], []
    for _ in range(games):
        positions = play_game(game, engine, stream)
        others.append(stream.choice(positions[8:]))
        found = [(fen, mate_length(fen)) for fen in positions[8:]]
        mine = [(fen, length) for fen, length in found if length in LENGTHS]
        stream.shuffle(mine)
        mates += mine[:PER_GAME]
    return mates, others


def depth_of_win(engine: Engine, fen: str) -> tuple[int | None, int]:
    """Return the depth at which the search sees the win, and the nodes up to there."""
    history, nodes = engine.game.history(engine.game.parse(fen)), 0
    engine.clear()
    for depth in range(1, MAX_DEPTH + 1):
        result = engine.analyse(history, depth=depth, line_budget=0)
        nodes += result.nodes
        if result.score > SCORE_LIMIT:
            return depth, nodes
    return None, nodes


def report_depths(engines: dict[str, Engine], mates: list[tuple[str, int]]) -> None:
    for length in LENGTHS:
        fens = [fen for fen, plies in mates if plies == length]
        print(f"mates in {length} plies: {len(fens)}")
        for name, engine in engines.items():
            found = [depth_of_win(engine, fen) for fen in fens]
            depths = [depth for depth, _ in found if depth is not None]
            counts = ", ".join(f"{d}: {depths.count(d)}" for d in sorted(set(depths)))
            middle = median(nodes for _, nodes in found) if found else 0
            print(f"  {name:<15} found {len(depths):>3}  by depth {counts}  nodes {middle:,.0f}")


def report_overhead(engines: dict[str, Engine], fens: list[str], nodes: int, rounds: int) -> None:
    times: dict[str, list[float]] = {name: [] for name in engines}
    shares = {}
    for _ in range(rounds):
        for name, engine in engines.items():
            seconds, total, inside, searches = 0.0, 0, 0, 0
            for fen in fens:
                engine.clear()
                history = engine.game.history(engine.game.parse(fen))
                result = engine.analyse(history, nodes=nodes, line_budget=0)
                seconds += result.kernel_seconds
                total += result.nodes
                if name != "off":
                    inside += result.counts.mate_nodes
                    searches += result.counts.mate_searches
            times[name].append(seconds / total)
            shares[name] = (inside / total, searches / len(fens))
    first = times["off"]
    print(f"{len(fens)} positions, {nodes:,} nodes each")
    for name, found in times.items():
        ratio = median(mine / other for mine, other in zip(found, first, strict=True))
        share, searches = shares[name]
        print(
            f"  {name:<15} mate searches {searches:7.1f} a position  {share:6.2%} of nodes "
            f" {1e9 * median(found):5.0f} ns a node, ratio {ratio:.3f}"
        )


def main(
    games: Annotated[int, typer.Option()] = 60,
    seed: Annotated[int, typer.Option()] = 1,
    nodes: Annotated[int, typer.Option()] = 10_000,
    rounds: Annotated[int, typer.Option()] = 5,
) -> None:
    """Collect positions, and print both tables."""
    game = plyforge.load("chess")
    mates, others = collect(game, games, seed)
    engines = {
        name: Engine(
            game,
            preset="play",
            on=options.get("on", []),
            settings={"specialise": "yes", **options.get("settings", {})},
            entries=1 << 16,
        )
        for name, options in VARIANTS.items()
    }
    report_depths(engines, mates)
    report_overhead(engines, others, nodes, rounds)


if __name__ == "__main__":
    typer.run(main)
