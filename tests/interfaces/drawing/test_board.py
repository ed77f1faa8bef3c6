"""Boards of all games as SVG: each cell and piece is drawn once, and all text is escaped."""

import math
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge.core.contract import SHAPES
from plyforge.core.errors import GameFileError
from plyforge.core.geometry import Geometry, hexagons, squares
from plyforge.core.rules import Rules
from plyforge.game.starter import write_starter
from plyforge.interfaces.drawing import layout
from plyforge.interfaces.drawing.board import board
from plyforge.interfaces.drawing.svg import stylesheet

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = Path(__file__).parents[3] / "examples"
GAMES = {
    **{name: plyforge.load(name) for name in plyforge.names()},
    **{
        name: plyforge.load(name)
        for name in ("hex:1", "hex:26", "andantino:5", "kalah:9,1", "othello:4")
    },
    "layered": plyforge.load("tree:layered,branching=3,depth=4,seed=2"),
    **{path.stem: plyforge.load(str(path)) for path in sorted(EXAMPLES.glob("*.py"))},
}
TREES = ("[[3,12,8],[2,4,6],[14,5,2]]", "[[[1,2],-3.25],7,[1000000]]", "[5]")


def play_some_moves(game: plyforge.Game, choices: list[int]) -> plyforge.History:
    """Play moves, each chosen by a number."""
    history = game.history()
    for choice in choices:
        moves = history.legal_moves()
        if not moves:
            break
        history.play(moves[choice % len(moves)])
    return history


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def with_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def make_game(geometry: Geometry | None, pieces: dict[str, Any], **constants: Any) -> plyforge.Game:
    """Make a game that only has a picture."""
    module = SimpleNamespace(__file__="made.py")
    hooks = {
        "initial": lambda: (0,),
        "moves": lambda position: iter(()),
        "play": lambda position, move: position,
        "pieces": lambda position: pieces,
    }
    if geometry is not None:
        hooks["geometry"] = lambda position: geometry
    return plyforge.Game(Rules("made", module, hooks, constants))


def draw(geometry: Geometry | None, pieces: dict[str, Any], **constants: Any) -> str:
    game = make_game(geometry, pieces, **constants)
    return board(game, game.initial())


def is_piece(piece: Any) -> bool:
    return piece not in (None, "", " ", ".")


@pytest.mark.parametrize("name", GAMES)
@settings(deadline=None, max_examples=8)
@given(choices=st.lists(st.integers(0, 10**6), max_size=40), standalone=st.booleans())
def test_a_position_has_each_cell_and_each_piece_once(
    name: str, choices: list[int], standalone: bool
) -> None:
    game = GAMES[name]
    history = play_some_moves(game, choices)
    position = history.position
    text = board(game, position, standalone=standalone)
    root = parse(text)
    geometry = game.geometry(position)
    if geometry is None:
        assert with_class(root, "text")
        return
    cells = [cell.get("data-cell") for cell in with_class(root, "cell")]
    assert sorted(cells) == sorted(geometry.cells)
    pieces = {cell: str(p) for cell, p in game.pieces(position).items() if is_piece(p)}
    drawn = with_class(root, "piece")
    assert {p.get("data-cell"): p.get("data-piece") for p in drawn} == pieces
    assert len(drawn) == len(pieces)
    assert "style=" not in text
    assert ("<style>" in text) == standalone
    assert "script" not in text


@pytest.mark.parametrize("name", GAMES)
def test_the_title_of_a_cell_is_its_name_and_content(name: str) -> None:
    game = GAMES[name]
    position = play_some_moves(game, [1, 2, 3]).position
    root = parse(board(game, position))
    pieces = game.pieces(position)
    for cell in with_class(root, "cell"):
        name, _, content = (cell.findtext(f"{SVG}title") or "").partition(": ")
        assert name == cell.get("data-cell")
        assert content
        if game.name != "tree":
            assert (content == "empty") == (not is_piece(pieces.get(name)))


def test_built_in_games_define_the_look_of_each_letter() -> None:
    for name in plyforge.names():
        if name in ("kalah", "tree"):  # numbers
            continue
        game = plyforge.load(name)
        letters = set()
        for seed in range(6):
            history = play_some_moves(game, [seed * 7919 + step * 104729 for step in range(60)])
            for position in history.positions:
                letters |= set(game.pieces(position).values())
        assert letters <= set(game.rules.constant("PIECES")), name


@pytest.mark.parametrize("text", TREES)
def test_a_tree_is_nodes_joined_by_edges(text: str) -> None:
    game = GAMES["tree"]
    position = game.parse(text)
    root = parse(board(game, position))
    nodes, edges = with_class(root, "cell"), list(with_class(root, "links")[0])
    assert len(edges) == len(nodes) - 1
    assert [n.get("data-cell") for n in with_class(root, "present")] == ["root"]
    leaves = [n.get("data-cell") for n in with_class(root, "leaf")]
    assert sorted(leaves) == sorted(p.get("data-cell") for p in with_class(root, "piece"))
    for node in nodes:
        shape = {"0": "rect", "1": "circle", None: "rect"}[node.get("data-owner")]
        assert node.find(f"{SVG}{shape}") is not None


def test_the_node_of_the_position_is_marked_present() -> None:
    game = GAMES["tree"]
    history = game.history(game.parse(TREES[0]))
    history.play_text("2")
    root = parse(board(game, history.position))
    assert [n.get("data-cell") for n in with_class(root, "present")] == ["2"]


def test_the_last_move_is_marked_and_cells_off_the_board_are_ignored() -> None:
    game = GAMES["chess"]
    root = parse(board(game, game.initial(), last=["e2", "e4", "off"]))
    assert {cell.get("data-cell") for cell in with_class(root, "last")} == {"e2", "e4"}


def test_the_best_arrow_is_drawn_last_and_a_move_within_one_cell_is_a_ring() -> None:
    game = GAMES["chess"]
    arrows = [("e2", "e4", 0), ("d2", "d2", 1), ("a1", "off", 2), ("c2", "c4", 77)]
    drawn = with_class(parse(board(game, game.initial(), arrows=arrows)), "arrow")
    assert [arrow.get("data-rank") for arrow in drawn] == ["77", "1", "0"]
    assert ["ring" in arrow.get("class", "") for arrow in drawn] == [False, True, False]


@settings(deadline=None, max_examples=8)
@given(
    cell=st.text(min_size=1, max_size=9),
    piece=st.text(min_size=1, max_size=9),
    name=st.text(max_size=9),
    label=st.text(max_size=9),
)
def test_names_from_a_game_file_are_escaped(cell: str, piece: str, name: str, label: str) -> None:
    for kind in ("squares", "hexagons", "pits", "tree"):
        geometry = Geometry(
            kind,
            {cell: (0.0, 0.0), cell + "'": (1.0, 0.5)},
            row_labels={0: label},
            column_labels={0: label},
            top_labels={0: label},
            links=((cell, cell + "'"),),
            owners={cell: 1},
            present=cell,
        )
        players = (f"<{name}&", "\"'>")
        root = parse(draw(geometry, {cell: piece}, NAME=f"&{name}<", PLAYERS=players))
        assert len(with_class(root, "cell")) == 2
        assert len(with_class(root, "piece")) == is_piece(piece)


@pytest.mark.parametrize("name", ['<script>"', "a & b", "it's", "\x00\ud800", "</svg>"])
def test_a_text_board_is_escaped(name: str) -> None:
    game = make_game(None, {}, NAME=name)
    game.rules.hooks["board"] = lambda position: f"{name}\n{name}\n"
    root = parse(board(game, game.initial(), label=name))
    lines = [line.text or "" for line in root.iter(f"{SVG}text")]
    assert len(lines) == 3
    assert lines[0] == lines[1] == re.sub("[\x00\ud800]", "\ufffd", name)


def test_a_game_without_a_board_shows_its_text() -> None:
    game = GAMES["last_letter"]
    history = game.history()
    history.play_text("p l")
    texts = [t.text for t in parse(board(game, history.position)).iter(f"{SVG}text")]
    assert texts == [game.board(history.position)]


def test_an_empty_board_has_no_pieces() -> None:
    root = parse(draw(squares(3, 3), {}))
    assert len(with_class(root, "cell")) == 9
    assert not with_class(root, "piece")


def test_empty_cells_hold_no_piece() -> None:
    pieces = {"a1": ".", "b1": " ", "c1": "", "a2": None, "b2": "x"}
    root = parse(draw(squares(3, 3), pieces))
    assert [piece.get("data-cell") for piece in with_class(root, "piece")] == ["b2"]


def test_a_piece_outside_the_board_is_an_error_in_the_game_file() -> None:
    with pytest.raises(GameFileError, match=r"made\.py: 'pieces': .* not on the board: z9"):
        draw(squares(3, 3), {"z9": "x"})


@pytest.mark.parametrize(
    ("hook", "returned", "message"),
    [
        (
            "geometry",
            3,
            "'geometry' returned 3; it must return a Geometry, as squares, hexagons, pits",
        ),
        ("pieces", 3, "made.py: pieces: TypeError"),
        ("pieces", {"a1": ["x"]}, None),
    ],
)
def test_the_return_values_of_a_game_file_are_checked(
    hook: str, returned: Any, message: str | None
) -> None:
    game = make_game(squares(3, 3), {})
    game.rules.hooks[hook] = lambda position: returned
    if message is None:
        assert "[&#39;x&#39;]" in board(game, game.initial())
        return
    with pytest.raises(GameFileError, match=re.escape(message)):
        board(game, game.initial())


def test_the_starter_has_stones_of_both_colours(tmp_path: Path) -> None:
    game = plyforge.load(str(write_starter(tmp_path / "mine.py")))
    pieces = with_class(parse(board(game, game.initial())), "piece")
    assert {piece.get("class") for piece in pieces} == {"piece white", "piece black"}


def test_a_huge_board_is_drawn() -> None:
    root = parse(draw(squares(100, 100), {"a1": "x"}))
    assert len(with_class(root, "cell")) == 10_000


def test_cells_show_their_names_only_without_labels_beside_the_board() -> None:
    for name, names in (("checkers", 32), ("chess", 0), ("hex", 121), ("andantino", 0)):
        game = GAMES[name]
        root = parse(board(game, game.initial()))
        assert len(with_class(root, "name")) == names
        assert bool(with_class(root, "label")) == (names == 0)


def test_a_piece_leaves_room_for_the_name_of_its_cell() -> None:
    game = plyforge.load("checkers")
    root = parse(board(game, game.initial()))
    for piece in with_class(root, "piece"):
        scaled = piece[0].get("transform")
        assert scaled is not None
        radius = 38 * float(scaled.removeprefix("scale(").removesuffix(")"))
        letters, height = 2 * 0.64 * 20, 0.83 * 20  # of two digits of DejaVu Sans
        corner = (-47 + letters, -47 + height)
        assert math.hypot(*corner) > radius + 1


def test_stones_of_sides_named_by_letters_show_their_letters() -> None:
    game = plyforge.load("connect4")
    history = game.history()
    history.play_text("4 4")
    root = parse(board(game, history.position))
    assert ["".join(piece.itertext()) for piece in with_class(root, "piece")] == ["X", "O"]
    assert "4.1: X<" in board(game, history.position)
    othello = plyforge.load("othello")
    root = parse(board(othello, othello.initial()))
    assert "".join("".join(piece.itertext()) for piece in with_class(root, "piece")) == ""


def test_the_edges_of_hex_have_the_colours_of_their_players() -> None:
    game = GAMES["hex"]
    bands = with_class(parse(board(game, game.initial())), "edge")
    middles: dict[str, list[tuple[float, float]]] = {"0": [], "1": []}
    for band in bands:
        corners = [tuple(map(float, p.split(","))) for p in band.get("points", "").split()]
        middle = [sum(values) / len(corners) for values in zip(*corners, strict=True)]
        middles[band.get("data-owner", "")].append((middle[0], middle[1]))
        assert band.get("class") == ("edge red" if band.get("data-owner") == "0" else "edge blue")
    (top, bottom), (left, right) = middles["0"], middles["1"]
    assert top[1] < left[1] < bottom[1]
    assert left[0] < right[0]


def test_a_single_edge_is_a_plain_band() -> None:
    cells = {"a": (0, 0), "b": (1, 0), "c": (2, 0), "d": (2, 1), "e": (1, 1)}
    (band,) = with_class(parse(draw(hexagons(cells, [(1, ("a", "c"))]), {})), "edge")
    assert len(band.get("points", "").split()) == 4
    assert band.get("class") == "edge dark"


def test_up_to_twelve_seeds_are_drawn_and_all_are_counted() -> None:
    game = GAMES["kalah"]
    position = game.parse("13,1,0,0,0,0/34 0,0,0,0,12,0/12 S")
    for piece in with_class(parse(board(game, position)), "piece"):
        count = int(piece.get("data-piece", ""))
        assert len(with_class(piece, "seed")) == min(count, 12)
        assert "".join(piece.itertext()) == str(count)


def test_the_label_names_the_game_and_the_side_to_move() -> None:
    game = GAMES["othello"]
    assert parse(board(game, game.initial())).get("aria-label") == "Othello, Black to move"
    assert parse(board(game, game.initial(), label="a <b>")).get("aria-label") == "a <b>"


@pytest.mark.parametrize("name", ["chess", "kalah", "hex", "andantino", "tree"])
def test_a_rotated_board_has_the_same_cells_and_pieces_elsewhere(name: str) -> None:
    game = GAMES[name]
    position = play_some_moves(game, [5, 3]).position
    upright, rotated = (parse(board(game, position, rotated=r)) for r in (False, True))
    assert upright.get("viewBox", "").split()[2:] == rotated.get("viewBox", "").split()[2:]
    for kind in ("cell", "piece"):
        before, after = (
            {e.get("data-cell"): ElementTree.tostring(e) for e in with_class(root, kind)}
            for root in (upright, rotated)
        )
        assert before.keys() == after.keys()
        assert before != after or not before


def test_drawing_is_deterministic() -> None:
    game = GAMES["chess"]
    assert board(game, game.initial()) == board(game, game.initial())


def test_every_class_of_a_side_has_a_colour() -> None:
    css = stylesheet()
    for side in ("white", "black", "red", "blue", "yellow", "green", "light", "dark", "neutral"):
        assert f".board .{side} {{ --side:" in css
    used = set(re.findall(r"var\((--(?:board|drawing|side)-[a-z]+)", css))
    assert all(f"{name}:" in css for name in used)


def test_dark_colours_are_the_same_for_a_dark_system_and_a_dark_page() -> None:
    system, page = (
        re.findall(r"(--(?:board|drawing)-[a-z]+: [^;]+);", block)
        for block in re.findall(
            r"\n *:root[^{\n]*data-theme[^{\n]*\{([^}]*--board[^}]*)\}", stylesheet()
        )
    )
    assert system == page
    assert system


def test_every_shape_is_drawn() -> None:
    letters = "abcdefghijkl"
    looks = {letter: (0, shape) for letter, shape in zip(letters, SHAPES, strict=True)}
    pieces = {f"{letter}1": letter for letter in letters}
    drawn = with_class(parse(draw(squares(12, 1), pieces, PIECES=looks)), "piece")
    assert len({ElementTree.tostring(p).split(b">", 1)[1] for p in drawn}) == len(SHAPES)


def test_lines_can_be_clicked_and_are_drawn_when_they_have_a_piece() -> None:
    history = GAMES["dots"].history()
    history.play_text("a1-b1 a1-a2")
    picture = ElementTree.fromstring(board(history.game, history.position))
    cells = {c.get("data-cell"): c for c in picture.iter(f"{SVG}g") if c.get("data-cell")}
    assert cells["b2-b3"].find(f"{SVG}polygon") is not None
    drawn = [p for p in picture.iter(f"{SVG}g") if p.get("class") == "piece neutral"]
    assert {p.get("data-cell") for p in drawn} == {"a1-b1", "a1-a2"}
    assert all(p.find(f"{SVG}line") is not None for p in drawn)
    assert len(list(picture.iter(f"{SVG}polygon"))) == 24


@settings(max_examples=20)
@given(
    name=st.sampled_from(sorted(GAMES)),
    choices=st.lists(st.integers(0, 50), max_size=8),
    rotated=st.booleans(),
)
def test_parts_that_were_drawn_before_look_the_same(
    name: str, choices: list[int], rotated: bool
) -> None:
    history = play_some_moves(GAMES[name], choices)
    cells = GAMES[name].move_cells(history.positions[-2], history.moves[-1]) if choices else []
    options: dict[str, Any] = {"last": cells, "rotated": rotated}
    remembered = [board(GAMES[name], one, **options) for one in history.positions]
    layout._RECENT.clear()
    anew = []
    for position in history.positions:
        anew.append(board(GAMES[name], position, **options))
        layout._RECENT.clear()
    assert remembered == anew
