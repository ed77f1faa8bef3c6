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
from llvmlite.binding import address_of_symbol
from numba.core import (
    codegen,
    compiler,
    compiler_machinery,
    dispatcher,
    environment,
    funcdesc,
    ir,
    ir_utils,
    lowering,
    registry,
    runtime,
    serialize,
    ssa,
    typed_passes,
    typing,
)
from numba.core.runtime import _nrt_python
from numba.np import linalg

from plyforge.compilation import numba_version
from plyforge.compilation.numba_version import (
    TESTED_VERSIONS,
    NumbaVersionWarning,
    check_numba,
    is_tested,
)

CALLED = [
    (codegen.JITCodeLibrary.__init__, "self, codegen, name"),
    (codegen.JITCodeLibrary._finalize_final_module, "self"),
    (codegen.JITCodeLibrary._optimize_final_module, "self"),
    (codegen.JITCodeLibrary._get_module_for_linking, "self"),
    (codegen.JITCodeLibrary.add_linking_library, "self, library"),
    (codegen.JITCodeLibrary.enable_object_caching, "self"),
    (codegen.JITCPUCodegen._check_llvm_bugs, "self"),
    (codegen.JITCPUCodegen.set_env, "self, env_name, env"),
    (compiler.CompilerBase.define_pipelines, "self"),
    (
        compiler.CompilerBase.__init__,
        "self, typingctx, targetctx, library, args, return_type, flags, locals",
    ),
    (compiler.DefaultPassBuilder.define_nopython_pipeline, "state, name"),
    (compiler_machinery.PassManager._runPass, "self, index, pss, internal_state"),
    (compiler_machinery.PassManager.add_pass, "self, pss, description"),
    (typed_passes.NativeLowering.run_pass, "self, state"),
    (typed_passes.PreLowerStripPhis._strip_phi_nodes, "self, func_ir"),
    (ssa.reconstruct_ssa, "func_ir"),
    (ir_utils.build_definitions, "blocks, definitions"),
    (lowering.Lower.lower_binop, "self, resty, expr, op"),
    (lowering.Lower.loadvar, "self, name"),
    (linalg.ensure_blas, ""),
    (dispatcher.Dispatcher.__init__, "self, py_func, locals, targetoptions, pipeline_class"),
    (dispatcher.Dispatcher.compile, "self, sig"),
    (dispatcher.Dispatcher.get_call_template, "self, args, kws"),
    (dispatcher.Dispatcher.add_overload, "self, cres"),
    (environment.Environment.from_fndesc, "fndesc"),
    (environment.lookup_environment, "env_name"),
    (typing.Context.resolve_function_type, "self, func, args, kws"),
    (typing.Context.install_registry, "self, registry"),
    (registry.cpu_target.target_context.install_registry, "registry"),
    (registry.cpu_target.target_context.insert_user_function, "func, fndesc, libs"),
    (registry.cpu_target.target_context.subtarget, "kws"),
    (registry.cpu_target.target_context.get_abi_sizeof, "ty"),
    (
        funcdesc.PythonFunctionDescriptor.__init__,
        "self, native, modname, qualname, unique_name, doc, typemap, restype, calltypes, args, kws,"
        " mangler, argtypes, inline, noalias, env_name, global_dict, abi_tags, uid",
    ),
    (compiler.CompileResult._find_referenced_environments, "self"),
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
"""Functions of Numba and llvmlite that are called or overridden, with their parameters."""


@pytest.mark.parametrize(
    ("function", "parameters"), CALLED, ids=[function.__qualname__ for function, _ in CALLED]
)
def test_a_function_that_is_used_has_the_expected_parameters(
    function: Any, parameters: str
) -> None:
    assert ", ".join(inspect.signature(function).parameters) == parameters


def compiled() -> Any:
    function = numba.njit(lambda x: x + 1)
    function.compile("int64(int64)")
    (result,) = function.overloads.values()
    return function, result


def test_a_compile_result_has_the_attributes_that_are_read() -> None:
    function, result = compiled()
    library = result.library
    assert isinstance(library, codegen.JITCodeLibrary)
    assert isinstance(library.codegen, codegen.JITCPUCodegen)
    assert library._finalized
    assert runtime.rtsys.library in library._linking_libraries
    assert not library.has_dynamic_globals
    assert any(not function.is_declaration for function in library._final_module.functions)
    assert list(library._final_module.global_variables)
    assert result.entry_point(1) == 2
    assert isinstance(function.targetoptions, dict)
    assert result.type_annotation.typemap
    statements = [s for block in result.type_annotation.blocks.values() for s in block.body]
    assert any(isinstance(statement, ir.Assign) for statement in statements)


def test_a_stored_result_contains_machine_code_and_bitcode() -> None:
    _, result = compiled()
    name, kind, (machine_code, bitcode) = result._reduce()[0]
    assert (name, kind) == (result.library.name, "object")
    assert isinstance(machine_code, bytes)
    assert isinstance(bitcode, bytes)


def test_the_runtime_names_its_c_functions() -> None:
    """A kernel that allocates an array needs this one as `NRT_MemInfo_alloc_aligned`."""
    assert isinstance(_nrt_python.c_helpers["MemInfo_alloc_aligned"], int)


def test_a_function_number_is_a_part_of_its_symbol() -> None:
    _, result = compiled()
    number, symbol = result.fndesc.uid, result.fndesc.mangled_name
    assert f"B{len(str(number)) + 1}v{number}B" in symbol


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
