"""Progress: a bar on a terminal, nothing elsewhere."""

import io
import sys

import pytest

from plyforge.interfaces.cli import progress
from plyforge.interfaces.cli.progress import Progress


class Screen(io.StringIO):
    def __init__(self, is_terminal):
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self):
        return self._is_terminal


@pytest.fixture
def screen(monkeypatch):
    """Replace standard error by a stream that is a terminal, or not."""

    def replace(is_terminal):
        monkeypatch.setenv("COLUMNS", "100")
        monkeypatch.setattr(sys, "stderr", Screen(is_terminal))
        return sys.stderr

    return replace


def test_a_terminal_shows_the_count_and_the_note(screen):
    out = screen(is_terminal=True)
    with Progress("games") as bar:
        bar.prepare("preparing openings")
        bar.start(total=1000, done=40)
        bar.update(1000, lambda: "Elo +12")
    assert "preparing openings" in out.getvalue()
    assert "1,000 of 1,000 games" in out.getvalue()
    assert "Elo +12" in out.getvalue()


def test_the_bar_is_removed_at_the_end(screen):
    out = screen(is_terminal=True)
    with Progress("games") as bar:
        bar.start(total=2)
    assert out.getvalue().endswith("\x1b[2K")


def test_an_unknown_total_shows_the_count_alone(screen):
    out = screen(is_terminal=True)
    with Progress("games") as bar:
        bar.start(total=None)
        bar.update(12)
    assert "12 games" in out.getvalue()


def test_rate_and_time_left_count_from_the_start_of_the_work(screen):
    screen(is_terminal=True)
    now = 100.0
    bar = Progress("games")
    bar._bar.get_time = lambda: now
    bar.start(total=100, done=40)
    for done in (41, 46, 51):
        bar.update(done)
        now += 10
    with bar:
        (task,) = bar._bar.tasks
        assert progress._CountColumn("games").render(task).plain == (
            "51 of 100 games, 2.0 s each, 1 min 38 s left"
        )


def test_the_note_is_not_computed_for_every_update(screen):
    screen(is_terminal=True)
    calls = []
    with Progress("games") as bar:
        bar.start(total=100)
        for done in range(100):
            bar.update(done, lambda done=done: calls.append(done) or "")
    assert len(calls) < 100


def test_nothing_is_shown_where_standard_error_is_not_a_terminal(screen):
    out = screen(is_terminal=False)
    with Progress("games") as bar:
        bar.prepare("preparing openings")
        bar.start(total=2)
        bar.update(2, lambda: pytest.fail("a note that nobody reads"))
    assert out.getvalue() == ""


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_printed_line_is_not_removed(screen, is_terminal):
    out = screen(is_terminal)
    with Progress("games") as bar:
        bar.print("4 games are stored already in [matches].db")
    assert "4 games are stored already in [matches].db\n" in out.getvalue()


def test_standard_error_may_be_missing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with Progress("games") as bar:
        bar.prepare("preparing openings")
        bar.start(total=2)
        bar.update(2)
        bar.print("a line")
