"""Steps in users' files."""

from pathlib import Path
from types import ModuleType

from plyforge.core.errors import PlyforgeError, clip
from plyforge.game.loading import import_file
from plyforge.search.steps.step import Step, read_step

StepSource = str | Path | ModuleType | Step
"""A step: the path of its file, its module, or what was read from one."""

_REMEDY = "give the Python file of a search step; see docs/search/steps.md"


def load_step(source: StepSource) -> Step:
    """Return the step in a file or a module, or raise an error that names what is wrong."""
    if isinstance(source, Step):
        return source
    if isinstance(source, ModuleType):
        return read_step(source, str(source.__file__ or source.__name__), authored=True)
    if not isinstance(source, (str, Path)):
        raise PlyforgeError(f"{clip(repr(source))} is not a step; {_REMEDY}")
    path = Path(source)
    if path.suffix != ".py":
        raise PlyforgeError(f"'{clip(str(source))}' is not a step; {_REMEDY}")
    return read_step(import_file(path, _REMEDY), str(source), authored=True)
