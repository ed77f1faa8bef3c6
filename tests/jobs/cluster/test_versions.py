"""Versions that differ between machines."""

import subprocess
import sys
from ast import literal_eval
from pathlib import Path

import pytest

import plyforge
from plyforge.jobs.cluster.versions import describe_differences, make_probe

HERE = {
    "Plyforge": "1.0",
    "the sources of Plyforge": "digest 01",
    "Python": "3.11",
    "NumPy": "2.0",
    "Numba": "0.68",
}


def test_the_versions_here_are_those_of_the_modules():
    import numba
    import numpy

    found = make_probe()()
    assert found.keys() == HERE.keys()
    assert found["Plyforge"] == plyforge.__version__
    assert found["NumPy"] == numpy.__version__
    assert found["Numba"] == numba.__version__
    assert found["Python"] == f"{sys.version_info.major}.{sys.version_info.minor}"


def test_the_probe_runs_where_plyforge_is_another_one(tmp_path):
    """It is sent by value, and finds what is installed there."""
    cloudpickle = pytest.importorskip("cloudpickle")
    folder = tmp_path / "plyforge"
    folder.mkdir()
    source = Path(plyforge.__file__).read_bytes()
    (folder / "__init__.py").write_bytes(source)
    code = "import pickle, sys; print(pickle.loads(bytes.fromhex(sys.argv[1]))())"
    done = subprocess.run(
        [sys.executable, "-c", code, cloudpickle.dumps(make_probe()).hex()],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    there = literal_eval(done.stdout)
    assert there["Plyforge"] == plyforge.__version__
    differences = describe_differences(make_probe()(), there)
    assert differences.startswith("the sources of Plyforge are digest ")


def test_equal_versions_do_not_differ():
    assert describe_differences(HERE, dict(HERE)) == ""


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"Plyforge": "1.1"}, "Plyforge is 1.1 there and 1.0 here"),
        (
            {"Plyforge": "1.1", "the sources of Plyforge": "digest 02"},
            "Plyforge is 1.1 there and 1.0 here",
        ),
        (
            {"the sources of Plyforge": "digest 02"},
            "the sources of Plyforge are digest 02 there and digest 01 here",
        ),
        (
            {"Python": "3.12", "Numba": "missing"},
            "Python is 3.12 there and 3.11 here, Numba is missing there and 0.68 here",
        ),
        ({"Plyforge": "missing"}, "Plyforge is missing there"),
    ],
)
def test_differences_are_named(change, text):
    assert describe_differences(HERE, {**HERE, **change}) == text
