"""The messages that the server sends to pages."""

from typing import Any

from msgspec import field

from plyforge.interfaces.web.incoming import GameOptions
from plyforge.interfaces.web.protocol import Outgoing

# All pages


class Error(Outgoing, tag="error"):
    """What is wrong with a request, or went wrong while it was answered."""

    text: str


class Working(Outgoing, tag="working"):
    """A job is queued."""

    before: int
    """Jobs that wait before it."""


class Done(Outgoing, tag="done"):
    """The job of this page has ended."""


class Compiling(Outgoing, tag="compiling"):
    """A kernel is being compiled, or is ready."""

    game: str
    kernel: str
    done: bool


class Move(Outgoing):
    """A move that was made."""

    side: int
    text: str


class LegalMove(Outgoing):
    """A move that can be made, with the cells that it touches."""

    text: str
    cells: list[str]


class BoardView(Outgoing):
    """A board as SVG, the last move's cells, and the position in the game's notation."""

    board: str
    turned: bool
    kind: str | None
    """The kind of the geometry; None for a game without a board."""
    path: list[str]
    position: str


class End(Outgoing):
    """The end of a game."""

    result: str
    reason: str
    winner: int | str | None
    score: float | None


# Play


class ClockState(Outgoing):
    """Seconds left for both sides."""

    left: list[float]
    running: int | None
    increment: float


class Controls(Outgoing):
    """The actions that are possible; `claim` is the reason for which a draw can be claimed."""

    undo: bool
    redo: bool
    claim: str | None


class Comment(Outgoing):
    """A comment on the position after `ply` moves."""

    ply: int
    text: str


class GameState(BoardView, tag="state"):
    """Everything that a page shows of a game in progress."""

    key: str
    game: str
    options: GameOptions
    """What the game was started with; a page needs it to open the game on another server."""
    title: str
    players: list[str]
    colours: list[str]
    seats: list[str]
    people: list[int]
    turn: int
    start: str | None
    moves: list[Move]
    comments: list[Comment]
    last: Move | None
    """The latest move of a player."""
    opening: str | None
    """The name of the opening, if the game has names and this game one."""
    end: End | None
    thinking: bool
    chance: bool
    """Whether people are to enter an outcome of chance; `legal` lists them."""
    rolled: str
    """The latest outcome of chance, if it is that of the present turn."""
    legal: list[LegalMove]
    can: Controls
    clocks: ClockState | None


class GameGone(Outgoing, tag="gone"):
    """A game is not on the server."""

    key: str
    reason: str


class HintView(BoardView, tag="hint"):
    """A suggested move, shown as an arrow."""

    ply: int
    text: str


class RecordView(Outgoing, tag="record"):
    """A game as the text of a file."""

    text: str
    annotated: bool = False
    """Whether it ends the judging of a game."""
    judged: bool = False
    """Whether it holds judgements that the page sent."""


# Analysis


class TermView(Outgoing):
    """A term of an evaluation."""

    name: str
    value: float
    weight: float


class EvaluationView(Outgoing):
    """The static evaluation of a position for the side to move, and its terms."""

    value: float
    terms: list[TermView]


class PositionView(BoardView, tag="position"):
    """A position, with its moves, its result and its evaluation."""

    title: str
    players: list[str]
    turn: int
    ply: int
    moves: list[Move]
    legal: list[LegalMove]
    opening: str | None
    end: str | None
    result: str
    arrangeable: bool
    colours: list[str]
    first_above: bool
    evaluation: EvaluationView | None
    """None for a game without an evaluation, or one that fails in this position."""
    number: int | None = None
    arranged: bool = False
    problem: str | None = None
    """Why not all of what was requested is shown."""


class BookMoveView(Outgoing):
    """A move of an opening book, for the side that makes it, and replies to it."""

    text: str
    score: str | None
    proved: bool
    games: int
    points: float | None
    replies: list["BookMoveView"]


class BookView(Outgoing, tag="book"):
    """What the opening book of the game has in a position; None if there is no book of it."""

    ply: int
    moves: list[BookMoveView] | None


class LineView(Outgoing):
    """A principal variation; `first` is the expected score of the first side."""

    score: str
    bound: str
    first: float
    proved: bool
    depth: int
    moves: list[str]


class Counts(Outgoing):
    """Counters of a search."""

    leaves: int
    interior: int
    transpositions: int
    cuts: int
    first_share: float | None
    searches: int


class ThreadsView(Outgoing):
    """What the threads of a parallel search did."""

    method: str
    nodes: list[int]
    """The nodes of each thread."""
    shares: dict[str, float] = field(default_factory=dict)
    """What the time of all threads went to, as shares of 1; empty if that was not measured."""
    events: dict[str, int] = field(default_factory=dict)
    """The number of splits, joins and the like."""


class Iteration(Outgoing, tag="info"):
    """A finished iteration of a search, or its result."""

    ply: int
    depth: int
    bound: str
    nodes: int
    seconds: float
    speed: float | None
    counts: Counts
    last: bool
    lines: list[LineView]
    board: str | None = None
    """The board with arrows; None if they have not changed."""
    threads: ThreadsView | None = None
    """None with one thread."""


class SharedValue(Outgoing):
    """What a master knows about a position or about some moves: for the side to move at its root.

    Depths, too, are counted from the root, so that all values of a tree can be compared.
    """

    score: str
    bound: str
    depth: int
    proved: bool


class SharedRest(Outgoing):
    """The moves of a node that have no node of their own: one worker searches them together."""

    moves: int
    value: SharedValue | None
    best: bool
    nodes: int


class SharedNode(Outgoing):
    """A node of a master's tree."""

    move: str
    """The move that leads to it; empty for the root."""
    value: SharedValue | None
    """None if nothing was searched yet."""
    best: bool
    """Whether it is on the best line."""
    nodes: int
    """Nodes that workers have searched here and below."""
    workers: list[int]
    """The numbers of the workers that search there: the rest, or all moves of a leaf."""
    rest: SharedRest | None
    """None if there are no children, or nothing besides them."""
    children: list["SharedNode"]
    """The best one first."""


class SharedWorker(Outgoing):
    """A worker of a master."""

    number: int
    place: str
    """Where it runs."""
    path: list[str] | None
    """The moves to its node; None if it has no work."""
    rest: int | None
    """The number of moves that it searches there; None if it searches all."""
    depth: int | None
    """From the root."""
    nodes: int
    moved: int
    lost: str
    """Why it was lost; empty if it was not."""


class SharedSearch(Outgoing, tag="shared"):
    """The state of a search by a master, or its result."""

    ply: int
    player: str
    """The side to move, for which all scores count."""
    value: SharedValue | None
    """None if nothing was searched; the line is just a legal move then."""
    line: list[str]
    nodes: int
    """Nodes of all workers in this search."""
    quick_nodes: int
    """Nodes of the master's own searches."""
    seconds: float
    last: bool
    tree: SharedNode
    workers: list[SharedWorker]


class ComparedIteration(Iteration, tag="row", kw_only=True):
    """An iteration of one of several configurations."""

    place: int
    complete: bool


class IterationProgress(Outgoing, tag="progress"):
    """The state of an iteration that is not finished."""

    ply: int
    depth: int
    known: str | None
    """The bounds of its score."""
    nodes: int
    seconds: float
    speed: float | None
    thread_nodes: list[int] = field(default_factory=list)
    """The nodes of each thread since the search was last resumed; empty with one thread."""


class JudgedMove(Outgoing, tag="judged"):
    """The engine's judgement of a move, and the graph of all scores so far."""

    ply: int
    mark: str
    comment: str
    first: float
    """The expected score of the first side after the move."""
    graph: str
    annotator: str


class Graph(Outgoing, tag="graph"):
    """The graph of a game's scores as SVG; None if it has none."""

    graph: str | None


class Branch(Outgoing):
    """Moves with comments, marks and variations."""

    moves: list[Move]
    comments: list[dict[str, Any]]
    marks: list[dict[str, Any]]
    variations: list["VariationView"]


class VariationView(Branch):
    """Other moves in place of the move with a number."""

    number: int


class LoadedGame(Branch, tag="loaded"):
    """A game of a file."""

    result: str
    start: str | None
    tags: list[dict[str, str]]


class ListedGame(Outgoing):
    """A game in the list of a file's games."""

    name: str
    result: str
    moves: int


class GameList(Outgoing, tag="games"):
    """The games in a file; `more` were left out."""

    games: list[ListedGame]
    more: int


# Setting up pieces


class PieceView(Outgoing):
    """A piece to choose, with its picture as SVG."""

    piece: str
    side: int | None
    name: str
    picture: str


class ExtraView(Outgoing):
    """What belongs to a position besides its pieces, such as castling rights."""

    name: str
    value: str
    choices: list[str]


class SetupView(Outgoing, tag="setup"):
    """The pieces on the board, and those to choose from."""

    kind: str
    palette: list[PieceView]
    counted: bool
    """Whether cells hold numbers."""
    pieces: list[dict[str, str]]
    start: list[dict[str, str]]
    players: list[str] | None
    side: int
    board: str
    extras: list[ExtraView]


class SketchView(Outgoing, tag="sketch"):
    """Pieces on a board, as SVG."""

    board: str
    extras: list[ExtraView] | None = None
    """None while the pieces are not a position."""


# Search trees


class TreeView(Outgoing, tag="tree"):
    """The tree that an algorithm visited, as SVG."""

    place: int
    title: str
    idea: str
    note: str
    value: str
    counts: dict[str, int]
    svg: str


class MinimalTree(Outgoing, tag="minimal"):
    """The number of leaves of the minimal tree; None, with a note, if it was not found."""

    leaves: int | None
    note: str


class FeasibleDepthNote(Outgoing, tag="feasible"):
    """A note on the depth that an incomplete search could have completed."""

    place: int
    note: str


class TreeDrawing(Outgoing, tag="drawing"):
    """A tree with other visits collapsed, as SVG."""

    place: int
    svg: str


class TreeFile(Outgoing, tag="export"):
    """A tree as the text of a file."""

    place: int
    format: str
    text: str


class VisitView(Outgoing, tag="visit"):
    """One visit of a tree; numbers are from MAX's perspective."""

    place: int
    visit: int
    path: str
    side: str
    window: str
    value: str
    kind: str
    depth: int | None
    moves: int
    unseen: str
    explanation: str
    position: str
    board: str
    worker: int | None = None
    """In a parallel search, the number of its worker, from 1."""


# Watching two players


class WatchChoicesView(Outgoing, tag="watch-choices"):
    """The players to choose from, and the limits on their settings."""

    drivers: list[str]
    presets: list[str]
    algorithms: list[str]
    bounds: dict[str, dict[str, tuple[float, float]]]
    opening: int


class WatchedMove(Move):
    """A move, the time it took, and the player's score, depth and nodes."""

    seconds: float
    score: str | None
    depth: int | None
    nodes: int | None


class WatchState(BoardView, tag="watch"):
    """The whole game so far."""

    title: str
    sides: list[str]
    colours: list[str]
    players: list[str]
    opening: int
    turn: int
    moves: list[Move]
    boards: list[str]
    end: End | None


class WatchMoveMade(BoardView, tag="watch-move"):
    """One more move of the game."""

    ply: int
    move: WatchedMove | None
    end: End | None


class WatchStopped(Outgoing, tag="watch-stopped"):
    """The game was ended by the page."""


# Matrix games


class MatrixEquilibrium(Outgoing):
    """An equilibrium: the mix and the payoff of each player."""

    row: str
    column: str
    payoffs: str
    component: int


class MixChart(Outgoing):
    """What a player with two strategies gets for each reply, by the share of the first one."""

    svg: str
    player: str
    strategies: list[str]
    replies: list[str]
    at_zero: list[float]
    """The row player's payoff for each reply if the share is 0."""
    at_one: list[float]
    optimum: float
    """The share in an optimal mix."""


class MatrixView(Outgoing, tag="matrix"):
    """A solved matrix game."""

    title: str
    kind: str
    value: str
    """For the row player; empty if the game is not zero-sum."""
    dominated: list[str]
    equilibria: list[MatrixEquilibrium]
    note: str
    chart: MixChart | None
