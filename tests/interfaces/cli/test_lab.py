"""`plyforge lab`: every command and option; errors exit with code 2."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from plyforge.interfaces.cli.lab_report import report_of
from plyforge.lab import raw_figures
from plyforge.lab.catalog import load_experiment
from plyforge.lab.store import LabStore

ROOT = Path(__file__).parents[3]
TOY = ROOT / "tests" / "lab" / "toy.py"


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Work in a temporary folder, where lab.db is created."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(TOY, tmp_path / "toy.py")


@pytest.fixture
def toy_run(plyforge):
    answer = plyforge("lab", "run", "toy.py", "--jobs", "0", "--positions", "4")
    assert answer.code == 0, answer.err


def test_list_prints_experiments_with_their_sources(plyforge):
    answer = plyforge("lab", "list")
    assert answer.code == 0
    assert "mtd-real" in answer.out
    assert "Mańdziuk" in answer.out
    rows = plyforge("lab", "list", "--json").json["experiments"]
    assert {"name", "title", "source"} == set(rows[0])


def test_run_prints_verdicts_and_the_file(plyforge):
    answer = plyforge("lab", "run", "toy.py", "--jobs", "0")
    assert answer.code == 0
    assert "refuted" in answer.out
    assert "run 1 in lab.db; see also: plyforge lab report toy.py" in answer.out
    assert Path("lab.db").exists()


@pytest.mark.parametrize(
    ("words", "positions"),
    [
        (["--quick"], {"1": 2, "2": 2}),
        (["--positions", "1"], {"1": 1, "2": 1, "3": 1}),
        (["--depths", "2-3"], {"2": 6, "3": 6}),
        (["--depths", "5,2", "--positions", "3"], {"2": 3, "5": 3}),
        (["--quick", "--depths", "4"], {"4": 2}),
        (["--quick", "--seed", "-7"], {"1": 2, "2": 2}),
    ],
)
def test_options_set_the_size_of_a_run(plyforge, words, positions):
    fields = plyforge("lab", "run", "toy.py", "--jobs", "0", "--json", *words).json
    assert fields["positions"] == positions
    assert fields["interrupted"] is False


def test_run_repeats_timings(plyforge):
    plyforge("lab", "run", "toy.py", "--jobs", "0", "--quick", "--repeats", "3")
    answer = plyforge("lab", "report", "toy.py", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(answer.out)))
    assert {row["repeat"] for row in rows} == {"0", "1", "2"}


def test_run_resumes(plyforge, toy_run):
    answer = plyforge("lab", "run", "toy.py", "--jobs", "0")
    assert "30 of 45 measurements are already stored in lab.db" in answer.err
    assert plyforge("lab", "runs", "--json").json["runs"][0]["measurements"] == 45


def test_runs_lists_the_runs_in_a_file(plyforge, toy_run):
    plyforge("lab", "run", "toy.py", "--jobs", "0", "--quick", "--seed", "5")
    answer = plyforge("lab", "runs")
    assert [line.split()[:4] for line in answer.out.splitlines()] == [
        ["1", "toy", "seed", "0,"],
        ["2", "toy", "seed", "5,"],
    ]


def test_the_database_may_have_another_name(plyforge):
    assert plyforge("lab", "run", "toy.py", "--jobs", "0", "--quick", "--db", "x.db").code == 0
    assert plyforge("lab", "report", "toy.py", "--db", "x.db").code == 0
    assert not Path("lab.db").exists()


@pytest.mark.parametrize(
    ("form", "begin"),
    [("md", "# A toy"), ("html", "<!doctype html>"), ("csv", "position,"), ("json", '{"exp')],
)
def test_report_is_printed_in_any_format(plyforge, toy_run, form, begin):
    answer = plyforge("lab", "report", "toy.py", "--format", form)
    assert answer.code == 0
    assert answer.out.startswith(begin)


@pytest.mark.parametrize("form", ["md", "html", "csv", "json"])
def test_report_is_written_with_charts_and_raw_figures(plyforge, toy_run, form):
    answer = plyforge("lab", "report", "toy.py", "--format", form, "--output", "out/deep")
    assert answer.code == 0
    assert answer.out == f"wrote out/deep/toy.{form}\n"
    names = {path.name for path in Path("out/deep").iterdir()}
    raw = {"toy.seed-0.csv.gz", "toy.seed-0.positions.csv.gz", "runs.json"}
    assert names == {"toy-lines.svg", "toy-bars.svg", *raw, f"toy.{form}"}
    text = Path(f"out/deep/toy.{form}").read_text()
    if form == "json":
        assert json.loads(text)["experiment"] == "toy"
    if form == "html":
        assert text.count("<svg") == 2
    if form == "md":
        assert "(toy-lines.svg)" in text


def test_report_overwrites_files_only_with_the_option(plyforge, toy_run):
    words = ["lab", "report", "toy.py", "--output", "out"]
    assert plyforge(*words).code == 0
    answer = plyforge(*words)
    assert answer.code == 2
    assert "exists; give another folder, or --overwrite" in answer.err
    assert plyforge(*words, "--overwrite").code == 0


def test_report_uses_the_newest_run_or_one_by_number(plyforge, toy_run):
    plyforge("lab", "run", "toy.py", "--jobs", "0", "--quick", "--seed", "5")
    assert plyforge("lab", "report", "toy.py", "--format", "json").json["about"]["seed"] == 5
    words = ["lab", "report", "toy.py", "--format", "json", "--run", "1"]
    assert plyforge(*words).json["about"]["seed"] == 0


def test_compare_lists_differences(plyforge, toy_run):
    plyforge("lab", "run", "toy.py", "--jobs", "0", "--quick", "--seed", "5")
    same = plyforge("lab", "compare", "1", "1", "--json").json
    assert {row["different"] for row in same["rows"]} == {"0"}
    other = plyforge("lab", "compare", "1", "2")
    assert "the seeds differ" in other.out
    assert "count" in other.out


def test_ablate_prints_draws_and_can_be_reported(plyforge):
    game = str(ROOT / "examples" / "last_letter.py")
    words = ["--positions", "1", "--depths", "2", "--jobs", "0", "--plot", "worth.png"]
    answer = plyforge("lab", "ablate", game, *words)
    assert answer.code == 0, answer.err
    assert "without table" in answer.out
    assert answer.out.endswith("wrote worth.png\n")
    assert Path("worth.png").read_bytes().startswith(b"\x89PNG")
    report = plyforge("lab", "report", f"ablate {game}")
    assert f"plyforge lab ablate {game} --seed 0" in report.out
    assert plyforge("lab", "report", f"ablate {game}", "-o", "out").code == 0
    assert plyforge("lab", "ablate", game, *words, "--json").json["positions"] == {"2": 1}


WRONG = {
    "no such experiment": (["run", "mtd-rael"], "did you mean 'mtd-real'"),
    "no such file": (["run", "nowhere.py"], "no file nowhere.py"),
    "no such game": (["ablate", "chekers"], "did you mean 'checkers'"),
    "no positions": (
        ["run", "toy.py", "--positions", "0"],
        "of at least 1, not 0",
    ),
    "positions no number": (["run", "toy.py", "--positions", "few"], "few"),
    "no repeats": (
        ["run", "toy.py", "--repeats", "0"],
        "of at least 1, not 0",
    ),
    "depths backwards": (["run", "toy.py", "--depths", "5-3"], "'5-3': use a form like 8-13"),
    "depths in words": (["run", "toy.py", "--depths", "deep"], "--depths 'deep'"),
    "depths empty": (["run", "toy.py", "--depths", ""], "--depths ''"),
    "depths half": (["run", "toy.py", "--depths", "3-"], "--depths '3-'"),
    "depth zero": (["run", "toy.py", "--depths", "0-2"], "depth must be between 1 and 250, not 0"),
    "depths without end": (["run", "toy.py", "--depths", "1-999999999"], "--depths"),
    "negative jobs": (["run", "toy.py", "--jobs", "-1"], "between 1 and 256, or 0"),
    "too many jobs": (["run", "toy.py", "--jobs", "100000"], "not 100000"),
    "seed not an integer": (["run", "toy.py", "--seed", "x"], "'x' is not an integer"),
    "file in no folder": (["run", "toy.py", "--db", "no/lab.db"], "unable to open"),
    "file that is a folder": (["run", "toy.py", "--db", "."], "unable to open"),
    "file that is no database": (["run", "toy.py", "--db", "toy.py"], "not a database"),
    "report of nothing": (["report", "toy.py", "--db", "no.db"], "no file 'no.db'"),
    "report of no run": (["report", "mtd-real"], "no run of mtd-real; 'plyforge lab run mtd-real'"),
    "report of another run": (["report", "mtd-real", "--run", "1"], "no run of mtd-real"),
    "report of a run too many": (["report", "toy.py", "--run", "9"], "no run 9; it has 1"),
    "report in no format": (["report", "toy.py", "--format", "pdf"], "unknown format 'pdf'"),
    "report into a file": (["report", "toy.py", "-o", "toy.py"], "cannot be created"),
    "compare with nothing": (["compare", "1", "2"], "no run 2"),
    "compare not integers": (["compare", "one", "two"], "'one' is not an integer"),
    "runs of nothing": (["runs", "--db", "no.db"], "no file 'no.db'"),
    "plot of no kind": (["ablate", "tictactoe", "--plot", "x.pdf"], "must end in .png or .svg"),
    "plot in no folder": (["ablate", "tictactoe", "--plot", "no/x.png"], "no folder 'no'"),
    "unknown command": (["rnu"], "rnu"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments_exit_with_code_2(plyforge, toy_run, case):
    words, message = WRONG[case]
    answer = plyforge("lab", *words)
    assert answer.code == 2
    assert message in " ".join(answer.err.replace("│", " ").split())
    assert "Traceback" not in answer.err
    assert plyforge("lab", "runs", "--json").json["runs"][0]["measurements"] == 30


def test_a_failed_measurement_exits_with_code_2(plyforge, monkeypatch):
    monkeypatch.setenv("TOY_FAIL", "raise")
    answer = plyforge("lab", "run", "toy.py", "--jobs", "0")
    assert answer.code == 2
    assert "toy.py, line" in answer.err
    assert "Traceback" not in answer.err


def test_an_interrupt_keeps_stored_measurements(plyforge, monkeypatch):
    from plyforge.lab.store import LabStore

    add = LabStore.add

    def interrupted(self, run, made):
        add(self, run, made)
        if self.count(run) == 7:
            raise KeyboardInterrupt

    monkeypatch.setattr(LabStore, "add", interrupted)
    answer = plyforge("lab", "run", "toy.py", "--jobs", "0", "--json")
    assert answer.code == 130
    assert answer.json["interrupted"] is True
    monkeypatch.undo()


def test_files_with_the_same_name_have_separate_runs(plyforge, toy_run):
    text = Path("toy.py").read_text().replace("100 * depth", "300 * depth")
    Path("other").mkdir()
    Path("other/toy.py").write_text(text)
    answer = plyforge("lab", "report", "other/toy.py")
    assert "has changed since this run" in answer.out
    plyforge("lab", "run", "other/toy.py", "--jobs", "0", "--quick")
    for file in ("toy.py", "other/toy.py"):
        assert "has changed" not in plyforge("lab", "report", file).out


def test_verify_repeats_a_stored_run(plyforge, toy_run):
    answer = plyforge("lab", "verify", "toy.py", "--share", "50%")
    assert answer.code == 0
    assert "run 1 in lab.db: 15 of 30 measurements repeated: holds: none differs" in answer.out
    fields = plyforge("lab", "verify", "toy.py", "--json").json
    assert (fields["holds"], fields["interrupted"]) == (True, False)
    row = fields["runs"][0]
    assert (row["repeated"], row["total"], row["different"], row["max_share"]) == (30, 30, 0, 0)


def test_verify_fails_if_a_count_differs(plyforge, toy_run):
    text = Path("toy.py").read_text()
    Path("toy.py").write_text(text.replace("100 * depth", "101 * depth"))
    answer = plyforge("lab", "verify", "toy.py")
    assert answer.code == 1
    assert "toy: position 1, base, depth 1: count 100.0 is now 101.0" in answer.out
    assert "measuring code has changed since this run" in answer.out
    assert "does not hold: 30 differ" in answer.out
    assert plyforge("lab", "verify", "toy.py", "--json").json["holds"] is False


def test_verify_reports_what_was_repeated_before_an_interrupt(plyforge, toy_run, monkeypatch):
    text = Path("toy.py").read_text()
    stop = "    if depth == 3:\n        raise KeyboardInterrupt\n    parent ="
    Path("toy.py").write_text(text.replace("    parent =", stop, 1))
    answer = plyforge("lab", "verify", "toy.py")
    assert answer.code == 130
    assert "of 30 measurements repeated" in answer.out


def test_verify_repeats_raw_figures_in_a_file_or_a_folder(plyforge):
    plyforge("lab", "run", "fail-soft", "--positions", "4", "--depths", "2", "--jobs", "0")
    with LabStore.open_read_only("lab.db") as store:
        raw_figures.write(report_of(load_experiment("fail-soft"), store), Path("figures"))
    for target in ("figures", "figures/fail-soft.seed-0.csv.gz"):
        answer = plyforge("lab", "verify", target)
        assert answer.code == 0, answer.err
        assert "holds: none differs; all were repeated" in answer.out


def test_verify_repeats_the_written_report_of_a_users_experiment(plyforge, toy_run):
    plyforge("lab", "report", "toy.py", "--output", "out")
    answer = plyforge("lab", "verify", "out/toy.seed-0.csv.gz")
    assert answer.code == 0, answer.err
    assert "holds: none differs" in answer.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["toy.py"], "lab.db"),
        (["no-such-experiment"], "unknown experiment 'no-such-experiment'"),
        (["none.csv.gz"], "is not named like a file of raw figures"),
        (["none.seed-1.csv.gz"], "does not describe the run of none, seed 1"),
        (["empty"], "folder 'empty' has no files *.csv.gz"),
        (["bad/fail-soft.seed-0.csv.gz"], "is not a file of raw figures"),
        (["bad/grain.seed-0.csv.gz"], "no file 'bad/grain.seed-0.csv.gz'"),
        (["toy.py", "--share", "x"], "'x' is not a percentage, such as 2%"),
        (["toy.py", "--seconds", "x"], "'x' is not a number"),
    ],
)
def test_verify_refuses_wrong_input(plyforge, words, message):
    Path("empty").mkdir()
    Path("bad").mkdir()
    Path("bad/runs.json").write_text(
        '{"fail-soft": {"0": {"seed": 0}}, "grain": {"0": {"seed": 0}}}'
    )
    Path("bad/fail-soft.seed-0.csv.gz").write_bytes(b"figures")
    answer = plyforge("lab", "verify", *words)
    assert answer.code == 2
    assert message in answer.err


def test_plan_estimates_the_size_of_a_run_from_a_pilot(plyforge):
    words = ["lab", "plan", "toy.py", "--jobs", "0", "--margin", "2%", "--depths", "2", "--json"]
    fields = plyforge(*words).json
    assert (fields["baseline"], fields["metric"], fields["margin"]) == ("base", "count", 0.02)
    assert [need["variation"] for need in fields["needs"]] == ["half", "odd"]
    assert all(need["ratio"] in (0.5, 1.0) and need["games"] == 10 for need in fields["needs"])
    assert fields["command"] == "plyforge lab run toy.py --positions 10 --depths 2"
    assert fields["seconds"] == pytest.approx(10 * (1 + 0.5 + 0.5), rel=0.01)
    assert plyforge(*words).json["needs"] == fields["needs"], "the stored pilot is used again"
    answer = plyforge("lab", "plan", "toy.py", "--jobs", "0", "--depths", "2")
    assert "10 positions give each comparison an interval of at most ±2 %" in answer.out
    assert answer.out.splitlines()[-1] == fields["command"]
    run = plyforge("lab", "run", "toy.py", "--jobs", "0", "--positions", "10", "--depths", "2")
    assert "15 of 25 measurements are already stored" in run.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--margin", "much"], "'much' is not a percentage, such as 2%"),
        (["--margin", "0"], "margin must be above 0 % and below 100 %, not 0 %"),
        (["--metric", "size"], "unknown metric 'size'"),
        (["--positions", "1"], "no comparison of 'count' over at least two games"),
        (["--positions", "0"], "positions must be an integer of at least 1, not 0"),
        (["--depths", "x"], "use a form like 8-13 or 4,6,8"),
    ],
)
def test_plan_refuses_wrong_input(plyforge, words, message):
    answer = plyforge("lab", "plan", "toy.py", "--jobs", "0", *words)
    assert answer.code == 2
    assert message in answer.err
