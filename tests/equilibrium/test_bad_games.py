"""Games that cannot be solved are refused, with the histories that show why."""

import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.equilibrium import build_tree, load, solve_sequence_form
from tests.equilibrium.random_games import game_of


def coins(**changes):
    """Return a game of three moves of 0 or 1 by the first player, then the second, the first."""

    def initial():
        return ()

    def turn(position):
        return len(position) % 2

    def moves(position):
        yield 0
        yield 1

    def play(position, move):
        return (*position, move)

    def outcome(position):
        return 20_000_000 if len(position) < 3 else sum(position)

    def information(position):
        return str(position)

    hooks = {"initial": initial, "turn": turn, "moves": moves, "play": play, "outcome": outcome,
             "information": information}  # fmt: skip
    return game_of(**{**hooks, **changes})


def test_a_player_who_forgets_an_own_move_is_named_with_both_histories():
    game = coins(information=lambda position: str(len(position)))
    with pytest.raises(
        PlyforgeError,
        match=r"First does not have perfect recall: the information '2' is the same after the"
        r" history '0 0' and after '1 0', but the player's own moves are 0 knowing '0' in the first"
        r" and 1 knowing '0' in the second",
    ):
        build_tree(game)


def test_a_player_who_forgets_what_was_seen_is_named():
    def information(position):
        # The second player sees the coin at first, and forgets it before the own second move.
        return str(position) if len(position) < 2 else "later"

    game = coins(information=information, turn=lambda position: int(len(position) in (1, 2)))
    with pytest.raises(PlyforgeError, match="Second does not have perfect recall"):
        build_tree(game)


def test_a_set_that_is_entered_twice_in_a_game_is_refused():
    game = coins(information=lambda position: "lost", turn=lambda position: 0)
    with pytest.raises(PlyforgeError, match=r"the player's own moves are none in the first and 0"):
        build_tree(game)


def test_different_moves_with_the_same_information_are_refused():
    def moves(position):
        yield 0
        if position != (1,):
            yield 1

    game = coins(moves=moves, information=lambda p: str(p) if len(p) != 1 else "hidden")
    with pytest.raises(
        PlyforgeError,
        match=r"'hidden' of Second has the moves 0 1 after the history '0', but 0 after '1'",
    ):
        build_tree(game)


def test_information_must_be_hashable():
    with pytest.raises(PlyforgeError, match=r"'information' returned \[\] after the start"):
        build_tree(coins(information=lambda position: []))


def coins_of_chance(pairs):
    """Return the game with these outcomes in place of the second move."""

    def chance_outcomes(position):
        yield from pairs

    return coins(chance=lambda position: len(position) == 1, chance_outcomes=chance_outcomes)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(0, 0.5), (1, 0.6)], "the probabilities add up to 1.1; they must add up to 1"),
        ([(0, -0.5), (1, 1.5)], "the outcome 0 has the probability -0.5; it must be above 0"),
        ([(0, float("nan")), (1, 1.0)], "the outcome 0 has the probability nan"),
        ([(0, 0.0), (1, 1.0)], "the outcome 0 has the probability 0;"),
        ([(0, 0.5), (0, 0.5)], "the outcome 0 comes twice; add up its probabilities"),
        ([], "there is no outcome"),
    ],
)
def test_wrong_probabilities_are_refused_with_the_history(pairs, message):
    with pytest.raises(PlyforgeError, match=f"'chance_outcomes' after the history '0': {message}"):
        build_tree(coins_of_chance(pairs))


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(0, "half")], "gave the probability 'half'; it must be a number"),
        ([0.5, 0.5], r"gave 0.5; it must yield pairs \(outcome, probability\)"),
        ([(0.5, 1.0)], "gave 0.5; an outcome must be an int"),
    ],
)
def test_outcomes_that_are_not_pairs_of_numbers_are_refused(pairs, message):
    with pytest.raises(PlyforgeError, match=f"'chance_outcomes' {message}"):
        build_tree(coins_of_chance(pairs))


def test_wins_and_scores_do_not_mix():
    def outcome(position):
        if len(position) < 3:
            return 20_000_000
        return 10_000_000 if position[0] else 3

    with pytest.raises(PlyforgeError, match="some games end with WIN or LOSS, others with a score"):
        build_tree(coins(outcome=outcome))


def test_a_tree_that_is_too_large_is_refused():
    with pytest.raises(PlyforgeError, match="the tree of made has more than 10 nodes"):
        build_tree(coins(), max_nodes=10)


def test_a_game_that_need_not_end_is_refused_at_once():
    """Pig never ends if both sides always roll a 1."""
    with pytest.raises(
        PlyforgeError,
        match=r"a game of pig can be longer than 1,000 moves, and may never end; only games with a"
        r" finite tree can be solved: search this one with 'plyforge analyse'",
    ):
        build_tree(load("pig"))


def test_a_game_that_is_too_large_for_the_linear_program_says_how_large():
    with pytest.raises(
        PlyforgeError,
        match=r"kuhn is too large for the linear program: 26 sequences and 30 payoffs, the limit is"
        r" 20 sequences; use --method cfr\+",
    ):
        solve_sequence_form(build_tree(load("kuhn")), max_sequences=20)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def information(position): return 1", "'information' needs 'turn"),
        ("def chance(position): return False", "'chance' needs 'chance_outcomes"),
    ],
)
def test_missing_functions_are_named(tmp_path, text, message):
    file = tmp_path / "mine.py"
    rules = "def initial(): return ()\ndef play(p, m): return p\ndef moves(p): yield 0\n"
    file.write_text(rules + text)
    with pytest.raises(PlyforgeError, match=message):
        load(str(file))


def test_searches_refuse_a_game_with_hidden_information(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "def initial(): return ()\ndef turn(p): return 0\ndef play(p, m): return p\n"
        "def moves(p): yield 0\ndef information(p): return 1\n"
    )
    with pytest.raises(PlyforgeError, match="solve it with 'plyforge equilibrium'"):
        plyforge.load(str(file))


def test_an_unknown_game_is_refused_with_a_similar_name():
    with pytest.raises(PlyforgeError, match="unknown game 'khun'; did you mean 'kuhn'"):
        load("khun")


@pytest.mark.parametrize("name", ["leduc:1", "liars-dice:0", "liars-dice:1,1,7", "kuhn:4"])
def test_impossible_variants_are_refused(name):
    with pytest.raises(PlyforgeError):
        load(name)


def test_a_game_without_hidden_information_can_be_solved():
    tree = build_tree(load("tree:uniform,branching=2,depth=3,seed=1"))
    profile = solve_sequence_form(tree)
    game = plyforge.load("tree:uniform,branching=2,depth=3,seed=1")
    from plyforge.search.textbook import View, minimax

    view = View(game)
    assert profile.value == pytest.approx(minimax(view, view.root(game.initial()), 3), abs=1e-6)
