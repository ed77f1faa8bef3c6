"""Loading Python files of users, as rules or as plain modules."""

import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from plyforge.core.errors import GameFileError, clip
from plyforge.core.rules import Rules, describe_error, error_place, is_authors_error
from plyforge.game.validation import read_module

_RESERVED_MODULES = {"plyforge", "numpy", "numba", "llvmlite", "__main__", "__init__"}


def read_file(path: Path) -> Rules:
    """Read the rules in a file.  The file is executed, like any Python program."""
    return read_module(path.stem, import_file(path, f"'plyforge new {path}' writes a starter game"))


def import_file(path: Path, remedy: str) -> ModuleType:
    """Import a file as a module; `remedy` ends the message if there is no such file."""
    source = _read_source(path, remedy)
    digest = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:12]
    module_name = f"plyforge_user_{''.join(c if c.isalnum() else '_' for c in path.stem)}_{digest}"
    spec = importlib.util.spec_from_file_location(module_name, path.resolve())
    if spec is None:
        raise GameFileError(f"{path}: the name of the file must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        with _siblings_first(path.resolve().parent):
            exec(compile(source, str(path.resolve()), "exec", dont_inherit=True), module.__dict__)
    except SystemExit as error:
        del sys.modules[module_name]
        raise GameFileError(f"{path}: importing the file ends the program ({error!r})") from error
    except BaseException as error:
        del sys.modules[module_name]
        if not is_authors_error(error):
            raise
        raise GameFileError(f"{error_place(error, str(path))}: {describe_error(error)}") from error
    return module


@contextmanager
def _siblings_first(folder: Path) -> Iterator[None]:
    """Let a game import modules from its own folder, and forget them afterwards.

    The game keeps its references to them; another game's `import helper` must find its own helper,
    and so must this one if it is loaded again.  No bytecode is written: Python would not notice an
    edit within the same second that keeps the file's size.
    """
    siblings = _importable(folder)
    foreign = {name for name in siblings if name in sys.modules and not _is_inside(folder, name)}
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if _root(name) in foreign}
    before = set(sys.modules)
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    importlib.invalidate_caches()
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = bytecode
        for name in set(sys.modules) - before:
            if _root(name) in siblings:
                del sys.modules[name]
        sys.modules.update(hidden)


def _importable(folder: Path) -> set[str]:
    """Return the names of a folder's modules and packages, except those that we use ourselves."""
    if folder.name in ("site-packages", "dist-packages"):
        return set()
    names = {path.stem for path in folder.glob("*.py")}
    names |= {path.parent.name for path in folder.glob("*/__init__.py")}
    return names - set(sys.stdlib_module_names) - _RESERVED_MODULES


def _is_inside(folder: Path, module: str) -> bool:
    file = getattr(sys.modules[module], "__file__", None)
    return file is not None and Path(file).resolve().is_relative_to(folder)


def _root(module: str) -> str:
    return module.partition(".")[0]


def is_path(name: str) -> bool:
    """Return whether a name is that of a file or folder, not of something built in."""
    # os.path.isdir, unlike Path.is_dir, returns False for a name that no file can have.
    folder = bool(name) and os.path.isdir(name)  # noqa: PTH112
    return name.endswith(".py") or "/" in name or "\\" in name or folder


def _read_source(path: Path, remedy: str) -> str:
    try:
        if path.is_dir():
            raise GameFileError(f"{path} is a folder; give the Python file with the rules")
        source = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        hint = f"; {remedy}" if path.suffix == ".py" else ""
        raise GameFileError(f"no file {path}{hint}") from None
    except UnicodeDecodeError:
        raise GameFileError(
            f"{path} is not a text file in UTF-8, as Python source must be"
        ) from None
    except OSError as error:
        raise GameFileError(f"{clip(str(path))} cannot be read: {error.strerror}") from error
    except ValueError as error:  # a null byte or half a character in the name
        raise GameFileError(f"{str(path)!r} is not a file name: {error}") from None
    try:
        compile(source, str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        line = "" if error.lineno is None else f", line {error.lineno}"
        raise GameFileError(f"{path}{line}: not valid Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise GameFileError(f"{path}: not valid Python: {describe_error(error)}") from None
    return source
