"""Hooks of all tests in this folder."""

import pytest

from tests.search.examples import choose_tier


def pytest_configure(config: pytest.Config) -> None:
    choose_tier(config)
