"""`plyforge fit`."""

import json

import pytest

GAME = "connect4:4x4"


def fit(plyforge, folder, *more, method="probcut", games="12"):
    return plyforge(
        "fit", GAME, method, "--games", games, "--depth", "4", "--jobs", "0",
        "--db", str(folder / "fit.db"), "-o", str(folder / "fit.json"), *more,
    )  # fmt: skip


def test_numbers_are_fitted_plotted_and_used(plyforge, tmp_path):
    plot = tmp_path / "fit.svg"
    done = fit(plyforge, tmp_path, "--plot", str(plot))
    assert done.code == 0
    assert "12 games" in done.out
    assert "--on multi-probcut" in done.out
    assert plot.read_text().startswith("<?xml")
    content = json.loads((tmp_path / "fit.json").read_text())
    assert {row["depth"] for row in content["rows"]} <= {3, 4}
    file = tmp_path / "fit.json"
    found = plyforge(
        "analyse", GAME, "--backend", "python", "--on", "multi-probcut", "--set",
        f"multi-probcut-fit={file}", "--depth", "5", "--json",
    )  # fmt: skip
    assert found.code == 0


def test_the_same_command_uses_stored_games_and_gives_the_same_file(plyforge, tmp_path):
    fit(plyforge, tmp_path, games="12")
    first = (tmp_path / "fit.json").read_bytes()
    done = fit(plyforge, tmp_path, "--overwrite", games="12")
    assert "12 of 12 games are already stored" in done.err
    assert (tmp_path / "fit.json").read_bytes() == first


def test_a_file_is_not_replaced_unasked(plyforge, tmp_path):
    (tmp_path / "fit.json").write_text("mine")
    done = fit(plyforge, tmp_path)
    assert done.code == 2
    assert "--overwrite" in done.err
    assert (tmp_path / "fit.json").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["connect4", "probcute"], "probcute"),
        (["connect5", "probcut"], "connect5"),
        (["connect4", "probcut", "--depth", "2"], "at least 3"),
        (["connect4", "probcut", "--games", "0"], "not 0"),
        (["connect4", "probcut", "--opening", "-1"], "not -1"),
        (["connect4", "probcut", "--file", "a.pgn"], "values of searches"),
        (["connect4", "realization", "--file", "none.txt"], "none.txt"),
        (["connect4", "probcut", "-o", "a.txt"], ".json"),
        (["connect4", "probcut", "--plot", "a.txt"], ".png or .svg"),
    ],
)
def test_bad_input_is_named(plyforge, tmp_path, monkeypatch, arguments, named):
    monkeypatch.chdir(tmp_path)
    done = plyforge("fit", *arguments, "--jobs", "0")
    assert done.code == 2
    assert named in done.err
    assert not list(tmp_path.glob("*.json"))
