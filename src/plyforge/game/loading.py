"""Loading a user's Python file, as rules or as a plain module."""

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

_TOOLS = {"plyforge", "numpy", "numba", "llvmlite", "__main__", "__init__"}


def read_file(path: Path) -> Rules:
    """The rules in a user's file.  The file is executed, as any Python program."""
    return read_module(path.stem, import_file(path, f"'plyforge new {path}' writes a starter"))


def import_file(path: Path, remedy: str) -> ModuleType:
    """A file as a module; `remedy` says what to do if there is none."""
    source = _source(path, remedy)
    digest = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:12]
    module_name = f"plyforge_user_{''.join(c if c.isalnum() else '_' for c in path.stem)}_{digest}"
    spec = importlib.util.spec_from_file_location(module_name, path.resolve())
    if spec is None:
        raise GameFileError(f"{path}: a game's file is Python and its name ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        with _siblings_first(path.resolve().parent):
            exec(compile(source, str(path.resolve()), "exec", dont_inherit=True), module.__dict__)
    except SystemExit as error:
        del sys.modules[module_name]
        raise GameFileError(
            f"{path}: the file ends the program ({error!r}) when imported"
        ) from error
    except BaseException as error:
        del sys.modules[module_name]
        if not is_authors_error(error):
            raise
        raise GameFileError(f"{error_place(error, str(path))}: {describe_error(error)}") from error
    return module


@contextmanager
def _siblings_first(folder: Path) -> Iterator[None]:
    """Let a game import modules from its own folder, and keep them to itself.

    The game keeps its references to them; another game's `import helper` must find its own helper,
    and so must this one if it is loaded again.  No bytecode is written beside them: Python takes a
    file for unchanged that was edited within a second and kept its size.
    """
    siblings = _importable(folder)
    strangers = {name for name in siblings if name in sys.modules and not _lies_in(folder, name)}
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if _root(name) in strangers}
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
    """The names of a folder's modules and packages, but those that the tools themselves need."""
    if folder.name in ("site-packages", "dist-packages"):
        return set()
    names = {path.stem for path in folder.glob("*.py")}
    names |= {path.parent.name for path in folder.glob("*/__init__.py")}
    return names - set(sys.stdlib_module_names) - _TOOLS


def _lies_in(folder: Path, module: str) -> bool:
    file = getattr(sys.modules[module], "__file__", None)
    return file is not None and Path(file).resolve().is_relative_to(folder)


def _root(module: str) -> str:
    return module.partition(".")[0]


def _source(path: Path, remedy: str) -> str:
    try:
        if path.is_dir():
            raise GameFileError(f"{path} is a folder; name the Python file with the rules")
        source = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        told = f"; {remedy}" if path.suffix == ".py" else ""
        raise GameFileError(f"no file {path}{told}") from None
    except UnicodeDecodeError:
        raise GameFileError(
            f"{path} is not text; a game's file is Python source in UTF-8"
        ) from None
    except OSError as error:
        raise GameFileError(f"{clip(str(path))} cannot be read: {error.strerror}") from error
    except ValueError as error:  # a null byte or half a character in the name
        raise GameFileError(f"{str(path)!r} is no file's name: {error}") from None
    try:
        compile(source, str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        line = "" if error.lineno is None else f", line {error.lineno}"
        raise GameFileError(f"{path}{line}: not Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise GameFileError(f"{path}: not Python: {describe_error(error)}") from None
    return source
