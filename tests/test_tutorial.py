"""The tutorial, step by step: its file is built, its commands are run and their output compared."""

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

# Output that differs between runs and machines.
VOLATILE = {
    r"^( +\d+ +[\d,]+) +[\d.]+ +\S+$": r"\1",  # perft: seconds and nodes/s
    r"^([ \d]{5} .{12} [ \d,]{14}) [ \d,-]{12}(?=  )": r"\1",  # analyse: nodes/s
    r"(?<= searches, )[\d.]+ s$": "",
    r"^(speed +).*$": r"\1",
    r"\d[\d,.]*(?=.* checked)": "N",  # check plays for a limited time
    r"(?<= checked).*$": "",
    r"/\S*/floe\.py": FILE,
    r"^compiling .*\n": "",  # printed at the first start only
    r"(?<= games in ).*(?= games a second)": "",
    r"^evaluation: floe.npz .*$\n?": "",  # on standard error
    r"^( ?engine:depth=2,.*\d) +[\d.]+ *$": r"\1",  # match: seconds per game
}


def blocks() -> Iterator[tuple[str, str]]:
    """Yield language and text of each fenced block."""
    text = PAGE.read_text(encoding="utf-8")
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield match[1], match[2]


def insert(source: str, block: str) -> str:
    """Replace the definitions of a block in the file; append those that are new."""
    old = {name: node for node in ast.parse(source).body for name in names_of(node)}
    lines = source.splitlines()
    added = []
    for node in reversed(ast.parse(block).body):
        text = block.splitlines()[node.lineno - 1 : node.end_lineno]
        replaced = [old[name] for name in names_of(node) if name in old]
        if replaced:
            lines[replaced[0].lineno - 1 : replaced[0].end_lineno] = text
        else:
            added = [*text, "", "", *added]
    return "\n".join([*lines, "", "", *added]).rstrip() + "\n"


def names_of(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.ImportFrom):
        return [f"from {node.module}"]
    assert isinstance(node, (ast.Assign, ast.Expr)), ast.dump(node)
    if isinstance(node, ast.Expr):
        return []
    return [target.id for target in node.targets if isinstance(target, ast.Name)]


def commands(block: str) -> Iterator[tuple[list[str], str]]:
    """Yield the commands of a console block, each with its output."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        yield shlex.split(line), output


def normalise(text: str) -> str:
    for pattern, replacement in VOLATILE.items():
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@pytest.mark.long
def test_the_commands_print_what_the_tutorial_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    source, count = "", 0
    for language, block in blocks():
        if language == "python":
            source = insert(source, block) if source else block
            Path(FILE).write_text(source, encoding="utf-8")
        for words, expected in commands(block) if language == "console" else ():
            monkeypatch.setattr(sys, "argv", words)
            with pytest.raises(SystemExit):
                main()
            printed = capsys.readouterr()
            assert normalise(printed.out + printed.err) == normalise(expected), words
            count += 1
    assert count >= 8


def test_the_complete_file_equals_the_result_of_the_steps() -> None:
    *steps, (_, whole) = [block for block in blocks() if block[0] == "python"]
    source = ""
    for _, block in steps:
        source = insert(source, block) if source else block
    # The definitions may come in another order.
    built, printed = (sorted(map(ast.dump, ast.parse(text).body)) for text in (source, whole))
    assert built == printed
