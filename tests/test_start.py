"""The start of the command."""

import subprocess
import sys
from pathlib import Path

import pytest

import plyforge

START = """
import sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
import plyforge.__main__
print(sorted(set(sys.modules) - before))
"""
INTERRUPTED = """
import sys

class InterruptingFinder:
    def find_spec(self, name, path=None, target=None):
        if name == "plyforge.interfaces":
            raise KeyboardInterrupt

sys.meta_path.insert(0, InterruptingFinder())
from plyforge.__main__ import main
main()
"""
LATE = """
import os, signal, sys

class InterruptingObject:
    def __del__(self, kill=os.kill, process=os.getpid(), number=signal.SIGINT):
        kill(process, number)

late = InterruptingObject()
from plyforge.__main__ import main
sys.argv = ["plyforge", "--version"]
main()
"""


def test_nothing_is_imported_before_interrupts_are_caught() -> None:
    """Ctrl-C during an import that `main` does not guard would print a traceback."""
    home = str(Path(plyforge.__file__).parents[1])
    command = [sys.executable, "-S", "-c", START, home]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "['plyforge', 'plyforge.__main__']"


@pytest.mark.long
def test_an_interrupt_while_commands_are_imported_ends_quietly() -> None:
    command = [sys.executable, "-c", INTERRUPTED]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (130, "")


def test_an_interrupt_while_python_ends_does_not_change_the_exit_code() -> None:
    """Objects of modules are deleted when Python has given up its handlers."""
    command = [sys.executable, "-c", LATE]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
