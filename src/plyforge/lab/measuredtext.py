"""The part of an experiment's text on which its measurements depend.

A run belongs to the text that made it.  But another wording of a report, another picture or another
verdict measures nothing anew: so only what positions, configurations and measurements are made of
counts, as code, without remarks; of the modules beside the file that it imports likewise.
"""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

ROOTS: Final = ("cases", "variations", "measure", "wanted", "GROUPS")
"""What a measurement is made by; everything that these names use counts, too."""
_TRIES: Final = 5


def measured_text(path: Path, package: str) -> str:
    """The code that measures, of a file and of its neighbours; `package` is that of the file."""
    found: dict[Path, str] = {}
    _read(path, package, set(ROOTS), found)
    return "\n".join(found.values())


def _read(path: Path, package: str, roots: set[str], found: dict[Path, str]) -> None:
    """Read what of a file the roots use, then the same of those of its imports that stand in its
    folder: by any name that was used before, or is an attribute of something."""
    found[path] = ""
    kept = _used(_parsed(path).body, roots)
    found[path] = "\n".join(ast.unparse(_Plain().visit(node)) for node in kept)
    names = roots | {name for node in kept for name in _named(node, attributes=True)}
    for name in sorted(_imported(kept, package)):
        helper = path.parent / f"{name.replace('.', '/')}.py"
        if helper not in found and helper.is_file():
            _read(helper, package, names, found)


def _parsed(path: Path) -> ast.Module:
    """A file's code.  Python 3.11 may stumble when two threads parse at once; then again."""
    for _ in range(_TRIES):
        try:
            return ast.parse(path.read_bytes())
        except SystemError:
            continue
    return ast.parse(path.read_bytes())


def _used(statements: list[ast.stmt], roots: set[str]) -> list[ast.stmt]:
    """The statements that define what is used, step by step from the roots, in their order.

    Statements that define nothing, such as a call, may do anything: they always count.
    """
    nodes = [node for node in statements if not _remark(node)]
    kept = {number for number, node in enumerate(nodes) if not _defined(node)}
    names = roots | {name for number in kept for name in _named(nodes[number])}
    while found := {
        number for number, node in enumerate(nodes) if number not in kept and _defined(node) & names
    }:
        kept |= found
        names |= {name for number in found for name in _named(nodes[number])}
    return [_only(nodes[number], names) for number in sorted(kept)]


def _only(node: ast.stmt, names: set[str]) -> ast.stmt:
    """An import of what is used, without the rest."""
    if isinstance(node, ast.ImportFrom):
        node.names = [alias for alias in node.names if (alias.asname or alias.name) in names]
    return node


def _defined(node: ast.stmt) -> set[str]:
    """The names that a statement of a module defines, if that is all it does."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.Assign) and all(_is_plain(target) for target in node.targets):
        return {name for target in node.targets for name in _named(target)}
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    return set()


def _is_plain(target: ast.expr) -> bool:
    """Whether an assignment is to names alone, not into something."""
    return isinstance(target, ast.Name) or (
        isinstance(target, (ast.Tuple, ast.List)) and all(map(_is_plain, target.elts))
    )


def _named(node: ast.AST, attributes: bool = False) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        if attributes and isinstance(part, ast.Attribute):
            yield part.attr
        if attributes and isinstance(part, ast.alias):
            yield part.name


class _Plain(ast.NodeTransformer):
    """Leaves texts that stand alone out of functions and classes."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            node.body = [part for part in node.body if not _remark(part)] or [ast.Pass()]
        return node


def _remark(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _imported(statements: Iterable[ast.stmt], package: str) -> set[str]:
    """The names of modules that code may import, wherever in it; those of its own package without
    the package's name."""
    found = {name for statement in statements for name in _modules(statement)}
    return {name.removeprefix(f"{package}.").lstrip(".") for name in found} - {""}


def _modules(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
