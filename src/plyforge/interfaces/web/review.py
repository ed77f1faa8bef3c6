"""Messages about whole games on the page for analysis: judged move by move, loaded, written."""

from collections.abc import Iterator
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.game import Game
from plyforge.core.history import History
from plyforge.core.records import record_of
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.limits import Limits
from plyforge.interfaces.drawing.graph import graph
from plyforge.interfaces.web.analyse import MOST_NAME, WHERE, Configuration, history_in
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.house import House
from plyforge.interfaces.web.lanes import Job, Sent, Stop
from plyforge.interfaces.web.schema import Message, optional, text, whole
from plyforge.match.annotate import Judgement, annotated, judge

MOST_RECORD: Final = 300_000
MOST_GAMES: Final = 200
_ROOM: Final = 2.0
"""The graph reaches at least this many times the evaluation that puts a side ahead."""


def judge_game(client: Client, given: dict[str, Any]) -> None:
    """Judge every move of a game: a graph, marks, and the annotated record."""
    history = history_in(client.house, given)
    if not history.moves:
        raise PlyforgeError("there are no moves to judge; make some, or load a game")
    configuration = Configuration("pvs", "exact", (), ())
    client.work(_judge(client.house, given, history, configuration))


def _judge(
    house: House, given: dict[str, Any], history: History, configuration: Configuration
) -> Job:
    game, record = history.game, record_of(history)

    def job(stop: Stop) -> Iterator[Sent]:
        key = (given["game"], configuration)
        found: list[Judgement] = []
        scores: list[float | None] = [None] * (len(history.moves) + 1)
        with (
            house.engines.borrow(key, lambda: configuration.engine(house, game)) as engine,
            stop.calling(engine.stop),
        ):
            for one in judge(engine, record, Limits(nodes=given["nodes"])):
                if stop.is_set():
                    return
                found.append(one)
                scores[one.number - 1] = _for_first(one.player, one.best_score)
                scores[one.number] = _for_first(one.player, one.score)
                yield _judged(game, one, scores)
        told = annotated(record, found, f"Plyforge, {given['nodes']:,} nodes a move")
        yield {"type": "record", "text": game.write_game(told), "annotated": True}

    return job


def _for_first(side: int, score: float) -> float:
    return -score if side else score


def _judged(game: Game, one: Judgement, scores: list[float | None]) -> Sent:
    return {
        "type": "judged",
        "ply": one.number,
        "mark": one.mark,
        "comment": one.comment,
        "graph": graph(scores, _limit(game, scores), f"Evaluation, in view of {game.players[0]}"),
    }


def _limit(game: Game, scores: list[float | None]) -> float:
    """How far the graph reaches: as far as the guesses do, so that small differences show."""
    guesses = [abs(score) for score in scores if score is not None and abs(score) <= SCORE_LIMIT]
    return min(game.evaluation_limit, max(guesses, default=0.0) + _ROOM * game.ahead)


def load(client: Client, given: dict[str, Any]) -> None:
    """The games in a file's text."""
    game = client.house.game(given["game"])
    records = game.read_games(given["text"])
    if not records:
        raise PlyforgeError("the file holds no game")
    client.send(
        {
            "type": "games",
            "more": max(0, len(records) - MOST_GAMES),
            "games": [
                {
                    "name": " – ".join(record.tags.get(side, "?") for side in game.players),
                    "result": record.result,
                    "start": record.start,
                    "moves": list(record.moves),
                }
                for record in records[:MOST_GAMES]
            ],
        }
    )


def write(client: Client, given: dict[str, Any]) -> None:
    """The game as a file's text."""
    history = history_in(client.house, given)
    told = history.game.write_game(record_of(history))
    client.send({"type": "record", "text": told, "annotated": False})


MESSAGES: Final = {
    "judge": Message({**WHERE, "nodes": optional(whole(100, 1_000_000), 20_000)}, judge_game),
    "load": Message({"game": text(MOST_NAME), "text": text(MOST_RECORD)}, load),
    "write": Message(WHERE, write),
}
