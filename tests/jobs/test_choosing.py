"""The executor of a name."""

import sys

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.choosing import choose_executor
from plyforge.jobs.pool import ProcessPool
from plyforge.jobs.serial import SerialExecutor


def test_local_is_this_machine():
    assert isinstance(choose_executor("local", 0), SerialExecutor)
    assert isinstance(choose_executor(workers=2), ProcessPool)
    assert choose_executor("local", 3).workers == 3
    assert choose_executor("local", 3).place == ""


@pytest.mark.parametrize("name", ["", "dask", "Ray", "ray:", "ray:/head", "10.0.0.1:6379"])
def test_an_unknown_executor_is_an_error(name):
    with pytest.raises(PlyforgeError, match=f"unknown executor '{name}'"):
        choose_executor(name)


@pytest.mark.parametrize("name", ["ray://", "ray://a b", "ray://head:0"])
def test_a_wrong_address_is_an_error(name):
    with pytest.raises(PlyforgeError, match="is not the address of a head node"):
        choose_executor(name)


@pytest.mark.parametrize("workers", [0, -1])
def test_ray_needs_a_worker(workers):
    with pytest.raises(PlyforgeError, match=f"needs at least 1 worker, not {workers}"):
        choose_executor("ray", workers)


def test_without_ray_an_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(PlyforgeError, match=r"pip install 'plyforge\[ray\]'"):
        choose_executor("ray://127.0.0.1:1")
