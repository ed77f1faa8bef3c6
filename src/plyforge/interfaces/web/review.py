"""Messages about whole games on the page for analysis: judged move by move, loaded, written."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine.limits import Limits
from plyforge.game.game import Game, History
from plyforge.game.replay import contradiction, record_of
from plyforge.interfaces.drawing.graph import graph
from plyforge.interfaces.web.analyse import (
    MAX_MOVES,
    MAX_NAME,
    WHERE,
    Configuration,
    history_in,
)
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.schema import (
    Check,
    Message,
    Optional,
    choice,
    fields,
    many,
    optional,
    text,
    whole,
)
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.workers import Job, Sent, Stop
from plyforge.match.annotate import Judgement, add_comments, annotate, judge
from plyforge.match.score_graph import (
    Scores,
    graph_limit,
    scores_from_comments,
    scores_from_judgements,
)
from plyforge.records.record import MARKS, RESULTS, GameRecord

MAX_RECORD: Final = 300_000
MAX_GAMES: Final = 200
MAX_TAGS: Final = 1000


def judge_game(client: Client, given: dict[str, Any]) -> None:
    """Judge every move of a game: a graph, marks, and the annotated record."""
    history = history_in(client.server, given)
    if not history.moves:
        raise PlyforgeError("there are no moves to judge; make some, or load a game")
    configuration = Configuration("pvs", "exact", (), ())
    client.work(_judge(client.server, given, history, configuration))


def _judge(
    server: ServerState, given: dict[str, Any], history: History, configuration: Configuration
) -> Job:
    game, record = history.game, record_in(history, given)
    annotator = f"Plyforge, {given['nodes']:,} nodes a move"

    def job(stop: Stop) -> Iterator[Sent]:
        key = (given["game"], configuration)
        found: list[Judgement] = []
        with (
            server.engines.borrow(key, lambda: configuration.engine(server, game)) as engine,
            stop.calling(engine.stop),
        ):
            for one in judge(engine, record, Limits(nodes=given["nodes"])):
                if stop.is_set():
                    return
                found.append(one)
                scores = scores_from_judgements(len(history.moves), found)
                yield {**_judged(game, one, scores), "annotator": annotator}
        told = annotate(record, found, annotator)
        yield {"type": "record", "text": game.write_game(told), "annotated": True}

    return job


def _judged(game: Game, one: Judgement, scores: Scores) -> Sent:
    return {
        "type": "judged",
        "ply": one.number,
        "mark": one.mark,
        "comment": one.comment,
        "graph": _graph(game, scores),
    }


def _graph(game: Game, scores: Scores) -> str:
    return graph(scores, graph_limit(game, scores), f"Evaluation, in view of {game.players[0]}")


def old_graph(client: Client, given: dict[str, Any]) -> None:
    """The graph of a game that was judged before, from its comments; None if they hold no score."""
    history = history_in(client.server, given)
    scores = scores_from_comments(history, _comments(given))
    known = any(score is not None for score in scores)
    client.send({"type": "graph", "graph": _graph(history.game, scores) if known else None})


def load(client: Client, given: dict[str, Any]) -> None:
    """The games in a file's text."""
    game = client.server.game(given["game"])
    records = game.read_games(given["text"])
    if not records:
        raise PlyforgeError("the file holds no game")
    client.send(
        {
            "type": "games",
            "more": max(0, len(records) - MAX_GAMES),
            "games": [
                {
                    "name": " – ".join(record.tags.get(side, "?") for side in game.players),
                    "result": record.result,
                    "start": record.start,
                    "moves": list(record.moves),
                    "tags": [{"name": n, "value": v} for n, v in record.tags.items()],
                    "comments": [{"ply": n, "text": t} for n, t in record.comments.items()],
                    "marks": [{"ply": n, "mark": m} for n, m in record.marks.items()],
                }
                for record in records[:MAX_GAMES]
            ],
        }
    )


def write(client: Client, given: dict[str, Any]) -> None:
    """The game as a file's text, with judgements if the page sends some."""
    history = history_in(client.server, given)
    record, judged = record_in(history, given), given["judged"]
    if judged:
        words = ((one["ply"], one["comment"], one["mark"]) for one in judged)
        record = add_comments(record, words, given["annotator"])
    told = history.game.write_game(record)
    client.send({"type": "record", "text": told, "annotated": False, "judged": bool(judged)})


def record_in(history: History, given: dict[str, Any]) -> GameRecord:
    """A game with what its page tells besides the moves; a result that cannot be is left out."""
    told = record_of(history, {tag["name"]: tag["value"] for tag in given["tags"]})
    result = given["result"]
    if result is None or contradiction(history, result) is not None:
        result = told.result
    marks = {one["ply"]: one["mark"] for one in given["marks"]}
    return replace(told, result=result, comments=_comments(given), marks=marks)


def _comments(given: dict[str, Any]) -> dict[int, str]:
    return {one["ply"]: one["text"] for one in given["comments"]}


_COMMENTS: Final = optional(
    many(fields(ply=whole(0, MAX_MOVES), text=text(MAX_RECORD)), MAX_MOVES + 1), []
)
_PLY: Final = whole(1, MAX_MOVES)
GAME: Final[dict[str, Check | Optional]] = {
    **WHERE,
    "tags": optional(many(fields(name=text(MAX_RECORD), value=text(MAX_RECORD)), MAX_TAGS), []),
    "result": optional(choice(*RESULTS)),
    "comments": _COMMENTS,
    "marks": optional(many(fields(ply=_PLY, mark=choice(*MARKS)), MAX_MOVES), []),
}
"""The fields that hold a whole game; a text in them may be as long as the file it came from."""
_JUDGED: Final = fields(ply=_PLY, comment=text(MAX_RECORD), mark=choice("", *MARKS))

MESSAGES: Final = {
    "judge": Message(
        {**GAME, "nodes": optional(whole(100, 1_000_000), 20_000)}, judge_game, slow=True
    ),
    "load": Message({"game": text(MAX_NAME), "text": text(MAX_RECORD)}, load, slow=True),
    "graph": Message({**WHERE, "comments": _COMMENTS}, old_graph, slow=True),
    "write": Message(
        {
            **GAME,
            "judged": optional(many(_JUDGED, MAX_MOVES), []),
            "annotator": optional(text(MAX_NAME), "Plyforge"),
        },
        write,
        slow=True,
    ),
}
