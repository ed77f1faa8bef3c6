"""How much a test tries: a little in the fast tier, five times as much in the long tier."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings

LONG = "long"
"""The Hypothesis profile of the long tier, which `conftest` selects."""
_TIMES = 5
_LONG_EXAMPLES = 500

settings.register_profile(LONG, max_examples=_LONG_EXAMPLES)


def examples(count: int) -> settings:
    """Settings for `count` examples in the fast tier."""
    times = _TIMES if settings.default.max_examples == _LONG_EXAMPLES else 1
    return settings(
        max_examples=count * times,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=True,
    )


def with_long(fast: list[Any], long: list[Any]) -> list[Any]:
    """Values of a parameter: those of the fast tier, and those that only the long tier runs."""
    return [*fast, *(pytest.param(value, marks=pytest.mark.long) for value in long)]
