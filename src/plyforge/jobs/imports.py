"""Find the modules that Python code imports, without running it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

RESERVED_MODULES: Final = {"plyforge", "numpy", "numba", "llvmlite", "__main__", "__init__"}
"""Modules that a file of a user cannot replace by one of the same name beside it."""
_TRIES: Final = 5


def parse_source(source: bytes) -> ast.Module:
    """Parse a file, again if Python 3.11 fails because two threads parse at once."""
    for _ in range(_TRIES):
        try:
            return ast.parse(source)
        except SystemError:
            continue
    return ast.parse(source)


def imported_modules(code: ast.AST, package: str = "") -> Iterator[str]:
    """Yield the full names of modules that code of a package may import.

    `from a import b` may import `a.b`, and always imports `a`.
    """
    for node in ast.walk(code):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            base = _base_module(node, package)
            yield from (name for name in (base,) if name)
            yield from (f"{base}.{alias.name}".lstrip(".") for alias in node.names)


def _base_module(node: ast.ImportFrom, package: str) -> str:
    """Return the full name of the module after `from`, empty for the top of all packages."""
    if node.level == 0:
        return node.module or ""
    # One dot is the package itself, each further dot the package around it.
    parts = package.split(".")[: max(0, package.count(".") + 2 - node.level)] if package else []
    return ".".join([*parts, *([node.module] if node.module else [])])


def is_installed(folder: Path) -> bool:
    """Return whether a folder contains installed packages, which are not siblings of a file."""
    return folder.name in ("site-packages", "dist-packages")


def find_siblings(file: Path, source: bytes) -> dict[str, tuple[Path, bytes]]:
    """Return the modules in a file's folder that it imports, directly or through each other.

    The keys are the names in `import` statements, and the values the files with their contents.
    Imports inside functions and branches count; those that call `importlib` are not seen.
    """
    if is_installed(file.parent):
        return {}
    found: dict[str, tuple[Path, bytes]] = {}
    todo = [("", source)]
    while todo:
        package, text = todo.pop()
        for name in _imported_with_packages(text, package):
            if name in found or name.partition(".")[0] in RESERVED_MODULES:
                continue
            module = _read_module(file.parent / name.replace(".", "/"))
            if module is not None and module[0] != file:
                found[name] = module
                is_package = module[0].name == "__init__.py"
                todo.append((name if is_package else name.rpartition(".")[0], module[1]))
    return found


def _imported_with_packages(source: bytes, package: str) -> Iterator[str]:
    """Yield the modules that a source imports, each after the packages that contain it."""
    try:
        tree = parse_source(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # importing it explains the error
    for name in dict.fromkeys(imported_modules(tree, package)):
        parts = name.split(".")
        yield from (".".join(parts[: end + 1]) for end in range(len(parts)))


def _read_module(path: Path) -> tuple[Path, bytes] | None:
    """Return the file of a module and its content; `path` is the file without `.py`."""
    for file in (path / "__init__.py", path.with_name(f"{path.name}.py")):
        try:
            return file, file.read_bytes()
        except OSError:
            continue
    return None
