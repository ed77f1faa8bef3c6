"""Which nodes get workers, and which worker goes where."""

import random

from hypothesis import given
from hypothesis import strategies as st

from plyforge.engine.master.assignment import arrange, place, split_workers
from plyforge.engine.master.estimate import Estimate
from plyforge.engine.master.tree import Node
from plyforge.games import load

KALAH = load("kalah")
TICTACTOE = load("tictactoe")


class RandomSearch:
    """A quick search that returns random scores for random moves, sometimes too few."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.calls = 0

    def __call__(self, node: Node, count: int) -> list[Estimate]:
        self.calls += 1
        others = node.other_moves
        moves = self.random.sample(others, self.random.randint(0, min(count, len(others))))
        scores = sorted((self.random.uniform(-1, 1) for _ in moves), reverse=True)
        return [Estimate(score, (move,), 2) for score, move in zip(scores, moves, strict=True)]


def open_nodes(node: Node) -> list[Node]:
    """Return the nodes of a tree whose result is not final, with all above them."""
    if node.is_finished():
        return []
    return [node, *(one for child in node.children.values() for one in open_nodes(child))]


def same_nodes(first: list[Node], second: list[Node]) -> bool:
    return {id(node) for node in first} == {id(node) for node in second}


numbers = st.integers(1, 40)


@given(st.integers(0, 100), st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6))
def test_every_worker_has_a_node_and_one_of_them_the_root(seed, rounds):
    root, quick = Node(KALAH.history()), RandomSearch(seed)
    for workers, children in rounds:
        nodes = arrange(root, workers, min(children, 6), quick)
        assert len(nodes) == workers
        assert len({id(node) for node in nodes}) == workers
        assert nodes[0] is root
        assert {id(node) for node in nodes} <= {id(node) for node in open_nodes(root)}
        for node in nodes:  # reports change the order for the next round
            move = quick.random.choice(node.moves)
            node.own = Estimate(quick.random.uniform(-2, 2), (move,), 4)


@given(st.integers(0, 100), numbers)
def test_finished_nodes_get_no_worker_and_others_get_theirs(seed, workers):
    root, quick = Node(KALAH.history()), RandomSearch(seed)
    for node in arrange(root, workers, 3, quick)[1::2]:
        move = quick.random.choice(node.moves)
        node.own = Estimate(quick.random.uniform(-2, 2), (move,), 4, finished=True)
    nodes = arrange(root, workers, 3, quick)
    assert {id(node) for node in nodes} <= {id(node) for node in open_nodes(root)}
    assert len(nodes) == (0 if root.is_finished() else workers)


@given(st.integers(0, 20))
def test_a_game_with_few_positions_left_has_no_work_for_many(seed):
    history = TICTACTOE.history()
    for move in (0, 1, 2, 4, 3, 5):
        history.play(move)
    root = Node(history)
    nodes = arrange(root, 50, 3, RandomSearch(seed))
    assert len(nodes) < 50
    assert same_nodes(nodes, open_nodes(root))


def test_promising_children_get_more_workers():
    root = Node(KALAH.history())

    def quick(node: Node, count: int) -> list[Estimate]:
        return [Estimate(-float(i), (move,), 2) for i, move in enumerate(node.other_moves[:count])]

    arrange(root, 15, 3, quick)
    best, second, third = list(root.children)
    sizes = [len(open_nodes(root.children[move])) for move in (best, second, third)]
    assert sizes == [7, 4, 3]


@given(st.integers(0, 500), st.integers(1, 12))
def test_all_workers_are_split_and_a_better_child_never_gets_fewer(workers, children):
    shares = split_workers(workers, children)
    assert sum(shares) == workers
    assert shares == sorted(shares, reverse=True)
    assert min(shares) >= 1 or workers < children


def test_the_best_move_of_a_node_becomes_a_child_in_the_place_of_the_worst():
    root = Node(KALAH.history())

    def quick(node: Node, count: int) -> list[Estimate]:
        return [Estimate(-float(i), (move,), 2) for i, move in enumerate(node.other_moves[:count])]

    arrange(root, 4, 3, quick)
    first, second, third = list(root.children)
    new = root.other_moves[-1]
    root.own = Estimate(0.5, (new,), 4, "lower")
    arrange(root, 4, 3, quick)
    assert list(root.children) == [first, second, third]  # not completed
    root.own = Estimate(-0.5, (new,), 4)
    arrange(root, 4, 3, quick)
    assert list(root.children) == [first, second, new]  # scores from smaller depths do not count
    assert root.estimate().line[0] == new
    arrange(root, 2, 3, quick)
    assert list(root.children) == [new]
    assert third not in root.children


def test_a_quick_search_runs_only_where_children_are_missing():
    root, quick = Node(KALAH.history()), RandomSearch(1)
    arrange(root, 8, 3, quick)
    calls = quick.calls
    arrange(root, 8, 3, quick)
    assert quick.calls == calls


def test_workers_stay_where_they_can_and_others_go_where_their_table_helps():
    root = Node(KALAH.history())
    near = root.add_child(root.moves[0])
    below = near.add_child(near.moves[0])
    far = root.add_child(root.moves[1])
    current = {"a": far, "b": near, "c": None, "d": root}
    assert place(current, [below, root]) == {"a": None, "b": below, "c": None, "d": root}
    assert place(current, [below, near, far, root]) == {"a": far, "b": near, "c": below, "d": root}
