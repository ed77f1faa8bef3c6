"""Write the two lock files: versions and hashes, never where packages come from.

`requirements.txt` holds the packages needed to run, `requirements-dev.txt` those that development
adds.

python -m scripts.lock
"""

import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
RUN = ROOT / "requirements.txt"
DEV = ROOT / "requirements-dev.txt"
COMPILE = (
    *("uv", "pip", "compile", "pyproject.toml", "--universal", "--generate-hashes", "--quiet"),
    *("--no-emit-index-url", "--no-annotate", "--no-header", "--python-version", "3.11"),
)


def entries(text: str) -> list[str]:
    """Return the locked packages, each with its hashes.

    >>> entries("a==1 \\\\\\n    --hash=x\\nb==2 \\\\\\n    --hash=y\\n")
    ['a==1 \\\\\\n    --hash=x\\n', 'b==2 \\\\\\n    --hash=y\\n']
    """
    return [entry for entry in re.split(r"(?m)^(?=[A-Za-z0-9])", text) if entry.strip()]


def additions(everything: str, run: str) -> str:
    """Return the entries of one lock that another one lacks."""
    present = set(entries(run))
    return "".join(entry for entry in entries(everything) if entry not in present)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        everything = Path(folder) / "everything.txt"
        _compile(RUN, "--extra", "build")
        _compile(everything, "--all-extras", "--constraints", str(RUN))
        DEV.write_text(additions(everything.read_text(), RUN.read_text()))


def _compile(output: Path, *options: str) -> None:
    # An existing file would keep its versions.
    output.unlink(missing_ok=True)
    subprocess.run([*COMPILE, *options, "--output-file", str(output)], check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
