"""The tutorial is followed word by word: its file is built, its commands are run and compared."""

import ast
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyforge.interfaces.cli import main

PAGE = Path(__file__).parent.parent / "docs" / "tutorial.md"
FILE = "floe.py"

# What differs from run to run and from machine to machine.
VOLATILE = {
    r"^( +\d+ +[\d,]+) +[\d.]+ +\S+$": r"\1",  # perft: seconds and nodes/s
    r"^([ \d]{5} .{12} [ \d,]{14}) [ \d,-]{12}(?=  )": r"\1",  # analyse: nodes/s
    r"(?<= searches, )[\d.]+ s$": "",
    r"^(speed +).*$": r"\1",
    r"\d[\d,.]*(?=.* looked at)": "N",  # check plays for a limited time
    r"(?<= looked at).*$": "",
    r"/\S*/floe\.py": FILE,
    r"^compiling .*\n": "",  # told at the first start only
}


def blocks() -> Iterator[tuple[str, str]]:
    """Language and text of each fenced block."""
    text = PAGE.read_text(encoding="utf-8")
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield match[1], match[2]


def edited(source: str, block: str) -> str:
    """The file with a block's definitions: in place of those of the same name, else at its end."""
    old = {name: node for node in ast.parse(source).body for name in defined(node)}
    lines = source.splitlines()
    added = []
    for node in reversed(ast.parse(block).body):
        text = block.splitlines()[node.lineno - 1 : node.end_lineno]
        known = [old[name] for name in defined(node) if name in old]
        if known:
            lines[known[0].lineno - 1 : known[0].end_lineno] = text
        else:
            added = [*text, "", "", *added]
    return "\n".join([*lines, "", "", *added]).rstrip() + "\n"


def defined(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.ImportFrom):
        return [f"from {node.module}"]
    assert isinstance(node, (ast.Assign, ast.Expr)), ast.dump(node)
    if isinstance(node, ast.Expr):
        return []
    return [target.id for target in node.targets if isinstance(target, ast.Name)]


def commands(block: str) -> Iterator[tuple[list[str], str]]:
    """The commands of a console block, each with what it prints."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        yield shlex.split(line), output


def plain(text: str) -> str:
    for pattern, place in VOLATILE.items():
        text = re.sub(pattern, place, text, flags=re.MULTILINE)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def test_the_tutorial_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    source, ran = "", 0
    for language, block in blocks():
        if language == "python":
            source = edited(source, block) if source else block
            Path(FILE).write_text(source, encoding="utf-8")
        for words, expected in commands(block) if language == "console" else ():
            monkeypatch.setattr(sys, "argv", words)
            with pytest.raises(SystemExit):
                main()
            printed = capsys.readouterr()
            assert plain(printed.out + printed.err) == plain(expected), words
            ran += 1
    assert ran >= 8


def test_the_whole_file_at_the_end_is_what_the_steps_made() -> None:
    *steps, (_, whole) = [block for block in blocks() if block[0] == "python"]
    source = ""
    for _, block in steps:
        source = edited(source, block) if source else block
    # The same definitions, whatever their order.
    made, shown = (sorted(map(ast.dump, ast.parse(text).body)) for text in (source, whole))
    assert made == shown
