"""The text format of matrix games."""

from pathlib import Path

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.equilibrium import parse_matrix, read_matrix

EXAMPLES = Path(__file__).parents[2] / "examples" / "matrix"


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.txt")), ids=lambda file: file.stem)
def test_the_examples_can_be_read(file):
    game = read_matrix(file)
    assert game.title
    assert not game.row_names[0].isdigit()


def test_names_are_optional():
    plain = parse_matrix("1 2\n3 4")
    assert (plain.row_names, plain.column_names) == (("1", "2"), ("1", "2"))
    rows = parse_matrix("a 1 2\nb 3 4")
    assert (rows.row_names, rows.row.tolist()) == (("a", "b"), [[1, 2], [3, 4]])
    columns = parse_matrix("x y\n1 2\n3 4")
    assert (columns.column_names, columns.is_zero_sum) == (("x", "y"), True)


def test_numbers_may_be_fractions_and_pairs():
    game = parse_matrix("1/2,-1 .5,2\n-3/4,0 1e2,1")
    assert game.row.tolist() == [[0.5, 0.5], [-0.75, 100.0]]
    assert game.column.tolist() == [[-1.0, 2.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no payoffs"),
        ("# only a comment\n\n", "there are no payoffs"),
        ("a b", "there are no payoffs"),
        ("1 2\n3", "line 2: the row has 1 payoffs, the one in line 1 has 2"),
        ("a 1 2\n3 4", "line 2: the row has no name"),
        ("1 2\na 3", "line 2: the row begins with 'a'"),
        ("1 x", "line 1: 'x' is not a number"),
        ("1 nan", "line 1: 'nan' is not a finite number"),
        ("1 inf", "line 1: 'inf' is not a finite number"),
        ("1 1e999", "line 1: '1e999' is not a finite number"),
        ("1 2/0", "line 1: '2/0' divides by zero"),
        ("1,2 3", "line 1: '3' is one number, but other payoffs are pairs"),
        ("1,2,3", "line 1: '1,2,3' has 3 numbers"),
        ("1,x", "line 1: 'x' is not a number in '1,x'"),
        ("1, 2", "line 1: '' is not a number in '1,'"),
        ("x y z\n1 2", "line 2: the row has 2 payoffs, but there are 3 names of columns"),
        ("a\n1 2", "there are 1 names"),
        ("x x\n1 2", "two columns are called 'x'"),
        ("a", "there are no payoffs"),
        ("x y\na\nb", "line 2: the row has a name but no payoffs"),
        (" ".join(["1"] * 1001), "more than 1000 strategies"),
        ("1e300", "payoffs must be finite"),
    ],
)
def test_a_wrong_text_is_refused_with_its_line(text, message):
    with pytest.raises(PlyforgeError, match=message):
        parse_matrix(text)


def test_a_wrong_file_is_named(tmp_path):
    with pytest.raises(PlyforgeError, match=r"none.txt' cannot be read: No such file"):
        read_matrix(tmp_path / "none.txt")
    file = tmp_path / "bad.txt"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PlyforgeError, match="is not a text file in UTF-8"):
        read_matrix(file)
    file.write_text("1 2\n3")
    with pytest.raises(PlyforgeError, match=r"bad.txt, line 2"):
        read_matrix(file)
