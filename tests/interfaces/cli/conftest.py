"""Run the command line in the process of the test."""

import json
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from plyforge.interfaces.cli import main


@dataclass
class CommandResult:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out.splitlines()[-1])


class CommandLine:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *words: str) -> CommandResult:
        self._monkeypatch.setattr(sys, "argv", ["plyforge", *words])
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        captured = self._capsys.readouterr()
        return CommandResult(int(end.value.code or 0), captured.out, captured.err)


@pytest.fixture
def plyforge(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)
