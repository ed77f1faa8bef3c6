"""`plyforge openings`."""

import sys
from itertools import islice
from pathlib import Path

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.output import print_json
from plyforge.interfaces.cli.positions import open_game
from plyforge.interfaces.cli.progress import Progress
from plyforge.match.files import check_output, write_text
from plyforge.match.openings import Opening, OpeningSource


def run(
    name: str,
    source: str,
    count: int,
    seed: int,
    output: str | None,
    overwrite: bool,
    as_json: bool,
) -> int:
    """Find openings and write one per line; return 130 if interrupted."""
    if output is not None:
        check_output(Path(output), overwrite)
    if count < 1:
        raise PlyforgeError(f"--count must be at least 1, not {count}")
    game, parsed = open_game(name, None), OpeningSource.parse(source)
    openings: list[Opening] = []
    interrupted = False
    try:
        with Progress("openings") as progress:
            progress.start(count)
            for opening in islice(parsed.openings(game, seed), count):
                openings.append(opening)
                progress.update(len(openings))
    except KeyboardInterrupt:
        interrupted = True
    lines = [opening.text(game) for opening in openings]
    if output is not None:
        head = f"# {name}: {len(lines)} openings, {parsed}, seed {seed}\n"
        write_text(Path(output), head + "".join(f"{line}\n" for line in lines))
    if as_json:
        print_json({"game": name, "source": str(parsed), "seed": seed, "openings": lines})
    elif output is None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
    else:
        sys.stdout.write(f"wrote {len(lines)} openings to {output}\n")
    if len(openings) < count and not interrupted:
        sys.stderr.write(f"there are only {len(openings)} different openings\n")
    return exits.INTERRUPTED if interrupted else exits.DONE
