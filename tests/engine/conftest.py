"""Fixtures and hooks of all tests in this folder."""

import pytest

from tests.search.examples import choose_tier
from tests.search.kernel.linking import kernels_built_once

__all__ = ["kernels_built_once"]


def pytest_configure(config: pytest.Config) -> None:
    choose_tier(config)
