"""The messages that pages send, with the limits on their fields."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from plyforge.engine.engine import MAX_THREADS
from plyforge.engine.levels import LEVELS
from plyforge.interfaces.drawing.treeplan import MAX_DRAWN
from plyforge.interfaces.web.protocol import Incoming
from plyforge.match.referee import MatchRules
from plyforge.search.parallel.methods import DEFAULT as DEFAULT_METHOD
from plyforge.search.parallel.recording import MAX_WORKERS, MIN_WORKERS
from plyforge.search.textbook.tracing import MAX_DEPTH, TraceLimits

MAX_MOVES: Final = 2000
"""Moves of a game that is analysed."""
MAX_FILE: Final = 300_000
"""Characters of a file of games."""
MAX_LINES: Final = 5
MAX_SHARED_WORKERS: Final = 32
MAX_CONFIGURATIONS: Final = 6
MAX_CELLS: Final = 2000
MAX_EXTRAS: Final = 50
MAX_TREES: Final = 4
"""Search trees side by side."""
MAX_OPENING: Final = 12
"""Random moves before two players begin."""
MAX_WATCHED_MOVES: Final = MatchRules().max_plies
TRACE_LIMITS: Final = TraceLimits()
_TEXT: Final = r"\A[^\0]*\Z"

Name = Annotated[str, Meta(max_length=80, pattern=_TEXT)]
MoveText = Annotated[str, Meta(max_length=200, pattern=_TEXT)]
PlayerText = Annotated[str, Meta(max_length=200, pattern=_TEXT)]
ShortPosition = Annotated[str, Meta(max_length=4000, pattern=_TEXT)]
Position = Annotated[str, Meta(max_length=20_000, pattern=_TEXT)]
RecordText = Annotated[str, Meta(max_length=MAX_FILE, pattern=_TEXT)]
"""The text of a file, or of a part of one."""
Seed = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Ply = Annotated[int, Meta(ge=0, le=100_000)]
MoveNumber = Annotated[int, Meta(ge=1, le=MAX_MOVES)]
Side = Annotated[int, Meta(ge=0, le=1)]
People = Literal["first", "second", "both", "none"]
"""The sides that people play."""
Result = Literal["1-0", "0-1", "1/2-1/2", "*"]
Mark = Literal["!", "?", "!!", "??", "!?", "?!"]

Moves = Annotated[tuple[MoveText, ...], Meta(max_length=MAX_MOVES)]
Reason = Annotated[str, Meta(max_length=500, pattern=_TEXT)]
Seconds = Annotated[float, Meta(ge=0, le=1e6)]


class Comment(Incoming):
    """A comment on the position after `ply` moves."""

    ply: Annotated[int, Meta(ge=0, le=MAX_MOVES)]
    text: RecordText


Comments = Annotated[tuple[Comment, ...], Meta(max_length=MAX_MOVES + 1)]


class Stop(Incoming, tag="stop"):
    """End the job of this page; it still sends its result."""


# Play


class GameOptions(Incoming):
    """A new game: the players, their limits and the start position."""

    game: Name
    side: People
    level: Annotated[int, Meta(ge=1, le=LEVELS)] = 5
    seconds: Annotated[float, Meta(ge=0.05, le=30)] | None = None
    minutes: Annotated[float, Meta(ge=0.05, le=180)] | None = None
    increment: Annotated[float, Meta(ge=0, le=60)] = 0.0
    player: PlayerText | None = None
    """The description of the opponent, such as a player that the game names."""
    position: ShortPosition | None = None
    seed: Seed = 0


class NewGame(GameOptions, tag="new"):
    """Start a game."""


class Join(Incoming, tag="join"):
    """Show a game that is in progress."""

    key: Name


class Reopen(Incoming, tag="reopen"):
    """Show a game that is not on this server any more, from what the page knows of it."""

    key: Annotated[str, Meta(min_length=16, max_length=40, pattern=r"\A[\w-]+\Z")]
    options: GameOptions
    start: ShortPosition | None = None
    moves: Moves = ()
    comments: Comments = ()
    result: Result = "*"
    reason: Reason = ""
    left: Annotated[tuple[Seconds, ...], Meta(min_length=2, max_length=2)] | None = None


class MakeMove(Incoming, tag="move"):
    """Make a move for a person."""

    text: MoveText
    ply: Ply
    """The number of moves made before it, as the page shows them."""


class Undo(Incoming, tag="undo"):
    """Take back the last turn."""


class Redo(Incoming, tag="redo"):
    """Replay a turn that was taken back."""


class Resign(Incoming, tag="resign"):
    """Resign the game."""


class Claim(Incoming, tag="claim"):
    """Claim a draw."""


class Hint(Incoming, tag="hint"):
    """Suggest a move."""


class TurnBoard(Incoming, tag="turn"):
    """Show the board from the other side."""


class Save(Incoming, tag="save"):
    """Send the game as the text of a file."""


class OpenRecord(Incoming, tag="open"):
    """Continue the first game of a file, in the current game or in a new one."""

    text: RecordText
    new: GameOptions | None = None


# Analysis


class PositionFields(Incoming):
    """A position: a start position and moves from there."""

    game: Name
    position: Position | None = None
    moves: Moves = ()
    turned: bool = False
    """Whether the board is shown from its other side."""


Names = Annotated[tuple[Name, ...], Meta(max_length=60)]


class Configuration(Incoming):
    """How to search: driver, preset, enhancements switched on or off, and threads."""

    driver: Name = "pvs"
    preset: Name = "exact"
    on: Names = ()
    off: Names = ()
    threads: Annotated[int, Meta(ge=1, le=MAX_THREADS)] = 1
    """At most as many as the server allows."""
    parallel: Name = DEFAULT_METHOD


class ShowPosition(PositionFields, tag="look"):
    """Show a position."""

    number: Annotated[int, Meta(ge=0, le=10**9)] | None = None
    """Returned with the position, so that a page can match replies to requests."""
    partial: bool = False
    """Whether to show as much as possible of a position that is wrong, with the reason."""


class Search(PositionFields, tag="search", kw_only=True):
    """Analyse a position."""

    how: Configuration
    seconds: Annotated[float, Meta(ge=0.05, le=110)]
    lines: Annotated[int, Meta(ge=1, le=MAX_LINES)] = 1
    depth: Annotated[int, Meta(ge=1, le=100)] | None = None


class Compare(PositionFields, tag="compare", kw_only=True):
    """Search a position to one depth with several configurations."""

    configurations: Annotated[tuple[Configuration, ...], Meta(max_length=MAX_CONFIGURATIONS)]
    depth: Annotated[int, Meta(ge=1, le=60)]
    seconds: Annotated[float, Meta(ge=0.05, le=20)] = 10.0


class ShareOut(PositionFields, tag="share", kw_only=True):
    """Analyse a position with a master and its workers."""

    how: Configuration
    workers: Annotated[int, Meta(ge=1, le=MAX_SHARED_WORKERS)]
    seconds: Annotated[float, Meta(ge=0.05, le=110)]


class Tag(Incoming):
    """A tag of a game record."""

    name: RecordText
    value: RecordText


class MoveMark(Incoming):
    """A mark on a move."""

    ply: MoveNumber
    mark: Mark


class Judgement(Incoming):
    """The engine's comment and mark on a move, sent back by the page to be saved."""

    ply: MoveNumber
    comment: RecordText
    mark: Literal["", "!", "?", "!!", "??", "!?", "?!"]


Marks = Annotated[tuple[MoveMark, ...], Meta(max_length=MAX_MOVES)]


class Variation(Incoming):
    """Other moves in place of the move with a number, and what belongs to them."""

    number: MoveNumber
    moves: Moves
    comments: Comments = ()
    marks: Marks = ()
    variations: Annotated[tuple["Variation", ...], Meta(max_length=MAX_MOVES)] = ()


class GameFields(PositionFields):
    """A whole game with its tags, result, comments, marks and variations."""

    tags: Annotated[tuple[Tag, ...], Meta(max_length=1000)] = ()
    result: Result | None = None
    comments: Comments = ()
    marks: Marks = ()
    variations: Annotated[tuple[Variation, ...], Meta(max_length=MAX_MOVES)] = ()


class Judge(GameFields, tag="judge"):
    """Judge every move of a game."""

    nodes: Annotated[int, Meta(ge=100, le=1_000_000)] = 20_000


class Load(Incoming, tag="load"):
    """List the games in the text of a file, and open the first."""

    game: Name
    text: RecordText


class OpenGame(Incoming, tag="pick"):
    """Open another game of the file that was loaded last."""

    number: Annotated[int, Meta(ge=1, le=1_000_000)]


class DrawGraph(PositionFields, tag="graph"):
    """Draw the scores in the comments of a game."""

    comments: Comments = ()


class Write(GameFields, tag="write"):
    """Send a game as the text of a file."""

    judged: Annotated[tuple[Judgement, ...], Meta(max_length=MAX_MOVES)] = ()
    annotator: Name = "Plyforge"


# Setting up pieces


class PlacedPiece(Incoming):
    """A piece, or a number, on a cell."""

    cell: Name
    piece: Name


class ExtraValue(Incoming):
    """A choice for what belongs to a position besides its pieces."""

    name: Name
    value: Name


class BoardFields(Incoming):
    """Pieces on a board as large as that of a position."""

    game: Name
    pieces: Annotated[tuple[PlacedPiece, ...], Meta(max_length=MAX_CELLS)]
    position: Position | None = None
    turned: bool = False


class SetUp(PositionFields, tag="setup"):
    """Start to set up pieces."""


class Sketch(BoardFields, tag="sketch"):
    """Draw pieces that need not be a position."""

    side: Side | None = None
    """The side to move, if the page wants to know the extras of the position."""


class Arrange(BoardFields, tag="arrange", kw_only=True):
    """Make a position of pieces."""

    side: Side
    extras: Annotated[tuple[ExtraValue, ...], Meta(max_length=MAX_EXTRAS)] = ()


# Search trees


class ShowTrees(Incoming, tag="trees"):
    """Search a position with several algorithms, and draw what each visits."""

    game: Name
    algorithms: Annotated[tuple[Name, ...], Meta(max_length=MAX_TREES)]
    position: Position | None = None
    moves: Position | None = None
    depth: Annotated[int, Meta(ge=1, le=MAX_DEPTH)] = MAX_DEPTH
    order: Literal["rules", "best"] = "rules"
    workers: Annotated[int, Meta(ge=MIN_WORKERS, le=MAX_WORKERS)] = MIN_WORKERS
    """Of parallel searches."""
    seed: Seed = 0


VisitNumber = Annotated[int, Meta(ge=0, le=TRACE_LIMITS.visits)]
TreeIndex = Annotated[int, Meta(ge=0, le=MAX_TREES - 1)]


class DrawTree(Incoming, tag="drawing"):
    """Draw a tree with other visits collapsed."""

    place: TreeIndex
    collapsed: Annotated[tuple[VisitNumber, ...], Meta(max_length=MAX_DRAWN)]


class ExpandTree(Incoming, tag="expand"):
    """Draw a tree with few visits collapsed, or none."""

    place: TreeIndex


class ExportTree(DrawTree, tag="export"):
    """Return a tree as a file."""

    format: Literal["svg", "png", "dot", "tikz"]
    """PNG is drawn by the page, from SVG."""


class ShowVisit(Incoming, tag="visit"):
    """Show one visit of a tree."""

    place: TreeIndex
    visit: VisitNumber


# Watching two players


class WatchChoices(Incoming, tag="watch-choices"):
    """List the players to choose from."""


class WatchBegin(Incoming, tag="watch-begin"):
    """Start a game between two players, or resume one from its moves."""

    game: Name
    players: Annotated[tuple[PlayerText, ...], Meta(max_length=2)]
    moves: Annotated[tuple[MoveText, ...], Meta(max_length=MAX_WATCHED_MOVES)] | None = None
    opening: Annotated[int, Meta(ge=0, le=MAX_OPENING)] = 0
    seed: Seed = 0


class WatchMove(Incoming, tag="watch-move"):
    """Let the player to move make its move."""

    ply: Ply
    """The number of moves that the page has seen."""


class WatchStop(Incoming, tag="watch-stop"):
    """End the game."""


# Matrix games


class SolveMatrix(Incoming, tag="matrix"):
    """Solve a matrix game, written as in a file."""

    text: Position
