"""Rewrite a move generator into a function that fills a buffer.

Compiled unchanged, a generator with more control flow than one loop is 2.4 to 5 times slower (see
docs/decisions/0003-generators.md).  So its source is rewritten before compilation:

    yield e               move = e
                          if n < limit: out[n] = move
                          n += 1
    yield from jumps(p)   n = jumps(out, n, p)       (jumps rewritten the same way)
    yield from others     for move in others: ...    (anything but a generator function)
    return                return n

A generator of chance's outcomes yields pairs, `yield outcome, probability`, whose second parts go
to a buffer of their own.

The limit keeps a generator that yields too much from writing beyond the buffer; the count still
includes the moves that were not stored.  Line numbers stay those of the author's file.
"""

import ast
import inspect
import linecache
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from plyforge.compilation.fingerprint import Fingerprint
from plyforge.core.errors import CompileError

OUT, COUNT, LIMIT, AS_MOVE = "__out__", "__count__", "__limit__", "__as_move__"
MOVE = "__move__"
PROBABILITIES, PROBABILITY = "__probabilities__", "__probability__"
AS_PROBABILITY = "__as_probability__"
FILLER_SUFFIX = "__filler__"


def where(function: FunctionType, node: ast.AST | None = None) -> str:
    """Return `file, line N` for a function, or for a node of its parsed source."""
    line = function.__code__.co_firstlineno
    return f"{function.__code__.co_filename}, line {getattr(node, 'lineno', line)}"


def filler_code(
    function: FunctionType, outcomes: bool = False
) -> tuple[CodeType, dict[str, FunctionType]]:
    """Return the code of the buffer-filling form, and the generators it delegates to.

    The code has more parameters in front: `__out__`, for outcomes `__probabilities__`, and
    `__count__`, the number of moves already written.  It calls each generator of the second result
    by its name there.
    """
    tree = _parse(function)
    rewriter = _OutcomeRewriter(function) if outcomes else _Rewriter(function)
    return _compile(rewriter.rewrite(tree), function), rewriter.delegates


def move_counter(function: FunctionType) -> FunctionType:
    """Return a function that counts what a move generator yields, with the same arguments.

    Compiled generators that hold arrays never release them; this holds none.
    """
    return _make_counter(function, {})


def _make_counter(function: FunctionType, made: dict[FunctionType, FunctionType]) -> FunctionType:
    if function in made:  # it yields from itself
        return made[function]
    tree = _parse(function)
    rewriter = _CountRewriter(function)
    scope = dict(function.__globals__)
    code = _compile(rewriter.rewrite(tree), function)
    made[function] = FunctionType(code, scope, function.__name__, function.__defaults__)
    made[function].__kwdefaults__ = function.__kwdefaults__
    for name, other in rewriter.delegates.items():
        scope[name] = _make_counter(other, made)
    return made[function]


def _compile(definition: ast.FunctionDef, function: FunctionType) -> CodeType:
    module = ast.fix_missing_locations(ast.Module([definition], type_ignores=[]))
    compiled = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
    (code,) = (const for const in compiled.co_consts if isinstance(const, CodeType))
    return code


def _parse(function: FunctionType) -> ast.FunctionDef:
    """Parse the definition in the author's file; fail if the file changed since it was loaded."""
    file = function.__code__.co_filename
    linecache.checkcache(file)
    source = "".join(linecache.getlines(file, function.__globals__))
    if not source:
        raise CompileError(
            f"{where(function)}: the source of generator '{function.__name__}' is needed to compile"
            " it and cannot be read; define it in a file or in a notebook, or load the game with"
            " backend='python'"
        )
    try:
        tree = ast.parse(source)
        compiled = compile(source, file, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise _file_changed(function) from error
    if not any(_is_same(code, function.__code__) for code in _codes(compiled)):
        raise _file_changed(function)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and _first_line(node) == _line(function):
            _strip(node)
            return node
    raise CompileError(f"{where(function)}: '{function.__name__}' is not a plain function")


def _line(function: FunctionType) -> int:
    return function.__code__.co_firstlineno


def _first_line(definition: ast.FunctionDef) -> int:
    return min([definition.lineno, *(line.lineno for line in definition.decorator_list)])


def _codes(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)


def _file_changed(function: FunctionType) -> CompileError:
    """Reject it: code of the new text would be stored under the old text's name."""
    return CompileError(
        f"{where(function)}: the file has changed since '{function.__name__}' was loaded; load the"
        " game again"
    )


def _strip(definition: ast.FunctionDef) -> None:
    """Remove decorators, defaults and annotations, which are not part of the function's code."""
    definition.decorator_list = []
    definition.returns = None
    arguments = definition.args
    arguments.defaults = []
    arguments.kw_defaults = [None] * len(arguments.kwonlyargs)
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None


def _is_same(one: CodeType, other: CodeType) -> bool:
    if (one.co_name, one.co_firstlineno) != (other.co_name, other.co_firstlineno):
        return False
    digests = (Fingerprint(), Fingerprint())
    digests[0].value(one)
    digests[1].value(other)
    return digests[0].hexdigest() == digests[1].hexdigest()


def _name(name: str, context: ast.expr_context | None = None) -> ast.Name:
    return ast.Name(name, context or ast.Load())


class _Rewriter(ast.NodeTransformer):
    parameters: tuple[str, ...] = (OUT, COUNT)
    """The parameters that the function gets in front."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.delegates: dict[str, FunctionType] = {}

    def rewrite(self, definition: ast.FunctionDef) -> ast.FunctionDef:
        if self.function.__code__.co_freevars:
            raise CompileError(
                f"{where(self.function)}: generator '{self.function.__name__}' is a closure;"
                " define it at module level"
            )
        self.generic_visit(definition)
        arguments = definition.args
        first = arguments.posonlyargs or arguments.args
        first[:0] = [ast.arg(name) for name in self.parameters]
        definition.body.append(ast.Return(_name(COUNT)))
        ast.copy_location(definition.body[-1], definition)
        return definition

    def _error(self, node: ast.AST, what: str) -> CompileError:
        return CompileError(f"{where(self.function, node)}: {what}")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        raise self._error(node, "a function inside a move generator; define it at module level")

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        return ast.copy_location(ast.Return(_name(COUNT)), node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        value = node.value
        if isinstance(value, ast.Yield):
            if value.value is None:
                raise self._error(node, "a bare 'yield' gives no move; write 'yield move'")
            return self._store(node, self.visit(value.value))
        if isinstance(value, ast.YieldFrom):
            return self._delegate(node, self.visit(value.value))
        return self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> Any:
        return self.visit_Yield(node)

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom) -> Any:
        raise self._error(node, "the value of a 'yield' cannot be used; make it a statement")

    def _store(self, node: ast.stmt, move: ast.AST) -> list[ast.stmt]:
        assert isinstance(move, ast.expr)
        slot = ast.Subscript(_name(OUT), _name(COUNT), ast.Store())
        value = ast.Assign([_name(MOVE, ast.Store())], ast.Call(_name(AS_MOVE), [move], []))
        guard = ast.Compare(_name(COUNT), [ast.Lt()], [_name(LIMIT)])
        store = ast.If(guard, [ast.Assign([slot], _name(MOVE))], [])
        step = ast.AugAssign(_name(COUNT, ast.Store()), ast.Add(), ast.Constant(1))
        for statement in (value, store, step):
            ast.copy_location(statement, node)
            ast.fix_missing_locations(statement)
        return [value, store, step]

    def _delegate(self, node: ast.stmt, moves: ast.expr) -> ast.stmt:
        result: ast.stmt
        generator = self._generator(moves)
        if isinstance(moves, ast.Call) and generator is not None:
            name = ast.unparse(moves.func).replace(".", "__") + FILLER_SUFFIX
            self.delegates[name] = generator
            arguments = [*map(_name, self.parameters), *moves.args]
            filler = ast.Call(_name(name), arguments, moves.keywords)
            result = ast.Assign([_name(COUNT, ast.Store())], filler)
        else:
            body = self._store(node, _name(MOVE))
            result = ast.For(_name(MOVE, ast.Store()), moves, body, [])
        ast.copy_location(result, node)
        return ast.fix_missing_locations(result)

    def _generator(self, moves: ast.expr) -> FunctionType | None:
        """Return the generator function that is called by its name or as `module.name`."""
        if not isinstance(moves, ast.Call):
            return None
        path = ast.unparse(moves.func).split(".")
        value: Any = self.function.__globals__.get(path[0])
        for name in path[1:]:
            value = vars(value).get(name) if isinstance(value, ModuleType) else None
        value = getattr(value, "py_func", value)
        is_generator = isinstance(value, FunctionType) and inspect.isgeneratorfunction(value)
        return value if is_generator else None


class _OutcomeRewriter(_Rewriter):
    """Stores pairs of outcome and probability."""

    parameters = (OUT, PROBABILITIES, COUNT)

    def _store(self, node: ast.stmt, move: ast.AST) -> list[ast.stmt]:
        assert isinstance(move, ast.expr)
        if isinstance(move, ast.Tuple) and len(move.elts) != 2:
            raise self._error(node, "write 'yield outcome, probability': a pair")
        pair = ast.Tuple([_name(name, ast.Store()) for name in (MOVE, PROBABILITY)], ast.Store())
        guard = ast.Compare(_name(COUNT), [ast.Lt()], [_name(LIMIT)])
        stores: list[ast.stmt] = [
            ast.Assign(
                [ast.Subscript(_name(buffer), _name(COUNT), ast.Store())],
                ast.Call(_name(convert), [_name(value)], []),
            )
            for buffer, convert, value in (
                (OUT, AS_MOVE, MOVE),
                (PROBABILITIES, AS_PROBABILITY, PROBABILITY),
            )
        ]
        step = ast.AugAssign(_name(COUNT, ast.Store()), ast.Add(), ast.Constant(1))
        statements: list[ast.stmt] = [ast.Assign([pair], move), ast.If(guard, stores, []), step]
        for statement in statements:
            ast.copy_location(statement, node)
            ast.fix_missing_locations(statement)
        return statements


class _CountRewriter(_Rewriter):
    """Counts instead of storing; the count is a variable, not a parameter."""

    def rewrite(self, definition: ast.FunctionDef) -> ast.FunctionDef:
        rewritten = super().rewrite(definition)
        arguments = rewritten.args.posonlyargs or rewritten.args.args
        del arguments[:2]
        start = ast.Assign([_name(COUNT, ast.Store())], ast.Constant(0))
        rewritten.body.insert(0, ast.copy_location(start, rewritten.body[0]))
        return rewritten

    def _store(self, node: ast.stmt, move: ast.AST) -> list[ast.stmt]:
        step = ast.AugAssign(_name(COUNT, ast.Store()), ast.Add(), ast.Constant(1))
        return [ast.fix_missing_locations(ast.copy_location(step, node))]

    def _delegate(self, node: ast.stmt, moves: ast.expr) -> ast.stmt:
        generator = self._generator(moves)
        if not isinstance(moves, ast.Call) or generator is None:
            return super()._delegate(node, moves)
        name = ast.unparse(moves.func).replace(".", "__") + FILLER_SUFFIX
        self.delegates[name] = generator
        more = ast.Call(_name(name), moves.args, moves.keywords)
        result = ast.AugAssign(_name(COUNT, ast.Store()), ast.Add(), more)
        return ast.fix_missing_locations(ast.copy_location(result, node))
