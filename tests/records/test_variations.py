"""Variations are read, written and read again, in every format."""

import io
import random
from typing import Any

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.core.errors import RecordError
from plyforge.game.history import BaseHistory
from plyforge.records.record import MAX_NESTING, GameRecord
from tests.search.examples import examples

GAMES = ("tictactoe", "checkers", "chess", "othello", "kalah")


def random_moves(history: BaseHistory, chance: random.Random, plies: int) -> list[str]:
    """Play on at random, and return the moves."""
    texts = []
    while len(texts) < plies and (legal := history.legal_moves()):
        move = chance.choice(legal)
        texts.append(history.game.move_text(history.position, move))
        history.play(move)
    return texts


def random_record(history: Any, chance: random.Random, nesting: int) -> GameRecord:
    """Return random moves from a position with comments, marks and variations."""
    before = len(history.moves)
    moves = random_moves(history, chance, chance.randrange(1, 7))
    numbers = range(1, len(moves) + 1)
    variations: dict[int, tuple[GameRecord, ...]] = {}
    for number in numbers if nesting else ():
        if chance.random() < 0.3:
            others = [
                random_record(history.at(before + number - 1), chance, nesting - 1)
                for _ in range(chance.randrange(1, 3))
            ]
            variations[number] = tuple(other for other in others if other.moves)
    return GameRecord(
        tuple(moves),
        comments={n: f"note {n}" for n in (0, *numbers) if chance.random() < 0.2},
        marks={n: "!?" for n in numbers if chance.random() < 0.2},
        variations=variations,
    )


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**6))
@examples(15)
def test_variations_survive_writing_and_reading(name: str, seed: int) -> None:
    game = plyforge.load(name)
    record = random_record(game.history(), random.Random(seed), 3)
    (read,) = game.read_games(game.write_game(record), variations=True)
    assert (read.moves, read.comments, read.marks) == (record.moves, record.comments, record.marks)
    assert read.variations == record.variations
    (main,) = game.read_games(game.write_game(record))
    assert (main.moves, main.variations) == (record.moves, {})


def to_tree(node: chess.pgn.GameNode) -> list[Any]:
    return [(child.move.uci(), to_tree(child)) for child in node.variations]


def record_tree(record: GameRecord, number: int = 1) -> list[Any]:
    """Return the moves from a number on as a tree: the main move first, then the others."""
    if number > len(record.moves):
        return []
    others = [record_tree(other) for other in record.variations.get(number, ())]
    main = (record.moves[number - 1], record_tree(record, number + 1))
    return [main, *(branch for other in others for branch in other)]


@given(seed=st.integers(0, 10**6))
@examples(15)
def test_python_chess_reads_the_same_variations(seed: int) -> None:
    game = plyforge.load("chess")
    record = random_record(game.history(), random.Random(seed), 3)
    read = chess.pgn.read_game(io.StringIO(game.write_game(record)))
    assert read is not None
    assert not read.errors
    # It joins equal moves, which a record may list twice.
    assert merge(to_tree(read)) == merge(record_tree(record))


def merge(tree: list[Any]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for text, below in tree:
        part = merge(below)
        merged[text] = join(merged[text], part) if text in merged else part
    return merged


def join(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    both = dict(one)
    for text, below in other.items():
        both[text] = join(both[text], below) if text in both else below
    return both


def test_jumps_written_one_by_one_are_joined_in_variations() -> None:
    start = '[FEN "B:W7,15,24,32:B3,4"]\n\n'
    text = start + "1. 3x10x19x28 (1. 3x10 10x19 19x28 32-27 {a comment}) 1... 32-27 *"
    (record,) = plyforge.load("checkers").read_games(text, variations=True)
    (variation,) = record.variations[1]
    assert variation.moves == ("3x10x19x28", "32-27")
    assert variation.comments == {2: "a comment"}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1. e4 (1. d4 d5 2. Kd2 Ke4) e5 *", "game 1, a variation: line 1, move 4, 'Ke4'"),
        ("1. e4 e5 (1... c5 (1... Qh4) 2. Nf3) *", "game 1, a variation: line 1, move 1, .Qh4"),
        ("1. e4 " + "(1. d4 " * 80 + ")" * 80 + " *", "nested more than 60 deep"),
    ],
)
def test_an_illegal_variation_is_named(text: str, error: str) -> None:
    chess_game = plyforge.load("chess")
    with pytest.raises(RecordError, match=error.replace("(", r"\(")):
        chess_game.read_games(text, variations=True)


def test_illegal_variations_do_not_matter_where_they_are_skipped() -> None:
    (record,) = plyforge.load("chess").read_games("1. e4 (1. Ke4) e5 *")
    assert record.moves == ("e2e4", "e7e5")


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (["variation:"], "line 2: a variation must follow the move that it replaces"),
        (["1. b2", "end of variation"], "line 3: no variation has begun"),
        (["1. b2", "variation:", "2. a1"], "line 4: move 2 is out of order; move 1 must come"),
        (["1. b2", "variation:", "1. a1", "result: *"], "line 5: a variation is not ended"),
        (["1. b2", *["variation:", "1. a1"] * (MAX_NESTING + 1)], "nested more than"),
    ],
)
def test_a_bad_variation_in_the_plain_format_is_named(lines: list[str], error: str) -> None:
    text = "\n".join(["Plyforge record 1: tictactoe", *lines])
    with pytest.raises(RecordError, match=error):
        plyforge.load("tictactoe").read_games(text, variations=True)
