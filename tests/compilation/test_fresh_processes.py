"""The cache on disk, as later processes meet it: never stale, never wrong, never fatal."""

import hashlib
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

from plyforge.compilation.store import MAGIC
from tests.compilation.conftest import TAKE_AWAY, Workshop, finished

HELPER = """
import numpy as np
from typing import NamedTuple

MOST = 3
STEPS = (1, 2, 3)
WORTH = np.array([0, 1, 1, 1])


class Limits(NamedTuple):
    low: int
    high: int


LIMITS = Limits(0, 12)


def reduced(left, move):  # what remains
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
        if take <= helper.MOST and allowed(position.left, take):
            if helper.WORTH[take] and position.left <= helper.LIMITS.high:
                yield take + 0


def play(position, move):
    return Position(helper.reduced(position.left, move), position.taken)
"""

EDITS = {
    "a function called as an attribute": ("helper", "left - move", "left - move - 1"),
    "an imported function": ("helper", "take <= left", "take < left"),
    "a constant of a module": ("helper", "MOST = 3", "MOST = 2"),
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


def edited(edit: tuple[str, str, str]) -> dict[str, str]:
    sources = {"helper": HELPER, "game": GAME}
    where, old, new = edit
    assert old in sources[where]
    return {**sources, where: sources[where].replace(old, new)}


@pytest.fixture(scope="module")
def after_edits(shared_workshop: Workshop) -> dict[str, Any]:
    """Every edit in a folder of its own, counted by one process after the cache was filled."""
    shop = shared_workshop
    plain = shop.game("plain", GAME, helper=HELPER)
    assert shop.run(plain)["games"][0]["fresh"]
    games = {}
    for number, (what, edit) in enumerate({**EDITS, **HARMLESS}.items()):
        sources = edited(edit)
        games[what] = shop.game(f"edit{number}", sources["game"], helper=sources["helper"])
    reports = shop.run(plain, *games.values())["games"]
    assert not reports[0]["fresh"]
    return dict(zip(games, reports[1:], strict=True))


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_is_never_answered_from_the_cache(after_edits: dict[str, Any], what: str) -> None:
    assert after_edits[what]["fresh"]


@pytest.mark.parametrize("what", HARMLESS)
def test_an_edit_that_changes_no_code_is(after_edits: dict[str, Any], what: str) -> None:
    assert not after_edits[what]["fresh"]


def test_an_edit_within_the_same_second_that_keeps_the_size_is_seen(workshop: Workshop) -> None:
    game = workshop.game(source=GAME, helper=HELPER)
    before = workshop.run(game)["games"][0]
    workshop.game(source=GAME, helper=HELPER.replace("MOST = 3", "MOST = 1"))
    after = workshop.run(game)["games"][0]
    assert (before["compiled"], after["compiled"]) == (81, 1)
    assert not list(game.parent.rglob("*.pyc"))


def test_two_processes_at_once_make_one_entry_and_leave_no_draft(workshop: Workshop) -> None:
    game = workshop.game()
    processes = [workshop.start(game) for _ in range(2)]
    reports = [finished(process) for process in processes]
    assert {report["games"][0]["compiled"] for report in reports} == {81}
    assert [path.suffix for path in workshop.cache.iterdir()] == [".kernel"]


OTHER_TAKE_AWAY = TAKE_AWAY.replace("MOST = 3", "MOST = 2").replace(
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


def test_kernels_loaded_and_compiled_in_one_process_keep_to_their_own_code(
    workshop: Workshop,
) -> None:
    """Functions, classes and modules of these games have the same names."""
    one = workshop.game("one", TAKE_AWAY)
    two = workshop.game("two", OTHER_TAKE_AWAY)
    head = "from plyforge.rules import LOSS, ONGOING\n"
    three = workshop.game("three", head + TAKE_AWAY + RECURSIVE)
    expected = [game["compiled"] for game in workshop.run(one, two, three, depth=5)["games"]]
    assert len(set(expected)) == 3
    for order in ([one, two, three], [three, two, one, two]):
        report = workshop.run(*order, depth=5)["games"]
        assert [game["compiled"] for game in report] == [
            expected[[one, two, three].index(game)] for game in order
        ]
        assert not any(game["fresh"] for game in report)
    for forgotten in workshop.entries():  # now one is compiled among two that are loaded
        forgotten.unlink()
        report = workshop.run(three, one, two, depth=5)["games"]
        assert [game["compiled"] for game in report] == [expected[2], *expected[:2]]
        assert [game["fresh"] for game in report].count(True) == 1
        assert forgotten.exists()


def test_a_kernel_that_needs_more_of_numba_than_usual_is_loaded_too(workshop: Workshop) -> None:
    """Dictionaries and random numbers live in libraries that Numba loads on demand."""
    game = workshop.game(
        source=TAKE_AWAY.replace(
            "def play",
            """def outcome(position):
    seen = {1: 2}
    seen[position.left] = 1
    rank = len(seen) + np.random.random()
    return LOSS if rank < 0 else ONGOING


def play""",
        ).replace(
            "from plyforge",
            "import numpy as np\nfrom plyforge.rules import LOSS, ONGOING\nfrom plyforge",
        )
    )
    assert workshop.run(game)["games"][0]["fresh"]
    assert not workshop.run(game)["games"][0]["fresh"]


def test_a_large_array_is_not_read_by_its_address_in_a_later_process(workshop: Workshop) -> None:
    source = TAKE_AWAY.replace("MOST = 3", "import numpy as np\nTABLE = np.full(300_000, 3)")
    game = workshop.game(source=source.replace("MOST +", "TABLE[position.left] +"))
    first = workshop.run(game)["games"][0]
    assert "over a megabyte" in first["told"]
    assert workshop.entries() == []
    assert workshop.run(game)["games"][0]["compiled"] == first["compiled"] == 81


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[: len(data) // 2], marks=pytest.mark.long),
        lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        lambda data: sealed(b"no pickle at all"),
        lambda data: sealed(pickle.dumps(([], pickle.dumps(("too", "few"))))),
    ],
    ids=["truncated", "one bit", "sealed garbage", "sealed nonsense"],
)
def test_a_damaged_entry_is_compiled_again_and_replaced(
    shared_workshop: Workshop, damage: Any, tmp_path: Path
) -> None:
    shop = Workshop(tmp_path)
    game = shop.game()
    if not (shared_workshop.folder / "sound").exists():
        shop.run(game)
        shutil.copytree(shop.cache, shared_workshop.folder / "sound")
    shutil.copytree(shared_workshop.folder / "sound", shop.cache, dirs_exist_ok=True)
    (entry,) = shop.entries()
    broken = damage(entry.read_bytes())
    entry.write_bytes(broken)
    report = shop.run(game)["games"][0]
    assert (report["compiled"], report["fresh"]) == (81, True)
    assert shop.entries() == [entry]
    assert len(entry.read_bytes()) > len(broken) or entry.read_bytes() != broken


def sealed(payload: bytes) -> bytes:
    return MAGIC + hashlib.sha256(payload).digest() + payload


@pytest.mark.parametrize(
    "other",
    [
        "import numba; numba.__version__ = '9.9'",
        "import sys; sys.implementation.cache_tag = 'cpython-999'",
        pytest.param("import numba; numba.config.BOUNDSCHECK = 1", marks=pytest.mark.long),
    ],
    ids=["numba", "python", "bounds check"],
)
def test_other_tools_have_entries_of_their_own(
    shared_workshop: Workshop, other: str, tmp_path: Path
) -> None:
    shop = Workshop(tmp_path)
    game = shop.game()
    shop.cache.mkdir()
    source = shared_workshop.folder / "sound"
    if not source.exists():
        shop.run(game)
        shutil.copytree(shop.cache, source)
    shutil.copytree(source, shop.cache, dirs_exist_ok=True)
    (entry,) = shop.entries()
    old = entry.read_bytes()
    assert shop.run(game, before=other)["games"][0]["fresh"]
    assert entry.read_bytes() == old
    assert len(shop.entries()) == 2


def test_a_cache_that_cannot_be_written_warns_and_serves_later_starts(workshop: Workshop) -> None:
    game = workshop.game()
    blocked = workshop.write("blocked", "a file where the folder should be")
    (workshop.folder / "temporary").mkdir()
    environment = {"PLYFORGE_CACHE": str(blocked), "TMPDIR": str(workshop.folder / "temporary")}
    first = workshop.run(game, **environment)
    assert first["games"][0]["fresh"]
    assert "cannot be written" in first["warnings"][0]
    second = workshop.run(game, **environment)
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


def test_a_full_disk_warns_and_the_count_is_right(workshop: Workshop) -> None:
    report = workshop.run(workshop.game(), before=FULL_DISK)
    assert report["games"][0]["compiled"] == 81
    assert any("No space left" in text for text in report["warnings"])
    assert list(workshop.cache.iterdir()) == []


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "checkers", "chess"])
@pytest.mark.long
def test_a_built_in_game_loads_from_the_cache(workshop: Workshop, game: str) -> None:
    assert workshop.run(game, depth=4)["games"][0]["fresh"]
    assert not workshop.run(game, depth=4)["games"][0]["fresh"]
