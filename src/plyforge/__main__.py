"""The entry point of `python -m plyforge` and of the command `plyforge`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C during its imports exits without a traceback."""
    try:
        if _is_plain_uci(sys.argv[1:]):
            from plyforge.interfaces.uci import main as speak_uci

            speak_uci(*sys.argv[2:])
        else:
            from plyforge.interfaces.cli import main as run

            run()
    except KeyboardInterrupt:
        sys.exit(130)


def _is_plain_uci(words: list[str]) -> bool:
    """Return whether the command is `uci` without options.

    Clients wait only for a moment for the first answer, and importing the command line takes most
    of the time until then.
    """
    return words[:1] == ["uci"] and len(words) <= 2 and not words[-1].startswith("-")


if __name__ == "__main__":
    main()
