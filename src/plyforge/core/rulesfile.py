"""Reading a game's file: from a module to checked hooks and constants.

Whatever is wrong in a game's file is told as the author's error: file, line, what the contract
wants.
"""

import difflib
import hashlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from plyforge.core.contract import CONSTANTS, HOOKS, RESERVED, SHAPES, Hook
from plyforge.core.errors import GameFileError, PlyforgeError, clipped
from plyforge.core.scores import SCORE_LIMIT

REPETITIONS = ("draw", "loss", "illegal", None)
MEANINGS = ("points", "probability", "score")
A_RANGE = "a pair of numbers (least, greatest) within ±2^23"
MOST_MOVES = 65_536
_OWN_FOLDER = Path(__file__).parent
_TOOLS = {"plyforge", "numpy", "numba", "llvmlite", "__main__", "__init__"}


@dataclass(frozen=True)
class Rules:
    """The hooks and constants that one game defines."""

    name: str
    module: ModuleType
    hooks: dict[str, Callable[..., Any]]
    constants: dict[str, Any]

    @property
    def file(self) -> str:
        return str(getattr(self.module, "__file__", self.name))

    def source(self, hook: str) -> str:
        """The file that a hook stands in: another evaluation has one of its own."""
        code = getattr(self.hooks.get(hook), "__code__", None)
        return self.file if code is None else str(code.co_filename)

    def constant(self, name: str) -> Any:
        return self.constants.get(name, CONSTANTS[name].default)

    @contextmanager
    def blame(self, doing: str) -> Iterator[None]:
        """Turn an exception out of the game's code into an error that points at its line."""
        # Machine code keeps no lines.
        with blaming(self.file, doing, "; 'plyforge check' finds the line"):
            yield


@contextmanager
def blaming(file: str, doing: str, remedy: str = "", caller: str = "") -> Iterator[None]:
    """Turn an exception out of a user's file into an error that points at its line.

    `remedy` is said where the line is not known: in machine code, and where `caller`, the file that
    calls the user's function, cannot even call it.
    """
    try:
        yield
    except BaseException as error:
        if not _is_the_authors(error):
            raise
        place = _place(error, file, caller)
        told = "" if ", line " in place else remedy
        raise GameFileError(f"{place}: {doing}: {_told(error)}{told}") from error


def read_module(name: str, module: ModuleType) -> Rules:
    """The rules in an imported module, or an error that says what the contract wants."""
    file = str(getattr(module, "__file__", name))
    try:
        return _checked(name, file, module)
    except PlyforgeError:
        raise
    except Exception as error:  # the file's own objects may raise wherever they are looked at
        raise GameFileError(
            f"{file}: reading its functions and constants: {_told(error)}"
        ) from error


def _checked(name: str, file: str, module: ModuleType) -> Rules:
    for reserved, purpose in RESERVED.items():
        if hasattr(module, reserved):
            raise GameFileError(
                f"{file}: the name '{reserved}' is reserved for {purpose}; rename it"
            )
    hooks = {hook.name: _read_hook(file, module, hook) for hook in HOOKS.values()}
    found = {hook: function for hook, function in hooks.items() if function is not None}
    constants = {
        constant: getattr(module, constant) for constant in CONSTANTS if hasattr(module, constant)
    }
    rules = Rules(name, module, found, constants)
    _check_constants(rules)
    if ("begin" in found) != ("advance" in found):
        raise GameFileError(
            f"{file}: 'begin' and 'advance' belong together; define both or neither"
        )
    return rules


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
        if not _is_the_authors(error):
            raise
        raise GameFileError(f"{_place(error, str(path))}: {_told(error)}") from error
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
        raise GameFileError(f"{clipped(str(path))} cannot be read: {error.strerror}") from error
    except ValueError as error:  # a null byte or half a character in the name
        raise GameFileError(f"{str(path)!r} is no file's name: {error}") from None
    try:
        compile(source, str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        line = "" if error.lineno is None else f", line {error.lineno}"
        raise GameFileError(f"{path}{line}: not Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise GameFileError(f"{path}: not Python: {_told(error)}") from None
    return source


def _read_hook(file: str, module: ModuleType, hook: Hook) -> Callable[..., Any] | None:
    wanted = f"{hook.name}({', '.join(hook.arguments)})"
    value = getattr(module, hook.name, None)
    if value is None or isinstance(value, ModuleType):  # a folder's file may share a hook's name
        if hook.required:
            near = _near(hook.name, module)
            raise GameFileError(f"{file}: lacks '{wanted}': {hook.summary}{near}")
        return None
    if not callable(value):
        raise GameFileError(f"{file}: '{hook.name}' must be a function {wanted}, it is {value!r}")
    plain = inspect.unwrap(getattr(value, "py_func", value))
    if not inspect.isfunction(plain):
        raise GameFileError(f"{file}: '{hook.name}' must be a plain function {wanted}")
    if hook.name == "initial":
        _check_defaults(file, plain)
    else:
        count = len(inspect.signature(plain).parameters)
        if count not in _argument_counts(hook, module):
            line = plain.__code__.co_firstlineno
            raise GameFileError(
                f"{file}, line {line}: '{hook.name}' takes {count} arguments;"
                f" the contract wants {wanted}"
            )
        if hook.returns == "moves" and inspect.isgeneratorfunction(plain) != (count == 1):
            line = plain.__code__.co_firstlineno
            raise GameFileError(
                f"{file}, line {line}: '{wanted}' must yield its moves; only"
                f" '{hook.name}(position, out)' stores them in 'out' and returns how many"
            )
    return plain


def _check_defaults(file: str, initial: Callable[..., Any]) -> None:
    """A game can be begun without a variant, so every parameter of `initial` has a default."""
    for parameter in inspect.signature(initial).parameters.values():
        if parameter.default is parameter.empty:
            raise GameFileError(
                f"{file}, line {initial.__code__.co_firstlineno}: 'initial' has the parameter"
                f" '{parameter.name}' without a default; give it one, as {parameter.name}=5"
            )


def _argument_counts(hook: Hook, module: ModuleType) -> set[int]:
    count = len(hook.arguments)
    if hook.returns == "moves":
        return {count, count + 1}
    if hook.name == "evaluate" and hasattr(module, "begin"):
        return {count + 1}
    return {count}


def _near(name: str, module: ModuleType) -> str:
    close = difflib.get_close_matches(name, [n for n in vars(module) if n[0] != "_"], n=1)
    return f" (is '{close[0]}' meant to be it?)" if close else ""


def _check_constants(rules: Rules) -> None:
    def demand(name: str, holds: bool, wanted: str) -> None:
        if not holds:
            raise GameFileError(
                f"{rules.file}: {name} is {rules.constant(name)!r}; it must be {wanted}"
            )

    most = rules.constant("MAX_MOVES")
    demand("MAX_MOVES", _is_int(most) and 1 <= most <= MOST_MOVES, f"an int from 1 to {MOST_MOVES}")
    slots = rules.constant("MOVE_SLOTS")
    demand("MOVE_SLOTS", _is_int(slots) and 1 <= slots <= 1 << 20, "an int from 1 to 1048576")
    players = rules.constant("PLAYERS")
    demand(
        "PLAYERS",
        isinstance(players, tuple)
        and len(players) == 2
        and all(isinstance(p, str) and p.isprintable() for p in players),
        "a pair of names",
    )
    _check_pieces(rules)
    limit = rules.constant("NO_PROGRESS_LIMIT")
    demand(
        "NO_PROGRESS_LIMIT",
        limit is None or (_is_int(limit) and limit > 0),
        "None or an int over 0",
    )
    demand(
        "REPETITION",
        rules.constant("REPETITION") in REPETITIONS,
        "'draw', 'loss', 'illegal' or None",
    )
    leaves = rules.constant("FINISHED_LEAVES")
    demand("FINISHED_LEAVES", _is_int(leaves) and leaves in (0, 1), "0 or 1")
    demand("SILENT_PASS", isinstance(rules.constant("SILENT_PASS"), bool), "True or False")
    count = rules.constant("REPETITION_COUNT")
    demand("REPETITION_COUNT", _is_int(count) and count >= 2, "an int from 2")
    demand(
        "EVALUATION_MEANING", rules.constant("EVALUATION_MEANING") in MEANINGS, f"one of {MEANINGS}"
    )
    demand("EVALUATIONS", isinstance(rules.constant("EVALUATIONS"), dict), "a dict of modules")
    demand("SEARCH", isinstance(rules.constant("SEARCH"), dict), "a dict with on, off and set")
    demand("EVALUATION_RANGE", is_range(rules.constant("EVALUATION_RANGE")), A_RANGE)
    ahead = rules.constant("AHEAD")
    demand("AHEAD", ahead is None or (_is_number(ahead) and ahead > 0), "a number over 0, or None")
    clocks = rules.constant("CLOCKS")
    demand(
        "CLOCKS", isinstance(clocks, tuple), "a tuple of field names: mind the comma in ('clock',)"
    )
    alternating = rules.constant("ALTERNATING")
    demand("ALTERNATING", alternating in (True, False, None), "True or False")


def _check_pieces(rules: Rules) -> None:
    pieces = rules.constant("PIECES")
    if not isinstance(pieces, dict):
        raise GameFileError(
            f"{rules.file}: PIECES is {clipped(repr(pieces))}; it must be a dict of letters, as"
            " {'k': (1, 'king')}"
        )
    for letter, look in pieces.items():
        if not isinstance(letter, str) or not letter:
            raise GameFileError(f"{rules.file}: PIECES has the letter {letter!r}; it must be text")
        pair = isinstance(look, tuple) and len(look) == 2
        if not pair or not (look[0] is None or (_is_int(look[0]) and look[0] in (0, 1))):
            raise GameFileError(
                f"{rules.file}: PIECES[{letter!r}] is {clipped(repr(look))}; it must be a pair of"
                " side (0, 1 or None) and shape, as (1, 'king')"
            )
        if look[1] not in SHAPES:
            raise GameFileError(
                f"{rules.file}: PIECES[{letter!r}] has the shape {clipped(repr(look[1]))}; it must"
                f" be one of {', '.join(SHAPES)}"
            )


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_range(bounds: Any) -> bool:
    """Whether it may be an EVALUATION_RANGE: `A_RANGE`."""
    return (
        isinstance(bounds, tuple)
        and len(bounds) == 2
        and all(isinstance(b, (int, float)) and abs(b) <= SCORE_LIMIT for b in bounds)
        and bounds[0] < bounds[1]
    )


def _place(error: BaseException, file: str, caller: str = "") -> str:
    """`file, line N`: the innermost line of the game's own file that the error passed through."""
    resolved = str(Path(file).resolve())
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if str(Path(frame.filename).resolve()) == resolved:
            return f"{file}, line {frame.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    # A value that is none shows where it is converted: in generated code, or next to this file.
    ours = "<string>", str(_OWN_FOLDER)
    if not frames or frames[-1].filename.startswith(ours) or frames[-1].filename == caller:
        return file
    return f"{frames[-1].filename}, line {frames[-1].lineno}"


def _is_the_authors(error: BaseException) -> bool:
    """Whether an exception comes out of a game's code: not Ctrl-C, and none of our own."""
    ours = type(error).__module__.split(".")[0] == "plyforge"
    return not ours and not isinstance(error, KeyboardInterrupt)


def _told(error: BaseException) -> str:
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
