"""Two processes that need the same kernel."""

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plyforge.compilation import locks
from plyforge.compilation.locks import kernel_lock

PERFT = (
    "import sys, plyforge; g = plyforge.load(sys.argv[1]);"
    " print(g.perft(g.initial(), 3), file=sys.stdout)"
)


class FakeMsvcrt:
    """The locks of Windows: by file, and taken by one handle at a time."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self) -> None:
        self._held: dict[int, int] = {}
        self._mutex = threading.Lock()

    def locking(self, handle: int, mode: int, octets: int) -> None:
        file = os.fstat(handle).st_ino
        with self._mutex:
            if mode == self.LK_UNLCK:
                assert self._held.pop(file) == handle
            elif file in self._held:
                raise PermissionError(errno.EACCES, "Permission denied")
            else:
                self._held[file] = handle


@pytest.fixture(params=["this system", "windows"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "windows":
        monkeypatch.setattr(locks, "fcntl", None)
        monkeypatch.setattr(locks, "msvcrt", FakeMsvcrt())


@pytest.mark.usefixtures("system")
def test_the_second_waits_until_the_first_is_done(tmp_path: Path) -> None:
    file, order = tmp_path / "lock", []
    entered, announced = threading.Event(), threading.Event()

    def second() -> None:
        entered.wait()
        with kernel_lock(file, announced.set):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with kernel_lock(file, lambda: None):
        entered.set()
        announced.wait()
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert not file.exists() or sys.platform == "win32"


def test_a_folder_that_cannot_be_written_has_no_lock(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with kernel_lock(tmp_path / "file" / "lock", lambda: None):
        pass


@pytest.mark.usefixtures("system")
def test_a_lock_that_a_dead_process_left_does_not_count(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    file.write_bytes(b"")
    with kernel_lock(file, lambda: pytest.fail("it waited")):
        pass
    assert not file.exists() or sys.platform == "win32"


@pytest.mark.usefixtures("system")
def test_a_file_system_without_locks_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(errno.ENOSYS, "not supported")

    monkeypatch.setattr(locks, "_lock", fail)
    with kernel_lock(tmp_path / "lock", lambda: pytest.fail("it waited")):
        pass


@pytest.mark.long
def test_two_processes_compile_a_kernel_once(tmp_path: Path) -> None:
    game = tmp_path / "mine.py"
    source = Path(__file__).parents[1] / "check" / "broken" / "never_switches.py"
    game.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    environment = os.environ | {"PLYFORGE_CACHE": str(tmp_path / "cache")}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PERFT, str(game)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    outputs = [process.communicate() for process in processes]
    assert outputs[0][0] == outputs[1][0] == "27\n"
    assert sum("compiling perft" in errors for _, errors in outputs) == 1
