"""Ctrl-C ends the server whatever its threads do."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from websockets.sync.client import connect

from plyforge.games import tictactoe
from tests.interfaces.web.pages import TIMEOUT
from tests.processes import popen

ENDLESS = """

_to_text = to_text


def to_text(position: Position) -> str:
    if position.mine | position.theirs:
        with open({marker!r}, "w"):
            pass
        while True:
            pass
    return _to_text(position)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signal can be sent to a child there")
def test_rules_that_never_return_do_not_keep_the_server_running(tmp_path: Path) -> None:
    game, marker = tmp_path / "endless.py", tmp_path / "marker"
    rules = Path(tictactoe.__file__).read_text(encoding="utf-8")
    game.write_text(rules + ENDLESS.format(marker=str(marker)), encoding="utf-8")
    command = [sys.executable, "-u", "-m", "plyforge", "serve", str(game), "--port", "0"]
    command += ["--played", str(tmp_path / "games.db")]
    with popen(
        [*command, "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            match = re.search(r"http://([^/]*)/", server.stdout.readline())
            assert match is not None
            with connect(f"ws://{match[1]}/socket") as page:
                page.send(json.dumps({"type": "new", "game": "endless", "side": "both"}))
                page.send(json.dumps({"type": "move", "text": "b2", "ply": 0}))
                _wait_for(marker)
                server.send_signal(signal.SIGINT)
            _, errors = server.communicate(timeout=TIMEOUT)
            assert server.returncode == 130
            assert "Traceback" not in errors
        finally:
            server.kill()


def _wait_for(file: Path) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not file.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
