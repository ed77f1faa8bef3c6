"""Integers that become floats or change their sign are reported with their line and a remedy."""

from collections.abc import Callable
from typing import Any

import pytest

import plyforge
from plyforge.compilation import hooks_api
from plyforge.compilation.kernel import Kernel, build
from plyforge.compilation.notices import Notices, SilentNotices
from plyforge.game.kernels.perft import PERFT
from tests.games.tiers import with_long

BOARD = """
from typing import NamedTuple

from plyforge.rules import ONGOING, ctz, popcount, u64

ONE = u64(1)


class Position(NamedTuple):
    board: u64
    count: int


def initial():
    return Position(u64(5), 3)


def moves(position):
    for move in range(position.count):
        yield move


def play(position, move):
    return Position(position.board ^ ONE, position.count)


def outcome(position):
    return ONGOING


"""


def _kernel() -> Kernel:
    scope: dict[str, Any] = {
        "evaluate": hooks_api.evaluate,
        "__name__": __name__,
    }
    exec("def worth(position):\n    return evaluate(position, 0, 0, 0)", scope)
    return Kernel("worth", scope["worth"], "float64(position)")


WORTH = _kernel()


@pytest.fixture
def findings(load: Callable[..., Any], private_cache: Any) -> Callable[[str], list[str]]:
    """Return the findings in a function of the rules, all in lines marked `here`."""

    def findings(body: str) -> list[str]:
        source = BOARD + (
            "def evaluate(position):\n    return measure(position.board, position.count)\n"
            f"\n\ndef measure(board, count):\n{body}\n"
        )
        game = load(source)
        messages: list[str] = []
        built = build(WORTH, game.rules, game.position_type, notices=Notices(messages.append))
        assert [text for text in messages if text.startswith("warning")] == [
            f"warning: {finding}\n" for finding in built.findings
        ]
        for finding in built.findings:
            line = int(finding.split(": ")[0].rpartition("game.py, line ")[2])
            assert "# here" in source.splitlines()[line - 1], finding
        return list(built.findings)

    return findings


FOUND = {
    "u64 + 1": "    return board + 1  # here",
    "u64 & 1": "    return board & 1  # here",
    "int | u64": "    return count | board  # here",
    "u64 -= 1": "    board -= 1  # here\n    return board",
    "u64 // 2": "    return board // 2  # here",
}


@pytest.mark.parametrize("what", FOUND)
def test_u64_mixed_with_int_is_found(findings: Callable[..., list[str]], what: str) -> None:
    (finding,) = findings(FOUND[what])
    assert "gives int64; wrap the plain int in u64(...)" in finding


FLOATS = {
    "an int that becomes u64": """
    x = 0  # here
    if count:
        x = board  # here
    return x  # here
""",
    "the same, kept inside": """
    x = 0  # here
    if count:
        x = board  # here
    return count if x else 0
""",
    "min of u64 and int": "    return min(board, 5)  # here",
    "true division": "    return int(count / 2)  # here",
}


@pytest.mark.parametrize("what", FLOATS)
def test_an_integer_that_becomes_a_float_is_found(
    findings: Callable[..., list[str]], what: str
) -> None:
    found = findings(FLOATS[what])
    assert found
    assert all("float64 in code that is about integers" in finding for finding in found)
    assert all("use // for /" in finding for finding in found)


CLEAN = {
    "u64 with u64": "    return board + ONE",
    "shifts": "    return board >> 3 | board << count",
    "comparisons": "    return board == 0 or board > 5",
    "bit counts": "    return popcount(board) + ctz(board) + 1",
    "an explicit u64": "    x = u64(0)\n    if count:\n        x = board\n    return x",
    "an explicit float": "    return float(board) / 2.0",
    "a float function": "    score = 0\n    if count:\n        score = 0.5\n    return score / 2",
}


@pytest.mark.parametrize("what", CLEAN)
def test_clean_code_has_no_findings(findings: Callable[..., list[str]], what: str) -> None:
    assert findings(CLEAN[what]) == []


@pytest.mark.parametrize("name", with_long(["tictactoe"], ["connect4", "checkers"]))
def test_the_built_in_games_are_clean(name: str, private_cache: Any) -> None:
    game = plyforge.load(name)
    assert build(PERFT, game.rules, game.position_type, notices=SilentNotices()).findings == ()
