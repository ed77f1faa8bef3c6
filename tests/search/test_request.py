"""Search requests and replies as data: the same in bytes and back, for every game."""

import math
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.game.game import Game, History
from plyforge.game.validation import read_module
from plyforge.search.counts import CORE_COUNTS, Counts
from plyforge.search.packing import PackedDataError
from plyforge.search.request import (
    MAX_DEPTH,
    SearchReply,
    SearchRequest,
    SearchRoot,
    WindowResult,
    requested_setup,
    root_of,
    validate_window,
)
from tests.search.examples import examples

SETUP = bytes(range(16))
VARIANTS = ("tree:cyclic,seed=3", "tree:ordered,3,6", "hex:4,swap", "kalah:3,2", "othello:6")
load = cache(plyforge.load)


def random_history(game: Game, plies: int, seed: int) -> History:
    """A random game of at most so many plies that is not over."""
    stream, history = Stream(seed), game.history()
    for _ in range(plies):
        longer = history.copy()
        longer.play(stream.choice(history.legal_moves()))
        if longer.verdict().over:
            break
        history = longer
    return history


@st.composite
def requests(draw: st.DrawFn, game: Game) -> SearchRequest:
    history = random_history(game, draw(st.integers(0, 25)), draw(st.integers(0, 10**6)))
    while outcomes := history.chance_outcomes():
        history.play(outcomes[0][0])
    reals = st.floats(allow_nan=False)
    low, high = draw(st.tuples(reals, reals).filter(lambda ends: ends[0] < ends[1]))
    moves = draw(st.lists(st.sampled_from(history.legal_moves()), unique=True))
    plies = draw(st.integers(1, 250))
    return SearchRequest.of(root_of(history, game), low, high, plies, moves)


@pytest.mark.parametrize("name", [*plyforge.names(), *VARIANTS])
@given(data=st.data())
@examples(100)
def test_a_request_of_every_game_survives_packing(name: str, data: Any) -> None:
    game = load(name)
    request = data.draw(requests(game))
    packed = request.pack(game, SETUP)
    found = SearchRequest.unpack(packed, game, SETUP)
    assert found == request
    assert found.pack(game, SETUP) == packed
    assert requested_setup(packed) == SETUP
    assert game.key(found.root.position) == game.key(request.root.position)


def test_different_positions_make_different_requests() -> None:
    game = load("hex:4")
    one, other = (
        SearchRequest.of(root_of(random_history(game, plies, 1), game), -1, 1, 3)
        for plies in (2, 4)
    )
    root = SearchRoot(other.root.position, one.root.side, one.root.path, one.root.reversible_plies)
    assert one != other
    assert one.root != msgspec.structs.replace(root, slot=one.root.slot)
    assert one.root != "root"
    assert hash(one.root) == hash(SearchRequest.unpack(one.pack(game, SETUP), game, SETUP).root)


def test_the_path_has_the_positions_that_can_come_back() -> None:
    """Earlier ones are left out: after an irreversible move nothing of them matters."""
    game = load("checkers")
    history = game.history(game.parse("W:WK1,30:BK32,3"))
    history.play_text("1-6 32-28 30-26 28-32 6-1 32-28 1-6")
    root = root_of(history, game)
    assert root.reversible_plies == 4
    assert root.path == tuple(history.keys[-5:-1])
    assert root.slot == game.slot(history.positions[-2], history.moves[-1]) >= 0


def test_plies_counted_before_the_first_position_have_no_keys() -> None:
    game = load("chess")
    history = game.history(game.parse("8/8/8/3k4/8/8/4R3/4K3 w - - 30 60"))
    history.play_text("Kf1 Kd4")
    root = root_of(history, game)
    assert (root.reversible_plies, len(root.path)) == (32, 2)


def test_a_game_that_is_over_has_no_root() -> None:
    game = load("tictactoe")
    with pytest.raises(PlyforgeError, match="game is over"):
        root_of(game.history(game.parse("XXX/OO./... O")), game)


@pytest.mark.parametrize(
    ("low", "high", "message"),
    [
        (1.0, 1.0, "empty"),
        (2.0, 1.0, "empty"),
        (math.nan, 1.0, "numbers"),
        (0.0, "x", "numbers"),
    ],
)
def test_an_empty_window_is_refused(low: Any, high: Any, message: str) -> None:
    with pytest.raises(PlyforgeError, match=message):
        validate_window(low, high)


# Bytes that are wrong

GAME = load("checkers")
REQUEST = SearchRequest.of(root_of(random_history(GAME, 6, 1), GAME), -3, 5, 4)
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "an empty window": ({"low": 5.0}, "window .* is empty"),
    "a window of NaN": ({"high": math.nan}, "ends of the window"),
    "no depth": ({"depth": 0}, "depth: Expected `int` >= 1"),
    "too great a depth": ({"depth": MAX_DEPTH + 1}, "depth: Expected `int` <= 4000"),
    "too many root moves": ({"moves": tuple(range(500))}, "number of root moves is 500"),
    "a third side": ({"side": 2}, "side: Expected `int` <= 1"),
    "negative plies": ({"reversible_plies": -1}, "reversible_plies: Expected `int` >= 0"),
    "a path that is too long": ({"path": (1, 2, 3), "reversible_plies": 2}, "keys in the path"),
    "a negative key": ({"path": (-1,), "reversible_plies": 2}, r"path\[0\]: Expected `int` >= 0"),
    "a slot that does not exist": ({"slot": 1 << 20}, "slot of the last move"),
    "a slot below none": ({"slot": -2}, "slot: Expected `int` >= -1"),
}


def change(request: SearchRequest, fields: dict[str, Any]) -> SearchRequest:
    own = {name: value for name, value in fields.items() if name in SearchRequest.__struct_fields__}
    rest = {name: value for name, value in fields.items() if name not in own}
    root = msgspec.structs.replace(request.root, **rest)
    return msgspec.structs.replace(request, root=root, **own)


@pytest.mark.parametrize("case", BAD)
def test_fields_out_of_range_are_refused(case: str) -> None:
    fields, message = BAD[case]
    data = change(REQUEST, fields).pack(GAME, SETUP)
    with pytest.raises(PackedDataError, match=message):
        SearchRequest.unpack(data, GAME, SETUP)


def test_a_request_cut_off_anywhere_is_refused() -> None:
    data = REQUEST.pack(GAME, SETUP)
    for length in range(len(data)):
        with pytest.raises(PackedDataError):
            SearchRequest.unpack(data[:length], GAME, SETUP)


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(PackedDataError, match=r"not valid: a position has|not a position"):
        SearchRequest.unpack(REQUEST.pack(GAME, SETUP), load("chess"), SETUP)


def test_a_request_for_another_setup_is_refused() -> None:
    with pytest.raises(PackedDataError, match=f"{SETUP.hex()}, not {bytes(16).hex()}"):
        SearchRequest.unpack(REQUEST.pack(GAME, SETUP), GAME, bytes(16))


def test_root_moves_that_are_not_legal_leave_nothing_to_search() -> None:
    engine = plyforge.Engine(load("tictactoe"), backend="python", entries=256)
    request = change(engine.request(None), {"moves": (77,)})
    with pytest.raises(PlyforgeError, match="nothing to search"):
        engine.searcher.search(request)


# Positions that are Python objects

OBJECTS = """
NAME = "Take one"

def initial():
    return ("left", 5)

def moves(position):
    for n in range(1, min(position[1], 2) + 1):
        yield n

def play(position, move):
    return (position[0], position[1] - move)
"""
TEXTS = """
def to_text(position):
    return f"{position[0]} {position[1]}"

def from_text(text):
    side, count = text.split()
    return (side, int(count))
"""


def object_game(source: str) -> Game:
    module = type(plyforge)("take_one")
    exec(source, module.__dict__)
    return Game(read_module("take_one", module))


def test_a_python_object_is_packed_as_its_text() -> None:
    game = object_game(OBJECTS + TEXTS)
    request = SearchRequest.of(root_of(random_history(game, 1, 1), game), -1, 1, 2)
    assert SearchRequest.unpack(request.pack(game, SETUP), game, SETUP) == request
    with pytest.raises(PackedDataError, match="not valid: position"):
        SearchRequest.unpack(REQUEST.pack(GAME, SETUP), game, SETUP)


@pytest.mark.parametrize(
    ("source", "message"),
    [(OBJECTS, "no notation"), (OBJECTS + TEXTS.replace("int(count)", "4"), "make them exact")],
)
def test_a_python_object_without_an_exact_text_cannot_be_packed(source: str, message: str) -> None:
    game = object_game(source)
    request = SearchRequest.of(root_of(game.history(), game), -1, 1, 2)
    with pytest.raises(PackedDataError, match=message):
        request.pack(game, SETUP)


# Replies

words = st.integers(-(2**63), 2**63 - 1)
counts = st.integers(0, 2**63 - 1)
replies = st.builds(
    SearchReply,
    st.builds(
        WindowResult,
        st.floats(allow_nan=False),
        st.floats(max_value=0.0),
        st.floats(min_value=1.0),
        st.none() | words,
        st.lists(words).map(tuple),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(
        Counts,
        **dict.fromkeys(CORE_COUNTS, counts),
        steps=st.dictionaries(st.text(max_size=8), counts, max_size=4),
    ),
)


@given(replies)
def test_a_reply_survives_packing(reply: SearchReply) -> None:
    assert SearchReply.unpack(reply.pack()) == reply


REPLY = SearchReply(WindowResult(1.0, 0.0, 2.0, 3, (3, 4), True, False), Counts(leaves=5))


def test_a_reply_cut_off_anywhere_is_refused() -> None:
    data = REPLY.pack()
    for length in range(len(data)):
        with pytest.raises(PackedDataError):
            SearchReply.unpack(data[:length])


@pytest.mark.parametrize("fields", [{"value": math.nan}, {"alpha": 2.0}, {"move": 1.5}])
def test_a_reply_out_of_range_is_refused(fields: dict[str, Any]) -> None:
    result = msgspec.structs.replace(REPLY.result, **fields)
    with pytest.raises(PackedDataError, match="not valid"):
        SearchReply.unpack(SearchReply(result, REPLY.counts).pack())


def test_a_request_is_no_reply() -> None:
    with pytest.raises(PackedDataError, match="are a search request, not a search reply"):
        SearchReply.unpack(REQUEST.pack(GAME, SETUP))
