"""`plyforge new`."""

from pathlib import Path

from plyforge.game.starter import write_starter
from plyforge.interfaces.cli.output import console, print_json


def run(path: str, as_json: bool) -> None:
    """Write the starter game and print what to do next."""
    written = write_starter(Path(path))
    if as_json:
        print_json({"path": str(written)})
    else:
        out = console()
        out.print(f"wrote {written}", markup=False)
        for command in ("show", "check", "perft --depth 5", "analyse"):
            verb, _, options = command.partition(" ")
            out.print(f"  plyforge {verb} {written} {options}".rstrip(), markup=False)
