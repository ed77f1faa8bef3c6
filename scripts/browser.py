"""Find a Chromium for the tests of pages; install Debian's package if there is none.

python -m scripts.browser
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser() -> str | None:
    """Return the path of a browser that tests can use."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _install() -> str | None:
    """Install Debian's package; return the reason if that fails."""
    apt = shutil.which("apt-get")
    if apt is None:
        return "there is no apt-get"
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    for command in (
        ["install", "--yes", "--no-install-recommends", "chromium"],
        ["update"],
        ["install", "--yes", "--no-install-recommends", "chromium"],
    ):
        print("no Chromium is installed:", *prefix, "apt-get", *command, flush=True)
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        try:
            process = subprocess.run(
                [*prefix, apt, *command], env=environment, stdout=subprocess.DEVNULL
            )
        except OSError as error:
            return str(error)
        if find_browser():
            return None
    return f"apt-get returned {process.returncode}"


def main() -> None:
    if find_browser():
        return
    reason = _install()
    if reason is not None:
        print(
            f"no Chromium: {reason}; the tests of pages are skipped until one of"
            f" {', '.join(NAMES)} is on the PATH",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
