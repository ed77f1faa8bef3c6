"""`plyforge database`."""

import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("cli") / "kings"


def build(plyforge, folder, *more, game="checkers", slices=("K-K",)):
    return plyforge(
        "database", "build", game, *slices, "--folder", str(folder), "--jobs", "0",
        "--backend", "python", *more,
    )  # fmt: skip


def test_a_database_is_built_shown_probed_verified_and_used(plyforge, folder):
    done = build(plyforge, folder)
    assert done.code == 0, done.err
    assert "2 slices, 1,056 positions" in done.out
    assert "longest win: 11 plies" in done.out

    shown = plyforge("database", "stats", "checkers", "--folder", str(folder), "--json")
    (kings,) = [row for row in shown.json["slices"] if row["name"] == "K-K"]
    assert (kings["wins"], kings["draws"], kings["losses"]) == (230, 654, 108)
    assert kings["distances"]
    assert kings["longest"] == 11

    probed = plyforge(
        "database", "probe", "checkers", "--folder", str(folder), "--position", "B:WK5:BK14",
        "--json",
    )  # fmt: skip
    assert probed.json["known"]
    best = probed.json["moves"][0]
    assert best["outcome"] == probed.json["outcome"]

    checked = plyforge(
        "database", "verify", "checkers", "--folder", str(folder), "--samples", "3", "--depth",
        "3", "--backend", "python",
    )  # fmt: skip
    assert checked.code == 0, checked.out
    assert "K-K: 992 positions, all values follow" in checked.out
    assert "0 contradictions" in checked.out

    searched = plyforge(
        "analyse", "checkers", "--position", "B:WK5:BK14", "--depth", "1", "--database",
        str(folder), "--backend", "python", "--json",
    )  # fmt: skip
    assert searched.json["score"] == probed.json["score"]


def test_files_without_distances_are_built_shown_and_verified(plyforge, tmp_path):
    done = build(plyforge, tmp_path, "--wdl", "--json")
    assert done.code == 0, done.err
    (kings,) = [row for row in done.json["slices"] if row["name"] == "K-K"]
    assert (kings["wins"], kings["draws"], kings["losses"]) == (230, 654, 108)
    assert (kings["distances"], kings["longest"]) == (False, None)
    where = ("checkers", "--folder", str(tmp_path))
    probed = plyforge("database", "probe", *where, "--position", "B:WK5:BK14", "--json")
    assert probed.json["known"]
    assert probed.json["distance"] is None
    checked = plyforge("database", "verify", *where, "--backend", "python")
    assert "K-K: 992 positions, built again with the same results" in checked.out


def test_a_position_outside_is_not_known(plyforge, folder):
    build(plyforge, folder)
    probed = plyforge("database", "probe", "checkers", "--folder", str(folder))
    assert probed.code == 1
    assert "not in the database" in probed.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("build", "checkers", "KQ"), "slice 'KQ' of checkers: a slice is a number of pieces"),
        (("build", "tree", "3"), "tree has no database"),
        (("build", "checkers", "K-0", "--method", "magic"), "unknown method 'magic'"),
        (("build", "checkers", "K-0", "--memory", "0"), "--memory must be at least 1 MiB, not 0"),
        (("probe", "checkers"), "is not a folder"),
        (("stats", "checkers"), "is not a folder"),
        (("verify", "checkers", "--samples", "-1"), "--samples must be at least 0, not -1"),
    ],
)
def test_wrong_input_is_explained(plyforge, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    done = plyforge("database", *words)
    assert done.code == 2
    assert message in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_search_names_the_folder_that_is_not_a_database(plyforge, tmp_path):
    done = plyforge("analyse", "checkers", "--database", str(tmp_path), "--backend", "python")
    assert done.code == 2
    assert "has no database" in done.err
