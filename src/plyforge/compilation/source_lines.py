"""Find the line of a construct in the author's source, where Numba does not name it."""

import ast
from collections.abc import Callable
from pathlib import Path

Matcher = Callable[[ast.AST], bool]


def find_line(file: str, matches: Matcher, near: int | None = None) -> int | None:
    """Return the first line of a file that matches; with `near`, only in the function there."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8-sig"))
    except (OSError, SyntaxError, ValueError):
        return None
    scope: ast.AST = tree
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and near is not None:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first <= near <= (node.end_lineno or near):
                scope = node
    lines = [node.lineno for node in ast.walk(scope) if hasattr(node, "lineno") and matches(node)]
    return min(lines, default=None)


def divides(node: ast.AST) -> bool:
    """Whether a node is a true division, which makes a float."""
    return isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div)


def uses_with(node: ast.AST) -> bool:
    """Whether a node is a `with` statement."""
    return isinstance(node, ast.With)


def reads_name(name: str) -> Matcher:
    """Match uses of a name."""
    return lambda node: isinstance(node, ast.Name) and node.id == name


def holds_text(text: str) -> Matcher:
    """Match a string in quotes."""
    return lambda node: isinstance(node, ast.Constant) and node.value == text


def assigns_attribute(name: str) -> Matcher:
    """Match assignments to an attribute, such as `position.side = 1`."""

    def matches(node: ast.AST) -> bool:
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            targets = [node.target]
        else:
            return False
        return any(isinstance(t, ast.Attribute) and t.attr == name for t in targets)

    return matches


def calls_without(argument: str, file: str) -> Matcher:
    """Match calls of a class of the file that leave out one of its fields."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8-sig"))
    except (OSError, SyntaxError, ValueError):
        return lambda node: False
    sizes = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            fields = [
                part.target.id
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            ]
            if argument in fields:
                sizes[node.name] = len(fields)

    def matches(node: ast.AST) -> bool:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            return False
        starred = any(isinstance(value, ast.Starred) for value in node.args)
        given = len(node.args) + len(node.keywords)
        return not starred and given < sizes.get(node.func.id, 0)

    return matches
