"""Find integers of the rules that became floats or changed their sign when compiled.

On 64-bit boards `u64 + 1` is int64, after which `>>` copies the sign; `x = 0; if c: x = board`
and `min(board, 5)` are float64, which loses bits.  Numba compiles all of them without a warning.
A float by itself is reported only in functions that neither take nor return floats.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from numba import types
from numba.core import ir

if TYPE_CHECKING:
    from plyforge.compilation.linker import Linker

_SIGNED_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "and_": "&", "or_": "|", "xor": "^", "floordiv": "//",
    "mod": "%", "iadd": "+=", "isub": "-=", "imul": "*=", "iand": "&=", "ior": "|=", "ixor": "^=",
}  # fmt: skip


def lint(linker: "Linker") -> Iterator[str]:
    """Yield findings as `file, line N: what; remedy`, each once, in order of lines."""
    findings: set[tuple[str, int, str]] = set()
    for dispatcher in linker.rule_dispatchers:
        if dispatcher.py_func.__code__.co_filename.startswith("<"):
            continue  # generated from a declared evaluation
        integer = _only_integers(dispatcher)
        for result in dispatcher.overloads.values():
            findings |= set(_check_function(dispatcher.py_func, result.type_annotation, integer))
    for file, line, what in sorted(findings):
        yield f"{file}, line {line}: {what}"


def _only_integers(dispatcher: Any) -> bool:
    """Whether no argument and no result of a function is a float."""
    for result in dispatcher.overloads.values():
        kinds = (*result.signature.args, result.signature.return_type)
        if any(_has_float(kind) for kind in kinds):
            return False
    return True


def _has_float(kind: Any) -> bool:
    if isinstance(kind, types.BaseTuple):
        return any(_has_float(part) for part in kind)
    if isinstance(kind, (types.Array, types.CPointer)):
        return isinstance(kind.dtype, types.Float)
    return isinstance(kind, types.Float)


def _check_function(
    function: Any, annotation: Any, integer: bool
) -> Iterator[tuple[str, int, str]]:
    file = function.__code__.co_filename
    typemap = annotation.typemap
    for block in annotation.blocks.values():
        for statement in block.body:
            if not isinstance(statement, ir.Assign):
                continue
            kind = typemap.get(statement.target.name)
            line = statement.loc.line
            mixed = _describe_mix(statement.value, typemap)
            if mixed:
                yield file, line, f"{mixed} gives {kind}; wrap the plain int in u64(...)"
            elif isinstance(kind, types.Float) and (integer or _was_u64(statement.value, typemap)):
                yield (
                    file,
                    line,
                    f"{_subject(statement.target.name)} float64 in code that is about integers;"
                    " use // for /, and give a variable one type on every path (u64(0), not 0)",
                )


def _subject(variable: str) -> str:
    name = variable.split(".")[0].lstrip("$")
    return f"'{name}' is" if name and not name[0].isdigit() else "a value is"


def _was_u64(value: Any, typemap: Any) -> bool:
    """Whether a float comes only from integers, one of them u64, by assignment, min or max."""
    if isinstance(value, ir.Var):
        sources = [value]
    elif isinstance(value, ir.Expr) and value.op == "phi":
        sources = value.incoming_values
    elif isinstance(value, ir.Expr) and value.op == "call":
        if getattr(typemap[value.func.name], "typing_key", None) not in (min, max):
            return False
        sources = value.args
    else:
        return False
    kinds = [
        types.unliteral(typemap[source.name]) for source in sources if _has_type(source, typemap)
    ]
    return types.uint64 in kinds and all(isinstance(kind, types.Integer) for kind in kinds)


def _has_type(source: Any, typemap: Any) -> bool:
    return isinstance(source, ir.Var) and source.name in typemap


def _describe_mix(value: Any, typemap: Any) -> str:
    """Return `u64 + int64` or similar for an operation on both kinds, else nothing."""
    if not (isinstance(value, ir.Expr) and value.op in ("binop", "inplace_binop")):
        return ""
    symbol = _SIGNED_OPERATORS.get(getattr(value.fn, "__name__", ""))
    left, right = (types.unliteral(typemap[side.name]) for side in (value.lhs, value.rhs))
    if symbol is None or not all(isinstance(kind, types.Integer) for kind in (left, right)):
        return ""
    if (left == types.uint64) == (right == types.uint64):
        return ""
    if {left, right} - {types.uint64} <= {types.uint8, types.uint16, types.uint32}:
        return ""
    return f"{_short_name(left)} {symbol} {_short_name(right)}"


def _short_name(kind: Any) -> str:
    return "u64" if kind == types.uint64 else "int" if kind == types.int64 else str(kind)
