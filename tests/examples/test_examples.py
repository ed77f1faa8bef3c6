"""The examples: clean under `check`, counted right, alike in both backends, short."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import plyforge
from plyforge import Game
from plyforge.check import check
from plyforge.rules import ONGOING

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))


@cache
def load(name: str) -> Game:
    return plyforge.load(str(EXAMPLES / f"{name}.py"))


# Independent rules, written for brevity: each yields the states after one move, and none when the
# game is over.


def dodgem(state: Any) -> Iterator[Any]:
    """Sets of (x, y); the side to move first, with its direction; (0, 0) is the top left."""
    mine, theirs, ahead = state
    if not theirs:
        return
    x_ahead, y_ahead = ahead
    for x, y in mine:
        for dx, dy in ((x_ahead, y_ahead), (y_ahead, x_ahead), (-y_ahead, -x_ahead)):
            to = x + dx, y + dy
            inside = 0 <= to[0] < 3 and 0 <= to[1] < 3
            if (inside and to not in mine | theirs) or (not inside and (dx, dy) == ahead):
                rest = mine - {(x, y)} | ({to} if inside else set())
                yield theirs, rest, (1, 0) if ahead == (0, -1) else (0, -1)


def breakthrough(state: Any) -> Iterator[Any]:
    """Sets of (file, rank) with the direction in which the side to move moves."""
    mine, theirs, step = state
    if any(rank == (0 if step == 1 else 7) for _, rank in theirs):
        return
    for file, rank in mine:
        for aside in (-1, 0, 1):
            to = file + aside, rank + step
            if 0 <= to[0] < 8 and to not in mine and not (aside == 0 and to in theirs):
                yield theirs - {to}, mine - {(file, rank)} | {to}, -step


def gomoku(state: Any) -> Iterator[Any]:
    """Sets of cells; short games have no five."""
    mine, theirs = state
    for cell in range(169):
        if cell not in mine and cell not in theirs:
            yield theirs, mine | {cell}


def dots(state: Any) -> Iterator[Any]:
    """Lines between dots of 3x3 boxes: a box adds a move, which does not change the count."""
    grid = [(x, y) for x in range(4) for y in range(4)]
    steps = [(p, (p[0] + dx, p[1] + dy)) for p in grid for dx, dy in ((1, 0), (0, 1))]
    for line in steps:
        if line[1] in grid and line not in state:
            yield state | {line}


MORRIS = {(x, y) for x in range(-3, 4) for y in range(-3, 4) if abs(x) == abs(y) or 0 in (x, y)}
MORRIS -= {(0, 0)}


def morris(state: Any) -> Iterator[Any]:
    """Sets of points around the middle of the board; the side to move first, then men in hand.

    Points are in a line if they have a coordinate in common and no gap in the middle between them.
    """
    mine, theirs, hand, other_hand = state
    if hand == 0 and len(mine) < 3:
        return

    def line(point: Any, axis: int) -> list[Any]:
        same = [p for p in MORRIS if p[axis] == point[axis]]
        if point[axis] == 0:  # two lines, one on each side of the middle
            same = [p for p in same if p[1 - axis] * point[1 - axis] > 0]
        return sorted(same)

    def has_mill(point: Any, men: Any) -> bool:
        return any(set(line(point, axis)) <= men for axis in (0, 1))

    def near(point: Any) -> set[Any]:
        lines = [line(point, axis) for axis in (0, 1)]
        return {p for one in lines for p in one if abs(one.index(p) - one.index(point)) == 1}

    empty = MORRIS - mine - theirs
    if hand:
        steps = [(None, to) for to in empty]
    else:
        steps = [(at, to) for at in mine for to in (empty if len(mine) == 3 else empty & near(at))]
    for at, to in steps:
        men = mine - {at} | {to}
        left = hand - (at is None)
        takable = {p for p in theirs if not has_mill(p, theirs)} or theirs
        for taken in takable if has_mill(to, men) and theirs else {None}:
            yield theirs - {taken}, men, other_hand, left


def last_letter(state: str) -> Iterator[str]:
    words = load("last_letter").rules.module.WORDS
    if state not in words:
        yield from {w[: len(state) + 1] for w in words if w.startswith(state) and w != state}


def rectangle(files: Any, ranks: Any) -> frozenset[tuple[int, int]]:
    return frozenset((file, rank) for file in files for rank in ranks)


TWINS = {
    "dodgem": (dodgem, (frozenset({(0, 0), (0, 1)}), frozenset({(1, 2), (2, 2)}), (1, 0)), 8),
    "breakthrough": (
        breakthrough,
        (rectangle(range(8), (0, 1)), rectangle(range(8), (6, 7)), 1),
        3,
    ),
    "dots": (dots, frozenset(), 3),
    "gomoku13": (gomoku, (frozenset(), frozenset()), 2),
    "last_letter": (last_letter, "", 5),
    "morris": (morris, (frozenset(), frozenset(), 9, 9), 2),
}


def count(moves: Any, state: Any, depth: int) -> int:
    return 1 if depth == 0 else sum(count(moves, child, depth - 1) for child in moves(state))


def test_every_example_has_a_twin_and_a_line_in_the_readme() -> None:
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert sorted(TWINS) == NAMES
    assert all(f"[{name}.py]({name}.py)" in readme for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_short(name: str) -> None:
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120


@pytest.mark.parametrize(
    "name", [NAMES[0], *(pytest.param(name, marks=pytest.mark.long) for name in NAMES[1:])]
)
def test_check_finds_nothing(name: str) -> None:
    report = check(str(EXAMPLES / f"{name}.py"), games=3, seconds=60.0)
    assert report.complete
    remarks = ["the rules run uncompiled"] if name == "last_letter" else []
    assert [problem.message[:24] for problem in report.problems] == remarks


@pytest.mark.parametrize("name", NAMES)
def test_counts_are_those_of_independent_rules(name: str) -> None:
    game = load(name)
    moves, start, max_depth = TWINS[name]
    for depth in range(1, max_depth + 1):
        assert game.perft(game.initial(), depth) == count(moves, start, depth)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_morris_counts_in_the_middle_of_games_are_those_of_independent_rules(seed: int) -> None:
    game, random = load("morris"), Random(seed)
    names, history = game.rules.module.NAMES, game.history()

    def to_points(men: int) -> frozenset[tuple[int, int]]:
        places = [names[n] for n in range(24) if men >> n & 1]
        return frozenset(("abcdefg".index(name[0]) - 3, int(name[1]) - 4) for name in places)

    while history.legal_moves():
        history.play(random.choice(history.legal_moves()))
        position = history.position
        if len(history.moves) % 9 == 0:
            hands = [9 - (position.placed + 1 - side) // 2 for side in (0, 1)]
            in_turn = hands if position.side == 0 else hands[::-1]
            state = to_points(position.own), to_points(position.other), *in_turn
            for depth in (1, 2):
                assert game.perft(position, depth) == count(morris, state, depth)


@pytest.mark.parametrize(
    ("men", "verdict"), [("a7 d7 b6 / g7 f6 e5", "ongoing"), ("a7 d7 / g7 f6 e5", "loss")]
)
def test_a_side_with_two_men_has_lost_in_morris(men: str, verdict: str) -> None:
    game = load("morris")
    own, other = (
        sum(1 << game.rules.module.NAMES.index(n) for n in part.split()) for part in men.split("/")
    )
    assert game.verdict(game.parse(f"{own} {other} 18 0")).name == verdict


@pytest.mark.parametrize("name", NAMES)
def test_both_backends_count_the_same(name: str) -> None:
    game = load(name)
    assert game.position_type.compilable == (name != "last_letter")
    depth = min(2, TWINS[name][2])
    counts = {
        backend: game.perft(game.initial(), depth, backend) for backend in (game.backend, "python")
    }
    assert len(set(counts.values())) == 1


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("a1 a13 b1 b13 c1 c13 d1 d13 e1", "Black"),
        ("a1 m1 a3 m2 a5 m3 a7 m4 a9 m5", "White"),
        ("a1 c1 b2 d1 c3 e1 d4 f1 e5", "Black"),
        ("a1 e1 b1 d2 c1 c3 d1 b4 a13 a5", "White"),
    ],
)
def test_gomoku_sees_lines_in_every_direction(moves: str, winner: str) -> None:
    history = load("gomoku13").history()
    history.play_text(moves)
    assert history.verdict().name == "loss"
    assert load("gomoku13").players[1 - history.turn] == winner


def test_blocking_the_other_side_completely_loses_in_dodgem() -> None:
    game = load("dodgem")
    # Blue at a1; Red at a2, above it, and at b1, beside it.
    stuck = game.parse(f"{0b001_000_000} {0b010_001_000} 0")
    assert game.moves(stuck) == []
    assert game.verdict(stuck).name == "win"


def test_no_letter_is_added_to_a_word() -> None:
    history = load("last_letter").history()
    history.play_text("p l a y")
    assert history.legal_moves() == []
    assert history.verdict().name == "loss"


@pytest.mark.parametrize(("variant", "value"), [("1x1", -1), ("1x3", -1)])
def test_small_boards_of_dots_and_boxes_have_their_known_values(variant: str, value: int) -> None:
    game = plyforge.load(f"{EXAMPLES / 'dots.py'}:{variant}")
    best: dict[Any, float] = {}

    def solve(position: Any) -> float:
        if position not in best:
            over = game.outcome(position)
            best[position] = (
                max(
                    solve(child) if child.side == position.side else -solve(child)
                    for child in (game.play(position, move) for move in game.moves(position))
                )
                if over == ONGOING
                else over
            )
        return best[position]

    assert solve(game.initial()) == value
