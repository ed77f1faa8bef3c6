"""Progress: a line that is written over on a terminal, a line now and then elsewhere."""

import io
import sys

import pytest

from plyforge.interfaces.cli import progress
from plyforge.interfaces.cli.progress import Progress


class Screen(io.StringIO):
    def __init__(self, live):
        super().__init__()
        self.live = live

    def isatty(self):
        return self.live


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass when told."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def screen(monkeypatch, live):
    monkeypatch.setattr(sys, "stderr", Screen(live))
    return sys.stderr


def test_a_terminal_sees_one_line_and_nothing_is_left_of_it(monkeypatch, clock):
    monkeypatch.setenv("COLUMNS", "20")
    out = screen(monkeypatch, live=True)
    shown = Progress()
    shown.watch("one")
    shown.show(lambda: "too soon")
    clock[0] += 0.3
    shown.show(lambda: "x" * 50)
    shown.end("for a file only")
    assert out.getvalue() == f"\r\x1b[Kone\r\x1b[K{'x' * 19}\r\x1b[K"


def test_a_file_gets_a_line_every_ten_seconds(monkeypatch, clock):
    out = screen(monkeypatch, live=False)
    shown = Progress()
    for second in range(25):
        clock[0] = 100.0 + second
        shown.show(f"at {second}".format)
        shown.watch("only for a terminal")
    shown.end()
    assert out.getvalue() == "at 11\nat 22\n"


def test_a_last_line_is_for_files(monkeypatch, clock):
    out = screen(monkeypatch, live=False)
    shown = Progress()
    shown.watch("game 1, move 3")
    shown.end("game 1")
    assert out.getvalue() == "game 1\n"


def test_the_time_to_go_is_told_from_what_was_done_since_the_beginning(monkeypatch, clock):
    screen(monkeypatch, live=False)
    shown = Progress()
    clock[0] += 1000  # preparation
    shown.begin(40)
    assert shown.to_go(40, 100) == ""
    clock[0] += 20
    assert shown.to_go(50, 100) == ", 1 min 40 s to go"
    assert shown.to_go(100, 100) == ", 0 s to go"


def test_progress_needs_no_standard_error(monkeypatch, clock):
    monkeypatch.setattr(sys, "stderr", None)
    shown = Progress()
    shown.watch("x")
    shown.line("x")
    shown.end("x")
