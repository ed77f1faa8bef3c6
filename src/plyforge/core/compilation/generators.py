"""Rewriting a move generator into a function that fills a buffer.

Compiled as it stands, a generator with richer control flow than one loop costs 2.4 to 5 times
(see docs/decisions/0003-generators.md).  So the same source is rewritten before compilation:

    yield e               if n < limit: out[n] = e
                          n += 1
    yield from jumps(p)   n = jumps(p, out, n)       (jumps rewritten the same way)
    return                return n

The limit keeps a generator that yields too much from writing beyond the buffer; the count still
tells how much it wanted to write.  Line numbers stay those of the author's file.
"""

import ast
import inspect
import textwrap
from types import CodeType, FunctionType
from typing import Any

from plyforge.core.errors import CompileError

OUT, COUNT, LIMIT, AS_MOVE = "__out__", "__count__", "__limit__", "__as_move__"
FILLER_SUFFIX = "__filler__"


def where(function: FunctionType, node: ast.AST | None = None) -> str:
    """`file:line` of a function, or of a node within its parsed source."""
    line = function.__code__.co_firstlineno
    return f"{function.__code__.co_filename}:{getattr(node, 'lineno', line)}"


def filler_code(function: FunctionType) -> tuple[CodeType, set[str]]:
    """The code of the buffer-filling form, and the names of the generators it delegates to.

    The function gets two parameters more: `__out__` and `__count__`, the number already written.
    """
    tree = _parse(function)
    rewriter = _Rewriter(function)
    definition = rewriter.rewrite(tree)
    module = ast.Module([definition], type_ignores=[])
    ast.fix_missing_locations(module)
    compiled = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
    (code,) = (const for const in compiled.co_consts if isinstance(const, CodeType))
    return code, rewriter.delegates


def _parse(function: FunctionType) -> ast.FunctionDef:
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError) as error:
        raise CompileError(
            f"{where(function)}: the source of generator '{function.__name__}' is needed to compile"
            " it and cannot be read; define it in a file"
        ) from error
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, first - 1)
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise CompileError(f"{where(function)}: '{function.__name__}' is not a plain function")
    return definition


def _name(name: str, context: ast.expr_context | None = None) -> ast.Name:
    return ast.Name(name, context or ast.Load())


class _Rewriter(ast.NodeTransformer):
    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.delegates: set[str] = set()

    def rewrite(self, definition: ast.FunctionDef) -> ast.FunctionDef:
        if self.function.__code__.co_freevars:
            raise CompileError(
                f"{where(self.function)}: generator '{self.function.__name__}' is a closure;"
                " define it at module level"
            )
        definition.decorator_list = []
        definition.returns = None
        definition.args.defaults = []
        self.generic_visit(definition)
        definition.args.args += [ast.arg(OUT), ast.arg(COUNT)]
        definition.body.append(ast.Return(_name(COUNT)))
        ast.copy_location(definition.body[-1], definition)
        return definition

    def _refuse(self, node: ast.AST, what: str) -> CompileError:
        return CompileError(f"{where(self.function, node)}: {what}")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        raise self._refuse(node, "a function inside a move generator; define it at module level")

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        return ast.copy_location(ast.Return(_name(COUNT)), node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        value = node.value
        if isinstance(value, ast.Yield):
            if value.value is None:
                raise self._refuse(node, "a bare 'yield' gives no move; write 'yield move'")
            return self._store(node, self.generic_visit(value.value))
        if isinstance(value, ast.YieldFrom):
            return self._delegate(node, value.value)
        return self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield) -> Any:
        raise self._refuse(node, "the value of a 'yield' cannot be used; make it a statement")

    visit_YieldFrom = visit_Yield  # type: ignore[assignment]

    def _store(self, node: ast.stmt, move: ast.AST) -> list[ast.stmt]:
        assert isinstance(move, ast.expr)
        slot = ast.Subscript(_name(OUT), _name(COUNT), ast.Store())
        converted = ast.Call(_name(AS_MOVE), [move], [])
        guard = ast.Compare(_name(COUNT), [ast.Lt()], [_name(LIMIT)])
        store = ast.If(guard, [ast.Assign([slot], converted)], [])
        step = ast.AugAssign(_name(COUNT, ast.Store()), ast.Add(), ast.Constant(1))
        for statement in (store, step):
            ast.copy_location(statement, node)
            ast.fix_missing_locations(statement)
        return [store, step]

    def _delegate(self, node: ast.stmt, call: ast.expr) -> ast.stmt:
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)) or call.keywords:
            raise self._refuse(
                node, "'yield from' takes a call of a generator function of this module here"
            )
        self.delegates.add(call.func.id)
        arguments = [*call.args, _name(OUT), _name(COUNT)]
        filler = ast.Call(_name(call.func.id + FILLER_SUFFIX), arguments, [])
        result = ast.Assign([_name(COUNT, ast.Store())], filler)
        ast.copy_location(result, node)
        ast.fix_missing_locations(result)
        return result
