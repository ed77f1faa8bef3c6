"""The usage lines of `--help`."""

import pytest


@pytest.mark.parametrize(
    ("command", "usage"),
    [
        ("analyse", "analyse [OPTIONS] GAME"),
        ("play", "play [OPTIONS] [GAME]"),
        ("match", "match [OPTIONS] GAME A B ..."),
        ("perft", "perft [OPTIONS] GAME"),
        ("tune", "tune [OPTIONS] [GAME PARAMETER ...]"),
    ],
)
def test_a_required_argument_has_no_braces(plyforge, command: str, usage: str) -> None:
    out = plyforge(command, "--help").out
    line = next(line for line in out.splitlines() if "Usage:" in line)
    assert line.rstrip().endswith(usage)
