"""The private interfaces of Numba that kernels rely on exist, in the expected form.

If a test fails here after an upgrade of Numba, see docs/decisions/0008-numba-internals.md.
"""

import inspect
import re
import tomllib
from pathlib import Path
from typing import Any

import numba
import pytest
from llvmlite.binding import ExecutionEngine, address_of_symbol
from numba.core import codegen, compiler, ir, registry, runtime, serialize

from plyforge.compilation import numba_version
from plyforge.compilation.numba_version import (
    TESTED_VERSIONS,
    NumbaVersionWarning,
    check_numba,
    is_tested,
)

CALLED = [
    (codegen.JITCodeLibrary._finalize_final_module, "self"),
    (codegen.JITCodeLibrary._finalize_dynamic_globals, "self"),
    (codegen.JITCodeLibrary._verify_declare_only_symbols, "self"),
    (codegen.JITCodeLibrary.get_llvm_str, "self"),
    (codegen.JITCPUCodegen.set_env, "self, env_name, env"),
    (codegen.JitEngine.is_symbol_defined, "self, name"),
    (compiler.CompileResult._reduce, "self"),
    (
        compiler.CompileResult._rebuild,
        "target_context, libdata, fndesc, env, signature, objectmode, lifted, typeann, reload_init,"
        " referenced_envs",
    ),
    (serialize.dumps, "obj"),
    (runtime.rtsys.initialize, "ctx"),
    (registry.cpu_target.target_context.refresh, ""),
    (address_of_symbol, "name"),
]
"""Functions of Numba and llvmlite that are replaced or called, with their parameters."""


@pytest.mark.parametrize(
    ("function", "parameters"), CALLED, ids=[function.__qualname__ for function, _ in CALLED]
)
def test_a_function_that_is_used_has_the_expected_parameters(
    function: Any, parameters: str
) -> None:
    assert ", ".join(inspect.signature(function).parameters) == parameters


def compiled() -> Any:
    dispatcher = numba.njit(lambda x: x + 1)
    (result,) = (dispatcher.compile("int64(int64)"), *dispatcher.overloads.values())[1:]
    return dispatcher, result


def test_a_compile_result_has_the_attributes_that_are_read() -> None:
    dispatcher, result = compiled()
    library = result.library
    assert isinstance(library, codegen.JITCodeLibrary)
    assert isinstance(library.codegen, codegen.JITCPUCodegen)
    assert isinstance(library.codegen._engine, codegen.JitEngine)
    assert isinstance(library.codegen._engine._ee, ExecutionEngine)
    assert library._finalized
    assert not library.has_dynamic_globals
    assert any(not function.is_declaration for function in library._final_module.functions)
    assert list(library._final_module.global_variables)
    assert result.entry_point(1) == 2
    assert isinstance(dispatcher.targetoptions, dict)
    assert result.type_annotation.typemap
    statements = [s for block in result.type_annotation.blocks.values() for s in block.body]
    assert any(isinstance(statement, ir.Assign) for statement in statements)


def test_the_installed_numba_is_a_tested_one() -> None:
    assert is_tested(numba.__version__), f"Numba {numba.__version__} is outside {TESTED_VERSIONS}"


def test_the_dependency_allows_the_tested_versions() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    (pin,) = (d for d in tomllib.loads(text)["project"]["dependencies"] if d.startswith("numba"))
    match = re.fullmatch(r"numba>=0\.(\d+),<0\.(\d+)", pin)
    assert match
    first, last = TESTED_VERSIONS
    assert (int(match[1]), int(match[2])) == (first[1], last[1] + 1)


@pytest.mark.parametrize("version", ["0.60.0", "0.99.0rc1", "1.0.0", "9.9"])
def test_another_version_warns_and_is_named(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba, "__version__", version)
    with pytest.warns(NumbaVersionWarning, match=f"Numba {version} is installed"):
        check_numba()


def test_a_tested_version_does_not_warn(monkeypatch: pytest.MonkeyPatch) -> None:
    for minor in numba_version.TESTED_VERSIONS:
        monkeypatch.setattr(numba, "__version__", "{}.{}.1rc1".format(*minor))
        check_numba()
