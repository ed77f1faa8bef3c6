"""Try more examples when the long tests run, too."""

import pytest
from hypothesis import settings

from tests.games.tiers import LONG


def pytest_configure(config: pytest.Config) -> None:
    if not config.option.markexpr:
        settings.load_profile(LONG)
