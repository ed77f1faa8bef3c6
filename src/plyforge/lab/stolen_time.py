"""The time that the host of a virtual machine gives to other machines."""

import os
from pathlib import Path
from typing import Final

STEAL_FIELD: Final = 8
"""The place of the stolen time in the first line of `/proc/stat`, after the name."""


def stolen_seconds(stat_file: Path = Path("/proc/stat")) -> float:
    """Return the time stolen from all cores since the start; 0 where the system does not say."""
    try:
        with stat_file.open(encoding="ascii") as lines:
            fields = lines.readline().split()
        return int(fields[STEAL_FIELD]) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0.0
