"""Trees are laid out without overlaps, with parents centred above their children."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge.interfaces.drawing.tidy import Item, tidy_layout

GAP, TREE_GAP = 4.0, 20.0


@st.composite
def forests(draw: st.DrawFn) -> tuple[list[Item], list[int]]:
    """Draw items in preorder, each below an earlier one or a root."""
    count = draw(st.integers(1, 40))
    items: list[Item] = []
    roots: list[int] = []
    open_path: list[int] = []
    for index in range(count):
        item = Item(draw(st.sampled_from([5.0, 12.0, 40.0])), rows=draw(st.sampled_from([1, 1, 2])))
        keep = draw(st.integers(0, len(open_path)))
        del open_path[keep:]
        if open_path:
            items[open_path[-1]].children.append(index)
        else:
            roots.append(index)
        open_path.append(index)
        items.append(item)
    return items, roots


def rows_of(items: list[Item], roots: list[int]) -> list[list[int]]:
    """Return the items that occupy each row."""
    rows: dict[int, list[int]] = {}
    todo = [(root, 0) for root in roots]
    while todo:
        index, row = todo.pop()
        for occupied in range(row, row + items[index].rows):
            rows.setdefault(occupied, []).append(index)
        todo += [(child, row + items[index].rows) for child in items[index].children]
    return list(rows.values())


@settings(deadline=None, max_examples=50)
@given(forests())
def test_no_two_items_of_a_row_overlap(forest: tuple[list[Item], list[int]]) -> None:
    items, roots = forest
    centres = tidy_layout(items, roots, GAP, TREE_GAP)
    for row in rows_of(items, roots):
        row.sort(key=lambda index: centres[index])
        for one, other in pairwise(row):
            right = centres[one] + items[one].width / 2
            assert centres[other] - items[other].width / 2 - right >= GAP - 1e-6


@settings(deadline=None, max_examples=50)
@given(forests())
def test_parents_are_centred_and_children_in_order(
    forest: tuple[list[Item], list[int]],
) -> None:
    items, roots = forest
    centres = tidy_layout(items, roots, GAP, TREE_GAP)
    assert min(c - item.width / 2 for c, item in zip(centres, items, strict=True)) > -1e-6
    for index, item in enumerate(items):
        places = [centres[child] for child in item.children]
        assert places == sorted(places)
        if places:
            assert abs(centres[index] - (places[0] + places[-1]) / 2) < 1e-6


def test_depth_is_not_limited() -> None:
    deep = 20_000
    items = [Item(10.0, [index + 1]) for index in range(deep)] + [Item(10.0)]
    assert tidy_layout(items, [0], GAP, TREE_GAP) == [5.0] * (deep + 1)
