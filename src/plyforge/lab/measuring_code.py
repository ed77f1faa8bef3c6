"""Extract the code of an experiment on which its measurements depend.

A run belongs to the code that made it. Changed prose, charts or verdicts do not change the
measurements, so only the code for positions, configurations and measurements counts, without
comments and docstrings. The same holds for imported modules in the same folder.
"""

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from plyforge.jobs.imports import imported_modules, parse_source
from plyforge.jobs.user_files import is_file, read_bytes

ROOTS: Final = ("cases", "variations", "measure", "wanted", "GROUPS", "DEFAULTS")
"""The names that make measurements; everything that they use counts too."""


def measuring_code(path: Path, package: str) -> str:
    """Return the code that measures in a file of `package`, and in imported files beside it."""
    code: dict[Path, str] = {}
    _read(path, package, set(ROOTS), code)
    return "\n".join(code.values())


def _read(path: Path, package: str, roots: set[str], code: dict[Path, str]) -> None:
    """Read what the roots use of a file, then the same for its imports from the same folder.

    In those, the roots are all names used so far, and all attributes.
    """
    used = _used_code(read_bytes(path), frozenset(roots), package)
    code[path] = used.text
    names = roots | used.names
    for name in used.modules:
        helper = path.parent / f"{name.replace('.', '/')}.py"
        if helper not in code and is_file(helper):
            _read(helper, package, names, code)


class _UsedCode(NamedTuple):
    text: str
    names: frozenset[str]
    modules: tuple[str, ...]


@lru_cache(maxsize=512)
def _used_code(source: bytes, roots: frozenset[str], package: str) -> _UsedCode:
    """Return the code that the roots use, all names in it, and the modules that it may import."""
    statements = _find_used(parse_source(source).body, set(roots))
    text = "\n".join(ast.unparse(_WithoutStrings().visit(node)) for node in statements)
    names = frozenset(name for node in statements for name in _names_in(node, attributes=True))
    return _UsedCode(text, names, tuple(sorted(_imported_modules(statements, package))))


def _find_used(statements: list[ast.stmt], roots: set[str]) -> list[ast.stmt]:
    """Return the statements that define what the roots use, directly or indirectly.

    Statements that define nothing, such as a call, may have any effect and always count.
    """
    nodes = [node for node in statements if not _is_lone_string(node)]
    kept = {number for number, node in enumerate(nodes) if not _defined_names(node)}
    names = roots | {name for number in kept for name in _names_in(nodes[number])}
    while more := {
        number
        for number, node in enumerate(nodes)
        if number not in kept and _defined_names(node) & names
    }:
        kept |= more
        names |= {name for number in more for name in _names_in(nodes[number])}
    return [_reduce_import(nodes[number], names) for number in sorted(kept)]


def _reduce_import(node: ast.stmt, names: set[str]) -> ast.stmt:
    """Reduce an import to the names that are used."""
    if isinstance(node, ast.ImportFrom):
        node.names = [alias for alias in node.names if (alias.asname or alias.name) in names]
    return node


def _defined_names(node: ast.stmt) -> set[str]:
    """Return the names that a statement defines, if that is all it does."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.Assign) and all(_is_plain(target) for target in node.targets):
        return {name for target in node.targets for name in _names_in(target)}
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    return set()


def _is_plain(target: ast.expr) -> bool:
    """Return whether an assignment target is a name or a tuple of names."""
    return isinstance(target, ast.Name) or (
        isinstance(target, (ast.Tuple, ast.List)) and all(map(_is_plain, target.elts))
    )


def _names_in(node: ast.AST, attributes: bool = False) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        if attributes and isinstance(part, ast.Attribute):
            yield part.attr
        if attributes and isinstance(part, ast.alias):
            yield part.name


class _WithoutStrings(ast.NodeTransformer):
    """Removes docstrings and other lone strings from functions and classes."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            node.body = [part for part in node.body if not _is_lone_string(part)] or [ast.Pass()]
        return node


def _is_lone_string(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _imported_modules(statements: Iterable[ast.stmt], package: str) -> set[str]:
    """Return the modules that code may import, those of its own package by their last name."""
    modules = {name for node in statements for name in imported_modules(node, package)}
    return {name.removeprefix(f"{package}.") for name in modules}
