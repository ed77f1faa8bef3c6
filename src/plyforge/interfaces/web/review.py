"""Messages about whole games on the analysis page: judge, load and save them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine.limits import Limits
from plyforge.game.game import Game, History
from plyforge.game.replay import contradiction, record_of
from plyforge.interfaces.drawing.graph import graph
from plyforge.interfaces.web import incoming
from plyforge.interfaces.web.analyse import make_engine, read_history
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.handlers import Handler, Handlers
from plyforge.interfaces.web.outgoing import GameList, Graph, JudgedMove, LoadedGame, RecordView
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.workers import Job, Stop
from plyforge.match.annotate import Judgement, add_comments, annotate, annotator_name, judge
from plyforge.match.score_graph import (
    Scores,
    graph_limit,
    scores_from_comments,
    scores_from_judgements,
)
from plyforge.records.record import GameRecord

MAX_GAMES: Final = 200
"""Games of a file that are listed."""
_CONFIGURATION: Final = incoming.Configuration()


def judge_game(server: ServerState, client: Client, message: incoming.Judge) -> None:
    """Judge every move of a game: send marks, a graph, and the annotated record."""
    history = read_history(server, message)
    if not history.moves:
        raise PlyforgeError("there are no moves to judge; make some, or load a game")
    client.start(_judge(server, message, history))


def _judge(server: ServerState, message: incoming.Judge, history: History) -> Job:
    game, record = history.game, read_record(history, message)
    limits = Limits(nodes=message.nodes)
    annotator = annotator_name(limits)

    def job(stop: Stop) -> Iterator[Outgoing]:
        key = (message.game, _CONFIGURATION)
        judgements: list[Judgement] = []
        with (
            server.engines.borrow(key, lambda: make_engine(server, game, _CONFIGURATION)) as engine,
            stop.calling(engine.stop),
        ):
            for judgement in judge(engine, record, limits):
                if stop.is_set():
                    return
                judgements.append(judgement)
                scores = scores_from_judgements(len(history.moves), judgements)
                yield JudgedMove(
                    ply=judgement.number,
                    mark=judgement.mark,
                    comment=judgement.comment,
                    graph=_draw_graph(game, scores),
                    annotator=annotator,
                )
        text = game.write_game(annotate(record, judgements, annotator))
        yield RecordView(text=text, annotated=True)

    return job


def _draw_graph(game: Game, scores: Scores) -> str:
    return graph(
        scores, graph_limit(game, scores), f"Evaluation from {game.players[0]}'s perspective"
    )


def draw_graph(server: ServerState, client: Client, message: incoming.DrawGraph) -> None:
    """Draw the scores of a game that was judged before, from its comments."""
    history = read_history(server, message)
    scores = scores_from_comments(history, _comments(message.comments))
    known = any(score is not None for score in scores)
    client.send(Graph(graph=_draw_graph(history.game, scores) if known else None))


def load(server: ServerState, client: Client, message: incoming.Load) -> None:
    """List the games in the text of a file."""
    game = server.catalog.game(message.game)
    records = game.read_games(message.text)
    if not records:
        raise PlyforgeError("the file contains no game")
    games = [_loaded_game(game, record) for record in records[:MAX_GAMES]]
    client.send(GameList(games=games, more=max(0, len(records) - MAX_GAMES)))


def _loaded_game(game: Game, record: GameRecord) -> LoadedGame:
    return LoadedGame(
        name=" – ".join(record.tags.get(side, "?") for side in game.players),
        result=record.result,
        start=record.start,
        moves=list(record.moves),
        tags=[{"name": name, "value": value} for name, value in record.tags.items()],
        comments=[{"ply": ply, "text": text} for ply, text in record.comments.items()],
        marks=[{"ply": ply, "mark": mark} for ply, mark in record.marks.items()],
    )


def write(server: ServerState, client: Client, message: incoming.Write) -> None:
    """Send a game as the text of a file, with judgements if the page sends some."""
    history = read_history(server, message)
    record = read_record(history, message)
    if message.judged:
        words = ((one.ply, one.comment, one.mark) for one in message.judged)
        record = add_comments(record, words, message.annotator)
    client.send(RecordView(text=history.game.write_game(record), judged=bool(message.judged)))


def read_record(history: History, message: incoming.GameFields) -> GameRecord:
    """Return a game with its tags, comments and marks; an impossible result is left out."""
    record = record_of(history, {tag.name: tag.value for tag in message.tags})
    result: str | None = message.result
    if result is None or contradiction(history, result) is not None:
        result = record.result
    marks: dict[int, str] = {one.ply: one.mark for one in message.marks}
    return replace(record, result=result, comments=_comments(message.comments), marks=marks)


def _comments(comments: incoming.Comments) -> dict[int, str]:
    return {one.ply: one.text for one in comments}


HANDLERS: Final[Handlers] = {
    incoming.Judge: Handler(judge_game, slow=True),
    incoming.Load: Handler(load, slow=True),
    incoming.DrawGraph: Handler(draw_graph, slow=True),
    incoming.Write: Handler(write, slow=True),
}
