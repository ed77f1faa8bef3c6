"""`plyforge play`: whole games through a pipe, every command, every wrong input."""

import io
import re
import shlex
import sys
import textwrap
from pathlib import Path

import pytest

from plyforge.core.randomness import Stream
from plyforge.games import load
from plyforge.games import names as built_in_games
from plyforge.interfaces.cli.playcommands import Terminal

ROOT = Path(__file__).parents[3]
EXAMPLES, DOCS = ROOT / "examples", ROOT / "docs"
PASS = "XXOOOOOOXXXXXXXXXOOXOOXOXXOOXXOOXOOXXOOOXOOXOXOOXXXOXXO-XXXXXXXX O"


class Keys(io.StringIO):
    """Lines as a person writes them at a terminal; '^C' is the interrupt."""

    def isatty(self):
        return True

    def answer(self, prompt):
        line = self.readline()
        if not line:
            raise EOFError
        if line == "^C\n":
            raise KeyboardInterrupt
        return line.rstrip("\n")


@pytest.fixture
def game(plyforge, monkeypatch):
    """Play with the given lines as input: `game("tictactoe", lines=["b2", "undo"])`."""

    def run(*words, lines=()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return plyforge("play", *words)

    return run


@pytest.fixture
def terminal(plyforge, monkeypatch):
    """As `game`, with a terminal."""

    def run(*words, lines=()):
        keys = Keys("".join(f"{line}\n" for line in lines))
        monkeypatch.setattr(sys, "stdin", keys)
        monkeypatch.setattr("builtins.input", keys.answer)
        return plyforge("play", *words)

    return run


BOTH = ("tictactoe", "--side", "both")
RANDOM = ("tictactoe", "--opponent", "random", "--seed", "1")


def test_a_whole_game_of_two_people(game):
    answer = game(*BOTH, lines=["a1", "a2", "B1", " b2 ", "c1"])
    assert answer.code == 0
    assert answer.out.startswith("Tic-tac-toe; X: a person, O: a person\n")
    assert "O> a2\n" in answer.out
    assert "X played c1; game over: X has won: the last move wins the game\n" in answer.out
    assert "to resume" not in answer.out


def test_the_engine_answers_and_the_same_seed_gives_the_same_game(game):
    words = ("tictactoe", "--level", "3", "--seed", "4")
    answer = game(*words, lines=["b2", "quit"])
    assert answer.code == 0
    assert "X: a person, O: engine:level=3\n" in answer.out
    assert "; X to move\n" in answer.out
    assert game(*words, lines=["b2", "quit"]).out == answer.out


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        (("--depth", "3"), "engine:depth=3"),
        (("--nodes", "1234567"), "engine:nodes=1234567"),
        (("--time", "0.01", "--depth", "2"), "engine:depth=2,time=0.01"),
        (("--opponent", "engine:off=killers", "--depth", "3"), "engine:off=killers,depth=3"),
        (("--opponent", "engine:nodes=9", "--depth", "3"), "engine:nodes=9"),
        (("--opponent", "textbook", "--depth", "2", "--nodes", "9"), "textbook:depth=2"),
        (("--opponent", "random", "--depth", "3"), "random"),
    ],
)
def test_limits_replace_the_level_and_are_shown(game, limits, name):
    answer = game("tictactoe", *limits, "--side", "second", lines=[])
    assert f"X: {name}, O: a person\n" in answer.out
    assert "; O to move\n" in answer.out
    assert f"--side second --opponent {name} --moves" in answer.out


def test_a_side_may_be_given_by_its_name(game):
    answer = game("checkers", "--side", "White", "--opponent", "random", lines=[])
    assert "Black: random, White: a person\n" in answer.out


def test_two_players_can_be_watched(game):
    players = ("--opponent", "random", "--opponent", "textbook:depth=1")
    answer = game("tictactoe", "--side", "none", *players, "--seed", "2", lines=["undo", "redo"])
    assert answer.code == 0
    assert "X: random, O: textbook:depth=1\n" in answer.out
    assert answer.out.count("game over") == 2
    assert answer.out.index("> undo") > answer.out.index("game over")


def test_checkers_with_a_double_jump(game):
    answer = game(
        "checkers", "--side", "both", "--position", "B:W15,22,32:B11",
        lines=["11x18x25", "position", "32-28"],
    )  # fmt: skip
    assert "Black played 11x18x25; White to move\n" in answer.out
    assert "W:W32:B25\n" in answer.out
    assert "White played 32-28" in answer.out


@pytest.mark.parametrize("line", ["pass", "", "/", "PASS"])
def test_othello_with_a_pass(game, line):
    answer = game("othello", "--side", "both", "--position", PASS, lines=[line, "eval"])
    assert "White can only pass; press Enter\n" in answer.out
    passed = "White played pass; Black to move\n" in answer.out
    assert passed is (line != "/")
    assert "for the side to move, range" in answer.out


def test_a_final_score_is_shown(game):
    answer = game("othello", "--side", "both", "--position", PASS, lines=["", "h7"])
    assert "game over: Black has won by " in answer.out


def test_hex_swap_is_a_move_and_with_a_slash_a_command(game):
    words = ("hex:3,swap", "--side", "second", "--opponent", "random", "--seed", "3")
    answer = game(*words, lines=["swap", "/swap", ":position"])
    assert "Blue> swap\n" in answer.out
    assert "Hex; Red: a person, Blue: random\n" in answer.out
    assert "a1 swap " in answer.out.splitlines()[-1]
    # Once the move cannot be made, the word is the command.
    answer = game(*words, lines=["swap", "swap"])
    assert "Hex; Red: a person, Blue: random\n" in answer.out


def test_kalah_with_a_second_move(game):
    answer = game("kalah", "--opponent", "random", "--seed", "1", lines=["3", "1", "undo 2"])
    assert "South played 3; South to move\n" in answer.out
    assert answer.out.count("\nSouth to move\n") == 2


@pytest.mark.parametrize(("text", "piece"), [("a7a8n", "N"), ("a8=Q+", "Q"), ("a8=R", "R")])
def test_chess_with_a_promotion(game, text, piece):
    words = ("chess", "--side", "both", "--position", "8/P6k/8/8/8/8/8/K7 w - - 0 1")
    answer = game(*words, lines=[text, "position"])
    assert f"{piece}7/7k/8/8/8/8/8/K7 b - - 0 1\n" in answer.out


def test_a_draw_is_claimed(game):
    moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"
    lines = ["draw", "f6g8", "hint", "draw", "undo", "d2d4"]
    answer = game("chess", "--side", "both", "--moves", moves, lines=lines)
    assert "no draw can be claimed here" in answer.out
    assert "a draw can be claimed (the position occurred 3 times): enter 'draw'" in answer.out
    assert "the engine would claim the draw here" in answer.out
    assert "game over: a draw: the position occurred 3 times\n" in answer.out
    assert "White played d2d4; Black to move\n" in answer.out


def test_a_custom_game(game):
    words = (str(EXAMPLES / "last_letter.py"), "--opponent", "textbook:depth=3")
    answer = game(*words, lines=["r", "resign", "undo", "hint"])
    assert "Last letter; Anna: a person, Ben: textbook:depth=3\n" in answer.out
    assert "game over: Ben has won: Anna resigned\n" in answer.out
    assert "to resume: plyforge play " in answer.out


def test_a_custom_player_that_fails_loses(game, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def choose(history):\n    return 1 // 0\n", encoding="utf-8")
    answer = game("tictactoe", "--opponent", f"python:{file}", lines=["b2"])
    assert answer.code == 0
    assert "game over: X has won: O (python:" in answer.out
    assert "loses: it failed: ZeroDivisionError" in answer.out


def test_undo_and_redo(game):
    answer = game(*RANDOM, lines=["b2", "undo", "redo", "u", "undo", "redo 2", "undo 9", "undo x"])
    assert answer.out.count("\nX to move\n") == 3
    assert answer.out.count("; X to move\n") == 2
    assert "nothing can be taken back, not 1\n" in answer.out
    assert "only one turn can be redone, not 2\n" in answer.out
    assert "nothing can be taken back, not 9\n" in answer.out
    assert "'x' is not an integer\n" in answer.out


def test_undo_resumes_a_finished_game(game):
    moves = ("--moves", "a1 a2 b1 b2 c1")
    answer = game(*BOTH, *moves, lines=["c3", "moves", "hint", "resign", "draw", "undo", "c3"])
    assert "the game is over (the last move wins the game); take a move back" in answer.out
    assert "none: the game is over\n" in answer.out
    assert "'undo' takes a move back\n" in answer.out
    assert "X played c3; O to move\n" in answer.out
    answer = game(*BOTH, *moves, lines=["new", "b2"])
    assert "X played b2; O to move\n" in answer.out


def test_hint_level_eval_and_help(game):
    lines = ["hint", "level 7", "level 21", "level", "level x", "eval", "help", "/help"]
    answer = game("tictactoe", "--seed", "1", "--moves", "a1 b1 a2 b2", lines=lines)
    assert "X> hint\na3 (win in 1)\n" in answer.out
    assert "O: engine:level=7\n" in answer.out
    assert "level must be an integer between 1 and 20, not 21\n" in answer.out
    assert "enter 'level N'\n" in answer.out
    assert "evaluation " in answer.out
    assert answer.out.count("  undo [N] ") == 2
    assert "claim a draw" not in answer.out
    assert "claim a draw" in game("chess", "--side", "both", lines=["help"]).out


def test_the_page_shows_what_is_printed(game):
    text = (DOCS / "match" / "play.md").read_text(encoding="utf-8")
    session = textwrap.dedent(re.search(r"(    \$ plyforge play .*?)\n\n\S", text, re.S)[1])
    command, _, shown = session.partition("\n")
    lines = re.findall(r"^\w*> (.*)$", shown, re.M)
    answer = game(*shlex.split(command)[3:], lines=lines)
    assert answer.out.strip() == shown.strip()


def test_moves_stand_in_columns(game):
    answer = game("chess", "--side", "both", lines=["moves", "board", "board"])
    (row,) = (line for line in answer.out.splitlines() if line.startswith("a2a3"))
    assert "  " in row
    assert len(row) <= 80
    assert answer.out.count("8 r n b q k b n r") == 3


def test_an_unfinished_game_is_printed_as_a_command_to_resume(game):
    words = ("tictactoe", "--position", ".../.X./... O", "--side", "both")
    last = game(*words, lines=["a1", "c3"]).out.splitlines()[-1]
    assert last == (
        "to resume: plyforge play tictactoe --side both --position '.../.X./... O' --moves 'a1 c3'"
    )
    assert game(*RANDOM, lines=[]).out.endswith("X to move\n")


@pytest.mark.parametrize("name", [*built_in_games(), "hex:3,swap", "othello:4"])
def test_the_printed_command_resumes_the_game(game, name):
    stream, history = Stream(8), load(name).history()
    lines = []
    for _ in range(9):
        move = stream.choice(history.legal_moves() or [None])
        if move is None:
            break
        lines.append(history.game.move_text(history.position, move))
        history.play(move)
    lines = lines[:-1] if history.verdict().over else lines
    left = game(name, "--side", "both", lines=[*lines, "/position"]).out.splitlines()
    words = shlex.split(left[-1].removeprefix("to resume: plyforge play "))
    assert game(*words, lines=["/position"]).out.splitlines()[-2:] == left[-2:]


def test_a_game_continued_after_a_claimable_draw_can_be_resumed(game):
    moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 e2e4"
    answer = game("chess", "--side", "both", "--moves", moves, lines=["e7e5"])
    assert answer.out.endswith(f"--moves '{moves} e7e5'\n")


def test_a_new_game_prints_how_to_resume_the_old_one(game):
    answer = game(*BOTH, lines=["a1", "b1", "new", "c1", "quit", "never read"])
    assert "--moves 'a1 b1'\n" in answer.out
    assert answer.out.endswith("--moves c1\n")


def test_swap_changes_sides(game):
    answer = game(*RANDOM, lines=["swap"])
    assert "X: random, O: a person\n" in answer.out
    assert "; O to move\n" in answer.out
    assert "two people play" in game(*BOTH, lines=["swap", "level 3"]).out


@pytest.mark.parametrize(
    ("name", "file"), [("tictactoe", "a.txt"), ("chess", "a.pgn"), ("checkers", "a b.pdn")]
)
def test_a_saved_game_can_be_loaded_and_resumed(game, tmp_path, name, file):
    path = tmp_path / file
    words = (name, "--side", "second", "--opponent", "random", "--seed", "1")
    saved = game(*words, lines=[f"save {path}", "position"])
    assert f"wrote {path}; 'plyforge play {name} --side second" in saved.out
    position = saved.out.splitlines()[-2]
    answer = game("--load", str(path), "--opponent", "random", lines=["position"])
    assert position in answer.out
    assert answer.out.splitlines()[0].endswith(": a person")  # the second side, as it was saved
    loaded = game(name, "--opponent", "random", lines=[f"load {path}", "position"])
    assert loaded.code == 0
    assert position in loaded.out
    assert [child.name for child in tmp_path.iterdir()] == [file]


def test_a_resigned_game_is_over_after_loading_too(game, tmp_path):
    path = tmp_path / "a.txt"
    game(*BOTH, lines=["a1", "resign", f"save {path}"])
    answer = game("--load", str(path), lines=["undo", "b1"])
    assert "X played a1; game over: X has won: O resigned\n" in answer.out
    assert "O played b1; X to move\n" in answer.out


def test_the_last_of_several_games_is_loaded(game, tmp_path):
    path = tmp_path / "a.txt"
    one = "Plyforge record 1: tictactoe\n1. {}\nresult: *\n"
    path.write_text(one.format("a1") + one.format("b2"), encoding="utf-8")
    answer = game(*BOTH, lines=[f"load {path}"])
    assert "the last of 2 games\n" in answer.out
    assert "X played b2; O to move\n" in answer.out


def test_an_existing_file_is_kept_without_an_exclamation_mark(game, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("mine", encoding="utf-8")
    answer = game(*BOTH, lines=["a1", f"save {path}"])
    assert f"'{path}' exists; choose another name, or write 'save! {path}'\n" in answer.out
    assert path.read_text(encoding="utf-8") == "mine"
    assert f"wrote {path}" in game(*BOTH, lines=["a1", f"save! {path}"]).out
    assert path.read_text(encoding="utf-8").startswith("Plyforge record 1: tictactoe\n")


def test_a_save_that_fails_leaves_the_old_file(game, tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text("mine", encoding="utf-8")

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    answer = game(*BOTH, lines=["a1", f"save! {path}", "b1"])
    assert "cannot be written: No space left on device\n" in answer.out
    assert "O played b1" in answer.out
    assert path.read_text(encoding="utf-8") == "mine"
    assert [child.name for child in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x9", "'help' lists the commands"),
        ("h", "'h' may be 'hint' or 'help'"),
        ("/", "'' is not a command"),
        ("/b2", "'b2' is not a command"),
        ("res", "is not a legal move"),
        ("n", "is not a legal move"),
        ("board now", "'board' takes no argument; remove 'now'"),
        ("save", "enter 'save FILE'"),
        ("save /", "is not a regular file"),
        ("save nowhere/a.txt", "there is no folder 'nowhere'; make it first"),
        ("save a\0b", "is not a file name"),
        (f"save {'x' * 300}", "cannot be written"),
        ("save ~nobody-at-all/x", "'~nobody-at-all/x': "),
        ("load", "enter 'load FILE'"),
        ("load nowhere.txt", "no file nowhere.txt"),
        ("load .", "cannot be read"),
        ("load a\0b", "is not a file name"),
        ("go", "no player is to move"),
        ("draw", "no draw can be claimed here"),
        ("undo 0", "0 is not a number of turns"),
        ("redo", "there is no move to redo"),
        ("\x1b[A\ufffd", "is not a legal move"),
        ("b" * 5000, "(5000 characters)"),
    ],
)
def test_a_wrong_line_is_reported_and_the_game_continues(game, line, message):
    answer = game(*BOTH, lines=[line, "b2"])
    assert answer.code == 0
    assert message in answer.out
    assert "X played b2; O to move\n" in answer.out


def test_a_record_of_another_game_is_refused(game, tmp_path):
    path = tmp_path / "a.txt"
    game("connect4", "--side", "both", lines=["4", f"save {path}"])
    answer = game(*BOTH, lines=["a1", f"load {path}", "b1"])
    assert "this is a record of 'connect4', not of 'tictactoe'" in answer.out
    assert "--moves 'a1 b1'\n" in answer.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "name a game"),
        (("chekers",), "did you mean 'checkers'?"),
        (("tictactoe", "--side", "third"), "unknown side 'third'"),
        (("tictactoe", "--level", "0"), "level must be an integer between 1 and 20, not 0"),
        (("tictactoe", "--level", "x"), "'x' is not an integer"),
        (("tictactoe", "--level", "3", "--depth", "3"), "a level sets its own limits"),
        (("tictactoe", "--level", "3", "--opponent", "random"), "not both"),
        (("tictactoe", "--opponent", "stockfish"), "unknown kind of player 'stockfish'"),
        (("tictactoe", "--opponent", "engine"), "has no limit"),
        (("tictactoe", "--opponent", "random", "--opponent", "random"), "no side is left"),
        ((*BOTH, "--opponent", "random"), "--side both has none"),
        (("tictactoe", "--depth", "0"), "not 0"),
        (("tictactoe", "--seed", "x"), "'x' is not an integer"),
        (("tictactoe", "--position", "what"), "position 'what'"),
        (("tictactoe", "--moves", "z9"), "move 1, 'z9'"),
        (("tictactoe", "--load", "nowhere.txt"), "no file nowhere.txt"),
        (("tictactoe", "--load", "a", "--moves", "a1"), "leave out --position and --moves"),
        (("--load", "README.md"), "README.md"),
    ],
)
def test_wrong_options_end_with_2(game, words, message):
    answer = game(*words)
    assert answer.code == 2
    assert message in answer.err
    assert "Traceback" not in answer.err


def test_at_a_terminal_the_end_of_input_ends_the_game(terminal):
    answer = terminal(*BOTH, lines=["b2"])
    assert answer.code == 0
    assert answer.out.endswith("--moves b2\n")


@pytest.mark.parametrize(
    ("opponent", "message"),
    [("random", "O thinks \n"), ("engine:depth=1", "O thinks; Ctrl-C makes it move \n")],
)
def test_a_terminal_shows_who_thinks(terminal, opponent, message):
    answer = terminal("tictactoe", "--opponent", opponent, lines=["b2"])
    assert answer.code == 0
    assert message in answer.out


def test_an_interrupt_asks_whether_to_quit(terminal):
    answer = terminal(*BOTH, lines=["b2", "^C", "no", "a1", "^C", "yes", "never read"])
    assert answer.code == 0
    assert answer.out.endswith("--moves 'b2 a1'\n")


def test_a_second_interrupt_ends_with_130(terminal):
    answer = terminal(*BOTH, lines=["b2", "^C", "^C"])
    assert answer.code == 130
    assert answer.out.endswith("--moves b2\n")
    assert terminal(*BOTH, lines=["b2", "^C"]).code == 0


def test_an_interrupt_pauses_what_is_watched_until_go(terminal, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "asked = 0\n"
        "def choose(history):\n"
        "    global asked\n"
        "    asked += 1\n"
        "    if asked == 3:\n"
        "        raise KeyboardInterrupt\n"
        "    return history.legal_moves()[0]\n",
        encoding="utf-8",
    )
    words = ("tictactoe", "--side", "none", "--opponent", f"python:{file}", "--opponent", "random")
    answer = terminal(*words, "--seed", "1", lines=["no", "undo", "redo", "go"])
    assert answer.code == 0
    assert "game over" in answer.out


def test_an_interrupt_in_a_pipe_ends_with_130(game, monkeypatch):
    def interrupted(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(Terminal, "show", interrupted)
    assert game(*BOTH).code == 130


def test_without_standard_input_the_game_ends(plyforge, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert plyforge("play", *BOTH).code == 0


def test_bytes_that_are_not_text_are_a_wrong_move(plyforge, monkeypatch):
    data = io.BytesIO(b"\xff\xfe\xc3\nb2\n\xc3\xa9")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data, encoding="ascii"))
    answer = plyforge("play", *BOTH)
    assert answer.code == 0
    assert answer.out.count("is not a legal move") == 2
    assert "X played b2; O to move\n" in answer.out


def test_a_loaded_game_keeps_the_level_of_the_saved_one(game, tmp_path):
    path = tmp_path / "saved.txt"
    game("tictactoe", "--level", "1", lines=["b2", f"save {path}", "quit"])
    assert "engine:level=1" in path.read_text(encoding="utf-8")
    answer = game("--load", str(path), lines=["quit"])
    assert "engine:level=1" in answer.out
    assert "engine:level=2" in game("--load", str(path), "--level", "2", lines=["quit"]).out


def test_a_loaded_game_starts_no_program(game, tmp_path):
    path = tmp_path / "saved.txt"
    game("tictactoe", "--level", "1", lines=["b2", f"save {path}", "quit"])
    text = path.read_text(encoding="utf-8").replace("engine:level=1", "uci:/bin/touch")
    path.write_text(text, encoding="utf-8")
    answer = game("--load", str(path), lines=["quit"])
    assert answer.code == 0
    assert "uci" not in answer.out
