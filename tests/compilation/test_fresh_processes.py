"""Fresh processes load kernels from the cache on disk, which is never stale, wrong or fatal."""

import hashlib
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

import plyforge
from plyforge.compilation.kernel import kernel_name
from plyforge.compilation.store import MAGIC
from plyforge.game.kernels.perft import PERFT
from tests.compilation.conftest import TAKE_AWAY, Sandbox, wait_for

HELPER = """
import numpy as np
from typing import NamedTuple

LIMIT = 3
STEPS = (1, 2, 3)
WORTH = np.array([0, 1, 1, 1])


class Limits(NamedTuple):
    low: int
    high: int


LIMITS = Limits(0, 12)


def reduce(left, move):  # what remains
    return left - move


def allowed(left, take):
    return take <= left
"""

GAME = """
from typing import NamedTuple

import helper
from helper import allowed

MAX_MOVES = 8


class Position(NamedTuple):
    left: int
    taken: int


def initial():
    return Position(12, 2)


def moves(position):
    for take in helper.STEPS:
        if take <= helper.LIMIT and allowed(position.left, take):
            if helper.WORTH[take] and position.left <= helper.LIMITS.high:
                yield take + 0


def play(position, move):
    return Position(helper.reduce(position.left, move), position.taken)
"""

EDITS = {
    "a function called as an attribute": ("helper", "left - move", "left - move - 1"),
    "an imported function": ("helper", "take <= left", "take < left"),
    "a constant of a module": ("helper", "LIMIT = 3", "LIMIT = 2"),
    "a tuple of a module": ("helper", "STEPS = (1, 2, 3)", "STEPS = (1, 3, 3)"),
    "an array of a module": ("helper", "[0, 1, 1, 1]", "[0, 1, 0, 1]"),
    "the order of a constant's fields": (
        "helper",
        "low: int\n    high: int",
        "high: int\n    low: int",
    ),
    "the game's own file": ("game", "yield take + 0", "yield take + 1"),
    "the fields of the position, swapped": ("game", "left: int\n    taken", "taken: int\n    left"),
    "the declared limit": ("game", "MAX_MOVES = 8", "MAX_MOVES = 9"),
}
HARMLESS = {
    "a comment": ("helper", "# what remains", "# what is left when a move has been made"),
    "blank lines": ("game", "\n\n\ndef moves", "\n\n\n\n\ndef moves"),
    "a function that no kernel calls": (
        "game",
        "def initial",
        "def to_text(p):\n    return ''\n\n\ndef initial",
    ),
}


def apply_edit(edit: tuple[str, str, str]) -> dict[str, str]:
    sources = {"helper": HELPER, "game": GAME}
    where, old, new = edit
    assert old in sources[where]
    return {**sources, where: sources[where].replace(old, new)}


@pytest.fixture(scope="module")
def after_edits(shared_sandbox: Sandbox) -> dict[str, Any]:
    """Reports of one process that counts with every edit, after the cache was filled."""
    sandbox = shared_sandbox
    plain = sandbox.game("plain", GAME, helper=HELPER)
    assert sandbox.run(plain)["games"][0]["fresh"]
    games = {}
    for number, (what, edit) in enumerate({**EDITS, **HARMLESS}.items()):
        sources = apply_edit(edit)
        games[what] = sandbox.game(f"edit{number}", sources["game"], helper=sources["helper"])
    reports = sandbox.run(plain, *games.values())["games"]
    assert not reports[0]["fresh"]
    return dict(zip(games, reports[1:], strict=True))


@pytest.mark.long
@pytest.mark.parametrize("what", EDITS)
def test_an_edit_compiles_a_new_kernel(after_edits: dict[str, Any], what: str) -> None:
    assert after_edits[what]["fresh"]


@pytest.mark.long
@pytest.mark.parametrize("what", HARMLESS)
def test_an_edit_that_changes_no_code_keeps_the_kernel(
    after_edits: dict[str, Any], what: str
) -> None:
    assert not after_edits[what]["fresh"]


@pytest.mark.parametrize("what", {**EDITS, **HARMLESS})
def test_an_edit_changes_the_name_of_the_kernel_if_it_changes_code(
    sandbox: Sandbox, what: str
) -> None:
    edited = apply_edit({**EDITS, **HARMLESS}[what])
    names = []
    for folder, sources in (("plain", {"game": GAME, "helper": HELPER}), ("edited", edited)):
        path = sandbox.game(folder, sources["game"], helper=sources["helper"])
        game = plyforge.load(str(path))
        names.append(kernel_name(PERFT, game.rules, game.position_type)[0])
    assert (names[0] == names[1]) == (what in HARMLESS)


def test_an_edit_within_the_same_second_that_keeps_the_size_is_seen(sandbox: Sandbox) -> None:
    game = sandbox.game(source=GAME, helper=HELPER)
    before = sandbox.run(game)["games"][0]
    sandbox.game(source=GAME, helper=HELPER.replace("LIMIT = 3", "LIMIT = 1"))
    after = sandbox.run(game)["games"][0]
    assert (before["compiled"], after["compiled"]) == (81, 1)
    assert not list(game.parent.rglob("*.pyc"))


@pytest.mark.long
def test_two_processes_at_once_make_one_entry_and_leave_no_draft(sandbox: Sandbox) -> None:
    game = sandbox.game()
    processes = [sandbox.start(game) for _ in range(2)]
    reports = [wait_for(process) for process in processes]
    assert {report["games"][0]["compiled"] for report in reports} == {81}
    assert [path.suffix for path in sandbox.cache.iterdir()] == [".kernel"]


OTHER_TAKE_AWAY = TAKE_AWAY.replace("LIMIT = 3", "LIMIT = 2").replace(
    "left - move", "left - 2 * move"
)
RECURSIVE = """
def depth_of(left):
    if left <= 0:
        return 0
    return 1 + depth_of(left - 2)


def outcome(position):
    from_top = depth_of(position.left)
    return LOSS if from_top > 4 and position.taken == 1 else ONGOING
"""


@pytest.mark.long
def test_kernels_of_several_games_in_one_process_do_not_mix(sandbox: Sandbox) -> None:
    """Functions, classes and modules of these games have the same names."""
    one = sandbox.game("one", TAKE_AWAY)
    two = sandbox.game("two", OTHER_TAKE_AWAY)
    head = "from plyforge.rules import LOSS, ONGOING\n"
    three = sandbox.game("three", head + TAKE_AWAY + RECURSIVE)
    expected = [game["compiled"] for game in sandbox.run(one, two, three, depth=5)["games"]]
    assert len(set(expected)) == 3
    for order in ([one, two, three], [three, two, one, two]):
        report = sandbox.run(*order, depth=5)["games"]
        assert [game["compiled"] for game in report] == [
            expected[[one, two, three].index(game)] for game in order
        ]
        assert not any(game["fresh"] for game in report)
    for entry in sandbox.entries():  # now one is compiled and two are loaded
        entry.unlink()
        report = sandbox.run(three, one, two, depth=5)["games"]
        assert [game["compiled"] for game in report] == [expected[2], *expected[:2]]
        assert [game["fresh"] for game in report].count(True) == 1
        assert entry.exists()


@pytest.mark.long
def test_a_kernel_that_needs_other_libraries_of_numba_is_loaded_too(sandbox: Sandbox) -> None:
    """Dictionaries, random numbers and products live in libraries that Numba loads on demand."""
    game = sandbox.game(
        source=TAKE_AWAY.replace(
            "def play",
            """def outcome(position):
    seen = {1: 2}
    seen[position.left] = 1
    rank = len(seen) + np.random.random() + np.dot(np.ones(2), np.ones(2))
    return LOSS if rank < 0 else ONGOING


def play""",
        ).replace(
            "from plyforge",
            "import numpy as np\nfrom plyforge.rules import LOSS, ONGOING\nfrom plyforge",
        )
    )
    assert sandbox.run(game)["games"][0]["fresh"]
    assert not sandbox.run(game)["games"][0]["fresh"]


@pytest.mark.long
def test_a_large_array_is_not_read_by_its_address_in_a_later_process(sandbox: Sandbox) -> None:
    source = TAKE_AWAY.replace("LIMIT = 3", "import numpy as np\nTABLE = np.full(300_000, 3)")
    game = sandbox.game(source=source.replace("LIMIT +", "TABLE[position.left] +"))
    first = sandbox.run(game)["games"][0]
    assert "over a megabyte" in first["messages"]
    assert sandbox.entries() == []
    assert sandbox.run(game)["games"][0]["compiled"] == first["compiled"] == 81


@pytest.mark.long
@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[: len(data) // 2], marks=pytest.mark.long),
        lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        pytest.param(lambda data: with_header(b"no pickle at all"), marks=pytest.mark.long),
        pytest.param(
            lambda data: with_header(pickle.dumps(([], pickle.dumps(("too", "few"))))),
            marks=pytest.mark.long,
        ),
    ],
    ids=["truncated", "one bit", "garbage behind a header", "nonsense behind a header"],
)
def test_a_damaged_entry_is_compiled_again_and_replaced(
    shared_sandbox: Sandbox, damage: Any, tmp_path: Path
) -> None:
    sandbox = Sandbox(tmp_path)
    game = sandbox.game()
    if not (shared_sandbox.folder / "sound").exists():
        sandbox.run(game)
        shutil.copytree(sandbox.cache, shared_sandbox.folder / "sound")
    shutil.copytree(shared_sandbox.folder / "sound", sandbox.cache, dirs_exist_ok=True)
    (entry,) = sandbox.entries()
    broken = damage(entry.read_bytes())
    entry.write_bytes(broken)
    report = sandbox.run(game)["games"][0]
    assert (report["compiled"], report["fresh"]) == (81, True)
    assert sandbox.entries() == [entry]
    assert len(entry.read_bytes()) > len(broken) or entry.read_bytes() != broken


def with_header(payload: bytes) -> bytes:
    return MAGIC + hashlib.sha256(payload).digest() + payload


@pytest.mark.parametrize(
    "other",
    [
        "import numba; numba.__version__ = '9.9'",
        "import sys; sys.implementation.cache_tag = 'cpython-999'",
        "import numba; numba.config.BOUNDSCHECK = 1",
    ],
    ids=["numba", "python", "bounds check"],
)
@pytest.mark.long
def test_other_tools_have_other_entries(
    shared_sandbox: Sandbox, other: str, tmp_path: Path
) -> None:
    sandbox = Sandbox(tmp_path)
    game = sandbox.game()
    sandbox.cache.mkdir()
    source = shared_sandbox.folder / "sound"
    if not source.exists():
        sandbox.run(game)
        shutil.copytree(sandbox.cache, source)
    shutil.copytree(source, sandbox.cache, dirs_exist_ok=True)
    (entry,) = sandbox.entries()
    old = entry.read_bytes()
    assert sandbox.run(game, before=other)["games"][0]["fresh"]
    assert entry.read_bytes() == old
    assert len(sandbox.entries()) == 2


@pytest.mark.long
def test_without_a_writable_cache_later_starts_use_a_temporary_folder(sandbox: Sandbox) -> None:
    game = sandbox.game()
    blocked = sandbox.write("blocked", "a file where the folder should be")
    (sandbox.folder / "temporary").mkdir()
    environment = {"PLYFORGE_CACHE": str(blocked), "TMPDIR": str(sandbox.folder / "temporary")}
    first = sandbox.run(game, **environment)
    assert first["games"][0]["fresh"]
    assert "cannot be written" in first["warnings"][0]
    second = sandbox.run(game, **environment)
    assert not second["games"][0]["fresh"]
    assert second["warnings"] == []


FULL_DISK = """
import errno, os, builtins
real = os.fdopen
def full(handle, *arguments, **options):
    os.close(handle)
    raise OSError(errno.ENOSPC, "No space left on device")
os.fdopen = full
"""


@pytest.mark.long
def test_a_full_disk_warns_and_the_count_is_right(sandbox: Sandbox) -> None:
    report = sandbox.run(sandbox.game(), before=FULL_DISK)
    assert report["games"][0]["compiled"] == 81
    assert any("No space left" in text for text in report["warnings"])
    assert list(sandbox.cache.iterdir()) == []


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "checkers", "chess"])
@pytest.mark.long
def test_a_built_in_game_loads_from_the_cache(sandbox: Sandbox, game: str) -> None:
    assert sandbox.run(game, depth=4)["games"][0]["fresh"]
    assert not sandbox.run(game, depth=4)["games"][0]["fresh"]
