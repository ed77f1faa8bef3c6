"""Output to terminals and files that cannot write every letter."""

import io
import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.interfaces.cli import encodings
from tests.games.tiers import with_long

ENCODINGS = ["ascii", "cp1252", "latin-1", "cp437", "utf-8"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_every_text_can_be_written(encoding: str, text: str) -> None:
    encodings.accept_any_letter()
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="plyforge.similar")
    stream.write(text)
    stream.flush()


@pytest.mark.parametrize(
    "encoding", ["ascii", *(pytest.param(e, marks=pytest.mark.long) for e in ENCODINGS[1:])]
)
@pytest.mark.parametrize(
    "words",
    with_long([("show", "tictactoe", "--moves", "±∞ń")], [("lab", "list"), ("games", "--json")]),
)
def test_no_encoding_causes_a_traceback(encoding: str, words: tuple[str, ...]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "plyforge", *words],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )
    assert b"Traceback" not in result.stderr
    assert result.returncode == (2 if words[0] == "show" else 0)
    if "--json" in words:
        assert json.loads(result.stdout.decode(encoding))["games"]
    if words[0] == "lab" and encoding == "ascii":
        assert b"Mandziuk" in result.stdout
