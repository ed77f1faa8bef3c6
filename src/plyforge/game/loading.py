"""Loading Python files of users, as rules or as plain modules."""

import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from plyforge.core.errors import GameFileError, clip
from plyforge.core.rules import Rules, describe_error, error_place, is_authors_error
from plyforge.game.carried_modules import CarriedModules
from plyforge.game.validation import read_module
from plyforge.jobs.imports import RESERVED_MODULES, is_installed
from plyforge.jobs.user_files import UserFile, carried_file, read_bytes


def read_file(path: Path) -> Rules:
    """Read the rules in a file.  The file is executed, like any Python program."""
    return read_module(path.stem, import_file(path, f"'plyforge new {path}' writes a starter game"))


def import_file(path: Path, remedy: str) -> ModuleType:
    """Import a file as a module; `remedy` ends the message if there is no such file.

    A file that the current job carries is imported from its content.
    """
    source = _read_source(path, remedy)
    carried = carried_file(path)
    full_path = path.resolve() if carried is None else Path(carried.path)
    digest = hashlib.sha256(os.fsencode(full_path)).hexdigest()[:12]
    module_name = f"plyforge_user_{''.join(c if c.isalnum() else '_' for c in path.stem)}_{digest}"
    spec = importlib.util.spec_from_file_location(module_name, full_path)
    if spec is None:
        raise GameFileError(f"{path}: the name of the file must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        with _siblings_first(full_path.parent, () if carried is None else carried.modules):
            exec(compile(source, str(full_path), "exec", dont_inherit=True), module.__dict__)
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
def _siblings_first(folder: Path, carried: Sequence[UserFile]) -> Iterator[None]:
    """Let a game import carried modules and those of its own folder, and forget them afterwards.

    The game keeps its references to them; another game's `import helper` must find its own helper,
    and so must this one if it is loaded again.  No bytecode is written: Python would not notice an
    edit within the same second that keeps the file's size.
    """
    siblings = _importable(folder, carried)
    foreign = {name for name in siblings if name in sys.modules and not _is_inside(folder, name)}
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if _root(name) in foreign}
    before = set(sys.modules)
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    importlib.invalidate_caches()
    finder = CarriedModules(carried)
    sys.meta_path.insert(0, finder)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.meta_path.remove(finder)
        sys.dont_write_bytecode = bytecode
        for name in set(sys.modules) - before:
            if _root(name) in siblings:
                del sys.modules[name]
        sys.modules.update(hidden)


def _importable(folder: Path, carried: Sequence[UserFile]) -> set[str]:
    """Return the names of modules and packages beside a file, except those that we use ourselves.

    They are in the folder, or carried if it does not exist here.
    """
    if is_installed(folder):
        return set()
    names = {path.stem for path in folder.glob("*.py")}
    names |= {path.parent.name for path in folder.glob("*/__init__.py")}
    names |= {_root(module.name) for module in carried}
    return names - set(sys.stdlib_module_names) - RESERVED_MODULES


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
        if carried_file(path) is None and path.is_dir():
            raise GameFileError(f"{path} is a folder; give the Python file with the rules")
        source = read_bytes(path).decode("utf-8-sig")
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
