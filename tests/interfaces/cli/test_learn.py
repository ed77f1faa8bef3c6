"""`plyforge learn`."""

import csv
import errno
import io
import os
import signal
from dataclasses import replace

import pytest

from plyforge.core import writing
from plyforge.interfaces.cli import learn as cli_learn
from plyforge.interfaces.cli.progress import Progress
from plyforge.learn.games import GameQueue
from plyforge.learn.runs import LearningRun
from plyforge.learn.store import LearningStore
from tests.games.tiers import with_long

SMALL = ("--backend", "python", "--jobs", "0", "--depth", "1", "--round", "2", "--opening", "2")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def learn(plyforge, *more, method="td", games="4"):
    return plyforge("learn", "tictactoe", method, *SMALL, "--games", games, *more)


def test_a_run_writes_weights_that_can_be_used(plyforge, folder):
    done = learn(
        plyforge, "--test-rounds", "1", "--test-games", "2", "--plot", "a.svg", "--set", "rate=1"
    )
    assert done.code == 0, done.err
    assert "4 games in" in done.out
    assert "against the start" in done.out
    assert (folder / "a.svg").read_text().startswith("<?xml")
    words = ("--depth", "2", "--backend", "python", "--json")
    own = plyforge("analyse", "tictactoe", *words).json
    learned = plyforge("analyse", "tictactoe", *words, "--evaluation", "tictactoe-td.npz")
    assert learned.code == 0
    assert learned.json["score"] != own["score"]


def test_the_same_command_resumes_and_gives_the_same_file(plyforge, folder):
    learn(plyforge, "--name", "whole", games="6")
    learn(plyforge, games="2")
    more = learn(plyforge, games="6")
    assert more.code == 0
    assert "2 of 6 games are already stored in learn.db" in more.err
    whole, parts = (plyforge("eval", "tictactoe", "--evaluation", file, "--backend", "python")
                    for file in ("whole.npz", "tictactoe-td.npz"))  # fmt: skip
    assert whole.out == parts.out


def test_ctrl_c_leaves_a_usable_evaluation(plyforge, folder, monkeypatch):
    add = LearningRun._learn

    def interrupt(self, played, queue, began):
        if self.state.round.number == 2:
            raise KeyboardInterrupt
        return add(self, played, queue, began)

    monkeypatch.setattr(LearningRun, "_learn", interrupt)
    done = learn(plyforge, games="10")
    assert done.code == 130
    assert "interrupted; run the same command to resume" in done.out
    assert plyforge("eval", "tictactoe", "--evaluation", "tictactoe-td.npz").code == 0
    monkeypatch.undo()
    monkeypatch.chdir(folder)


@pytest.fixture(autouse=True)
def python_handles_ctrl_c():
    """Handle Ctrl-C as usual, even if the shell that started the tests ignores it."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, handler)


def interrupt_when(monkeypatch, owner, name, before=True):
    """Press Ctrl-C when a function is called the first time: before its work or after it."""
    real, calls = getattr(owner, name), []

    def call(*words, **named):
        calls.append(name)
        if len(calls) > 1:
            return real(*words, **named)
        if before:
            signal.raise_signal(signal.SIGINT)
        result = real(*words, **named)
        if not before:
            signal.raise_signal(signal.SIGINT)
        return result

    monkeypatch.setattr(owner, name, call)


@pytest.mark.parametrize(
    ("owner", "name", "before"),
    [
        (cli_learn, "_learn", False),
        (cli_learn, "save_evaluation", True),
        (cli_learn, "save_evaluation", False),
        (cli_learn, "_report", True),
        (cli_learn, "_report", False),
        (LearningStore, "add_state", False),
        (LearningStore, "rounds", True),
        (GameQueue, "__exit__", True),
        (GameQueue, "__exit__", False),
        (Progress, "__exit__", True),
        (Progress, "__exit__", False),
    ],
)
def test_ctrl_c_near_the_end_leaves_a_saved_evaluation(
    plyforge, folder, monkeypatch, owner, name, before
):
    interrupt_when(monkeypatch, owner, name, before)
    done = learn(plyforge, games="2")
    assert done.code == 130, done.err
    assert "wrote tictactoe-td.npz" in done.out
    assert plyforge("eval", "tictactoe", "--evaluation", "tictactoe-td.npz").code == 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_in_a_supervised_training_leaves_its_best_weights(plyforge, folder, monkeypatch):
    set_part, epochs = LearningStore.set_part, []

    def interrupt(self, *part):
        set_part(self, *part)
        epochs.append(part)
        if len(epochs) == 3:
            raise KeyboardInterrupt

    words = ("--set", "epochs=6", "--set", "held-out=0.5", "--test-rounds", "0")
    whole = learn(plyforge, *words, "--name", "whole", method="supervised")
    assert whole.code == 0, whole.err
    monkeypatch.setattr(LearningStore, "set_part", interrupt)
    done = learn(plyforge, *words, method="supervised")
    assert done.code == 130, done.err
    assert "wrote tictactoe-supervised.npz" in done.out
    resumed = learn(plyforge, *words, method="supervised")
    assert resumed.code == 0, resumed.err
    assert len(epochs) == 3 + 4  # the third one is stored again
    with LearningStore.open_read_only("learn.db") as store:
        one, other = (
            store.last_state(store.find(name).id) for name in ("whole", "tictactoe-supervised")
        )
    assert one.weights.tolist() == other.weights.tolist()
    assert one.extra == other.extra


GENERATIONS = {
    "genetic": ("population=3", "tournament=2", "training-games=2", "pair-games=2"),
    "evolution": ("population=3", "candidate-games=2"),
}


def learn_generations(plyforge, method, generations, *more):
    settings = (*GENERATIONS[method], f"generations={generations}")
    words = [word for setting in settings for word in ("--set", setting)]
    return plyforge("learn", "kalah:3,2", method, *SMALL, "--test-games", "2", *words, *more)


@pytest.mark.parametrize("method", ["genetic", pytest.param("evolution", marks=pytest.mark.long)])
def test_methods_that_rate_candidates_run_resume_and_are_shown(plyforge, folder, method):
    whole = learn_generations(plyforge, method, 3, "--name", "whole", "--plot", "a.svg")
    assert whole.code == 0, whole.err
    assert "best of 3" in whole.out
    learn_generations(plyforge, method, 1)
    resumed = learn_generations(plyforge, method, 3)
    assert "games are already stored in learn.db" in resumed.err
    name = f"kalah-{method}"
    one, other = plyforge("learn", "show", "whole", name, "--json").json["runs"]
    assert [row["note"] for row in one["rounds"]] == [row["note"] for row in other["rounds"]]
    assert ("features" in one) == (method == "genetic")
    assert "whole" in plyforge("learn", "list").out
    assert plyforge("learn", "export", name, "-o", "b.npz").code == 0
    texts = [
        plyforge("eval", "kalah:3,2", "--evaluation", file, "--backend", "python").out
        for file in ("whole.npz", f"{name}.npz", "b.npz")
    ]
    assert len(set(texts)) == 1
    refused = plyforge("learn", "export", name, "--data", "g.csv")
    assert refused.code == 2
    assert "only methods that learn from a data set" in refused.err


@pytest.mark.parametrize("method", ["genetic", pytest.param("evolution", marks=pytest.mark.long)])
def test_ctrl_c_in_a_generation_leaves_the_evaluation_of_the_last_one(
    plyforge, folder, monkeypatch, method
):
    set_part = LearningStore.set_part

    def interrupt(self, run, round_number, number, data):
        if round_number == 2 and number == 1:
            raise KeyboardInterrupt
        set_part(self, run, round_number, number, data)

    monkeypatch.setattr(LearningStore, "set_part", interrupt)
    done = learn_generations(plyforge, method, 3)
    assert done.code == 130
    assert "interrupted; run the same command to resume" in done.out
    assert (folder / f"kalah-{method}.npz").exists()


def test_runs_are_listed_and_shown(plyforge, folder):
    learn(plyforge)
    learn(plyforge, "--name", "leaf", method="tdleaf")
    assert "leaf" in plyforge("learn", "list").out
    rows = plyforge("learn", "list", "--json").json["runs"]
    assert [row["name"] for row in rows] == ["tictactoe-td", "leaf"]
    shown = plyforge("learn", "show", "leaf", "tictactoe-td", "--plot", "both.svg")
    assert "method tdleaf" in shown.out
    assert "wrote both.svg" in shown.out
    picture = (folder / "both.svg").read_text()
    assert "Weights of leaf" in picture
    assert "Weights of tictactoe-td" in picture
    assert "open lines" in picture
    answer = plyforge("learn", "show", "leav")
    assert (answer.code, answer.out) == (2, "")
    assert "did you mean 'leaf'" in answer.err


def test_weights_and_games_are_exported(plyforge, folder):
    learn(plyforge, method="logistic")
    done = plyforge("learn", "export", "tictactoe-logistic", "-o", "w.npz", "--data", "g.csv")
    assert done.code == 0, done.err
    with (folder / "g.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["game"] for row in rows} == {"0", "1", "2", "3"}
    again = learn(
        plyforge, "--data", "g.csv", "--opening", "0", "--name", "again", method="logistic"
    )
    assert again.code == 0, again.err
    assert plyforge("learn", "export", "tictactoe-logistic", "--data", "g.txt").code == 0
    more = learn(plyforge, "--data", "g.txt", "--name", "more", method="logistic")
    assert more.code == 0, more.err
    refused = plyforge("learn", "export", "tictactoe-logistic", "-o", "w.npz")
    assert refused.code == 2
    assert "--overwrite" in refused.err


def test_weights_are_exported_before_the_file_that_their_evaluation_names_exists(plyforge, folder):
    (folder / "counted.py").write_text(
        "from plyforge.games.tictactoe import open_lines\n"
        "from plyforge.rules import linear\n"
        "WEIGHTS_FILE = 'counted.npz'\n"
        "EVALUATION_RANGE = (-1.0, 1.0)\n"
        "EVALUATION = linear({'lines': (open_lines, 0.1)})\n"
    )
    (folder / "marks.py").write_text(
        "from plyforge.games.tictactoe import *\n"
        "import counted\n"
        "EVALUATIONS = {'counted': counted}\n"
    )
    words = ("logistic", *SMALL, "--games", "4", "--evaluation", "counted", "--from", "declared")
    learned = plyforge("learn", "marks.py", *words, "--name", "run", "-o", "first.npz")
    assert learned.code == 0, learned.err
    done = plyforge("learn", "export", "run", "-o", "counted.npz")
    assert done.code == 0, done.err
    assert plyforge("eval", "marks.py", "--evaluation", "counted").code == 0


def test_methods_are_listed_with_their_parameters(plyforge):
    out = plyforge("learn", "methods").out
    assert "tdleaf: " in out
    assert "rate=" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tictactoe", "tdd"), "unknown method 'tdd'"),
        (("tictactoo", "td"), "tictactoo"),
        (("tictactoe", "td", "--games", "0"), "number of games must be between"),
        (("tictactoe", "td", "--set", "rate=fast"), "rate must be more than 0"),
        (("tictactoe", "td", "--set", "rate=nan"), "rate must be more than 0"),
        (("tictactoe", "td", "--set", "trace=2"), "trace must be between 0 and 1"),
        (("tictactoe", "td", "--set", "speed=2"), "unknown parameter of td 'speed'"),
        (("tictactoe", "td", "-o", "a.txt"), "must end in .npz"),
        (("tictactoe", "td", "--precision", "int8"), "--precision must be int16 or float32"),
        (("tictactoe", "td", "--data", "a.csv"), "learns from games that it plays"),
        (("tictactoe", "logistic", "--data", "none.csv"), "none.csv"),
        (("tictactoe", "td", "--evaluation", "none"), "has no weights"),
        (("tictactoe", "td", "--from", "none.npz"), "none.npz"),
        (("hex:3", "genetic"), "consists of named features only"),
        (("tictactoe", "evolution", "--set", "candidate-games=3"), "even number"),
        (("tictactoe", "genetic", "--set", "training=logistic"), "unknown training 'logistic'"),
    ],
)
def test_bad_input_ends_with_code_2(plyforge, folder, words, message):
    answer = plyforge("learn", *words, *SMALL)
    assert answer.code == 2, answer.out
    assert message in answer.err
    assert "Traceback" not in answer.err
    assert not list(folder.glob("*.npz"))


@pytest.mark.parametrize("method", ["td", "td-forward", "tdleaf", "td-root"])
def test_a_rate_that_makes_losses_infinite_is_named_as_it_was_given(plyforge, folder, method):
    words = ("--squash", "identity", "--scale", "2", "--set", "rate=2e11")
    answer = learn(plyforge, *words, method=method, games="200")
    assert answer.code == 2, answer.out
    assert "is inf" in answer.err or "is nan" in answer.err or "not a finite" in answer.err
    assert "use a rate less than 2e+11" in answer.err
    assert not list(folder.glob("*.npz"))


def test_a_rate_that_is_too_large_for_the_scale_is_refused_before_any_game(plyforge, folder):
    answer = plyforge("learn", "kalah:3,2", "td", *SMALL, "--set", "rate=1e12")
    assert answer.code == 2
    assert "for predictions with a scale of 12.8, not 1e+12" in answer.err


def test_options_may_be_corrected_if_nothing_was_learned(plyforge, folder):
    (folder / "a.csv").write_text("game,position,result,search\n")
    refused = learn(plyforge, "--data", "a.csv", method="logistic")
    assert refused.code == 2
    assert "a.csv has no position to learn from: the data set is empty" in refused.err
    assert learn(plyforge, method="logistic").code == 0
    refused = learn(plyforge, "--data", "a.csv", method="logistic")
    assert "holds a run 'tictactoe-logistic' with data none, not a.csv" in refused.err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "", "the header lacks game, position, result"),
        ("a.txt", "", "contains no games"),
        ("a.csv", "game,position,result\n0,X../.../... O,5\n", "result must be between -1 and 1"),
        ("a.csv", "game,position,result\n0,W:W21-32:B1-12,1\n", "a.csv, line 2: "),
        ("a.csv", "game,position,result,search\n0,X../.../... O,1,nan\n", "must be a number"),
        ("a.csv", "game,position,result\n0,X../.../... O,1\n", "held-out games need at least two"),
    ],
)
def test_data_sets_without_positions_are_refused(plyforge, folder, name, content, message):
    (folder / name).write_text(content)
    answer = learn(plyforge, "--data", name, method="supervised")
    assert answer.code == 2, answer.out
    assert message in answer.err
    assert not list(folder.glob("*.npz"))


def test_a_full_disk_loses_nothing(plyforge, folder, monkeypatch):
    """The database may not grow after some rounds; the same command resumes when it may."""
    real, rounds = LearningStore.add_state, []

    def add_state(self, run, state):
        rounds.append(state)
        if len(rounds) == 3:
            (pages,) = self.connection.execute("PRAGMA page_count").fetchone()
            self.connection.execute(f"PRAGMA max_page_count = {pages}")
        if len(rounds) >= 3:  # a page at least
            state = replace(state, extra={**state.extra, "filler": "x" * 10_000})
        real(self, run, state)

    monkeypatch.setattr(LearningStore, "add_state", add_state)
    full = learn(plyforge, games="12")
    assert full.code == 2, full.out
    assert "disk is full; free some space; what was learned is kept" in full.err
    assert "Traceback" not in full.err
    monkeypatch.setattr(LearningStore, "add_state", real)
    with LearningStore.open_read_only("learn.db") as store:
        assert [one.games for one in store.rounds(1)] == [2, 4]
    resumed = learn(plyforge, games="12")
    assert "4 of 12 games are already stored" in resumed.err
    learn(plyforge, "--name", "whole", games="12")
    with LearningStore.open_read_only("learn.db") as store:
        one, other = (store.last_state(number) for number in (1, 2))
    assert one.weights.tolist() == other.weights.tolist()


@pytest.mark.parametrize("suffix", with_long([".npz"], [".svg"]))
def test_a_file_that_does_not_fit_on_the_disk_is_not_half_written(
    plyforge, folder, monkeypatch, suffix
):
    learn(plyforge, "--plot", "a.svg")
    names = ("a.svg", "tictactoe-td.npz")
    before = {name: (folder / name).read_bytes() for name in names}

    class FullDisk(io.FileIO):
        def write(self, data):
            if suffix == ".svg" and not data.startswith(b"<?xml"):
                return super().write(data)
            super().write(data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(writing.os, "fdopen", FullDisk)
    full = learn(plyforge, "--plot", "a.svg", games="6")
    assert full.code == 2, full.out
    assert "cannot be written: No space left on device" in full.err
    kept = names if suffix == ".npz" else names[:1]
    assert all((folder / name).read_bytes() == before[name] for name in kept)
    assert sorted(file.name for file in folder.iterdir() if "learn.db" not in file.name) == [*names]


def test_a_run_with_other_options_is_not_resumed(plyforge, folder):
    learn(plyforge)
    before = (folder / "tictactoe-td.npz").read_bytes()
    answer = learn(plyforge, "--seed", "5")
    assert answer.code == 2
    assert "with seed 0, not 5" in answer.err
    other = learn(plyforge, "--name", "tictactoe-td", method="tdleaf")
    assert "with method td, not tdleaf" in other.err
    other = learn(plyforge, "--set", "rate=0.5")
    assert "with rate 0.01, not 0.5" in other.err
    assert (folder / "tictactoe-td.npz").read_bytes() == before


def test_weights_of_another_game_are_refused(plyforge):
    learn(plyforge)
    answer = plyforge(
        "learn", "connect4:4x4", "td", "--from", "tictactoe-td.npz", *SMALL, "--name", "x"
    )
    assert answer.code == 2
    assert "weights for 'tictactoe', not for 'connect4'" in answer.err
