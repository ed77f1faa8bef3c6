"""Files of the user by content."""

import hashlib
import linecache
import pickle
from pathlib import Path

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.user_files import (
    UserFile,
    carried_file,
    file_names,
    files_fingerprint,
    is_file,
    read_bytes,
    read_user_file,
    use_files,
)


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_has_its_name_its_path_its_content_and_its_modules(here):
    (here / "sub").mkdir()
    (here / "sub" / "mine.py").write_bytes(b"import helper\r\n")
    (here / "sub" / "helper.py").write_bytes(b"")
    file = read_user_file("sub/mine.py")
    assert (file.name, file.path) == ("sub/mine.py", str(here / "sub" / "mine.py"))
    assert file.data == b"import helper\r\n"
    assert file.modules == (UserFile("helper", str(here / "sub" / "helper.py"), b""),)
    assert pickle.loads(pickle.dumps(file)) == file


def test_digests_are_those_of_the_bytes_by_the_users_paths(here):
    (here / "sub").mkdir()
    (here / "sub" / "mine.py").write_bytes(b"import helper")
    (here / "sub" / "helper.py").write_bytes(b"X = 1")

    def digest(data: bytes) -> str:
        return hashlib.blake2b(data, digest_size=16).hexdigest()

    expected = {"sub/mine.py": digest(b"import helper"), "sub/helper.py": digest(b"X = 1")}
    assert read_user_file("sub/mine.py").digests() == expected


def test_data_is_not_searched_for_imports(here):
    (here / "weights.npz").write_bytes(b"import helper")
    (here / "helper.py").write_bytes(b"")
    assert read_user_file("weights.npz").modules == ()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.py", r"nowhere\.py cannot be read: No such file"),
        (".", r"\. cannot be read: Is a directory"),
        ("a\0b.py", "is not a file name"),
        ("x" * 5000, r"x{200}\.\.\. \(5000 characters\) cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(here, name, message):
    with pytest.raises(PlyforgeError, match=message):
        read_user_file(name)


def test_file_names_are_found_in_plain_data():
    data = {"a": "one.py", "b": ["two.npz", "three", 4, None], "c": ("five.py",)}
    assert list(file_names(data)) == ["one.py", "two.npz", "five.py"]
    assert list(file_names("checkers")) == []


def test_files_in_use_are_read_instead_of_those_on_disk(here):
    (here / "mine.py").write_bytes(b"on disk")
    carried = UserFile("mine.py", "/far/away/mine.py", b"carried")
    with use_files([carried]):
        assert read_bytes(Path("mine.py")) == b"carried"
        assert read_bytes(Path("/far/away/mine.py")) == b"carried"
        assert is_file(Path("/far/away/mine.py"))
        assert not is_file(Path("/far/away/other.py"))
        assert carried_file(Path("./mine.py")) is carried
        assert read_user_file("mine.py") is carried
        assert files_fingerprint()
    assert read_bytes(Path("mine.py")) == b"on disk"
    assert files_fingerprint() == ""


def test_source_lines_of_files_in_use_are_theirs(here):
    (here / "mine.py").write_text("old = 1\n", encoding="utf-8")
    path = str(here / "mine.py")
    assert linecache.getline(path, 1) == "old = 1\n"
    helper = UserFile("helper", "/far/away/helper.py", b"x = '\f'\r\ny = 2")
    with use_files([UserFile("mine.py", path, b"\xef\xbb\xbfnew = 2\n", (helper,))]):
        linecache.checkcache()
        assert linecache.getline(path, 1) == "new = 2\n"
        assert linecache.getlines("/far/away/helper.py") == ["x = '\f'\n", "y = 2"]
    assert linecache.getline(path, 1) == "old = 1\n"
    assert linecache.getline("/far/away/helper.py", 1) == ""


def test_files_are_not_in_use_after_an_error(here):
    with pytest.raises(ValueError, match="stop"), use_files([UserFile("a.py", "/a.py", b"")]):
        raise ValueError("stop")
    assert carried_file(Path("a.py")) is None
