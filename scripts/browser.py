"""See to it that there is a Chromium for the tests of pages: Debian's package, if it is missing.

python -m scripts.browser
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def found() -> str | None:
    """The path of a browser that tests can use."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _install() -> str | None:
    """Install Debian's package; what stands in the way, if it fails."""
    apt = shutil.which("apt-get")
    if apt is None:
        return "there is no apt-get here"
    rights = [] if os.geteuid() == 0 else ["sudo", "-n"]
    for command in (
        ["install", "--yes", "--no-install-recommends", "chromium"],
        ["update"],
        ["install", "--yes", "--no-install-recommends", "chromium"],
    ):
        print("no Chromium is installed:", *rights, "apt-get", *command, flush=True)
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        try:
            done = subprocess.run(
                [*rights, apt, *command], env=environment, stdout=subprocess.DEVNULL
            )
        except OSError as error:
            return str(error)
        if found():
            return None
    return f"apt-get ended with {done.returncode}"


def main() -> None:
    if found():
        return
    fault = _install()
    if fault is not None:
        print(
            f"no Chromium: {fault}; the tests of pages are skipped until one of"
            f" {', '.join(NAMES)} is on the PATH",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
