"""Drivers as objects, files and functions, and what happens when they are wrong."""

import importlib
import math
import os
import signal
import sys
import threading
import types
from pathlib import Path
from typing import Any

import pytest

import plyforge
from plyforge import Driver, Engine, Parameter, PlyforgeError, WindowSearch
from plyforge.core.errors import GameFileError
from plyforge.engine import DRIVERS, drivers, overrun
from plyforge.engine.drivers import find_driver
from plyforge.engine.window_search import MAX_USELESS

game = plyforge.load("tictactoe")
FOLDER = Path(drivers.__file__).parent
FULL = "def find_value(windows, guess):\n    return windows.search(-float('inf'), float('inf'))\n"


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Return a function that writes a driver's file and returns its path."""

    def write(source: str, name: str = "mine.py") -> str:
        path = tmp_path / name
        path.write_text(source, encoding="utf-8")
        return str(path)

    return write


def raise_interrupt(number: int, frame: object) -> None:
    """Handle SIGINT as the default handler does."""
    raise KeyboardInterrupt


def full_window(windows: WindowSearch, guess: float) -> float:
    return windows.search(-math.inf, math.inf)


def analyse(driver: Any, depth: int = 4, **options: Any) -> plyforge.SearchResult:
    return Engine(game, driver=driver, entries=4096, **options).analyse(depth=depth)


# Forms


def test_every_file_of_the_folder_is_a_driver() -> None:
    stems = {path.stem.replace("_", "-") for path in FOLDER.glob("*.py")} - {"--init--"}
    assert set(DRIVERS) == stems
    assert all(one.summary and one.paper for one in DRIVERS.values())


def test_a_driver_is_a_file_a_module_a_function_or_an_object(write: Any) -> None:
    module = types.ModuleType("own")
    exec(FULL, module.__dict__)
    truth = analyse("alphabeta").score
    forms = {
        "mine": write(FULL),
        "own": module,
        "full_window": full_window,
        "named": Driver("named", full_window),
    }
    for name, form in forms.items():
        result = analyse(form)
        assert (result.driver, result.score) == (name, truth)


@pytest.mark.parametrize("wrong", [5, None, Path("x.py"), FULL.encode(), print])
def test_other_things_are_not_drivers(wrong: Any) -> None:
    with pytest.raises(PlyforgeError, match=r"is not a driver; give a name, a Python file"):
        Engine(game, driver=wrong)


def test_a_built_in_module_is_the_built_in_driver() -> None:
    module = importlib.import_module("plyforge.engine.drivers.mtdf")
    assert find_driver(module).name == "mtdf"


@pytest.mark.parametrize("name", ["mtd_bi", "aspiration", "mtd_step", "sss"])
def test_a_copy_of_a_built_in_file_makes_the_same_searches(name: str, write: Any) -> None:
    """What the built-in drivers can do, a user's can."""
    copied = write((FOLDER / f"{name}.py").read_text(encoding="utf-8"), "copied.py")
    settings = {"aspiration": 0.5, "mtd-step": 3, "epsilon": 2}
    one, other = (
        Engine("connect4", driver=driver, settings=settings, entries=4096).analyse(depth=6)
        for driver in (name.replace("_", "-"), copied)
    )
    assert one.steps == other.steps
    assert one.counts == other.counts
    assert other.driver == "copied"


def test_a_driver_searches_in_threads_and_uncompiled(write: Any) -> None:
    truth = analyse("alphabeta").score
    assert analyse(write(FULL), threads=2).score == truth
    assert analyse(write(FULL), backend="python").score == truth


# What a driver implies


def test_parameters_reach_the_function(write: Any) -> None:
    seen = []

    def find_value(windows: WindowSearch, guess: float, first_step: float, mode: str) -> float:
        seen.append((first_step, mode))
        return full_window(windows, guess)

    parameters = (
        Parameter("first-step", 2.5, "a step", 0.0, 9.0, real=True),
        Parameter("mode", "fast", "a word", choices={"fast": 0, "slow": 1}),
    )
    own = Driver("own", find_value, parameters=parameters)
    analyse(own, depth=1)
    analyse(own, depth=1, settings={"first-step": "7", "mode": "slow"})
    assert seen == [(2.5, "fast"), (7.0, "slow")]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"width": 12}, "width must be between 0 and 9, not 12"),
        ({"width": "x"}, "width must be an integer between 0 and 9, not 'x'"),
        ({"widht": 1}, "unknown parameter 'widht'; did you mean 'width'?"),
    ],
)
def test_wrong_values_of_parameters_are_refused(settings: Any, message: str) -> None:
    def find_value(windows: WindowSearch, guess: float, width: int) -> float:
        raise AssertionError("the driver was called")

    own = Driver("own", find_value, parameters=(Parameter("width", 1, "a width", 0, 9),))
    with pytest.raises(PlyforgeError) as caught:
        Engine(game, driver=own, settings=settings)
    assert message in str(caught.value)


def test_parameters_of_other_built_in_drivers_are_known_but_not_a_users() -> None:
    assert Engine(game, driver="pvs", settings={"epsilon": 1}).options.get("epsilon") == 1
    with pytest.raises(PlyforgeError, match="unknown parameter 'width'"):
        Engine(game, driver="pvs", settings={"width": 1})


def test_needed_switches_are_on_and_cannot_be_turned_off() -> None:
    own = Driver("own", full_window, needs=("eib",))
    assert Engine(game, driver=own).options.has("eib")
    assert Engine(game, driver=own, on=["table"], off=["all"]).options.has("eib")
    with pytest.raises(PlyforgeError, match="'own' needs the switch 'eib'; leave it on"):
        Engine(game, driver=own, off=["eib"])
    other = Driver("own", full_window, needs=("eib",), instead="mtdf")
    with pytest.raises(PlyforgeError, match="needs the switch 'eib'; use the driver 'mtdf'"):
        Engine(game, driver=other, off=["eib"])


def test_switches_that_a_driver_turns_off_can_be_turned_on() -> None:
    own = Driver("own", full_window, off=("history",))
    assert not Engine(game, driver=own).options.has("history")
    assert Engine(game, driver=own, on=["history"]).options.has("history")
    bare = Driver("bare", full_window, off=("all",), prunes=False)
    assert analyse(bare).counts == analyse("minimax").counts


def test_a_value_between_bounds_that_have_not_met_is_not_proved() -> None:
    def lower_bound(windows: WindowSearch, guess: float) -> float:
        return windows.search(-1.0, -0.5)

    result = Engine(game, driver=lower_bound, entries=4096).analyse(depth=9)
    assert not result.proved
    assert analyse("alphabeta", depth=9).proved


# Mistakes in a file

LOOP = "def find_value(windows, guess):\n    while True:\n        {}\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "mine.py: a driver needs a function 'find_value(windows, guess)'"),
        ("def find_valu(w, g): pass", "(is 'find_valu' meant?)"),
        ("find_value = 5", "a driver needs a function"),
        ("find_value = print", "find_value must be a function find_value(windows, guess)"),
        ("def find_value(", "mine.py, line 1: not valid Python"),
        ("\n1 / 0", "mine.py, line 2: ZeroDivisionError"),
        ("raise SystemExit(3)", "ends the program"),
        ("\ndef find_value(windows): pass", "mine.py, line 2: 'find_value' must take"),
        ("def find_value(w, g, width): pass", "missing a required argument: 'width'; declare"),
        (f"NAME = 5\n{FULL}", "the driver's name is 5; it must be a text"),
        (f"NAME = ''\n{FULL}", "the driver's name is empty"),
        (f"NAME = 'a\\nb'\n{FULL}", "it must be a text of one line"),
        (f"NAME = 'mtdf'\n{FULL}", "'mtdf', which is a built-in driver; set NAME to another one"),
        (f"SUMMARY = None\n{FULL}", "the driver's summary is None"),
        (f"NEEDS = 'table'\n{FULL}", "the driver's needs is 'table'; it must be a tuple"),
        (f"NEEDS = ['tabel']\n{FULL}", "unknown switch 'tabel'; did you mean 'table'?"),
        (f"OFF = ('alll',)\n{FULL}", "the driver's off: unknown switch 'alll'"),
        (f"PRUNES = 1\n{FULL}", "the driver's prunes is 1; it must be True or False"),
        (f"PARAMETERS = ['width']\n{FULL}", "they must be a tuple of Parameter"),
    ],
)
def test_mistakes_in_a_file_are_reported_when_it_is_read(
    source: str, message: str, write: Any
) -> None:
    with pytest.raises(PlyforgeError) as caught:
        Engine(game, driver=write(source))
    assert message in str(caught.value)
    assert "mine" in str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ('"width", 1.0, "", 0, 9', "impossible default: width must be an integer"),
        ('"width", 12, "", 0, 9', "impossible default: width must be between 0 and 9, not 12"),
        ('"width", "x", "", choices={"y": 1}', "impossible default: unknown value of width 'x'"),
        ('"Big Width", 1, "", 0, 9', "must have a name such as 'margin'"),
        ('"a=b", 1, "", 0, 9', "must have a name such as 'margin'"),
        ('"step", 1, "", 0, 9', "'step' has a name with another meaning"),
        ('"depth", 1, "", 0, 9', "'depth' has a name with another meaning"),
        ('"guess", 1, "", 0, 9', "'guess' has a name with another meaning"),
        ('"other", 1, "", 0, 9', "must take find_value(windows, guess, other)"),
    ],
)
def test_mistakes_in_parameters_are_reported(parameters: str, message: str, write: Any) -> None:
    source = f"from plyforge import Parameter\nPARAMETERS = [Parameter({parameters})]\n{FULL}"
    with pytest.raises(GameFileError) as caught:
        Engine(game, driver=write(source))
    assert message in str(caught.value)
    assert "mine.py" in str(caught.value)


def test_a_parameter_is_declared_once(write: Any) -> None:
    one = 'Parameter("width", 1, "", 0, 9)'
    source = f"from plyforge import Parameter\nPARAMETERS = [{one}, {one}]\n{FULL}"
    with pytest.raises(GameFileError, match="'width' is declared twice"):
        Engine(game, driver=write(source))


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    for name in ("nowhere.py", str(tmp_path / "nowhere.py")):
        with pytest.raises(
            GameFileError, match=r"no file .*nowhere\.py; give the path of a Python"
        ):
            Engine(game, driver=name)
    with pytest.raises(GameFileError, match="is a folder"):
        Engine(game, driver=str(tmp_path))


# Mistakes while it runs


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 1 / 0", "line 2: 'find_value': ZeroDivisionError: division by zero"),
        ("pass", "line 1: 'find_value' returned None; it must return the value"),
        ("return '5'", "line 1: 'find_value' returned '5'; it must return the value"),
        ("return True", "returned True; it must return the value"),
        ("return float('nan')", "returned nan; it must return the value"),
        ("windows.test(0)\n    return float('-inf')", "returned -inf; it must return the value"),
        ("return 10**400", "it must return the value"),
        ("return 3", "line 1: 'find_value' returned 3 without a search"),
        (
            "windows.search(-9e9, 9e9)\n    return 7777",
            "returned 7777, but according to its searches the value",
        ),
        ("windows.search(1, 1)", "line 2: 'find_value': the window (1, 1) is empty"),
        ("windows.search(3, -3)", "line 2: 'find_value': the window (3, -3) is empty"),
        ("windows.search(float('nan'), 1)", "line 2: 'find_value': the window (nan, 1) is empty"),
        ("windows.search('a', None)", "line 2: 'find_value': the window ('a', None) is not a pair"),
        ("windows.search(0, 10**400)", "is not a pair of numbers"),
        ("windows.test(None)", "line 2: 'find_value': TypeError"),
        ("windows.serach(0, 1)", "line 2: 'find_value': AttributeError"),
        ("raise KeyError", "line 2: 'find_value': KeyError"),
        ("exit(1)", "line 2: 'find_value': SystemExit: 1"),
        ("find_value(windows, guess)", "line 2: 'find_value': RecursionError"),
    ],
)
def test_mistakes_while_it_runs_name_the_line(body: str, message: str, write: Any) -> None:
    with pytest.raises(GameFileError) as caught:
        analyse(write(f"def find_value(windows, guess):\n    {body}\n"))
    assert message in str(caught.value)
    assert "mine.py" in str(caught.value)


def test_a_mistake_in_a_helper_names_the_line_of_the_helpers_call(write: Any) -> None:
    source = (
        "def find_value(windows, guess):\n    return helper(windows)\n\n\n"
        "def helper(windows):\n    return windows.search(2, 1)\n"
    )
    with pytest.raises(GameFileError, match=r"mine\.py, line 6: 'find_value': the window \(2, 1\)"):
        analyse(write(source))


def test_an_engine_works_after_a_drivers_mistake() -> None:
    divisors = [0.0, 1.0]

    def fails_once(windows: WindowSearch, guess: float) -> float:
        return full_window(windows, guess) / divisors.pop(0)

    engine = Engine("connect4", driver=fails_once, off=["deepening"], entries=4096)
    with pytest.raises(GameFileError, match="ZeroDivisionError"):
        engine.analyse(depth=4)
    truth = Engine("connect4", entries=4096).analyse(depth=4).score
    assert engine.analyse(depth=4).score == truth


# Drivers that do not end


def test_searches_that_teach_nothing_are_an_error(write: Any) -> None:
    with pytest.raises(GameFileError) as caught:
        analyse(write(LOOP.format("windows.search(-1e7, 1e7)")))
    message = str(caught.value)
    assert "mine.py, line 3: 'find_value': the last 1000 searches changed neither bound" in message
    assert MAX_USELESS == 1000


@pytest.mark.parametrize(
    "body",
    [
        "windows.search(-1e30, 1e30)",
        "try: windows.test(5.0)\n        except Exception: pass",
    ],
)
@pytest.mark.parametrize("limits", [{"time": 0.05}, {"nodes": 3000}])
def test_a_driver_that_searches_forever_obeys_limits(
    body: str, limits: dict[str, Any], write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyforge.engine.window_search.MAX_USELESS", 10**9)
    engine = Engine("checkers", driver=write(LOOP.format(body)), off=["table"], entries=4096)
    result = engine.analyse(depth=5, **limits)
    assert result.stopped
    assert result.root is not None
    assert result.move in result.root.legal_moves()


def test_a_value_from_a_search_that_was_stopped_does_not_count(write: Any) -> None:
    source = (
        "def find_value(windows, guess):\n"
        "    try:\n        return windows.search(-1e9, 1e9)\n"
        "    except BaseException:\n        return 0\n"
    )
    engine = Engine("checkers", driver=write(source), off=["deepening"], entries=4096)
    result = engine.analyse(depth=12, nodes=1000)
    assert result.stopped
    assert (result.depth, result.bound) in ((0, "lower"), (0, "none"))


def test_a_driver_cannot_swallow_its_own_mistake(write: Any) -> None:
    body = "try: windows.search(1, 0)\n        except Exception: pass"
    with pytest.raises(GameFileError, match=r"line 3: 'find_value': the window \(1, 0\) is empty"):
        analyse(write(LOOP.format(body)))


def test_a_driver_that_does_not_search_ends_some_time_after_the_limit(
    write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overrun, "GRACE", 0.05)
    engine = Engine(game, driver=write(LOOP.format("guess += 1")), entries=4096)
    with pytest.raises(GameFileError, match=r"mine\.py, line [23]: 'find_value': it did not end"):
        engine.analyse(depth=3, time=0.02)
    engine.driver = DRIVERS["pvs"]
    assert engine.analyse(depth=3).depth == 3


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
@pytest.mark.parametrize("body", ["guess += 1", "windows.search(-1e30, 1e30)"])
@pytest.mark.parametrize("handler", [signal.default_int_handler, raise_interrupt])
def test_ctrl_c_ends_a_driver_that_does_not_end(
    body: str, handler: Any, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overrun, "GRACE", 0.05)
    monkeypatch.setattr("plyforge.engine.window_search.MAX_USELESS", 10**9)
    engine = Engine("checkers", driver=write(LOOP.format(body)), off=["table"], entries=4096)
    engine.prepare()
    before = signal.signal(signal.SIGINT, handler)
    timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            engine.analyse(depth=5)
    finally:
        signal.signal(signal.SIGINT, before)
    engine.driver = DRIVERS["pvs"]
    assert engine.analyse(depth=3).depth == 3


def test_leaving_the_reports_ends_a_driver_that_does_not_search(
    write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page in the browser does that."""
    monkeypatch.setattr(overrun, "GRACE", 0.05)
    source = (
        "def find_value(windows, guess):\n    windows.test(0.5)\n    while True:\n        pass\n"
    )
    engine = Engine(game, driver=write(source), entries=4096)
    until = threading.Event()
    threading.Timer(0.1, until.set).start()
    with pytest.raises(GameFileError, match="did not end"):
        list(engine.infos(depth=3, until=until))


def loop(overseer: overrun.Overseer) -> None:
    with overseer.watch():
        overseer._asked = -math.inf
        overseer.stop()
        while True:
            pass


def test_nothing_is_raised_in_code_that_has_ended() -> None:
    overseer = overrun.Overseer()
    for _ in range(200):
        with overseer.watch():
            overseer._asked = -math.inf
        overseer.stop()
    with pytest.raises(overrun.Overrun):
        loop(overseer)
    for _ in range(1000):  # a pending exception would be raised here
        pass


def test_python_has_no_pending_work_after_an_overrun() -> None:
    """Python 3.11 hangs at the first traced call otherwise, so that debuggers and coverage do."""
    with pytest.raises(overrun.Overrun):
        loop(overrun.Overseer())
    events = []
    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: events.append(event))
    do_nothing()
    sys.settrace(before)
    assert "call" in events


def do_nothing() -> None:
    """Do nothing, in a function."""
