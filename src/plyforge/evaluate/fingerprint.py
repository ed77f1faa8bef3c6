"""The fingerprint of a form: what its weights belong to.

It covers the source of the form's functions, of the functions that they call and the values of the
globals that they read, and the form's own description.  Comments, docstrings and layout do not
matter, nor does the version of Python, except for lambdas and functions typed at a prompt, which
count with their bytecode.  Functions of `plyforge.rules` are identified by name.
"""

import inspect
import io
import json
import textwrap
import tokenize
from types import CodeType, FunctionType
from typing import Any, Final

from plyforge.compilation.fingerprint import Fingerprint, Unhashable
from plyforge.core.errors import PlyforgeError
from plyforge.core.rules import Rules
from plyforge.game.forms import Evaluation, Form

_LAYOUT: Final = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.ENDMARKER),
}
_CORE: Final = "plyforge.core."
_EVALUATION_HOOKS: Final = ("evaluate", "begin", "advance")


def form_fingerprint(form: Form) -> str:
    """Return the fingerprint of a form as a hexadecimal text."""
    digest = SourceFingerprint()
    digest.text(json.dumps(form.describe(), sort_keys=True))
    try:
        digest.values(form.functions)
    except Unhashable as error:
        raise PlyforgeError(f"weights cannot be stored for these features: {error}") from error
    return digest.hexdigest()


def evaluation_fingerprint(rules: Rules) -> str:
    """Return the fingerprint of a game's evaluation: of its form and its weights, or of its code.

    It is the same in every process.
    """
    digest = SourceFingerprint()
    digest.text(*(f"{name}={rules.constant(name)}" for name in ("EVALUATION_RANGE", "STATE")))
    declared: Evaluation | None = rules.constant("EVALUATION")
    if declared is not None:
        numbers, scales = declared.weights.numbers, declared.weights.scales
        digest.text(form_fingerprint(declared.form), numbers.dtype, scales, declared.limits)
        digest.text(numbers.tobytes().hex())
    try:
        for name in ("begin", "advance") if declared is not None else _EVALUATION_HOOKS:
            if name in rules.hooks:
                digest.value(rules.hooks[name])
    except Unhashable as error:
        raise PlyforgeError(f"{rules.file}: the evaluation has no fingerprint: {error}") from error
    return digest.hexdigest()


class SourceFingerprint(Fingerprint):
    """A digest of functions by their source instead of their bytecode."""

    def value(self, value: Any) -> None:
        if isinstance(value, FunctionType) and value.__module__.startswith(_CORE):
            self.text("plyforge", value.__name__)
        else:
            super().value(value)

    def function_code(self, code: CodeType, has_docstring: bool) -> None:
        source = _source(code)
        if source is None:
            super().function_code(code, has_docstring)
        else:
            self.text("source", *words(source))


def _source(code: CodeType) -> str | None:
    """Return the source of a function; None if it has none of its own."""
    if code.co_name == "<lambda>":  # its line has other things on it, such as weights
        return None
    try:
        return inspect.getsource(code)
    except (OSError, TypeError):  # typed at a prompt
        return None


def words(source: str) -> list[str]:
    """Return the words of a function's source without comments, docstrings and layout.

    >>> words("def double(x):  # twice\\n    '''Twice.'''\\n    return 2 * x\\n")
    ['def', 'double', '(', 'x', ')', ':', '{', 'return', '2', '*', 'x', '}']
    """
    result: list[str] = []
    begins = False  # whether a statement begins: a string there is a docstring
    for token in tokenize.generate_tokens(io.StringIO(textwrap.dedent(source)).readline):
        if token.type in _LAYOUT:
            begins = True
        elif token.type in (tokenize.INDENT, tokenize.DEDENT):
            result.append("{" if token.type == tokenize.INDENT else "}")
        else:
            if not (begins and token.type == tokenize.STRING):
                result.append(token.string)
            begins = False
    return result
