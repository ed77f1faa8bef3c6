"""Install locked packages into the environment of this Python with uv, or with pip if uv fails.

uv is much faster, but does not read pip's configuration.  So what that says about
where packages come from is passed on.

python -m scripts.install requirements.txt --project
"""

import argparse
import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from scripts.lock import ROOT, RUN, entries

PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
LOCKED = ("--no-deps", "--require-hashes")
PROJECT = ("--no-deps", "--no-build-isolation", "--editable", str(ROOT))
UV_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}
"""pip's options about where packages come from, and the variables by which uv gets them."""
SECTIONS = ("global", "install", ":env:")
"""The parts of pip's configuration, the strongest last."""


def uv_settings(configuration: str) -> dict[str, str]:
    """Return the variables that make uv look for packages where pip does.

    `configuration` is what `pip config list` prints.

    >>> uv_settings("global.no-index='true'")["UV_NO_INDEX"]
    'true'
    """
    # pip takes a version from any index; the hashes say which file is right.
    settings = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for section in SECTIONS:
        for line in configuration.splitlines():
            key, _, value = line.partition("=")
            place, _, option = key.rpartition(".")
            if place == section and option in UV_NAMES:
                words = str(ast.literal_eval(value)).split()
                settings[UV_NAMES[option]] = ("," if option == "find-links" else " ").join(words)
    return settings


def install(arguments: Sequence[str]) -> None:
    """Install with uv; if that is impossible, with pip, and end with its exit code if it fails."""
    if not _install_with_uv(arguments):
        print("uv cannot install this; pip does", file=sys.stderr)
        process = subprocess.run([*PIP, "install", "--no-compile", *arguments])
        if process.returncode:
            sys.exit(process.returncode)


def _install_with_uv(arguments: Sequence[str]) -> bool:
    if find_spec("uv") is None and not _install_uv():
        return False
    listing = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True)
    if listing.returncode:
        return False
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet"]
    process = subprocess.run(
        [*command, "--python", sys.executable, *arguments],
        env=uv_settings(listing.stdout) | os.environ,
    )
    return process.returncode == 0


def _install_uv() -> bool:
    """Install the locked version of uv with pip; return whether that was possible."""
    (entry,) = (entry for entry in entries(RUN.read_text()) if entry.startswith("uv=="))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "uv.txt"
        file.write_text(entry)
        command = [*PIP, "install", *LOCKED, "--only-binary", ":all:", "--requirement", str(file)]
        return subprocess.run(command).returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lock", type=Path, help="a file of versions and hashes")
    parser.add_argument("--project", action="store_true", help="install this folder, too")
    chosen = parser.parse_args()
    install([*LOCKED, "--requirement", str(chosen.lock)])
    if chosen.project:
        install(PROJECT)


if __name__ == "__main__":
    main()
