"""The C++ search visits our nodes: a ratio of speeds means something only then."""

from pathlib import Path

import pytest

from benchmarks.cpp_twin import NATIVE, PORTABLE, compiler
from benchmarks.search_twin import OurSearch, build, cases, difference, twin_iterations

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(compiler() is None, reason="no C++ compiler"),
]


@pytest.mark.parametrize("flags", [NATIVE, PORTABLE], ids=" ".join)
def test_every_iteration_has_the_same_nodes_and_value(
    flags: tuple[str, ...], tmp_path: Path
) -> None:
    program, ours = build(tmp_path, flags), OurSearch()
    for case in cases(quick=True):
        mine, _ = ours.iterations(case)
        theirs, _ = twin_iterations(program, case)
        assert difference(mine, theirs, case.depth) == ""
