"""`plyforge suite`."""

import pytest

MATE = '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";\n'
UNCOMPILED = ("--backend", "python")


def test_a_suite_is_reported_as_a_table(plyforge, tmp_path):
    (tmp_path / "a.epd").write_text(MATE)
    done = plyforge("suite", str(tmp_path / "a.epd"), "--depth", "2", *UNCOMPILED)
    assert done.code == 0
    assert "back rank" in done.out
    assert "1 of 1 solved" in done.out
    assert "solved by depth: 2: 1" in done.out


def test_a_suite_is_reported_as_json(plyforge, tmp_path):
    (tmp_path / "a.epd").write_text(MATE)
    limit = ("--nodes", "500")
    fields = plyforge("suite", str(tmp_path / "a.epd"), *limit, "--json", *UNCOMPILED).json
    assert (fields["positions"], fields["solved"], fields["interrupted"]) == (1, 1, False)
    assert fields["attempts"][0]["move"] == "d1d8"
    assert fields["solved_by"]["depth"] == [[2, 1]]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (None, "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"", "no position"),
        (b"8/8 w - - bm e4;", "line 1"),
    ],
)
def test_a_wrong_file_is_wrong_input(plyforge, tmp_path, content, named):
    file = tmp_path / "a.epd"
    if content is not None:
        file.write_bytes(content)
    done = plyforge("suite", str(file), "--depth", "1")
    assert done.code == 2
    assert named in done.err
    assert str(file) in done.err
