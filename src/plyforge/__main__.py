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
    finally:
        _ignore_interrupts()


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C while Python ends, which takes a moment when much is loaded.

    Everything is written and the exit code is known by then; but Python has given up its handler,
    so that the signal would end the process.
    """
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _is_plain_uci(words: list[str]) -> bool:
    """Return whether the command is `uci` without options.

    Clients wait only for a moment for the first answer, and importing the command line takes most
    of the time until then.
    """
    return words[:1] == ["uci"] and len(words) <= 2 and not words[-1].startswith("-")


if __name__ == "__main__":
    main()
