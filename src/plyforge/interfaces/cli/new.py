"""`plyforge new`."""

from pathlib import Path

from plyforge.game.starter import write_starter
from plyforge.interfaces.cli.output import console, print_json


def run(path: str, as_json: bool) -> None:
    """Write the starter game and print what to do next."""
    file = write_starter(Path(path))
    if as_json:
        print_json({"path": str(file)})
    else:
        out = console()
        out.print(f"wrote {file}", markup=False)
        for command in ("show", "check", "perft --depth 5", "analyse"):
            name, _, options = command.partition(" ")
            out.print(f"  plyforge {name} {file} {options}".rstrip(), markup=False)
