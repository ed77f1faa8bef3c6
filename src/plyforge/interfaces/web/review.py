"""Messages about whole games on the analysis page: judge, load and save them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, RecordError
from plyforge.engine.limits import Limits
from plyforge.game.files import parse_games
from plyforge.game.game import Game, History
from plyforge.game.replay import check_record, contradiction, record_of, start_position
from plyforge.interfaces.drawing.graph import graph
from plyforge.interfaces.web import incoming
from plyforge.interfaces.web.analyse import make_engine, read_history
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.handlers import Handler, Handlers
from plyforge.interfaces.web.outgoing import (
    GameList,
    Graph,
    JudgedMove,
    ListedGame,
    LoadedGame,
    RecordView,
    VariationView,
)
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.view import moves_made
from plyforge.interfaces.web.workers import Job, Stop
from plyforge.match.annotate import Judgement, add_comments, annotate, annotator_name, judge
from plyforge.match.expectation import expected_score
from plyforge.match.score_graph import (
    Scores,
    graph_limit,
    scores_from_comments,
    scores_from_judgements,
)
from plyforge.records.record import MAX_NESTING, GameRecord

MAX_GAMES: Final = 200
"""Games of a file that are listed."""
_CONFIGURATION: Final = incoming.Configuration()
_DATA_KEY: Final = "games of a file"


def judge_game(server: ServerState, client: Client, message: incoming.Judge) -> None:
    """Judge every move of a game: send marks, a graph, and the annotated record."""
    history = read_history(server, message)
    if not history.moves:
        raise PlyforgeError("there are no moves to judge; make some, or load a game")
    job = _judge(server, message, history)
    client.start(job, pool=server.batch_workers, resumable=True)


def _judge(server: ServerState, message: incoming.Judge, history: History) -> Job:
    game, record = history.game, read_record(history, message)
    limits = Limits(nodes=message.nodes)
    annotator = annotator_name(limits)

    def run(stop: Stop) -> Iterator[Outgoing]:
        key = (message.game, _CONFIGURATION)
        judgements: list[Judgement] = []
        with (
            server.engines.borrow(key, lambda: make_engine(server, game, _CONFIGURATION)) as engine,
            stop.calling(lambda: engine.stop() if stop.final else None),
        ):
            for judgement in judge(engine, record, limits):
                if stop.final:
                    return
                judgements.append(judgement)
                scores = scores_from_judgements(len(history.moves), judgements)
                yield JudgedMove(
                    ply=judgement.number,
                    mark=judgement.mark,
                    comment=judgement.comment,
                    first=_first_expected(game, judgement),
                    graph=_draw_graph(game, scores),
                    annotator=annotator,
                )
        text = game.write_game(annotate(record, judgements, annotator))
        yield RecordView(text=text, annotated=True)

    running: Iterator[Outgoing] | None = None

    def job(stop: Stop) -> Iterator[Outgoing]:
        """Judge the moves; a pause comes between two moves."""
        nonlocal running
        running = running or run(stop)
        for view in running:
            yield view
            if stop.is_set() and not stop.final:
                return

    return job


def _first_expected(game: Game, judgement: Judgement) -> float:
    """Return the expected score of the first side after a move that was judged."""
    expected = expected_score(game.rules, judgement.score, proved=False)
    return 1 - expected if judgement.player else expected


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
    """List the games in the text of a file, and open the first.

    Only the game that is opened is checked: a file may hold thousands.
    """
    game = server.catalog.game(message.game)
    records = parse_games(game, message.text)
    if not records:
        raise PlyforgeError("the file contains no game")
    client.data[_DATA_KEY] = game, records
    listed = [_listed_game(game, record) for record in records[:MAX_GAMES]]
    client.send(GameList(games=listed, more=max(0, len(records) - MAX_GAMES)))
    _open_game(client, game, records, 1)


def pick(server: ServerState, client: Client, message: incoming.OpenGame) -> None:
    """Open another game of the file that was loaded last."""
    game, records = client.data.get(_DATA_KEY, (None, []))
    if message.number > len(records):
        raise PlyforgeError(f"the file has {len(records)} games, not {message.number}; load it")
    _open_game(client, game, records, message.number)


def _open_game(client: Client, game: Game, records: list[GameRecord], number: int) -> None:
    try:
        record = check_record(game, records[number - 1], variations=True)
    except RecordError as error:
        raise RecordError(f"game {number}, {error}") from error
    client.send(
        LoadedGame(
            result=record.result,
            start=record.start,
            tags=[{"name": name, "value": value} for name, value in record.tags.items()],
            **_branch_fields(game.history(start_position(game, record)), record),
        )
    )


def _listed_game(game: Game, record: GameRecord) -> ListedGame:
    return ListedGame(
        name=" – ".join(record.tags.get(side, "?") for side in game.players),
        result=record.result,
        moves=len(record.moves),
    )


def _branch_fields(history: History, record: GameRecord) -> dict[str, Any]:
    """Return the fields of a `Branch`; `history` ends before the record's first move."""
    first, variations = len(history.moves), []
    for number, text in enumerate(record.moves, 1):
        for other in record.variations.get(number, ()):
            fields = _branch_fields(history.copy(), other)
            variations.append(VariationView(number=number, **fields))
        history.follow_text(text)
    return {
        "moves": moves_made(history)[first:],
        "comments": [{"ply": ply, "text": text} for ply, text in record.comments.items()],
        "marks": [{"ply": ply, "mark": mark} for ply, mark in record.marks.items()],
        "variations": variations,
    }


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
    record = replace(
        record,
        result=result,
        comments=_comments(message.comments),
        marks=_marks(message.marks),
        variations=_variations(message.variations),
    )
    return check_record(history.game, record, variations=True) if record.variations else record


def _variations(
    variations: tuple[incoming.Variation, ...], nesting: int = 1
) -> dict[int, tuple[GameRecord, ...]]:
    """Return variations as a record has them; their moves are not checked."""
    if nesting > MAX_NESTING:
        raise PlyforgeError(
            f"variations may be nested {MAX_NESTING} deep at most; promote or delete some"
        )
    records: dict[int, tuple[GameRecord, ...]] = {}
    for one in variations:
        record = GameRecord(
            one.moves,
            comments=_comments(one.comments),
            marks=_marks(one.marks),
            variations=_variations(one.variations, nesting + 1),
        )
        records[one.number] = (*records.get(one.number, ()), record)
    return records


def _marks(marks: incoming.Marks) -> dict[int, str]:
    return {one.ply: one.mark for one in marks}


def _comments(comments: incoming.Comments) -> dict[int, str]:
    return {one.ply: one.text for one in comments}


HANDLERS: Final[Handlers] = {
    incoming.Judge: Handler(judge_game, slow=True),
    incoming.Load: Handler(load, slow=True),
    incoming.OpenGame: Handler(pick, slow=True),
    incoming.DrawGraph: Handler(draw_graph, slow=True),
    incoming.Write: Handler(write, slow=True),
}
