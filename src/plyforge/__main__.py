"""The entry point of `python -m plyforge` and of the command `plyforge`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C during its imports exits without a traceback."""
    try:
        from plyforge.interfaces.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
