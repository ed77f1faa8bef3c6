"""Groups of neighbouring cells."""

from plyforge.evaluate.automatic.shapes import find_shapes, max_length


def squares(columns: int, rows: int) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for y in range(rows) for x in range(columns)]


def test_shapes_of_a_square_board() -> None:
    found = {shape.name: shape for shape in find_shapes(squares(4, 3), base=3)}
    counts = [len(shape.groups) for shape in found.values()]
    # Steps: upright, down and right, to the right, up and right; pairs and lines of each.
    assert sorted(counts) == sorted([8, 4, 6, 2, 9, 3, 6, 2, 6])
    assert (0, 1, 4, 5) in {tuple(sorted(group)) for group in found["blocks"].groups}
    assert all(shape.located == name.startswith("pairs") for name, shape in found.items())


def test_shapes_of_a_board_of_hexagons() -> None:
    places = [(x + y / 2, float(y)) for y in range(3) for x in range(3)]
    found = find_shapes(places, base=3)
    assert sorted(len(one.groups) for one in found if one.name.startswith("pairs")) == [4, 6, 6]
    assert any(one.name == "blocks" for one in found)


def test_few_contents_allow_longer_lines() -> None:
    assert [max_length(base) for base in (2, 3, 5, 13, 1000, 5000)] == [9, 6, 4, 2, 2, 2]
    assert find_shapes([(0.0, 0.0)], base=3) == []
