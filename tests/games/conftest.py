"""Select how much the tests of the games try."""

import pytest
from hypothesis import settings

from tests.games.tiers import LONG


def pytest_configure(config: pytest.Config) -> None:
    if not config.option.markexpr:
        settings.load_profile(LONG)
