"""Every way in which a game can end."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.engine.clock import Clock
from plyforge.game.base import AHEAD
from plyforge.game.game import Game
from plyforge.match import referee as module
from plyforge.match.players import Choice
from plyforge.match.referee import Adjudication, GameResult, MatchRules, Referee
from tests.match.scripted import Answer, Scripted
from tests.match.wheel import AGAIN, BACK, COUNT, FORTH, GAIN, LOSE, STEP, STOP, WIN

WHEEL = str(Path(__file__).with_name("wheel.py"))


@pytest.fixture
def wheel() -> Game:
    return plyforge.load(WHEEL)


def played(
    game: Game,
    first: list[Answer] | Scripted,
    second: list[Answer] | Scripted,
    rules: MatchRules = MatchRules(),
    balance: int = 0,
    opening: tuple[int, ...] = (),
) -> GameResult:
    one, two = (p if isinstance(p, Scripted) else Scripted(*p) for p in (first, second))
    history = game.history(game.initial()._replace(balance=balance))
    for move in opening:
        history.play(move)
    return Referee(game, rules).play((one, two), history)


# By the rules


def test_a_win_by_either_side(wheel):
    game = played(wheel, [WIN], [FORTH])
    assert (game.points, game.ending, game.loop, game.score) == (1.0, "rules", False, None)
    assert game.moves == (WIN,)
    assert game.reason == "the last move wins the game"
    assert played(wheel, [FORTH], [WIN]).points == 0.0


@pytest.mark.parametrize(("balance", "points"), [(7, 1.0), (-7, 0.0), (0, 0.5)])
@pytest.mark.parametrize("first", [[COUNT], [STEP]])
def test_a_final_score_is_for_the_first_player(wheel, first, balance, points):
    """Either side may end the game."""
    game = played(wheel, first, [COUNT], balance=balance)
    assert (game.points, game.score, game.ending) == (points, balance, "rules")
    assert game.loop is False


@pytest.mark.parametrize(("first", "points"), [([STOP], 1.0), ([STEP], 0.0)])
def test_a_side_without_moves_loses(wheel, first, points):
    game = played(wheel, first, [STOP])
    assert (game.points, game.ending) == (points, "rules")
    assert game.reason == "the side to move has no move"


def test_a_side_may_move_several_times(wheel):
    game = played(wheel, [AGAIN, AGAIN, WIN], [FORTH])
    assert (game.moves, game.points) == ((AGAIN, AGAIN, WIN), 1.0)
    game = played(wheel, [STEP], [AGAIN, AGAIN, COUNT], balance=3)
    assert (game.moves, game.points, game.score) == ((STEP, AGAIN, AGAIN, COUNT), 1.0, 3)


def test_the_first_player_keeps_its_side_whatever_the_length_of_the_opening(wheel):
    game = played(wheel, [WIN], [WIN], opening=(STEP,))
    assert (game.moves, game.points) == ((STEP, WIN), 0.0)
    game = played(wheel, [WIN], [WIN], opening=(STEP, STEP))
    assert game.points == 1.0


# By the way, and by the limit


@pytest.mark.parametrize(
    ("balance", "loop"), [(0, False), (4, False), (-4, False), (5, True), (-5, True), (100, True)]
)
def test_a_loop_is_a_draw_in_which_a_side_is_ahead(wheel, balance, loop):
    """By repetition, by lack of progress, by the limit of moves; from 5 % of the range on."""
    assert AHEAD == 0.05
    repeated = played(wheel, [FORTH], [BACK], balance=balance)
    assert (repeated.ending, repeated.reason) == ("path", "the position occurred 3 times")
    assert len(repeated.moves) == 4
    idle = played(wheel, [FORTH], [FORTH], balance=balance)
    assert (idle.ending, idle.reason) == ("path", "12 plies without progress")
    assert len(idle.moves) == 12
    long = played(wheel, [STEP], [STEP], MatchRules(max_plies=5), balance)
    assert (long.ending, long.reason) == ("limit", "the limit of 5 moves")
    assert len(long.moves) == 5
    for game in (repeated, idle, long):
        assert (game.points, game.score, game.loop) == (0.5, None, loop)


def test_a_draw_by_the_rules_is_not_a_loop(wheel):
    game = played(wheel, [COUNT], [COUNT], balance=0)
    assert (game.points, game.loop) == (0.5, False)


def test_a_loss_by_repetition_is_not_a_loop(wheel, monkeypatch):
    monkeypatch.setitem(wheel.rules.constants, "REPETITION", "loss")
    game = played(wheel, [FORTH], [BACK], balance=50)
    assert (game.ending, game.points, game.loop, game.score) == ("path", 1.0, False, None)


def test_an_opening_longer_than_the_limit_is_drawn_at_once(wheel):
    game = played(wheel, [WIN], [WIN], MatchRules(max_plies=2), 50, (STEP, STEP, STEP))
    assert (game.moves, game.ending, game.points, game.loop) == ((STEP,) * 3, "limit", 0.5, True)


def test_an_end_by_the_rules_comes_before_the_limit(wheel):
    game = played(wheel, [WIN], [WIN], MatchRules(max_plies=1))
    assert (game.ending, game.points) == ("rules", 1.0)


# By agreement


def thinks(move: int, score: float | None) -> Choice:
    return Choice(move, score)


ON_WINS = MatchRules(adjudication=Adjudication(win=0.5))
ON_DRAWS = MatchRules(adjudication=Adjudication(draw=0.1))


def test_a_win_is_adjudicated_when_both_agree_for_four_plies(wheel):
    game = played(wheel, [thinks(STEP, 50)], [thinks(STEP, -50)], ON_WINS)
    assert (game.ending, game.points, len(game.moves), game.loop) == ("adjudicated", 1.0, 4, False)
    assert game.reason == "both agree on a score of at least 0.5 of the range"
    game = played(wheel, [thinks(STEP, -1e7)], [thinks(STEP, 1e7)], ON_WINS)
    assert (game.ending, game.points, len(game.moves)) == ("adjudicated", 0.0, 4)


@pytest.mark.parametrize(
    ("one", "other"), [(50, 50), (49, -50), (50, -49), (50, None), (None, -50), (50, float("nan"))]
)
def test_no_win_is_adjudicated_without_agreement(wheel, one, other):
    rules = MatchRules(10, adjudication=Adjudication(win=0.5))
    assert played(wheel, [thinks(STEP, one)], [thinks(STEP, other)], rules).ending == "limit"


def test_one_lower_score_restarts_the_count(wheel):
    doubts = [thinks(STEP, 90), thinks(STEP, 10), thinks(STEP, 90)]
    game = played(wheel, doubts, [thinks(STEP, -90)], ON_WINS)
    assert (game.ending, len(game.moves)) == ("adjudicated", 7)


def test_a_side_that_moves_often_does_not_agree_with_itself(wheel):
    often = [*[thinks(AGAIN, 90)] * 5, thinks(STEP, 90)]
    game = played(wheel, often, [thinks(STEP, -90)], ON_WINS)
    assert (game.ending, len(game.moves)) == ("adjudicated", 7)


def test_a_draw_is_adjudicated_late_in_the_game(wheel):
    game = played(wheel, [thinks(STEP, 10)], [thinks(STEP, 10)], ON_DRAWS, balance=50)
    assert (game.ending, game.points, len(game.moves), game.loop) == ("adjudicated", 0.5, 40, False)
    assert game.reason == "both agree on a score of at most 0.1 of the range"
    long = MatchRules(60, adjudication=Adjudication(draw=0.1))
    assert played(wheel, [thinks(STEP, 11)], [thinks(STEP, 0)], long).ending == "limit"
    opening = (STEP,) * 39
    game = played(wheel, [thinks(STEP, 0)], [thinks(STEP, 0)], ON_DRAWS, opening=opening)
    assert len(game.moves) == 39 + 12


def test_no_game_is_adjudicated_by_default(wheel):
    for score in (0, 100):
        game = played(wheel, [thinks(STEP, score)], [thinks(STEP, -score)], MatchRules(60))
        assert game.ending == "limit"


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan"), float("inf")])
def test_a_share_out_of_range_is_refused(share):
    for name in ("win", "draw"):
        with pytest.raises(PlyforgeError, match=f"share for a {name} must be .* not {share!r}"):
            Adjudication(**{name: share})
    with pytest.raises(PlyforgeError, match=r"share for a win must be .* not 0\.0"):
        Adjudication(win=0.0)


# By a player's fault


class Hostile:
    def __eq__(self, other: object) -> bool:
        return True

    def __repr__(self) -> str:
        raise RuntimeError


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (99, "its move 99 is not legal"),
        (-1, "its move -1 is not legal"),
        (None, "its move None is not legal"),
        ("forth", "its move 'forth' is not legal"),
        (0.0, "its move 0.0 is not legal"),
        (Hostile(), "its move (a Hostile) is not legal"),
        (ValueError("no\n idea\udc80\0!"), "it failed: ValueError: no idea !"),
        (Mute(), "it failed: Mute: (a Mute)"),
        (PlyforgeError("lost"), "it failed: PlyforgeError: lost"),
        (SystemExit(3), "it failed: SystemExit: 3"),
        (MemoryError(), "it failed: MemoryError"),
        (Choice(STEP, score="much"), "it failed: TypeError: must be real number, not str"),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_a_fault_loses_the_game_and_is_reported(wheel, answer, fault, side):
    players = [[STEP], [STEP]]
    players[side] = [STEP, answer]
    game = played(wheel, *players, balance=50)
    assert game.reason == f"{('First', 'Second')[side]} loses: {fault}"
    assert (game.ending, game.points, game.loop) == ("forfeit", float(side == 1), False)
    assert game.moves == (STEP,) * (2 + side)


def test_a_numpy_integer_is_a_move_and_an_array_is_not(wheel):
    game = played(wheel, [np.array([1, 2])], [STEP])
    assert (game.ending, game.points) == ("forfeit", 0.0)
    assert played(wheel, [np.int64(WIN)], [STEP]).moves == (WIN,)
    assert type(played(wheel, [np.int64(WIN)], [STEP]).moves[0]) is int


def test_a_fault_on_a_second_move_in_a_row_loses_for_that_side(wheel):
    game = played(wheel, [STEP], [AGAIN, ValueError()])
    assert (game.points, len(game.moves)) == (1.0, 2)


def test_moves_that_a_player_tries_do_not_change_the_game(wheel):
    def tries(history, clock):
        history.play(STEP)
        history.play(WIN)
        history.moves.clear()
        return STEP

    game = played(wheel, [tries], [STEP], MatchRules(max_plies=4))
    assert (game.moves, game.ending) == ((STEP,) * 4, "limit")


def test_an_interrupt_is_not_a_fault(wheel):
    with pytest.raises(KeyboardInterrupt):
        played(wheel, [KeyboardInterrupt()], [STEP])


# Time


class Watch:
    """A clock that advances only when a player uses time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: self.now))

    def takes(self, seconds: float, move: int = STEP, nodes: int | None = None) -> Answer:
        def answer(history: object, clock: Clock | None) -> Choice:
            self.now += seconds
            return Choice(move, nodes=nodes)

        return answer


@pytest.fixture
def watch(monkeypatch) -> Watch:
    return Watch(monkeypatch)


def test_a_move_over_the_time_limit_loses(wheel, watch):
    slow = Scripted(watch.takes(1.2), watch.takes(1.3), seconds=1.0)
    game = played(wheel, slow, [STEP])
    assert game.reason == "First loses: it took 1.30 s, more than its 1 s"
    assert (game.ending, game.points, len(game.moves)) == ("forfeit", 0.0, 2)
    assert game.seconds == pytest.approx((2.5, 0.0))


def test_a_player_without_a_time_limit_may_think_long(wheel, watch):
    game = played(wheel, [watch.takes(200)], [WIN])
    assert (game.ending, game.seconds) == ("rules", (200.0, 0.0))


def test_a_clock_runs_down_and_gets_its_increment(wheel, watch):
    first, second = Scripted(watch.takes(4)), Scripted(watch.takes(1))
    rules = MatchRules(max_plies=6, clock=Clock(10.0, 2.0))
    game = played(wheel, first, second, rules)
    assert game.ending == "limit"
    assert [clock.left for clock in first.clocks] == pytest.approx([10, 8, 6])
    assert [clock.left for clock in second.clocks] == pytest.approx([10, 11, 12])


@pytest.mark.parametrize("side", [0, 1])
def test_a_player_that_exceeds_its_clock_loses(wheel, watch, side):
    players = [Scripted(watch.takes(1)), Scripted(watch.takes(1))]
    # What it promises for a move does not count beside a clock.
    players[side] = Scripted(watch.takes(6), watch.takes(4.5), seconds=0.1)
    game = played(wheel, *players, MatchRules(clock=Clock(10.0)))
    name = ("First", "Second")[side]
    assert game.reason == f"{name} loses: its time ran out (4.00 s left, 4.50 s used)"
    assert (game.ending, game.points) == ("forfeit", float(side == 1))


def test_time_runs_out_before_a_winning_move_counts(wheel, watch):
    game = played(wheel, [watch.takes(20, WIN)], [STEP], MatchRules(clock=Clock(10.0)))
    assert (game.ending, game.points) == ("forfeit", 0.0)


def test_nodes_and_seconds_are_summed_by_side(wheel, watch):
    first, second = [watch.takes(2, nodes=10)], [watch.takes(3)]
    game = played(wheel, first, second, MatchRules(max_plies=4))
    assert game.nodes == (20, 0)
    assert game.seconds == pytest.approx((4.0, 6.0))


def test_watch_is_called_before_every_move_with_its_time_limit(wheel, watch):
    heard = []
    rules = MatchRules(max_plies=3, hang_timeout=60.0)
    players = Scripted(STEP, seconds=2.0), Scripted(STEP)
    Referee(wheel, rules).play(
        players, wheel.history(), lambda history, seconds: heard.append((history.turn, seconds))
    )
    margin = module.TIME_MARGIN
    assert heard == [(0, 2.0 + margin), (1, 60.0), (0, 2.0 + margin)]
    heard.clear()
    rules = MatchRules(max_plies=1, clock=Clock(9.0))
    Referee(wheel, rules).play(
        players, wheel.history(), lambda history, seconds: heard.append((history.turn, seconds))
    )
    assert heard == [(0, 9.0 + margin)]


def test_games_without_turn_are_refereed_alike():
    """`last_letter` and the like have no `turn`."""
    game = plyforge.load("tictactoe")
    del game.rules.hooks["turn"]
    # X takes the left column, then O the middle one after an X stone elsewhere.
    history = game.history()
    result = Referee(game, MatchRules()).play((Scripted(0, 3, 6), Scripted(1, 4, 7)), history)
    assert (result.moves, result.points) == ((0, 1, 3, 4, 6), 1.0)
    result = Referee(game, MatchRules()).play(
        (Scripted(0, 3, 8), Scripted(1, 4, 7)), game.history()
    )
    assert (result.moves, result.points) == ((0, 1, 3, 4, 8, 7), 0.0)


def test_a_loop_is_decided_by_the_games_own_evaluation(wheel):
    """The one who is ahead may be the side to move or the other."""
    for gains in (5, 6):
        moves = [GAIN] * gains
        game = played(wheel, moves, [STEP], MatchRules(max_plies=2 * gains - 1))
        assert game.loop
    game = played(wheel, [GAIN], [LOSE], MatchRules(max_plies=3))
    assert not game.loop
