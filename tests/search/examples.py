"""The number of examples that Hypothesis tries: few in the fast tier, all in the long one."""

import pytest
from hypothesis import HealthCheck, settings

_FAST_SHARE = 5
_MIN_EXAMPLES = 2
_long_tier = False


def choose_tier(config: pytest.Config) -> None:
    """Try all examples if the long tests run, too; conftest files call this at the start."""
    global _long_tier
    _long_tier = "not long" not in config.option.markexpr


def is_long_tier() -> bool:
    """Whether the long tests run, too."""
    return _long_tier


def examples(number: int) -> settings:
    """Return settings for so many examples, or a fifth of them in the fast tier."""
    if not _long_tier:
        number = max(number // _FAST_SHARE, _MIN_EXAMPLES)
    too_slow = [HealthCheck.too_slow]
    return settings(max_examples=number, deadline=None, suppress_health_check=too_slow)
