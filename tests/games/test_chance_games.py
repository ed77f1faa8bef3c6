"""Pig and EinStein würfelt nicht: known values, counts and texts."""

from fractions import Fraction
from pathlib import Path

import pytest

import plyforge
from plyforge import Engine
from plyforge.core.randomness import Stream
from plyforge.engine import expect
from plyforge.game.chance import draw_outcome
from plyforge.match.players import player
from plyforge.match.referee import MatchRules, Referee
from plyforge.match.session import Seat, Session

EINSTEIN = str(Path(__file__).parents[2] / "examples" / "chance" / "einstein.py")


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("1../.../..a Top -", 7),
        ("...../...../..1a./...../..... Top -", 8),
        ("...../..1../...../..a../..... Top -", 11),
    ],
)
def test_einstein_with_one_stone_each_is_won(text: str, depth: int) -> None:
    """Stones only advance: no game is longer than the steps that both have left."""
    engine = Engine(plyforge.load(EINSTEIN, "python"), entries=1 << 12)
    found = expect(engine, text, depth=depth)
    assert found.proved
    assert found.score == pytest.approx(5)
    # A ply less leaves games that have not ended, and so an estimate.
    assert not expect(Engine(engine.game, off=["all"]), text, depth=2).proved


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "win"),
    [
        ("1..../.6.../...../...../....c Top -", Fraction(23305, 23328)),
        ("...../.2.../..5../...b./....e Top -", Fraction(504553, 531441)),
        ("...../.2.../..5../...b./....e Bottom -", 1 - Fraction(1942, 2187)),
        ("12./3.c/.ba Top -", Fraction(170, 243)),
    ],
)
def test_einstein_has_the_known_values(text: str, win: Fraction) -> None:
    engine = Engine(plyforge.load(EINSTEIN), entries=1 << 16)
    found = expect(engine, text, depth=30)
    assert found.proved
    assert found.score == pytest.approx(5 * float(2 * win - 1), abs=1e-5)


def test_einstein_moves_the_next_stones_if_one_is_gone() -> None:
    game = plyforge.load(EINSTEIN, "python")
    position = game.parse("1..../.6.../...../...../....c Top 3")
    texts = {game.move_text(position, move) for move in game.moves(position)}
    assert texts == {"1b5", "1a4", "1b4", "6c4", "6b3", "6c3"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1../.../..a Top 4", "'4' is not a die"),
        ("1../.1./..a Top 1", "stands on two cells"),
        ("1../... Top 1", "a position is 5 rows"),
        ("1../.../..a Left 1", "'Left' is not a side"),
    ],
)
def test_bad_einstein_positions_are_explained(text: str, reason: str) -> None:
    with pytest.raises(plyforge.core.errors.PositionError, match=reason):
        plyforge.load(EINSTEIN, "python").parse(text)


def test_pig_counts() -> None:
    game = plyforge.load("pig", "python")
    start = game.initial()
    assert [game.perft(start, depth, "python") for depth in range(1, 5)] == [1, 6, 11, 41]


@pytest.mark.parametrize("text", ["12 30 5 First", "12 30 0 Second rolls", "3 4 2 First to 20"])
def test_pig_texts_are_read_back(text: str) -> None:
    game = plyforge.load("pig", "python")
    assert game.text(game.parse(text)) == text


def test_outcomes_are_drawn_with_their_probabilities() -> None:
    stream, counts = Stream(3), {1: 0, 2: 0, 3: 0}
    for _ in range(30_000):
        counts[draw_outcome([(1, 0.5), (2, 0.3), (3, 0.2)], stream)] += 1
    assert [round(n / 30_000, 2) for n in counts.values()] == pytest.approx(
        [0.5, 0.3, 0.2], abs=0.011
    )


def test_both_games_of_a_pair_have_the_same_dice() -> None:
    game = plyforge.load("pig:20", "python")
    players = (player(game, "random"), player(game, "random"))
    rolls = []
    for seeds in ((1, 2), (3, 4)):
        for one, seed in zip(players, seeds, strict=True):
            one.begin(seed)
        result = Referee(game, MatchRules()).play(players, game.history(), chance_seed=7)
        history = game.history()
        dice = []
        for move in result.moves:
            if history.chance_outcomes():
                dice.append(move)
            history.play(move)
        rolls.append(dice)
    count = min(map(len, rolls))
    assert count > 3
    assert rolls[0][:count] == rolls[1][:count]


def test_a_session_rolls_and_takes_back_without_changing_the_dice() -> None:
    game = plyforge.load("pig", "python")
    session = Session(game, (Seat(), Seat()), seed=5)
    session.play_text("roll")
    assert session.waits_for_chance
    assert not session.waits_for_person
    assert not session.last_was_chance
    first = session.roll()
    assert session.last_was_chance
    session.undo()
    assert session.history.moves == []
    session.play_text("roll")
    assert session.roll() == first


def test_random_play_is_the_same_in_both_backends() -> None:
    from plyforge.match.statistics.sources import RandomPlay

    batches = []
    for backend in ("compiled", "python"):
        game = plyforge.load("pig:20", backend)
        batches.append(RandomPlay(game.history(), seed=3, backend=backend).play(0, 20))
    assert (batches[0].games == batches[1].games).all()
    assert (batches[0].plies == batches[1].plies).all()
    # Chance is no ply: the most moves at a ply are two.
    assert batches[0].plies[:, 3].max() == 2
