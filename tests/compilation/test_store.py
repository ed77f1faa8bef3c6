"""The store keeps kernels on disk, and treats every failure of the disk as an empty cache."""

import errno
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from plyforge.compilation import store as store_module
from plyforge.compilation.store import CacheWarning, Store, cache_folder


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache")


@pytest.fixture
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files during a test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def path_of(store: Store, name: str) -> Path:
    return store.folder / f"{name}.kernel"


def age(path: Path, days: float) -> None:
    then = time.time() - days * 86_400
    os.utime(path, (then, then))


def test_what_was_saved_is_loaded(store: Store) -> None:
    store.save("a-1", b"payload")
    assert store.load("a-1") == b"payload"
    assert store.load("a-2") is None


def test_saving_leaves_no_draft(store: Store) -> None:
    store.save("a-1", b"payload")
    assert [path.name for path in store.folder.iterdir()] == ["a-1.kernel"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:10],
        lambda data: data[:-1],
        lambda data: b"garbage" * 100,
        lambda data: data[:-3] + bytes([data[-3] ^ 4]) + data[-2:],
        lambda data: data + b"more",
    ],
    ids=["empty", "header only", "truncated", "garbage", "one bit", "longer"],
)
def test_a_damaged_file_counts_as_absent(store: Store, damage: Any) -> None:
    store.save("a-1", b"payload")
    path = path_of(store, "a-1")
    path.write_bytes(damage(path.read_bytes()))
    assert store.load("a-1") is None
    store.save("a-1", b"payload")
    assert store.load("a-1") == b"payload"


def test_loading_marks_an_entry_as_used(store: Store) -> None:
    store.save("a-1", b"payload")
    age(path_of(store, "a-1"), 30)
    store.load("a-1")
    assert next(store.entries()).used > time.time() - 3600


def test_entries_unused_for_long_are_pruned(store: Store) -> None:
    for name in ("old-1", "new-1"):
        store.save(name, b"payload")
    age(path_of(store, "old-1"), 61)
    assert store.prune() == 1
    assert [entry.name for entry in store.entries()] == ["new-1"]


def test_the_least_recently_used_entries_beyond_the_size_are_pruned(store: Store) -> None:
    for number in range(4):
        store.save(f"a-{number}", b"x" * 1000)
        age(path_of(store, f"a-{number}"), 10 - number)
    assert store.prune(keep_bytes=2500) == 2
    assert [entry.name for entry in store.entries()] == ["a-2", "a-3"]


def test_saving_prunes(store: Store) -> None:
    store.save("old-1", b"payload")
    age(path_of(store, "old-1"), 61)
    store.save("new-1", b"payload")
    assert [entry.name for entry in store.entries()] == ["new-1"]


def test_old_drafts_are_pruned_and_new_ones_kept(store: Store) -> None:
    store.save("a-1", b"payload")
    old, new = store.folder / ".draft-old", store.folder / ".draft-new"
    old.write_bytes(b"half")
    new.write_bytes(b"half")
    age(old, 1)
    store.prune()
    assert not old.exists()
    assert new.exists()


def test_clear_removes_every_kernel_and_draft_and_nothing_else(store: Store) -> None:
    for number in range(3):
        store.save(f"a-{number}", b"payload")
    (store.folder / ".draft-x").write_bytes(b"half")
    (store.folder / "notes.txt").write_text("mine")
    assert store.clear() == 3
    assert [path.name for path in store.folder.iterdir()] == ["notes.txt"]


def test_an_absent_folder_is_empty_and_can_be_cleared(store: Store) -> None:
    assert list(store.entries()) == []
    assert store.clear() == 0


def test_a_folder_that_cannot_be_created_is_replaced_with_a_warning(
    tmp_path: Path, temporary_folder: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    store = Store(tmp_path / "file" / "cache")
    with pytest.warns(CacheWarning, match="set PLYFORGE_CACHE"):
        store.save("a-1", b"payload")
    assert store.load("a-1") == b"payload"


def test_later_processes_read_the_temporary_folder(tmp_path: Path, temporary_folder: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.warns(CacheWarning):
        Store(tmp_path / "file").save("a-1", b"payload")
    assert Store(tmp_path / "file").load("a-1") == b"payload"


def test_a_full_disk_is_avoided_and_leaves_no_draft(
    store: Store, temporary_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save("a-0", b"payload")
    real, failures = os.fdopen, []

    def full(handle: int, mode: str) -> Any:
        if failures:
            return real(handle, mode)
        os.close(handle)
        failures.append(OSError(errno.ENOSPC, "No space left on device"))
        raise failures[0]

    monkeypatch.setattr(store_module.os, "fdopen", full)
    with pytest.warns(CacheWarning, match="No space left"):
        store.save("a-1", b"payload")
    assert store.load("a-1") == b"payload"
    assert [path.name for path in store.folder.iterdir()] == ["a-0.kernel"]


def test_if_nothing_can_be_written_kernels_are_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setattr("tempfile.tempdir", str(blocked))
    store = Store(blocked)
    with pytest.warns(CacheWarning, match="not stored"):
        store.save("a-1", b"payload")
    assert store.load("a-1") is None


def test_the_temporary_folder_of_another_user_is_neither_read_nor_written(
    tmp_path: Path, temporary_folder: Path
) -> None:
    planted = Store(temporary_folder / f"plyforge-{os.getuid()}")
    planted.save("a-1", b"evil")
    planted.folder.chmod(0o777)
    (tmp_path / "file").write_text("in the way")
    store = Store(tmp_path / "file")
    assert store.load("a-1") is None
    with pytest.warns(CacheWarning):
        store.save("a-2", b"payload")
    assert store.load("a-2") == b"payload"
    assert [entry.name for entry in planted.entries()] == ["a-1"]


def test_a_link_in_place_of_the_temporary_folder_is_not_followed(
    tmp_path: Path, temporary_folder: Path
) -> None:
    target = Store(tmp_path / "target")
    target.save("a-1", b"evil")
    (temporary_folder / f"plyforge-{os.getuid()}").symlink_to(target.folder)
    assert Store(tmp_path / "cache").load("a-1") is None


def test_the_environment_chooses_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYFORGE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.setenv("PLYFORGE_CACHE", "~/kernels")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "kernels"


@pytest.mark.skipif(sys.platform != "linux", reason="the folder is another one there")
def test_the_default_is_the_users_cache_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLYFORGE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "plyforge"


@pytest.mark.skipif(sys.platform == "win32", reason="homes are found differently there")
def test_a_user_without_a_home_gets_a_temporary_folder(
    temporary_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown_user(number: int) -> Any:
        raise KeyError(number)

    for variable in ("PLYFORGE_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown_user)
    assert cache_folder().is_relative_to(temporary_folder)
