"""The Universal Chess Interface, driven by python-chess and line by line."""

import asyncio
import io
import os
import queue
import signal
import sys
import threading
from contextlib import suppress

import chess
import chess.engine
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.uci import _MAX_PLIES, OPTIONS, EngineHost, Go, Output, UciServer, level_of
from plyforge.search.options import PRESETS
from plyforge.search.parameters import MAX_PLIES
from tests.games.tiers import with_long
from tests.processes import popen

COMMAND = [sys.executable, "-m", "plyforge", "uci"]
TIMEOUT = 120.0
"""Seconds after which a process counts as hanging; it may have to compile."""


class Client:
    """A process of the engine, and the lines that it prints."""

    def __init__(self, *game, **options):
        self.process = popen(
            [*COMMAND, *game], stdin=-1, stdout=-1, stderr=-1, text=True, bufsize=1, **options
        )
        self._lines = queue.SimpleQueue()
        self._drained = 0
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def send(self, *lines):
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, start):
        """The lines up to the first that begins with a word."""
        lines = []
        while True:
            lines.append(self._lines.get(timeout=TIMEOUT))
            assert lines[-1] is not None, lines
            if lines[-1].startswith(start):
                return lines

    def ask(self, *lines, start="bestmove"):
        self.send(*lines)
        return self.until(start)

    def drain(self):
        """Read everything that earlier commands have caused, by an error of its own kind."""
        self._drained += 1
        mark = f"mark-{self._drained}"
        self.send("stop", f"setoption name MultiPV value {mark}")
        while mark not in self.until("info string")[-1]:
            pass

    def rest(self):
        return list(iter(lambda: self._lines.get(timeout=TIMEOUT), None))

    def end(self):
        """Close the input; return the exit code."""
        with suppress(BrokenPipeError):  # it ended without reading everything
            self.process.stdin.close()
        code = self.process.wait(TIMEOUT)
        self._thread.join(TIMEOUT)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


@pytest.fixture(scope="module")
def shared():
    client = Client()
    client.ask("uci", start="uciok")
    client.ask("isready", start="readyok")
    yield client
    assert client.end() == 0


@pytest.fixture
def client(shared):
    """The engine with the options of a new process."""
    for option in OPTIONS:
        if option.kind != "button":
            shared.send(f"setoption name {option.name} value {option.default or '<empty>'}")
    shared.ask("ucinewgame", "position startpos", "isready", start="readyok")
    shared.drain()
    return shared


@pytest.fixture(scope="module")
def engine():
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=TIMEOUT) as one:
        yield one


def bestmove(lines):
    return lines[-1].split()[1]


# python-chess as the client


def test_the_options_are_declared_with_their_ranges(engine):
    assert set(engine.options) == {option.name for option in OPTIONS}
    assert engine.options["Hash"].max == 65536
    assert engine.options["Clear Hash"].type == "button"
    assert tuple(engine.options["Preset"].var) == tuple(PRESETS)
    assert engine.id["name"].startswith("Plyforge")


def test_an_analysis_reports_scores_and_legal_lines(engine):
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
    info = engine.analyse(board, chess.engine.Limit(nodes=20_000))
    assert info["score"].relative == chess.engine.Mate(1)
    assert board.san(info["pv"][0]) == "Qxf7#"
    assert 0 < info["nodes"] <= 20_000
    assert {"depth", "time", "nps", "hashfull"} <= set(info)


def test_multipv_gives_different_first_moves_in_order(engine):
    infos = engine.analyse(chess.Board(), chess.engine.Limit(depth=3), multipv=4)
    assert len({info["pv"][0] for info in infos}) == 4
    scores = [info["score"].relative.score() for info in infos]
    assert scores == sorted(scores, reverse=True)


def test_a_game_with_clocks_is_legal_to_the_end(engine):
    board = chess.Board("8/8/8/8/8/2k5/2r5/K7 b - - 0 1")
    limit = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01)
    game = object()
    while not board.is_game_over() and len(board.move_stack) < 60:
        result = engine.play(board, limit, game=game)
        assert result.move in board.legal_moves
        board.push(result.move)
    assert board.is_checkmate()


def test_pondering_continues_with_the_expected_move(engine):
    board, game = chess.Board(), object()
    limit = chess.engine.Limit(white_clock=0.5, black_clock=0.5, nodes=3000)
    for _ in range(3):
        result = engine.play(board, limit, game=game, ponder=True)
        board.push(result.move)
        board.push(result.ponder or next(iter(board.legal_moves)))
    result = engine.play(board, limit, game=game)
    assert result.move in board.legal_moves


def test_root_moves_restrict_the_search(engine):
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    result = engine.play(chess.Board(), chess.engine.Limit(depth=2), root_moves=moves)
    assert result.move in moves


@pytest.mark.long  # it compiles three kernels of chess
def test_options_can_be_changed_between_searches(engine):
    limit = chess.engine.Limit(depth=2)
    for options in ({"Hash": 2}, {"Preset": "exact"}, {"Evaluation": "teaching"}, {"Threads": 2}):
        assert engine.play(chess.Board(), limit, options=options).move is not None


def test_an_endless_analysis_can_be_stopped():
    async def run():
        transport, protocol = await chess.engine.popen_uci(COMMAND)
        with await protocol.analysis(chess.Board()) as analysis:
            async for info in analysis:
                if info.get("depth", 0) >= 3:
                    break
        best = await analysis.wait()
        await protocol.quit()
        transport.close()
        return best.move

    assert asyncio.run(asyncio.wait_for(run(), TIMEOUT)) in chess.Board().legal_moves


# Line by line


def test_isready_is_answered_during_a_search(client):
    client.send("go infinite", "isready")
    client.until("readyok")
    assert bestmove(client.ask("stop")) != "(none)"


def test_a_stop_that_follows_at_once_is_not_missed(client):
    for _ in range(20):
        move = bestmove(client.ask("go infinite", "stop"))
        assert chess.Move.from_uci(move) in chess.Board().legal_moves


def test_stop_position_and_go_in_one_burst_give_two_answers(client):
    client.send("go infinite", "stop", "position startpos moves e2e4", "go depth 1")
    first, second = bestmove(client.until("bestmove")), bestmove(client.until("bestmove"))
    assert chess.Move.from_uci(first) in chess.Board().legal_moves
    assert second[1] in "78"


def test_a_second_go_is_refused_while_the_first_waits_for_stop(client):
    client.send("go infinite", "go depth 1")
    assert "stop first" in client.until("info string error")[-1]
    client.ask("stop")


def test_a_search_that_ends_early_waits_for_stop_or_ponderhit(client):
    mate = "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
    for go, release in (("go infinite", "stop"), ("go ponder depth 1", "ponderhit")):
        client.send(mate, go)
        client.until("info depth")
        lines = client.ask("isready", start="readyok")
        assert not any(line.startswith("bestmove") for line in lines)
        assert bestmove(client.ask(release)) == "d1d8"


def test_the_clock_counts_after_a_ponderhit(client):
    client.send("go ponder wtime 200 btime 200")
    client.until("info depth")
    client.ask("ponderhit")
    client.ask("go ponder movetime 50", "ponderhit")
    client.send("go ponder wtime 200 btime 200")
    client.until("info depth")
    client.ask("stop")


@pytest.mark.parametrize(
    "go",
    [
        "wtime 100 btime 100",
        "wtime 100 btime 100 winc 10 binc 10",
        "wtime 100 btime 100 movestogo 1",
        "wtime 1 btime 1 movestogo 40",
        "wtime -50 btime -50",
        "btime 100",
        "movetime 20",
        "movetime 0",
        "wtime 10000 btime 10000 movetime 20",
        "depth 3",
        "depth 0",
        "depth 100000 nodes 500",
        "nodes 1",
        "nodes 0",
        "mate 1",
        "nodes 2000 searchmoves e2e4",
        "searchmoves e2e4 nodes 2000",
        "depth 2 searchmoves nonsense e2e5",
        "depth two nodes 100",
        "depth 2 joho 3",
    ],
)
def test_every_form_of_go_ends_with_a_legal_move(client, go):
    move = bestmove(client.ask(f"go {go}"))
    assert chess.Move.from_uci(move) in chess.Board().legal_moves
    if go.endswith("e2e4") or "searchmoves e2e4" in go:
        assert move == "e2e4"


def test_a_search_for_mate_ends_when_it_is_found(client):
    fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"
    lines = client.ask(f"position fen {fen}", "go mate 9")
    assert bestmove(lines) == "g3g6"
    assert " score mate 2 " in lines[-2]


def test_a_lost_position_has_a_negative_mate_score(client):
    lines = client.ask("position fen 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", "go depth 4")
    assert bestmove(lines) == "h8h7"
    assert " score mate -1 " in lines[-2]


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),  # stalemate
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"),
    ],
)
def test_a_finished_game_has_no_move(client, fen, score):
    lines = client.ask(f"position fen {fen}", "go depth 3")
    assert lines[-2:] == [f"info depth 0 score {score}", "bestmove (none)"]


@pytest.mark.parametrize(
    "position",
    [
        "startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 3,
        "fen 4k3/8/8/8/8/8/3R4/4K3 w - - 100 90",
        "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2 e8e7",
    ],
)
def test_a_client_may_play_on_after_a_draw(client, position):
    move = bestmove(client.ask(f"position {position}", "go depth 3"))
    board = chess.Board()
    head, _, moves = position.partition(" moves")
    if head != "startpos":
        board.set_fen(head.removeprefix("fen "))
    for text in moves.split():
        board.push_uci(text)
    assert chess.Move.from_uci(move) in board.legal_moves


def test_a_longer_game_and_another_game_replace_the_position(client):
    moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"
    for count in range(7):
        line = " ".join(moves.split()[:count])
        board = chess.Board()
        for text in line.split():
            board.push_uci(text)
        client.send(f"position startpos moves {line}" if line else "position startpos")
        move = bestmove(client.ask("go depth 1"))
        assert chess.Move.from_uci(move) in board.legal_moves
    move = bestmove(client.ask("position startpos moves d2d4", "go depth 1"))
    board = chess.Board()
    board.push_uci("d2d4")
    assert chess.Move.from_uci(move) in board.legal_moves


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("position startpos moves e2e5", "e2e5"),
        ("position fen 8/8/8 w - - 0 1", "8 rows"),
        ("position", "startpos"),
        ("position fen", "0"),
    ],
)
def test_a_wrong_position_is_reported_and_not_searched(client, line, named):
    lines = client.ask(line, "go depth 2")
    assert any("error" in one and named in one for one in lines)
    assert lines[-1] == "bestmove (none)"
    assert bestmove(client.ask("position startpos", "go depth 1")) != "(none)"


@pytest.mark.parametrize(
    ("option", "named"),
    [
        ("name Hash value 0", "between 1 and 65536"),
        ("name Hash value many", "'many'"),
        ("name Threads value 1000", "'1000'"),
        ("name Preset value best", "exact, play"),
        ("name Ponder value maybe", "true or false"),
        ("name UCI_Elo value 9999", "9999"),
        ("name Nothing value 1", "unknown option 'Nothing'"),
        ("name Evaluation value nothing", "nothing"),
        ("name Evaluation value missing file.npz", "missing file.npz"),
        ("name Hash value 65536", "too large"),
        ("", "unknown option"),
    ],
)
def test_a_wrong_option_is_reported_and_the_old_value_stays(client, option, named):
    lines = client.ask(f"setoption {option}", "isready", start="readyok")
    if "65536" in option and len(lines) == 1:
        pytest.skip("this machine has a lot of memory")
    assert any("error" in line and named in line for line in lines)
    assert bestmove(client.ask("go depth 2")) != "(none)"


def test_limited_strength_plays_legal_moves_and_keeps_to_the_clock(client):
    client.send("setoption name UCI_LimitStrength value true")
    for elo in (500, 1500, 2400):
        client.send(f"setoption name UCI_Elo value {elo}")
        move = bestmove(client.ask("go wtime 200 btime 200"))
        assert chess.Move.from_uci(move) in chess.Board().legal_moves
    client.send("go ponder wtime 200 btime 200")
    assert bestmove(client.ask("ponderhit")) != "(none)"
    client.send("setoption name UCI_AnalyseMode value true")
    assert len(client.ask("go depth 5")) > 3


def test_garbage_never_ends_it(client):
    client.process.stdin.buffer.write(b"\x00\xff\xfe\n" + b"x" * (1 << 21) + b"\n\n   \n")
    client.process.stdin.buffer.write("position fen ☃ moves ☃\ngo depth ٣ nodes 10\n".encode())
    client.process.stdin.buffer.flush()
    client.until("bestmove")
    client.ask("joho isready", start="readyok")
    client.ask("position startpos", "go nodes 10")


@pytest.mark.long
@pytest.mark.parametrize("game", ["tictactoe", "connect4:5x4", "checkers", "othello"])
def test_other_games_use_their_own_notation(game):
    client = Client(game)
    first = bestmove(client.ask("position startpos", "go nodes 500"))
    second = bestmove(client.ask(f"position startpos moves {first}", "go nodes 500"))
    assert second != "(none)"
    assert client.end() == 0


@pytest.mark.parametrize(
    "commands", with_long([["go infinite"]], [[], ["uci"], ["isready"], ["go depth 30"]])
)
def test_the_end_of_the_input_ends_it_at_any_time(commands):
    client = Client()
    client.send(*commands)
    assert client.end() == 0


@pytest.mark.parametrize("last", with_long(["quit"], [None]))
def test_quit_and_the_end_of_the_input_end_a_compilation(tmp_path, last):
    client = Client("tictactoe", env={**os.environ, "PLYFORGE_CACHE": str(tmp_path)})
    client.send("isready")
    assert "compiling" in client.until("info string compiling")[-1]
    if last is not None:
        client.send(last)
    assert client.end() == 0
    assert "readyok" not in client.rest()


def test_quit_during_a_search_stops_and_answers_it():
    client = Client("tictactoe")
    client.send("go infinite", "isready")
    client.until("readyok")
    client.send("quit")
    assert client.rest()[-1].startswith("bestmove")
    assert client.end() == 0


def test_ctrl_c_ends_it():
    client = Client("tictactoe")
    client.ask("uci", start="uciok")
    client.process.send_signal(signal.SIGINT)
    client.rest()
    assert client.end() == 130


@pytest.mark.parametrize(
    ("game", "named"),
    [
        ("ches", "did you mean 'chess'"),
        pytest.param("none.py", "none.py", marks=pytest.mark.long),
        pytest.param("hex:x", "hex", marks=pytest.mark.long),
    ],
)
def test_an_unknown_game_is_wrong_input(game, named):
    client = Client(game)
    with suppress(BrokenPipeError):
        client.send("isready")
    client.rest()
    error = client.process.stderr.read()
    assert named in error
    assert "Traceback" not in error
    assert client.end() == 2


# In this process


COMMAND_WORDS = [
    *("position", "startpos", "fen", "moves", "a1", "b2", "go", "depth", "nodes", "5", "infinite"),
    *("ponder", "stop", "ponderhit", "isready", "setoption", "name", "value", "MultiPV", "Ponder"),
    "searchmoves",
]
HOST = EngineHost("tictactoe", Output(io.BytesIO()))
"""Shared by the examples of a test, because loading takes time."""


_words = st.text(max_size=5).filter(lambda text: "quit" not in text)
_words |= st.integers().map(str) | st.sampled_from(COMMAND_WORDS)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(_words, max_size=6).map(" ".join), max_size=8))
def test_any_lines_are_survived_and_every_search_is_answered(lines):
    written = io.BytesIO()
    HOST._output = Output(written)
    server = UciServer("tictactoe", HOST._output)
    server._host = HOST
    end = ["stop", "stop", "position startpos", "go depth 1"]
    done = threading.Event()
    server.run(f"{line}\n".encode("utf-8", "replace") for line in [*lines, *end])
    for search in server._pending():
        assert search.finished.wait(TIMEOUT)
    server._tasks.put(done.set)
    assert done.wait(TIMEOUT)
    assert written.getvalue().splitlines()[-1].startswith(b"bestmove ")


def test_a_rating_is_mapped_to_a_level():
    assert [level_of(elo) for elo in (-5, 500, 1449, 2400, 9000)] == [1, 1, 10, 20, 20]


def test_constants_that_are_repeated_for_a_fast_start_agree():
    assert _MAX_PLIES == MAX_PLIES
    preset = next(option for option in OPTIONS if option.name == "Preset")
    assert preset.choices == tuple(PRESETS)


_WORDS = "wtime 1000 btime 50 winc 20 binc 30 movestogo 5 movetime 100".split()  # noqa: SIM905


def test_the_limits_of_go_respect_the_overhead():
    go = Go.parse(_WORDS)
    assert go.clock_values(0, 0.1) == (0.9, 0.02, 5)
    assert go.clock_values(1, 0.1) == (0.001, 0.03, 5)
    assert go.seconds(0.03) == pytest.approx(0.07)
    assert go.seconds(0.09) == pytest.approx(0.05)


def test_option_values_are_checked():
    option = next(option for option in OPTIONS if option.name == "Hash")
    assert option.read("16") == 16
    with pytest.raises(PlyforgeError, match="between 1 and 65536, not '-1'"):
        option.read("-1")
