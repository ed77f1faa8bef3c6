"""`plyforge openings`."""

import sys
from pathlib import Path

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.output import print_json
from plyforge.interfaces.cli.positions import open_game
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
    """Find openings and write one a line; 130 if it was interrupted, with those found so far."""
    if output is not None:
        check_output(Path(output), overwrite)
    if count < 1:
        raise PlyforgeError(f"--count {count}: give at least 1")
    game, wanted = open_game(name, None), OpeningSource.parse(source)
    found: list[Opening] = []
    interrupted = False
    try:
        for opening in wanted.openings(game, seed):
            found.append(opening)
            _show(len(found), count)
            if len(found) == count:
                break
    except KeyboardInterrupt:
        interrupted = True
    lines = [opening.text(game) for opening in found]
    if output is not None:
        head = f"# {name}: {len(lines)} openings, {wanted}, seed {seed}\n"
        write_text(Path(output), head + "".join(f"{line}\n" for line in lines))
    if as_json:
        print_json({"game": name, "source": str(wanted), "seed": seed, "openings": lines})
    elif output is None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
    else:
        sys.stdout.write(f"wrote {len(lines)} openings to {output}\n")
    if len(found) < count and not interrupted:
        sys.stderr.write(f"there are only {len(found)} different ones\n")
    return exits.INTERRUPTED if interrupted else exits.DONE


def _show(done: int, count: int) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"\ropening {done} of {count}" if done < count else "\r\x1b[K")
        sys.stderr.flush()
