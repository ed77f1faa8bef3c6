"""Othello transcripts."""

import random

import pytest

import plyforge
from plyforge import PlyforgeError
from plyforge.game.replay import record_of
from plyforge.rules import GameRecord

SOURCE = random.Random(3)
OTHELLO = plyforge.load("othello")
PERFECT = (
    "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8"
    "G8B3H3B2H5B7A3A4A1A2C1H2H1G2B8A8G7H8H7H6"
)
"""Perfect play by both sides according to Takizawa, 'Othello is solved' (2023): 32-32."""
MISTAKES = {
    "f5d6\n\nf5f5 1-0": "game 2, line 3, move 2, 'f5': 'f5': this cell is taken",
    "f5d6\nf5d6\nf5d6c3a1": "game 3, line 3, move 4, 'a1': 'a1' flips no disc",
    "f5d6 hello": "line 1, move 3, 'hello': 'hello' is not a cell",
    "f5d6 pass": "line 1, move 3, 'pass': a pass is allowed only",
    f"{PERFECT} 40-24": "line 1, the result 1-0 .* is wrong: after move 60",
    f"{PERFECT}a1": "line 1, move 61, 'A1': the game is over|move 61, 'a1': the game is over",
}


def test_the_perfect_game_is_a_draw() -> None:
    (record,) = OTHELLO.read_games(f"{PERFECT} 32-32\n")
    assert len(record.moves) == 60
    assert record.result == "1/2-1/2"
    assert OTHELLO.replay(record).verdict().value == 0
    assert OTHELLO.write_game(record) == f"{PERFECT.lower()} 1/2-1/2\n"


@pytest.mark.parametrize(
    ("end", "result", "tags"),
    [
        ("", "*", {}),
        ("*", "*", {}),
        ("1-0", "1-0", {}),
        ("0-1", "0-1", {}),
        ("+12", "1-0", {"Score": "+12"}),
        ("26-38", "0-1", {"Score": "-12"}),
        ("0", "1/2-1/2", {}),
    ],
)
def test_the_result_may_be_written_in_several_ways(
    end: str, result: str, tags: dict[str, str]
) -> None:
    (record,) = OTHELLO.read_games(f"# a remark\nf5 d6,c3 {end}\n")
    assert record == GameRecord(("f5", "d6", "c3"), result, tags=tags)
    assert OTHELLO.read_games(OTHELLO.write_game(record)) == [record]


def test_passes_are_left_out_except_for_one_at_the_end() -> None:
    small = plyforge.load("othello:4")
    history = small.history()
    while "pass" not in record_of(history).moves or not history.legal_moves():
        if not history.legal_moves():
            history = small.history()
        history.play(SOURCE.choice(history.legal_moves()))
    record = record_of(history)
    assert small.write_game(record).endswith("pass *\n")
    assert small.read_games(small.write_game(record)) == [record]
    history.play(history.legal_moves()[0])
    longer = record_of(history)
    assert "pass" not in small.write_game(longer)
    assert small.read_games(small.write_game(longer)) == [longer]


def test_a_record_that_does_not_fit_a_transcript_is_written_in_the_plain_format() -> None:
    for record in (
        GameRecord(("f5",), tags={"Black": "Anna"}),
        GameRecord(("f5",), comments={1: "well"}),
        GameRecord(("f5",), marks={1: "!"}),
        GameRecord(()),
        GameRecord(("f5",), "0-1", tags={"Score": "+4"}),
    ):
        text = OTHELLO.write_games([GameRecord(("f5", "d6")), record])
        assert text.startswith("Plyforge record 1: othello\n")
        assert OTHELLO.read_games(text)[1] == record


@pytest.mark.parametrize(("text", "reason"), MISTAKES.items())
def test_a_malformed_text_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(PlyforgeError, match=reason):
        OTHELLO.read_games(text)
