"""Exit codes."""

from typing import Final

DONE: Final = 0
FAILED: Final = 1
"""A check failed, or the output could not be written."""
WRONG_INPUT: Final = 2
INTERRUPTED: Final = 130
