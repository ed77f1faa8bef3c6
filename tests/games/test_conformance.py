"""One suite for every game: what the contract requires, checked along random games."""

import copy
import inspect
import re
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Game, PlyforgeError
from plyforge.core.errors import PositionError
from plyforge.core.randomness import Stream
from plyforge.rules import DRAW, LOSS, ONGOING, WIN
from tests.games.inspection import Inspector
from tests.games.tiers import examples, with_long

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = 20_000
"""Sequences of moves that the uncompiled backend can count in a test."""
LONG_COUNTS = ("gomoku13.py",)
"""Games of which the fast tier compares the backends only in `tests/examples`."""
LONG_REPORTS = (
    *("andantino", "chess", "giveaway", "hex", "othello", "tree"),
    *("dodgem.py", "dots.py", "morris.py", *LONG_COUNTS),
)
"""Games of which the fast tier compares only counts: each report needs a kernel of its own."""


@cache
def load(name: str) -> Game:
    return plyforge.load(name)


def same(game: Game, one: Any, other: Any) -> bool:
    return game.position_type.equal(one, other)


@cache
def every_game() -> list[str]:
    """The built-in games and the example files."""
    return plyforge.names() + [str(path) for path in sorted(EXAMPLES.glob("*.py"))]


@cache
def every_variant() -> list[str]:
    """The variants that the built-in games name, except those that are the game itself."""
    names = []
    for name in plyforge.names():
        base = load(name)
        variants = [f"{name}:{variant}" for variant in base.rules.constant("VARIANTS")]
        names += [v for v in variants if not same(base, base.initial(), load(v).initial())]
    return names


@cache
def inspector(name: str, backend: Any) -> Inspector:
    return Inspector(load(name), backend)


def short_name(name: Any) -> str:
    return Path(name).name if name.endswith(".py") else name


def games_with(*hooks: str) -> pytest.MarkDecorator:
    """Run a test on every game that has the hooks, in the long tier on variants too."""
    return _parametrize(lambda game: set(hooks) <= set(game.rules.hooks))


def compiled_games(slow: Collection[str]) -> pytest.MarkDecorator:
    return _parametrize(lambda game: game.position_type.compilable, slow=slow)


def _parametrize(
    condition: Callable[[Game], bool], slow: Collection[str] = ()
) -> pytest.MarkDecorator:
    games, variants = (
        [name for name in names if condition(load(name))]
        for names in (every_game(), every_variant())
    )
    fast = [name for name in games if short_name(name) not in slow]
    long = [name for name in games if short_name(name) in slow]
    return pytest.mark.parametrize("name", with_long(fast, long + variants), ids=short_name)


# A random game: the seed of its moves, and their number.
lines = st.tuples(st.integers(0, 2**32), st.integers(0, 60))
randomly = examples(3)


def walk(game: Game, line: tuple[int, int]) -> Iterator[tuple[Any, list[int], int | None]]:
    """Each position of a random game, its moves, and the one made (None in the last position)."""
    seed, plies = line
    stream, position = Stream(seed), game.initial()
    while True:
        over = game.outcome(position) != ONGOING
        moves = [] if over else game.moves(position)
        chosen = stream.choice(moves) if moves and plies else None
        yield position, moves, chosen
        if chosen is None:
            return
        position, plies = game.play(position, chosen), plies - 1


def call(game: Game, hook: str, *arguments: Any) -> Any:
    """A hook of the game as its author wrote it."""
    with np.errstate(over="ignore"):
        return game.rules.hooks[hook](*arguments)


def moves_of(game: Game, hook: str, position: Any) -> list[int]:
    """The moves of a hook in either of its forms."""
    if inspect.isgeneratorfunction(game.rules.hooks[hook]):
        with np.errstate(over="ignore"):
            return [int(move) for move in game.rules.hooks[hook](position)]
    out = [0] * (game.rules.constant("MAX_MOVES") + 1)
    return [int(move) for move in out[: call(game, hook, position, out)]]


# Backends


@compiled_games(slow=LONG_COUNTS)
def test_both_backends_count_the_same(name: str) -> None:
    game = load(name)
    for depth in range(5):
        nodes = game.perft(game.initial(), depth, "compiled")
        if nodes > SMALL:
            break
        assert game.perft(game.initial(), depth, "python") == nodes


@compiled_games(slow=LONG_REPORTS)
@given(line=lines)
@randomly
def test_both_backends_report_the_same_for_every_position(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        compiled = inspector(name, "compiled").inspect(position)
        assert compiled == inspector(name, "python").inspect(position)
        assert compiled["key"] == game.key(position)
        assert compiled["outcome"] == game.outcome(position)
        if moves:
            assert compiled["moves"] == moves
            children = [game.key(game.play(position, move)) for move in moves]
            assert compiled["keys of children"] == children


@games_with()
def test_loading_twice_gives_the_same_game(name: str) -> None:
    one, other = plyforge.load(name), plyforge.load(name)
    assert one.position_type.equal(one.initial(), other.initial())
    assert one.text(one.initial()) == other.text(other.initial())
    assert one.key(one.initial()) == other.key(other.initial())
    assert one.moves(one.initial()) == other.moves(other.initial())
    assert one.perft(one.initial(), 2) == other.perft(other.initial(), 2)


# Rules


@games_with()
@given(line=lines)
@randomly
def test_moves_are_ints_each_listed_once_and_always_in_the_same_order(
    name: str, line: tuple[int, int]
) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        assert len(set(moves)) == len(moves) <= game.rules.constant("MAX_MOVES")
        assert all(type(move) is int and -(2**63) <= move < 2**63 for move in moves)
        assert moves == [] or game.moves(position) == moves


@games_with()
@given(line=lines)
@randomly
def test_playing_and_generating_change_no_position(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        before = copy.deepcopy(position)
        for move in moves:
            game.play(position, move)
            assert same(game, position, before)
        game.moves(position)
        game.outcome(position)
        assert same(game, position, before)


@games_with()
@given(line=lines)
@randomly
def test_results_are_those_of_the_contract(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        outcome = game.outcome(position)  # refuses values out of range
        if outcome == ONGOING and not moves:
            assert game.stuck(position) != ONGOING
        verdict = game.verdict(position)
        assert verdict.name in ("win", "loss", "draw", "ongoing")
        if outcome != ONGOING:
            assert verdict.value == outcome
        elif not moves:
            assert verdict.value == game.stuck(position)
        assert game.legal_moves(position) == ([] if verdict.over else moves)


@games_with("turn")
@given(line=lines)
@randomly
def test_turns_are_0_or_1_and_alternate_where_the_game_says_so(
    name: str, line: tuple[int, int]
) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        assert game.turn(position) in (0, 1)
        if game.rules.constant("ALTERNATING"):
            for move in moves:
                assert game.turn(game.play(position, move)) == 1 - game.turn(position)


@games_with()
def test_the_first_player_begins(name: str) -> None:
    game = load(name)
    assert game.history().turn == 0


# Keys


@games_with()
@given(line=lines)
@randomly
def test_keys_are_equal_exactly_if_positions_are_equal_except_for_clocks(
    name: str, line: tuple[int, int]
) -> None:
    game = load(name)
    clocks = game.rules.constant("CLOCKS")
    fields = game.position_type.fields

    def essence(position: Any) -> Any:
        words = game.position_type.to_hashable(position)
        if not fields:
            return repr(words)
        return tuple(w for field, w in zip(fields, words, strict=True) if field.name not in clocks)

    by_essence: dict[Any, int] = {}
    by_key: dict[int, Any] = {}
    for position, moves, _ in walk(game, line):
        sample = moves[:: len(moves) // 10 + 1]
        for each in [position, *(game.play(position, move) for move in sample)]:
            key = game.key(each)
            assert 0 <= key < 2**64
            assert by_essence.setdefault(essence(each), key) == key
            seen = by_key.setdefault(key, each)
            if "key" not in game.rules.hooks:
                assert essence(seen) == essence(each)
            elif essence(seen) != essence(each):  # a game's own key may ignore what does not matter
                assert sorted(game.moves(seen)) == sorted(game.moves(each))
                assert game.outcome(seen) == game.outcome(each)


@games_with("scratch_key")
@given(line=lines)
@randomly
def test_a_carried_key_is_the_one_computed_from_scratch(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        for each in [position, *(game.play(position, move) for move in moves)]:
            assert int(call(game, "scratch_key", each)) & (2**64 - 1) == game.key(each)


# History


@games_with()
@given(line=lines)
@randomly
def test_a_history_has_the_same_positions_and_ends_where_the_rules_end(
    name: str, line: tuple[int, int]
) -> None:
    game = load(name)
    history = game.history()
    repetition = game.rules.constant("REPETITION")
    for position, moves, chosen in walk(game, line):
        assert same(game, history.position, position)
        verdict = history.verdict()
        if game.verdict(position).over:
            # A history knows the last move, so it may give another reason.
            assert verdict.value == game.verdict(position).value or repetition == "illegal"
        if verdict.over:
            assert history.legal_moves() == []
            assert verdict.reason
            break
        assert verdict.reason == ""
        assert set(history.legal_moves()) <= set(moves)
        if chosen is None or chosen not in history.legal_moves():
            break
        if game.turn(position) is not None:
            assert history.turn == game.turn(position)
        history.play(chosen)
        assert history.occurrences() >= 1


@games_with("irreversible")
@given(line=lines)
@randomly
def test_nothing_before_an_irreversible_move_comes_back(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    before: set[int] = set()
    since: set[int] = set()
    for position, _, chosen in walk(game, line):
        key = game.key(position)
        assert key not in before
        since.add(key)
        if chosen is not None and game.irreversible(position, chosen):
            before |= since
            since = set()


# Texts and pictures


@games_with()
@given(line=lines)
@randomly
def test_positions_survive_their_text(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    if not game.position_type.compilable and "from_text" not in game.rules.hooks:
        pytest.skip(f"{game.name} has no notation for its positions")
    for position, _, _ in walk(game, line):
        text = game.text(position)
        assert text == text.strip()
        assert "\n" not in text
        again = game.parse(text)
        assert same(game, again, position), game.position_type.differing_fields(again, position)
        assert same(game, game.parse(f"  {text} "), position)


@games_with()
@given(line=lines)
@randomly
def test_moves_survive_their_text(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        texts = [game.move_text(position, move) for move in moves]
        assert len(set(texts)) == len(texts)
        # By default a text is compared with those of all moves, which takes long for many moves.
        for move, text in list(zip(moves, texts, strict=True))[:: len(moves) // 10 + 1]:
            assert game.parse_move(position, text) == move
            assert game.parse_move(position, f" {text} ") == move


@games_with()
@given(line=lines)
@randomly
def test_a_line_of_moves_can_be_played_from_its_text(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    made = [(p, m) for p, _, m in walk(game, line) if m is not None]
    texts = [game.move_text(position, move) for position, move in made]
    if len(texts) < 2:
        return
    assert game.split_moves(" ".join(texts)) == texts
    assert game.split_moves(", ".join(texts)) == texts


@games_with("arrange")
@given(line=lines)
@randomly
def test_pieces_can_be_arranged_again(name: str, line: tuple[int, int]) -> None:
    """Every position that play leads to is accepted, whichever position gives the board's size."""
    game = load(name)
    for position, _, _ in walk(game, line):
        stones, side = game.pieces(position), game.turn(position)
        assert side is not None
        for like in (position, game.initial()):
            again = game.arrange(like, stones, side)
            assert game.pieces(again) == stones
            assert game.turn(again) == side


@games_with("arrange")
def test_arranging_an_unknown_cell_piece_or_side_is_refused(name: str) -> None:
    game = load(name)
    start = game.initial()
    cell = next(iter(game.geometry(start).cells))  # type: ignore[union-attr]
    with pytest.raises(PositionError, match="cell 'nowhere' is not on the board"):
        game.arrange(start, {"nowhere": "X"}, 0)
    with pytest.raises(PositionError, match=f"'no piece' on {re.escape(cell)} is not a piece of"):
        game.arrange(start, {cell: "no piece"}, 0)
    for side in (2, -1, None, True, "w"):
        with pytest.raises(PositionError, match="the side to move must be 0 or 1"):
            game.arrange(start, game.pieces(start), side)  # type: ignore[arg-type]


def refusal(read: Callable[..., Any], *arguments: Any) -> str | None:
    """The error of a reader for a text; None if it accepts the text."""
    try:
        read(*arguments)
    except PlyforgeError as error:
        return str(error)
    return None


@games_with()
@pytest.mark.parametrize("text", ["", "nonsense", "?", "-1", "0" * 30, "\x00", "é²"])
def test_nonsense_is_refused_with_a_message_that_quotes_it(name: str, text: str) -> None:
    game = load(name)
    refusals = [refusal(game.parse, text), refusal(game.parse_move, game.initial(), text)]
    for message in filter(None, refusals):
        assert text in message
        assert "invalid literal" not in message


@games_with()
@given(line=lines)
@randomly
def test_boards_are_drawn_with_every_piece_on_a_cell(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    sizes = set()
    for position, moves, _ in walk(game, line):
        board = game.board(position)
        assert board
        assert board == "\n".join(row.rstrip() for row in board.splitlines())
        sizes.add(board.count("\n"))
        geometry = game.geometry(position)
        if geometry is not None:
            assert set(game.pieces(position)) <= set(geometry.cells)
            assert geometry.shaded <= set(geometry.cells)
            assert len(set(geometry.cells.values())) == len(geometry.cells)
            for move in moves:
                assert set(game.move_cells(position, move)) <= set(geometry.cells)
    assert len(sizes) == 1 or game.geometry(game.initial()) is None


# Hooks for search


@games_with("move_slot")
@given(line=lines)
@randomly
def test_move_slots_lie_below_their_number(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        for move in moves:
            assert 0 <= call(game, "move_slot", position, move) < game.rules.constant("MOVE_SLOTS")


@games_with("noisy_moves")
@given(line=lines)
@randomly
def test_noisy_moves_are_moves_and_listed_once(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        if moves:
            noisy = moves_of(game, "noisy_moves", position)
            assert len(set(noisy)) == len(noisy)
            assert set(noisy) <= set(moves)


@games_with("symmetries")
@given(line=lines)
@randomly
def test_symmetric_positions_have_as_many_moves_and_the_same_result(
    name: str, line: tuple[int, int]
) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        for image in call(game, "symmetries", position):
            cast = game.position_type.cast(image)
            assert game.outcome(cast) == game.outcome(position)
            if moves:
                assert len(game.moves(cast)) == len(moves)


@games_with("evaluate")
@given(line=lines)
@randomly
def test_evaluations_lie_within_their_range(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    minimum, maximum = game.rules.constant("EVALUATION_RANGE")
    rules = game.rules
    with np.errstate(over="ignore"):
        incremental = rules.constant("STATE") is not None
        state = rules.begin_state(game.initial()) if incremental else None
        for position, moves, chosen in walk(game, line):
            if not moves:
                return
            value = rules.evaluate(position, state)
            assert minimum <= value <= maximum
            assert value == pytest.approx(rules.evaluate_from_scratch(position))
            if state is not None and chosen is not None:
                child = game.play(position, chosen)
                state = rules.advance_state(state, position, chosen, child)


@games_with("pass_move", "turn")
@given(line=lines)
@randomly
def test_after_a_pass_the_other_side_is_to_move(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        move = int(call(game, "pass_move", position)) if moves else -1
        if move != -1:
            assert game.turn(game.play(position, move)) == 1 - game.turn(position)


@games_with("move_kind")
@given(line=lines)
@randomly
def test_kinds_and_gains_of_moves_are_numbers(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    for position, moves, _ in walk(game, line):
        assert all(int(call(game, "move_kind", position, move)) >= 0 for move in moves)
        if "move_gain" in game.rules.hooks:
            assert all(np.isfinite(call(game, "move_gain", position, move)) for move in moves)


@games_with("probe")
@given(line=lines)
@randomly
def test_exact_knowledge_is_a_result_or_nothing(name: str, line: tuple[int, int]) -> None:
    game = load(name)
    for position, _, _ in walk(game, line):
        value = call(game, "probe", position)
        assert value in (ONGOING, WIN, LOSS, DRAW) or abs(value) <= 2**23
