"""Ctrl-C ends the server whatever its threads are at."""

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
from tests.interfaces.web.pages import PATIENCE

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
def test_rules_that_never_return_do_not_keep_the_server(tmp_path: Path) -> None:
    game, marker = tmp_path / "endless.py", tmp_path / "marker"
    rules = Path(tictactoe.__file__).read_text(encoding="utf-8")
    game.write_text(rules + ENDLESS.format(marker=str(marker)), encoding="utf-8")
    command = [sys.executable, "-u", "-m", "plyforge", "serve", str(game), "--port", "0"]
    with subprocess.Popen(
        [*command, "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://([^/]*)/", server.stdout.readline())
            assert found is not None
            with connect(f"ws://{found[1]}/socket") as page:
                page.send(json.dumps({"type": "new", "game": "endless", "side": "both"}))
                page.send(json.dumps({"type": "move", "text": "b2", "ply": 0}))
                _wait_for(marker)
                server.send_signal(signal.SIGINT)
            _, told = server.communicate(timeout=PATIENCE)
            assert server.returncode == 130
            assert "Traceback" not in told
        finally:
            server.kill()


def _wait_for(file: Path) -> None:
    until = time.monotonic() + PATIENCE
    while not file.exists():
        assert time.monotonic() < until
        time.sleep(0.02)
