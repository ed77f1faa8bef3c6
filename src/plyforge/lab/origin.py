"""Where figures come from: the commit, the processor, and the versions of what measured them."""

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

_LIBRARIES: Final = ("numba", "numpy", "llvmlite")
_SOURCE: Final = Path(__file__).parents[1]


def origin() -> dict[str, str]:
    """Return the commit if this is a checkout, the processor, and the versions of libraries."""
    fields = {"processor": processor(), "libraries": libraries()}
    commit = current_commit(_SOURCE)
    return {"commit": commit, **fields} if commit else fields


def current_commit(folder: Path) -> str:
    """Return the commit of a checkout, with a remark if files differ; empty if it is none."""
    commit = _git(folder, "rev-parse", "--short=12", "HEAD")
    # An installed package may lie in a folder of another project.
    if not commit or not _git(folder, "ls-files", "."):
        return ""
    return f"{commit} with changes" if _git(folder, "status", "--porcelain", ".") else commit


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def libraries() -> str:
    """Return the versions of Python and of the libraries that make kernels."""
    found = [f"Python {platform.python_version()}"]
    for name in _LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
