"""Artificial trees: textbook values and cuts, every kind against a slow twin, notation."""

import itertools
import json
from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import Game, PlyforgeError
from plyforge.compilation.hooks_api import moves, offset, outcome, play, pointer
from plyforge.compilation.kernel import Backend, Kernel, build
from plyforge.compilation.notices import Notices
from plyforge.core.errors import clip
from plyforge.core.randomness import Stream
from plyforge.core.scores import ONGOING
from plyforge.games.tree import lists
from tests.games.tiers import examples
from tests.reference.tree import Recipe, leaves, minimax, nodes_at

game = plyforge.load("tree")

AIMA = "[[3,12,8],[2,4,6],[14,5,2]]"
TEXTBOOK = {
    AIMA: (3, 6, 9),
    "[[3,12,8],[2,4,6],[2,5,14]]": (3, 6, 9),
    "[[[[5,6],[7,4,5]],[[3]]],[[[6],[6,9]],[[7]]],[[[5]],[[9,8],[6]]]]": (6, 6, 14),
    "[[[3,5],[6,9]],[[1,2],[0,-1]]]": (5, 1, 8),
    "[[[2,3],[5,9]],[[0,1],[7,5]]]": (3, 5, 8),
    "[[[[8,7],[3,9]],[[9,8],[2,4]]],[[[1,8],[8,9]],[[9,9],[3,4]]]]": (8, 8, 16),
}
"""Value of the root for MAX and for MIN to move, and leaves; see docs/games/tree.md."""
WIKIPEDIA = list(TEXTBOOK)[2]
VISITED = [
    (AIMA, "3 12 8 2 14 5 2"),
    ("[[3,12,8],[2,4,6],[2,5,14]]", "3 12 8 2 2"),
    (WIKIPEDIA, "5 6 7 4 3 6 6 7 5"),
    ("[[[3,5],[6,9]],[[1,2],[0,-1]]]", "3 5 6 1 2"),
    ("[[[2,3],[5,9]],[[0,1],[7,5]]]", "2 3 5 0 1"),
    (list(TEXTBOOK)[5], "8 7 3 9 8 1 8 9 9 9"),
]
"""The leaves that alpha-beta visits, from left to right, cutting where alpha >= beta."""
VISITED_MIN = dict(zip(TEXTBOOK, (7, 9, 9, 7, 8, 11), strict=True))
"""How many leaves it visits when MIN moves at the root."""
MINIMAL = {
    2: (2, 3, 5, 7, 11, 15),
    3: (3, 5, 11, 17, 35, 53),
    5: (5, 9, 29, 49),
    10: (10, 19, 109, 199),
}
"""Leaves of the minimal tree by branching, at depth 1, 2, ...: Knuth and Moore 1975."""


def leaf_value(position: Any) -> float | None:
    """The value of a leaf for the side to move; None for a node with children."""
    value = game.outcome(position)
    return None if value == ONGOING else value


def negamax(position: Any) -> float:
    value = leaf_value(position)
    if value is not None:
        return value
    return max(-negamax(game.play(position, move)) for move in game.moves(position))


def alpha_beta(
    position: Any,
    visited: list[float],
    strictly: bool = False,
    alpha: float = -np.inf,
    beta: float = np.inf,
) -> float:
    """Textbook alpha-beta; `visited` collects the values of leaves for MAX."""
    value = leaf_value(position)
    if value is not None:
        visited.append(value if game.turn(position) == 0 else -value)
        return value
    best = -np.inf
    for move in game.moves(position):
        child = game.play(position, move)
        best = max(best, -alpha_beta(child, visited, strictly, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha > beta or (alpha == beta and not strictly):
            break
    return best


def compiled_negamax(position: Any, buffer: Any) -> float:
    value = outcome(position)
    if value != ONGOING:
        return value
    count = moves(position, buffer)
    best = -1e30
    for index in range(count):
        child = play(position, buffer[index])
        best = max(best, -compiled_negamax(child, offset(buffer, count)))
    return best


def solve(position: Any, buffer: Any) -> float:
    return compiled_negamax(position, pointer(buffer))


SOLVE = Kernel(
    "solve",
    solve,
    "float64(position, address)",
    {compiled_negamax: "float64(position, words)"},
)


@cache
def solver(backend: Backend) -> Any:
    return build(SOLVE, game.rules, game.position_type, backend)


def root_value(position: Any, backend: Backend = "compiled") -> float:
    """The minimax value for the side to move, by a kernel over the game's own functions."""
    buffer: Any = {} if backend == "python" else np.zeros(64 * 256, np.int64)
    place = buffer if backend == "python" else buffer.ctypes.data
    return float(solver(backend).call(position, place))


def evaluation(position: Any) -> float:
    with np.errstate(over="ignore"):
        return float(game.rules.hooks["evaluate"](position))


def load(recipe: Recipe) -> Game:
    return plyforge.load(f"tree:{recipe.variant}")


def unfold(position: Any) -> Any:
    """Everything below a node as nested lists of leaf values for MAX."""
    value = leaf_value(position)
    if value is not None:
        return value if game.turn(position) == 0 else -value
    return [unfold(game.play(position, move)) for move in game.moves(position)]


# Textbook trees


@pytest.mark.parametrize("text", TEXTBOOK)
@pytest.mark.parametrize("backend", ["compiled", "python"])
def test_textbook_trees_have_their_values(text: str, backend: Backend) -> None:
    for_max, for_min, count = TEXTBOOK[text]
    top, bottom = game.parse(text), game.parse(f"{text} MIN")
    assert negamax(top) == root_value(top, backend) == for_max
    assert -negamax(bottom) == -root_value(bottom, backend) == for_min
    assert len(leaves(unfold(top))) == count
    assert game.turn(top) == 0
    assert game.turn(bottom) == 1


@pytest.mark.parametrize(("text", "order"), VISITED)
def test_alpha_beta_visits_the_leaves_of_the_textbook(text: str, order: str) -> None:
    visited: list[float] = []
    assert alpha_beta(game.parse(text), visited) == TEXTBOOK[text][0]
    assert visited == [float(word) for word in order.split()]


@pytest.mark.parametrize("text", TEXTBOOK)
def test_alpha_beta_with_min_at_the_root(text: str) -> None:
    visited: list[float] = []
    assert -alpha_beta(game.parse(f"{text} MIN"), visited) == TEXTBOOK[text][1]
    assert len(visited) == VISITED_MIN[text]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        (AIMA, "3 12 8 2 14 5 2"),
        (WIKIPEDIA, "5 6 7 4 3 6 6 9 7 5"),
        ("[[[3,5],[6,9]],[[1,2],[0,-1]]]", "3 5 6 1 2"),
        (list(TEXTBOOK)[5], "8 7 3 9 8 1 8 9 9 9"),
    ],
)
def test_cutting_only_where_alpha_exceeds_beta_visits_ties(text: str, order: str) -> None:
    visited: list[float] = []
    alpha_beta(game.parse(text), visited, strictly=True)
    assert visited == [float(word) for word in order.split()]


@pytest.mark.parametrize("unseen", [-100, 0, 4, 7, 9, 100])
def test_the_lectures_leaves_are_never_visited(unseen: int) -> None:
    for text, value in ((f"[[5],[3,{unseen}],[8]]", 8), (f"[[20],[5,{unseen}]]", 20)):
        visited: list[float] = []
        assert alpha_beta(game.parse(text), visited) == value
        assert len(visited) == len(leaves(json.loads(text))) - 1


# Any tree


numbers = st.integers(-(2**23), 2**23) | st.floats(-(2**23), 2**23, width=32)
trees = st.lists(
    st.recursive(numbers, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=30),
    min_size=1,
    max_size=4,
)


@given(trees, st.booleans())
@examples(40)
def test_any_nested_list_is_read_valued_and_written(tree: Any, for_min: bool) -> None:
    text = json.dumps(tree) + (" MIN" if for_min else "")
    root = game.parse(text)
    assert unfold(root) == tree
    sign = -1 if for_min else 1
    assert sign * root_value(root) == minimax(tree, not for_min)
    assert all(game.perft(root, depth) == nodes_at(tree, depth) for depth in range(6))
    written = game.text(root)
    rounded = [float(np.float32(value)) for value in leaves(json.loads(written.split()[0]))]
    assert rounded == leaves(tree)
    assert game.position_type.equal(game.parse(written), root)
    assert game.text(game.parse(written)) == written


@given(trees, st.integers(0, 2**32))
@examples(40)
def test_a_node_inside_is_written_as_the_tree_and_its_path(tree: Any, seed: int) -> None:
    stream, position, path = Stream(seed), game.parse(json.dumps(tree)), []
    below = tree
    while leaf_value(position) is None:
        chosen = stream.choice(game.moves(position))
        path.append(game.move_text(position, chosen))
        position, below = game.play(position, chosen), below[chosen]
        assert game.text(position).endswith("] " + ".".join(path))
        assert game.position_type.equal(game.parse(game.text(position)), position)
        assert unfold(position) == below


def test_playing_shares_the_row_of_the_tree() -> None:
    root = game.initial()
    child = root
    while leaf_value(child) is None:
        child = game.rules.hooks["play"](child, 0)
        assert child.tree is root.tree
    with pytest.raises(ValueError, match="read-only"):
        root.tree[0] = 1


def test_nodes_of_a_tree_differ_even_if_their_subtrees_are_equal() -> None:
    root = game.parse("[[1,2],[1,2]]")
    keys = {game.key(game.play(root, move)) for move in game.moves(root)}
    assert len(keys) == 2


def test_trees_that_differ_have_different_keys() -> None:
    texts = ["[[1,2],3]", "[[1,2],4]", "[[1,3],2]", "[1,[2,3]]", "[[1,2],3] MIN", "[1,2,3]"]
    texts += ["uniform,seed=1", "uniform,seed=2", "uniform,depth=5", "ordered", "ordered,p=0.5"]
    assert len({game.key(game.parse(text)) for text in texts}) == len(texts)


def test_a_tree_of_too_many_nodes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MAX_NODES", 6)
    assert game.text(game.parse("[[1,2,3],4]")) == "[[1,2,3],4]"
    with pytest.raises(PlyforgeError, match="a tree of more than 6 nodes; generated trees"):
        game.parse("[[1,2,3],4,5]")


def test_a_tree_of_a_hundred_thousand_leaves_is_read() -> None:
    tree = [[[1] * 40] * 50] * 50
    root = game.parse(json.dumps(tree))
    assert game.perft(root, 3) == 100_000
    assert root_value(root) == 1


# Generated trees against the twin


RECIPES = [
    Recipe("uniform", 3, 5),
    Recipe("uniform", 2, 8, seed=7, values=0),
    Recipe("uniform", 4, 4, seed=2**32 - 1, values=3),
    Recipe("uniform", 3, 5, values=2),
    Recipe("uniform", 1, 62),
    Recipe("incremental", 3, 5),
    Recipe("incremental", 2, 8, seed=0, values=0),
    Recipe("incremental", 4, 4, values=2),
    Recipe("ordered", 3, 5),
    Recipe("ordered", 4, 4, p=0.0),
    Recipe("ordered", 3, 5, p=0.6, values=0),
    Recipe("ordered", 1, 9, p=0.0),
    Recipe("ordered", 5, 4, p=0.5, values=5),
    Recipe("layered", 3, 6, width=5),
    Recipe("layered", 3, 5, values=0, width=2**20),
    Recipe("skipping", 3, 7, width=4),
    Recipe("skipping", 2, 9, values=4, width=3),
]
each_recipe = pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.variant)


@each_recipe
def test_generated_trees_are_the_twins_leaf_by_leaf(recipe: Recipe) -> None:
    tree = recipe.tree()
    assert unfold(load(recipe).initial()) == tree


@each_recipe
def test_both_backends_find_the_twins_value(recipe: Recipe) -> None:
    root, value = load(recipe).initial(), minimax(recipe.tree())
    assert root_value(root, "compiled") == root_value(root, "python") == value


recipes = st.builds(
    Recipe,
    kind=st.sampled_from(["uniform", "incremental", "ordered", "layered", "skipping"]),
    branching=st.integers(1, 4),
    depth=st.integers(1, 5),
    seed=st.integers(0, 2**32 - 1),
    values=st.sampled_from([0, 4, 5, 101, 65536]),
    p=st.floats(0, 1),
    width=st.integers(1, 2**20),
)


@given(recipes)
@settings(deadline=None)
def test_any_generated_tree_has_the_twins_value(recipe: Recipe) -> None:
    root = load(recipe).initial()
    assert root_value(root) == minimax(recipe.tree())
    assert game.position_type.equal(game.parse(game.text(root)), root)


@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(1, 9), st.integers(1, 50))
@settings(deadline=None)
def test_cyclic_graphs_have_the_twins_edges(seed: int, b: int, depth: int, width: int) -> None:
    recipe = Recipe("cyclic", b, depth, seed=seed, width=width)
    stream, position = Stream(seed), load(recipe).initial()
    for _ in range(30):
        children = [game.play(position, move) for move in game.moves(position)]
        assert [(c.level, c.node) for c in children] == recipe.successors(
            position.level, position.node
        )
        if not children:
            break
        position = stream.choice(children)


PINNED = {
    "uniform,2,3,1": [-38, -24, 11, 29, 10, -34, -7, 43],
    "uniform,2,2,1,values=0": [
        0.5335713624954224,
        0.297957181930542,
        -0.7882031202316284,
        0.6990736722946167,
    ],
    "incremental,2,3,1": [-60, -46, -23, -5, -4, -48, 54, 104],
    "ordered,2,3,1": [32, -36, 80, 44, -60, -114, -24, -68],
    "layered,2,3,1,width=3": [-24, 11, -24, -38, -24, 11, -38, -38],
    "skipping,2,4,2,width=3": [44, -19, -19, -47, -19, 44, -19, -19, -47, -19],
}


@pytest.mark.parametrize("variant", PINNED)
def test_leaves_are_the_same_on_every_machine_and_in_every_version(variant: str) -> None:
    assert leaves(unfold(plyforge.load(f"tree:{variant}").initial())) == PINNED[variant]


# What each kind promises


@pytest.mark.parametrize("backend", ["compiled", "python"])
def test_perft_of_a_uniform_tree_is_a_power(backend: Backend) -> None:
    root = plyforge.load("tree:uniform,5,4").initial()
    assert [game.perft(root, depth, backend) for depth in range(6)] == [1, 5, 25, 125, 625, 0]


def test_large_trees_are_walked_without_being_stored() -> None:
    assert game.perft(plyforge.load("tree:uniform,10,18").initial(), 7) == 10**7


@pytest.mark.parametrize(("branching", "depth"), [(2, 62), (3, 39), (10, 18), (256, 7)])
def test_nodes_are_numbered_up_to_the_last_of_the_deepest_level(branching: int, depth: int) -> None:
    position = plyforge.load(f"tree:uniform,{branching},{depth}").initial()
    for _ in range(depth):
        position = game.play(position, branching - 1)
    assert position.node == branching**depth - 1
    assert leaf_value(position) is not None
    assert game.position_type.equal(game.parse(game.text(position)), position)


@pytest.mark.parametrize("branching", MINIMAL)
@pytest.mark.parametrize("values", [101, 0])
def test_alpha_beta_visits_the_minimal_tree_where_moves_are_perfectly_ordered(
    branching: int, values: int
) -> None:
    for depth, count in enumerate(MINIMAL[branching], 1):
        for strictly, seed in itertools.product((False, True), range(4)):
            variant = f"ordered,{branching},{depth},{seed},values={values}"
            root = plyforge.load(f"tree:{variant}").initial()
            visited: list[float] = []
            assert alpha_beta(root, visited, strictly) == root.value
            assert len(visited) == count
            b, d = branching, depth
            assert count == b ** ((d + 1) // 2) + b ** (d // 2) - 1


@pytest.mark.parametrize("p", [0.0, 0.3, 0.7, 1.0])
def test_every_node_of_an_ordered_tree_knows_its_value_and_siblings_differ(p: float) -> None:
    recipe = Recipe("ordered", 4, 5, seed=3, p=p)
    first = inner = 0
    layer = [load(recipe).initial()]
    for level in range(recipe.depth):
        following = []
        for node in layer:
            children = [game.play(node, move) for move in range(4)]
            values = [child.value for child in children]
            assert len(set(values)) == 4
            best = max(values) if level % 2 == 0 else min(values)
            assert best == node.value
            first += values[0] == best
            inner += 1
            following += children
        layer = following
    assert all(leaf_value(leaf) in (leaf.value, -leaf.value) for leaf in layer)
    assert first / inner == pytest.approx(p, abs=0.07)
    assert p not in (0, 1) or first / inner == p


def test_a_depth_limited_search_of_a_uniform_tree_is_a_search_of_a_shallower_one() -> None:
    deep = plyforge.load("tree:uniform,3,6,5").initial()
    shallow = plyforge.load("tree:uniform,3,2,5").initial()
    for line in itertools.product(range(3), repeat=2):
        one, other = deep, shallow
        for move in line:
            one, other = game.play(one, move), game.play(other, move)
        assert evaluation(one) == leaf_value(other)


def test_the_evaluation_of_an_incremental_tree_is_the_sum_so_far() -> None:
    node, total = plyforge.load("tree:incremental,3,5,2").initial(), 0.0
    while leaf_value(node) is None:
        assert evaluation(node) == (total if game.turn(node) == 0 else -total)
        following = game.play(node, 1)
        edge = following.value - node.value
        assert -50 <= edge <= 50
        node, total = following, total + edge
    assert leaf_value(node) == -total


@pytest.mark.parametrize(
    ("values", "expected"),
    [(1, {0}), (2, {-1, 1}), (3, {-1, 0, 1}), (4, {-3, -1, 1, 3}), (5, {-2, -1, 0, 1, 2})],
)
def test_leaves_take_as_many_values_as_asked_for(values: int, expected: set[float]) -> None:
    found = leaves(unfold(plyforge.load(f"tree:uniform,3,5,values={values}").initial()))
    assert set(found) == expected
    for value in expected:
        assert found.count(value) / len(found) == pytest.approx(1 / values, abs=0.1)


@pytest.mark.parametrize("kind", ["uniform", "incremental", "ordered", "layered"])
def test_real_values_are_exact_in_float32_and_seldom_equal(kind: str) -> None:
    found = leaves(unfold(plyforge.load(f"tree:{kind},3,6,values=0").initial()))
    assert all(float(np.float32(value)) == value for value in found)
    assert not all(value.is_integer() for value in found)
    if kind == "uniform":
        assert all(-1 <= value < 1 for value in found)
        assert len(set(found)) == len(found)


def keys_by_ply(root: Any, plies: int) -> dict[int, set[int]]:
    """The keys of the positions that can stand after each number of moves."""
    layer, found = {game.key(root): root}, {}
    for ply in range(plies + 1):
        found[ply] = set(layer)
        following = {}
        for node in layer.values():
            for move in game.moves(node):
                child = game.play(node, move)
                following[game.key(child)] = child
        layer = following
    return found


def test_uniform_trees_have_no_transpositions() -> None:
    levels = keys_by_ply(plyforge.load("tree:uniform,3,6").initial(), 6)
    assert [len(keys) for keys in levels.values()] == [3**ply for ply in range(7)]
    assert len(set.union(*levels.values())) == sum(3**ply for ply in range(7))


def test_layered_graphs_have_transpositions_at_equal_depth_only() -> None:
    levels = keys_by_ply(plyforge.load("tree:layered,3,8,width=10").initial(), 8)
    counts = [len(keys) for keys in levels.values()]
    assert counts[0] == 1
    assert all(count <= 10 for count in counts)
    assert counts[8] > 5
    assert sum(counts) == len(set.union(*levels.values()))


def test_skipping_graphs_have_transpositions_at_different_depths() -> None:
    levels = keys_by_ply(plyforge.load("tree:skipping,3,9,width=6").initial(), 9)
    plies = defaultdict(list)
    for ply, keys in levels.items():
        for key in keys:
            plies[key].append(ply)
    apart = {later - earlier for p in plies.values() for earlier, later in itertools.pairwise(p)}
    assert 2 in apart
    assert all(difference % 2 == 0 for difference in apart)
    assert not any(0 in p and len(p) > 1 for p in plies.values())


def test_cyclic_graphs_lead_back_and_a_repetition_is_a_draw() -> None:
    levels = keys_by_ply(plyforge.load("tree:cyclic,3,6,width=6").initial(), 40)
    root = levels[0]
    assert any(root & levels[ply] for ply in range(2, 41))
    ended = 0
    for seed in range(200):
        line = plyforge.load("tree:cyclic,3,6,width=6").history()
        stream = Stream(seed)
        while line.legal_moves():
            line.play(stream.choice(line.legal_moves()))
        if line.verdict().reason == "the position occurred 2 times":
            assert line.verdict().value == 0
            ended += 1
    assert 10 < ended < 190


@pytest.mark.parametrize("kind", ["explicit", "uniform", "layered", "skipping"])
def test_moves_are_irreversible_where_there_are_no_cycles(kind: str) -> None:
    root = plyforge.load(f"tree:{kind}").initial()
    assert all(game.irreversible(root, move) for move in game.moves(root))


# One compile


def test_a_second_tree_needs_no_second_compilation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("PLYFORGE_CACHE", str(tmp_path))
    game.perft(game.initial(), 2)
    messages: list[str] = []
    for variant in ("", *(f":{variant}" for variant in game.rules.constant("VARIANTS"))):
        other = plyforge.load(f"tree{variant}", notices=Notices(messages.append))
        assert other.perft(other.initial(), 2) > 0
        assert other.perft(other.parse("[[1,2],[3,[4,5.5]]] MIN"), 3) == 2
    assert messages == []


# Notation and picture


def test_texts_may_leave_out_defaults() -> None:
    same = game.position_type.equal
    assert same(game.parse(AIMA), game.initial())
    assert same(game.parse(" [ [3, 12.0,8e0],[2 ,4,6],\t[14,5,+2]]  max "), game.initial())
    named = plyforge.load("tree:uniform,3,4,1")
    assert same(game.parse("uniform"), named.initial())
    assert game.text(named.initial()) == "uniform,branching=3,depth=4,seed=1,values=101"
    assert same(game.parse("[2,4,6] MIN 1"), game.play(game.parse("[2,4,6] min"), 0))


def test_zero_has_no_sign() -> None:
    position = game.parse("[-0.0,[0]] MIN 1")
    assert game.text(position) == "[0,[0]] MIN 1"
    assert str(game.outcome(position)) == "0.0"
    assert str(game.outcome(game.parse("[[0]] 1"))) == str(float(ONGOING))
    assert str(game.outcome(game.parse("[[-0]] MIN 1.1"))) == "0.0"


def test_the_board_is_the_whole_tree_with_the_node_marked() -> None:
    assert game.board(game.parse("[[3,-2.5],7] MIN 1")).splitlines() == [
        "MIN",
        "├─ 1: MAX  <--",
        "│  ├─ 1: 3",
        "│  └─ 2: -2.5",
        "└─ 2: 7",
    ]
    assert game.board(game.parse("ordered,depth=2 2")) == (
        "ordered,branching=3,depth=2,seed=1,values=101,p=1.0: node 2, MIN to move"
    )


def test_the_board_of_a_large_tree_is_cut_short() -> None:
    rows = "[" + ",".join(["1"] * 150) + "]"
    board = game.board(game.parse(f"[{rows},{rows}] 2.150")).splitlines()
    assert len(board) == 201
    assert board[-1] == "... and 103 more nodes; now at node 2.150"


def test_the_picture_has_leaves_side_by_side_and_parents_above_them() -> None:
    position = game.parse("[[3,12],7] 1")
    picture = game.geometry(position)
    assert picture is not None
    assert picture.kind == "tree"
    assert picture.cells == {
        "root": (1.25, 0),
        "1": (0.5, 1),
        "1.1": (0, 2),
        "1.2": (1, 2),
        "2": (2, 1),
    }
    assert game.pieces(position) == {"1.1": "3", "1.2": "12", "2": "7"}
    assert game.move_cells(position, 1) == ["1", "1.2"]
    graph = game.parse("layered,depth=3,width=5 2:4")
    assert game.move_cells(graph, 0)[0] == "2:4"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a tree is nested lists"),
        ("5", "a tree is nested lists"),
        ("-2.5", "a tree is nested lists"),
        ("[]", "character 1: the list is empty; a node has at least one child"),
        ("[1,[]]", "character 4: the list is empty"),
        ("[1,2", "character 1: the list is not closed"),
        ("[[1,2],3", "character 1: the list is not closed"),
        ("[1,", "the text ends where a number is expected"),
        ("[1,]", "character 4: ']' is not a number"),
        ("[,1]", "character 2: ',' is not a number"),
        ("[1 2]", "character 4: '2' where ',' or ']' is expected"),
        ("[1,2]]", "']' after the tree"),
        ("[1,2]2", "'2' after the tree"),
        ("[1,'a']", "character 4: ''a'' is not a number"),
        ("[1,nan]", "character 4: 'nan' is not a number"),
        ("[1,-inf]", "character 4: '-inf' is not a number"),
        ("[1,1e999]", "1e999 is out of range; a leaf's value lies within ±8388608"),
        ("[8388609]", "8388609 is out of range"),
        ("[-8388608.5]", "-8388608.5 is out of range"),
        ("[0x10]", "'0x10' is not a number"),
        ("[1_0]", "'1_0' is not a number"),
        ("[²]", "'²' is not a number"),
        ("[" * 63 + "1" + "]" * 63, "character 63: lists are nested more than 62 deep"),
        ("[" * 100_000, "nested more than 62 deep"),
        ("[" + ",".join("1" * 257) + "]", "character 1: the list has more than 256 elements"),
        ("[1,2] MID", "node 'MID': there is no 'MID', the root has the children 1 to 2"),
        ("[1,2] MAX 1 2", "'MAX 1 2' after the tree is not '[MAX|MIN] [NODE]'"),
        ("[1,2] 3", "there is no '3', the root has the children 1 to 2"),
        ("[1,2] 0", "there is no '0'"),
        ("[1,2] 2.1", "there is no '1', node '2' is a leaf"),
        ("[1,2] 1.", "there is no '', node '1' is a leaf"),
        ("explicit", "an explicit tree is written as its nested lists"),
        ("unifrom", "kind: 'unifrom' is not one of explicit, uniform, incremental, ordered"),
        ("uniform,3", "'3' is not a parameter; write NAME=VALUE with one of branching, depth"),
        ("uniform,size=3", "'size=3' is not a parameter"),
        ("uniform,depth=x", "depth: 'x' is not a whole number"),
        ("uniform,depth=4,depth=5", "depth is given twice"),
        ("ordered,p=x", "p: 'x' is not a number"),
        ("uniform 1.4", "node '1.4': there is no '4', node '1' has the children 1 to 3"),
        ("layered 1.4", "node '1.4': a node of a graph is 'level:number', such as 3:0"),
        ("layered 5:0", "level 5 is not between 0 and 4"),
        ("layered 2:16", "number 16 is not between 0 and 15"),
        ("layered 0:1", "number 1 is not between 0 and 0"),
        ("layered -1:1", "a node of a graph is 'level:number'"),
    ],
)
def test_an_invalid_position_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        game.parse(text)
    assert f"position '{clip(text)}': " in str(refusal.value)
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        ("3", "kind: '3' is not one of explicit, uniform"),
        ("Uniform", "kind: 'Uniform' is not one of"),
        ("uniform,0", "branching: 0 is not between 1 and 256"),
        ("uniform,257", "branching: 257 is not between 1 and 256"),
        ("uniform,2,0", "depth: 0 is not between 1 and 62"),
        ("uniform,1,63", "depth: 63 is not between 1 and 62"),
        ("uniform,10,19", "depth: 19 is too deep for branching 10"),
        ("uniform,256,8", "branching^depth may be at most 2^62, which is depth 7"),
        ("uniform,seed=-1", "seed: -1 is not between 0 and 4294967295"),
        ("uniform,seed=4294967296", "seed: 4294967296 is not between 0"),
        ("uniform,values=-1", "values: -1 is not between 0 and 65536"),
        ("uniform,values=65537", "values: 65537 is not between 0 and 65536"),
        ("ordered,p=1.5", "p: 1.5 is not between 0 and 1"),
        ("ordered,p=-0.1", "p: -0.1 is not between 0 and 1"),
        ("ordered,p=nan", "p: nan is not between 0 and 1"),
        ("ordered,5,values=4", "values: 4 does not give 5 ordered siblings different values"),
        ("layered,width=0", "width: 0 is not between 1 and 1048576"),
        ("uniform,p=0.5", "p: the kind 'uniform' does not use it; leave it out"),
        ("ordered,width=3", "width: the kind 'ordered' does not use it"),
        ("explicit,4", "branching: the kind 'explicit' does not use it"),
        ("uniform,3,4,1,101,1,16,9", "'9' is one value too many for a variant of tree"),
    ],
)
def test_impossible_trees_are_refused_with_the_reason(variant: str, reason: str) -> None:
    with pytest.raises(PlyforgeError) as refusal:
        plyforge.load(f"tree:{variant}")
    assert reason in str(refusal.value)
