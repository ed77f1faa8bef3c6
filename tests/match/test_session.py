"""Sessions: turns of people and players, back and forth, ends, records."""

import pytest

import plyforge
from plyforge import Game, PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.engine.clock import Clock
from plyforge.game.game import History
from plyforge.match.players import Choice, Interruptible, player
from plyforge.match.session import PERSON, End, Seat, Session, people_of
from plyforge.rules import GameRecord

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8") * 2
"""Knights go out and back: the start stands on the board three times."""


class Scripted:
    """A player of given moves, as texts; an error or an interrupt is raised in its turn."""

    seconds = None

    def __init__(self, *moves: str | BaseException) -> None:
        self._moves = list(moves)
        self.seeds: list[int] = []

    def begin(self, seed: int) -> None:
        self.seeds.append(seed)

    def choose(self, history: History, clock: Clock | None) -> Choice:
        move = self._moves.pop(0)
        if isinstance(move, BaseException):
            raise move
        return Choice(history.game.parse_move(history.position, move))

    def close(self) -> None:
        self.seeds.append(-1)


class InterruptedPlayer(Scripted):
    """A player that is always interrupted, and then plays the move 4 if it may."""

    def choose(self, history: History, clock: Clock | None) -> Choice:
        raise KeyboardInterrupt

    def choose_until_interrupted(self, history: History, clock: Clock | None) -> Choice:
        return Choice(4)


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return plyforge.load("tictactoe")


@pytest.fixture(scope="module")
def chess() -> Game:
    return plyforge.load("chess")


def session_of_people(game: Game, moves: str = "") -> Session:
    """A session of two people with some moves made."""
    session = Session(game, (Seat(), Seat()))
    for text in moves.split():
        session.play_text(text)
    return session


def session_against(game: Game, *moves: str | BaseException, side: int = 1) -> Session:
    """A person against a player who has a side."""
    seat = Seat(Scripted(*moves), "scripted")
    return Session(game, (seat, Seat()) if side == 0 else (Seat(), seat))


def texts(session: Session) -> list[str]:
    return list(session.record().moves)


def test_a_person_and_a_player_take_turns(tictactoe):
    session = session_against(tictactoe, "a1", "a2")
    assert session.waits_for_person
    assert not session.waits_for_player
    session.play_text("b2")
    assert session.waits_for_player
    session.reply()
    assert session.last_move() == (1, "a1")
    session.play_text("c3")
    session.reply()
    assert texts(session) == ["b2", "a1", "c3", "a2"]


def test_undo_takes_back_to_the_persons_turn(tictactoe):
    session = session_against(tictactoe, "a1", "a2")
    for text in ("b2", "c3"):
        session.play_text(text)
        session.reply()
    session.undo()
    assert texts(session) == ["b2", "a1"]
    session.undo()
    assert texts(session) == []
    with pytest.raises(PlyforgeError, match="nothing can be taken back"):
        session.undo()
    session.redo(2)
    assert texts(session) == ["b2", "a1", "c3", "a2"]
    with pytest.raises(PlyforgeError, match="no move to redo"):
        session.redo()
    session.undo(2)
    with pytest.raises(PlyforgeError, match="only 2 turns can be redone, not 3"):
        session.redo(3)
    assert texts(session) == []


def test_undo_after_the_persons_own_move_takes_back_just_that(tictactoe):
    session = session_against(tictactoe)
    session.play_text("b2")
    session.undo()
    assert texts(session) == []


def test_a_players_first_move_stays(tictactoe):
    session = session_against(tictactoe, "b2", side=0)
    session.reply()
    with pytest.raises(PlyforgeError, match="nothing can be taken back"):
        session.undo()


def test_undo_takes_back_one_move_between_two_people_or_two_players(tictactoe):
    session = session_of_people(tictactoe, "a1 b1 c1")
    session.undo()
    assert texts(session) == ["a1", "b1"]
    watched = Session(tictactoe, (Seat(Scripted("a1")), Seat(Scripted("b1"))))
    watched.reply()
    watched.reply()
    watched.undo()
    assert texts(watched) == ["a1"]


@pytest.mark.parametrize("turns", [0, -1, True, 1.0])
def test_a_number_of_turns_is_checked(tictactoe, turns):
    session = session_of_people(tictactoe, "a1 b1")
    with pytest.raises(PlyforgeError, match="not a number of turns"):
        session.undo(turns)
    with pytest.raises(PlyforgeError, match="not a number of turns"):
        session.redo(turns)


def test_repeating_an_undone_move_keeps_redo_and_another_move_drops_it(tictactoe):
    session = session_of_people(tictactoe, "a1 b1 c1")
    session.undo(2)
    session.play_text("b1")
    session.redo()
    assert texts(session) == ["a1", "b1", "c1"]
    session.undo(2)
    session.play_text("b2")
    with pytest.raises(PlyforgeError, match="no move to redo"):
        session.redo()


def test_random_undo_and_redo_end_at_the_position_of_the_moves(chess):
    stream, session = Stream(5), session_of_people(chess)
    for _ in range(150):
        step = stream.below(4)
        try:
            (session.undo if step == 0 else session.redo)(1 + stream.below(3)) if step < 2 else (
                session.play(stream.choice(session.legal_moves()))
            )
        except PlyforgeError:
            continue
        again = chess.history()
        again.play_text(" ".join(texts(session)))
        assert chess.text(again.position) == chess.text(session.history.position)
        assert again.keys == session.history.keys


def test_the_end_has_result_reason_and_score(tictactoe):
    session = session_of_people(tictactoe, "a1 a2 b1 b2 c1")
    assert session.end == End("1-0", "the last move wins the game")
    assert session.end.winner == 0
    assert session.legal_moves() == []
    with pytest.raises(PlyforgeError, match="the game is over"):
        session.play_text("c3")
    session.undo()
    assert session.end is None
    othello = Session(plyforge.load("othello"), (Seat(), Seat()))
    othello.load(GameRecord((), start="X" * 40 + "O" * 24 + " X"))
    assert othello.end is not None
    assert othello.end.score == 16
    assert othello.record().tags["Score"] == "+16"


def test_undo_after_resigning_takes_back_only_that(tictactoe):
    session = session_against(tictactoe, "a1")
    session.play_text("b2")
    session.reply()
    session.resign()
    assert session.end == End("0-1", "X resigned")
    assert session.record().result == "0-1"
    session.undo()
    assert session.end is None
    assert texts(session) == ["b2", "a1"]


def test_the_only_person_resigns_also_when_the_player_is_to_move(tictactoe):
    session = session_against(tictactoe)
    session.play_text("b2")
    session.resign()
    assert session.end is not None
    assert session.end.winner == 1
    with pytest.raises(PlyforgeError, match="the game is over"):
        session.resign()


def test_a_person_may_claim_a_draw_or_play_on(chess):
    session = session_of_people(chess, " ".join(SHUFFLE))
    assert session.claimable() == "the position occurred 3 times"
    assert session.end is None
    session.play_text("e2e4")
    assert session.claimable() is None
    with pytest.raises(PlyforgeError, match="no draw can be claimed here"):
        session.claim_draw()
    session.undo()
    session.claim_draw()
    assert session.end == End("1/2-1/2", "the position occurred 3 times")
    assert session.end.winner is None


def test_a_player_claims_every_draw(chess):
    session = session_against(chess, *SHUFFLE[::2], side=0)
    for text in SHUFFLE[1::2]:
        session.reply()
        session.play_text(text)
    assert session.end == End("1/2-1/2", "the position occurred 3 times")


@pytest.mark.parametrize(
    ("fault", "message"), [(ValueError("no idea"), "ValueError: no idea"), ("b2", "MoveError")]
)
def test_a_player_that_fails_loses_and_the_person_may_go_back(tictactoe, fault, message):
    session = session_against(tictactoe, fault, "a1")
    session.play_text("b2")
    assert session.reply() is None
    assert session.end is not None
    assert session.end.winner == 0
    assert message in session.end.reason
    session.undo()
    assert texts(session) == []
    session.play_text("b2")
    session.reply()
    assert texts(session) == ["b2", "a1"]


def test_an_illegal_move_loses(tictactoe):
    class Wrong(Scripted):
        def choose(self, history: History, clock: Clock | None) -> Choice:
            return Choice(99)

    session = Session(tictactoe, (Seat(Wrong(), "wrong"), Seat()))
    session.reply()
    assert session.end == End("0-1", "X (wrong) loses: its move 99 is not legal")


def test_an_interrupted_player_plays_its_best_move_so_far(tictactoe):
    session = Session(tictactoe, (Seat(InterruptedPlayer()), Seat()))
    session.reply()
    assert session.history.moves == [4]


@pytest.mark.parametrize(
    ("player", "interruptible"),
    [(Scripted(KeyboardInterrupt()), True), (InterruptedPlayer(), False)],
)
def test_an_interrupt_is_raised_if_no_move_is_found_or_requested(tictactoe, player, interruptible):
    session = Session(tictactoe, (Seat(player), Seat()))
    with pytest.raises(KeyboardInterrupt):
        session.reply(interruptible)
    assert session.waits_for_player


@pytest.mark.parametrize("description", ["engine:depth=2", "engine:level=3"])
def test_engine_players_can_be_interrupted(tictactoe, description):
    engine = player(tictactoe, description)
    assert isinstance(engine, Interruptible)
    choice = engine.choose_until_interrupted(tictactoe.history(), None)
    engine.begin(0)
    assert choice == engine.choose(tictactoe.history(), None)


def test_reply_is_refused_when_no_player_is_to_move(tictactoe):
    with pytest.raises(PlyforgeError, match="no player is to move"):
        session_against(tictactoe).reply()


def test_swapping_gives_the_turn_to_the_player(tictactoe):
    session = session_against(tictactoe, "c3")
    assert session.people == [0]
    session.swap()
    assert session.people == [1]
    session.reply()
    assert session.last_move() == (0, "c3")


def test_a_new_game_has_the_same_start_and_another_seed(tictactoe):
    scripted = Scripted("a1")
    start = tictactoe.history()
    start.play_text("b2")
    session = Session(tictactoe, (Seat(), Seat(scripted)), start, seed=7)
    session.reply()
    session.restart()
    assert texts(session) == []
    session.close()
    assert scripted.seeds == [8, 10, -1]


def test_a_seat_can_be_given_to_another_player(tictactoe):
    session = session_against(tictactoe)
    other = Scripted("a3")
    session.seat(1, Seat(other, "other"))
    session.play_text("b2")
    session.reply()
    assert session.record().tags == {"X": PERSON, "O": "other"}
    assert other.seeds == [1]


def test_a_forced_pass_is_recognised():
    game = plyforge.load("othello")
    text = "XXOOOOOOXXXXXXXXXOOXOOXOXXOOXXOOXOOXXOOOXOOXOXOOXXXOXXO-XXXXXXXX O"
    session = Session(game, (Seat(), Seat()), game.history(game.parse(text)))
    assert session.must_pass()
    session.play_text("pass")
    assert not session.must_pass()


@pytest.mark.parametrize("name", ["tictactoe", "chess", "othello", "kalah", "checkers"])
def test_a_saved_record_resumes_the_game(name):
    game, stream = plyforge.load(name), Stream(3)
    session = Session(game, (Seat(), Seat()))
    for _ in range(4):
        session.play(stream.choice(session.legal_moves()))
    (read,) = game.read_games(game.write_game(session.record()))
    assert people_of(game, read) == [0, 1]
    other = Session(game, (Seat(), Seat()))
    other.load(read)
    assert other.history.keys == session.history.keys
    assert other.end is None
    session.resign(1)
    (read,) = game.read_games(game.write_game(session.record()))
    other.load(read)
    assert other.end == session.end
    other.undo()
    assert other.record().result == "*"
    assert "Termination" not in other.record().tags


def test_a_recorded_result_without_a_reason_counts(tictactoe):
    session = session_of_people(tictactoe)
    session.load(GameRecord(("a1",), "0-1"))
    assert session.end == End("0-1", "as recorded")


def test_comments_of_a_loaded_record_are_kept_up_to_the_last_common_move(tictactoe):
    session = session_of_people(tictactoe)
    session.load(
        GameRecord(
            ("a1", "b1", "c3"),
            tags={"Event": "Cup"},
            comments={0: "start", 1: "corner", 3: "other corner"},
            marks={2: "?"},
        )
    )
    session.undo()
    session.play_text("c2")
    record = session.record()
    assert record.tags == {"Event": "Cup", "X": PERSON, "O": PERSON}
    assert record.comments == {0: "start", 1: "corner"}
    assert record.marks == {2: "?"}


def test_a_record_that_cannot_be_played_leaves_the_session_unchanged(tictactoe):
    session = session_of_people(tictactoe, "b2")
    with pytest.raises(PlyforgeError, match="move 2"):
        session.load(GameRecord(("a1", "a1")))
    assert texts(session) == ["b2"]


def test_a_repeating_move_is_refused_where_repetition_is_illegal(tmp_path):
    file = tmp_path / "ring.py"
    file.write_text(
        'REPETITION = "illegal"\n'
        "def initial(): return (0, 0)\n"
        "def moves(position):\n    yield 1\n    yield -1\n"
        "def play(position, move): return ((position[0] + move) % 4, 1 - position[1])\n",
        encoding="utf-8",
    )
    session = session_of_people(plyforge.load(str(file), backend="python"), "1")
    assert session.legal_moves() == [1]
    with pytest.raises(PlyforgeError, match="repeats an earlier position"):
        session.play_text("-1")
