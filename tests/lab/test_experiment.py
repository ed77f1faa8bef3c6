"""Reading experiments: missing or wrong names are reported with the file."""

from pathlib import Path

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.lab import experiments
from plyforge.lab.catalog import experiment_names, find_experiment, load_experiment
from plyforge.lab.claims import judge_claims
from plyforge.lab.data import Data
from plyforge.lab.measuring import measure_search
from plyforge.lab.measuring_code import measuring_code
from plyforge.lab.runner import choose_scale, list_jobs

MINIMAL = """
from plyforge.lab import Case, Variation

TITLE, SOURCE = "Least", "nobody"

def cases(seed, count):
    return [Case("tictactoe")] * count

def variations():
    return [Variation("one")]
"""
WITH_OWN_KERNEL = (
    *("chess-branching", "pruning-growth", "mtd-real-failure"),
    *("andantino-clock", "andantino-keys", "andantino-parity", "andantino-replacement"),
    *(f"selective-{game}" for game in ("andantino", "chess", "giveaway", "hex", "othello")),
    *(name for name in experiment_names() if name.startswith("parallel-")),
)
"""Experiments whose positions come from searches with a kernel that the fast tests do not need."""


@pytest.fixture
def write_file(tmp_path):
    """Return a function that writes an experiment with lines added or a name removed."""

    def write(more="", without=None):
        text = MINIMAL
        if without is not None:
            text = text.replace(without, f"no_{without}")
        file = tmp_path / "mine.py"
        file.write_text(f"{text}\n{more}\n", encoding="utf-8")
        return file

    return write


@pytest.mark.parametrize("name", experiment_names())
def test_a_built_in_experiment_is_complete(name):
    found = load_experiment(name)
    assert found.title
    assert found.source
    assert found.reference == found.name == name
    assert found.digest == load_experiment(name).digest
    nothing = Data([], tuple(v.name for v in found.variations), found.groups)
    assert found.claims or found.tables
    assert all(one.verdict == "not measured" for one in judge_claims(found.claims, nothing))
    assert all((found.question, found.method, found.threats))
    assert choose_scale(found, quick=True).positions <= choose_scale(found).positions


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] * (name in WITH_OWN_KERNEL))
        for name in experiment_names()
    ],
)
def test_a_built_in_experiment_has_jobs(name):
    found = load_experiment(name)
    assert list_jobs(found, choose_scale(found, positions=2, depths=(1,)), 0)


def test_an_experiment_of_four_names_has_defaults_for_the_rest(write_file):
    found = load_experiment(str(write_file()))
    assert (found.name, found.positions, found.depths, found.repeats) == ("mine", 20, (6,), 1)
    assert found.quick == (5, (6,))
    assert found.measure is measure_search
    assert found.metrics
    assert found.wanted(0, found.baseline, 3) is True
    assert (found.claims, found.charts(Data([], ())), found.tables) == ((), [], None)


@pytest.mark.parametrize(
    "depths", ["range(2, 5)", "[2, 3, 4]", "(2, 3, 4, 3)", "(d for d in (2, 3, 4))"]
)
def test_depths_are_a_range_or_a_list(write_file, depths):
    assert load_experiment(str(write_file(f"DEPTHS = {depths}"))).depths == (2, 3, 4)


@pytest.mark.parametrize("name", ["TITLE", "SOURCE", "cases", "variations"])
def test_a_missing_name_is_reported_with_the_file(write_file, name):
    with pytest.raises(PlyforgeError, match=rf"mine\.py: '{name}' is missing"):
        load_experiment(str(write_file(without=name)))


CLAIM = "__import__('plyforge.lab').lab.Claim('a', '1', 'x', None, lambda data: 1 / 0)"
WRONG = {
    "TITLE = 7": "TITLE is 7; it must be a string",
    "SOURCE = None": "SOURCE is None",
    "NOTES = ['x']": "NOTES is ",
    "POSITIONS = 0": "POSITIONS is 0; it must be an integer",
    "POSITIONS = '20'": "POSITIONS is '20'",
    "POSITIONS = True": "POSITIONS is True",
    "REPEATS = 1.5": "REPEATS is 1.5",
    "DEPTHS = 6": "DEPTHS is 6; it must be depths",
    "DEPTHS = ()": r"DEPTHS is \(\)",
    "DEPTHS = ('6',)": "DEPTHS is",
    "DEPTHS = (0, 1)": "DEPTHS is",
    "DEPTHS = (5, 10**9)": "depth must be between 1 and 250, not 1000000000",
    "QUICK = 5": "QUICK is 5",
    "QUICK = (5,)": "QUICK is",
    "QUICK = (5, 6)": "QUICK is 6; it must be depths",
    "QUICK = ('a', (6,))": "QUICK is",
    "METRICS = ('leaves',)": "METRICS is",
    "METRICS = 3": "METRICS is 3",
    "METRICS = ((1, 2),)": "METRICS is",
    "cases = 4": "cases is 4; it must be a function",
    "measure = 4": "measure is 4; it must be a function",
    "wanted = True": "wanted is True; it must be a function",
    "claims = []": r"claims is \[\]; it must be a function",
    "claims = lambda: ['x']": r"claims\(\) is \['x'\].*a list of Claim",
    f"claims = lambda: [{CLAIM}, {CLAIM}]": "two claims state 'a'",
    "charts = 'x'": "charts is 'x'",
    "tables = 1": "tables is 1",
    "variations = lambda: []": "at least one Variation",
    "variations = lambda: None": r"variations\(\) is None; it must be a list of Variation",
    "variations = lambda: ['pvs']": r"variations\(\) is \['pvs'\]",
    "variations = lambda: [Variation('a'), Variation('a')]": "two variations are named 'a'",
    "variations = lambda: 1 / 0": "line 12: 'variations': ZeroDivisionError",
    "def variations(x): return []": "'variations': TypeError",
    "1 / 0": "line 12: ZeroDivisionError",
    "def f(:": "line 12: not valid Python",
    "raise SystemExit": "ends the program",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_value_is_reported_with_file_and_name(write_file, line):
    with pytest.raises(PlyforgeError, match=rf"mine\.py(: |, ).*{WRONG[line]}"):
        load_experiment(str(write_file(line)))


LATER = {
    "cases = lambda seed, count: None": ("cases", r"cases\(\) is None; it must be a list of Case"),
    "cases = lambda seed, count: ['x']": ("cases", r"cases\(\) is \['x'\]"),
    "cases = lambda seed, count: []": ("cases", "'cases' returns no positions"),
    "cases = lambda count: []": ("cases", "'cases': TypeError"),
    "cases = lambda seed, count: 1 / 0": ("cases", "line 12: 'cases': ZeroDivisionError"),
    "wanted = lambda n, v, d: 1 / 0": ("cases", "line 12: 'wanted': ZeroDivisionError"),
    f"claims = lambda: [{CLAIM}]": ("claims", "line 12: the figure of 'a': ZeroDivisionError"),
    f"claims = lambda: [{CLAIM.replace('1 / 0', '3')}]": ("claims", "is 3; it must be an Estimate"),
    "charts = lambda data: [1]": ("charts", "a list of Chart"),
    "tables = lambda data: (1 / 0 for _ in 'x')": ("tables", "'tables': ZeroDivisionError"),
    "measure = lambda c, v, d: None": ("measure", r"measure\(\) is None; it must be figures"),
    "measure = lambda c, v, d: {}": ("measure", r"measure\(\) is \{\}"),
    "measure = lambda c, v, d: {'x': 'y'}": ("measure", "all finite numbers"),
    "measure = lambda c, v, d: {1: 2}": ("measure", "figures by name"),
    "measure = lambda c, v, d: {'x': float('inf')}": ("measure", r"'x': inf.*all finite numbers"),
    "measure = lambda c, v, d: {'x': 1j}": ("measure", "all finite numbers"),
}


@pytest.mark.parametrize("line", LATER)
def test_the_result_of_a_function_is_checked_when_it_is_called(write_file, line):
    what, message = LATER[line]
    found = load_experiment(str(write_file(line)))
    data = Data([], ("one",))
    calls = {
        "cases": lambda: list_jobs(found, choose_scale(found), 0),
        "measure": lambda: found.measure(found.cases(0, 1)[0], found.baseline, 1),
        "claims": lambda: judge_claims(found.claims, data),
    }
    with pytest.raises(PlyforgeError, match=rf"mine\.py(: |, ).*{message}"):
        calls.get(what, lambda: getattr(found, what)(data))()


def test_figures_may_be_numpy_numbers(write_file):
    lines = (
        "import numpy as np\n"
        "measure = lambda c, v, d: dict(a=np.int64(3), b=np.float32(0.5), c=True)"
    )
    found = load_experiment(str(write_file(lines)))
    figures = found.measure(found.cases(0, 1)[0], found.baseline, 1)
    assert figures == {"a": 3, "b": 0.5, "c": 1}
    assert [type(value) for value in figures.values()] == [int, float, int]


def test_a_missing_file_is_named():
    with pytest.raises(PlyforgeError, match=r"no file .*nowhere\.py"):
        load_experiment("nowhere.py")


def test_an_unknown_name_comes_with_a_suggestion():
    with pytest.raises(PlyforgeError, match="did you mean 'mtd-real'"):
        load_experiment("mtd-rael")


@pytest.mark.parametrize(
    "change",
    [
        "# a remark",
        "NOTES = 'another wording'",
        "def claims():\n    return []",
        "def charts(data):\n    'no picture'\n    return []",
        "POSITIONS = 3",
        "REPEATS = 2",
    ],
)
def test_changed_prose_keeps_the_digest(write_file, change):
    assert (
        load_experiment(str(write_file(change))).digest == load_experiment(str(write_file())).digest
    )


@pytest.mark.parametrize(
    "change",
    [
        "def wanted(number, variation, depth):\n    return depth > 1",
        "def measure(case, variation, depth):\n    return {'nodes': 1}",
        "GROUPS = ('a', 'b')",
        "from string import digits as GROUPS",
        "print()",
    ],
)
def test_changed_measuring_code_changes_the_digest(write_file, change):
    path = write_file(change)
    assert measuring_code(path, "") != measuring_code(write_file(), "")


def test_indirectly_used_code_changes_the_digest(write_file):
    far = "STEP = {}\ndef deep():\n    return STEP\nclass Way:\n    take = deep\n"
    near = "def measure(case, variation, depth):\n    return {'nodes': Way.take()}"
    one, other = (measuring_code(write_file(far.format(step) + near), "") for step in (1, 2))
    assert one != other


def test_a_file_may_import_its_neighbours(write_file, tmp_path):
    (tmp_path / "neighbour.py").write_text("NUMBER = 7\n")
    assert (
        load_experiment(str(write_file("from neighbour import NUMBER as POSITIONS"))).positions == 7
    )


def test_used_code_of_imported_modules_changes_the_digest(write_file, tmp_path):
    """Also of one that another neighbour imports; not what is only there for the report."""
    (tmp_path / "far.py").write_text("NUMBER = 7\nWORDS = 'so many'\n")
    (tmp_path / "near.py").write_text("from far import NUMBER\ndef size():\n    return NUMBER\n")
    (tmp_path / "other.py").write_text("")
    file = write_file("import near\ndef wanted(number, variation, depth):\n    return near.size()")
    one = measuring_code(file, "")
    for name, text, same in (
        ("other", "NUMBER = 8\n", True),
        ("far", "NUMBER = 7\nWORDS = 'so few'\n", True),
        ("near", "from far import NUMBER\ndef size():\n    return NUMBER + 1\n", False),
        ("far", "NUMBER = 8\nWORDS = 'so many'\n", False),
    ):
        before = (tmp_path / f"{name}.py").read_text()
        (tmp_path / f"{name}.py").write_text(text)
        assert (measuring_code(file, "") == one) == same, text
        (tmp_path / f"{name}.py").write_text(before)


def test_the_digest_of_a_built_in_experiment_includes_its_helpers():
    file = Path(experiments.__file__).parent / "grain.py"
    assert "def evaluate_finely(" in measuring_code(file, experiments.__name__)


def test_together_is_passed_to_the_data(write_file):
    found = load_experiment(str(write_file("TOGETHER = 4")))
    assert (found.together, found.data([]).together) == (4, 4)
    with pytest.raises(PlyforgeError, match="TOGETHER is 0; it must be an integer"):
        load_experiment(str(write_file("TOGETHER = 0")))


def test_an_ablation_has_its_own_name():
    found = find_experiment("ablate tictactoe")
    assert found.reference == found.name == "ablate tictactoe"
    assert found.command == "lab ablate tictactoe"


@pytest.mark.parametrize(
    ("scale", "message"),
    [
        ({"positions": 0}, "positions must be an integer of at least 1, not 0"),
        ({"positions": -3}, "not -3"),
        ({"positions": True}, "not True"),
        ({"repeats": 0}, "repeats must be an integer of at least 1, not 0"),
        ({"depths": (0,)}, "depth must be between 1 and 250, not 0"),
        ({"depths": ("a",)}, "depth must be an integer, not 'a'"),
    ],
)
def test_an_invalid_scale_is_refused(toy, scale, message):
    with pytest.raises(PlyforgeError, match=message):
        choose_scale(toy, **scale)


def test_a_scale_defaults_to_that_of_the_experiment(toy):
    own, quick = choose_scale(toy), choose_scale(toy, quick=True)
    assert (own.positions, own.depths, own.repeats) == (6, (1, 2, 3), 1)
    assert (quick.positions, quick.depths) == (2, (1, 2))
    assert choose_scale(toy, positions=3, quick=True).depths == (1, 2)
    assert choose_scale(toy, depths=(5, 4, 5), repeats=3).depths == (5, 4)


def test_a_table_of_defaults_applies_to_all_configurations_and_to_the_identity(write_file):
    present = load_experiment(str(write_file()))
    fixed = load_experiment(str(write_file('DEFAULTS = "2026"')))
    assert [one.defaults for one in (*present.variations, *fixed.variations)] == ["", "2026"]
    assert present.digest != fixed.digest


def test_an_unknown_table_of_defaults_is_refused(write_file):
    with pytest.raises(PlyforgeError, match=r"DEFAULTS is '1999'; it must be one of 2026"):
        load_experiment(str(write_file('DEFAULTS = "1999"')))
