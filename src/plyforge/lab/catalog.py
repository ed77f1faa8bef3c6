"""All experiments: built-in ones by name, those in files by path, and ablations of games."""

import importlib
import pkgutil
from pathlib import Path

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.game.loading import import_file
from plyforge.games import load
from plyforge.lab import experiments
from plyforge.lab.ablate import PREFIX, ablation, split_reference
from plyforge.lab.experiment import Experiment, read_module
from plyforge.lab.parallel import PREFIX as PARALLEL
from plyforge.lab.parallel import parallel, parallel_names
from plyforge.lab.selective import selective, selective_names


def experiment_names() -> list[str]:
    """Return the names of the built-in experiments."""
    files = [
        info.name.replace("_", "-")
        for info in pkgutil.iter_modules(experiments.__path__)
        if not info.name.startswith("_")
    ]
    return sorted([*files, *selective_names(), *parallel_names()])


def load_experiment(reference: str) -> Experiment:
    """Load an experiment by its name or by the path of its file."""
    if reference.endswith(".py"):
        module = import_file(Path(reference), "give the path of an experiment's file")
        return read_module(reference, Path(reference).stem, module)
    if reference in selective_names():
        return selective(reference)
    names = experiment_names()
    if reference in parallel_names() or _names_a_game(reference, names):
        return parallel(reference)
    if reference not in names:
        raise UnknownName("experiment", reference, names)
    module = importlib.import_module(f"{experiments.__name__}.{reference.replace('-', '_')}")
    return read_module(reference, reference, module)


def _names_a_game(reference: str, names: list[str]) -> bool:
    """Whether a name is that of the experiment on parallel search in any other game."""
    if not reference.startswith(PARALLEL) or reference in names:
        return False
    try:
        load(reference.removeprefix(PARALLEL))
    except PlyforgeError:
        return False
    return True


def find_experiment(reference: str) -> Experiment:
    """Return a built-in experiment, one from a file, or the ablation of a game."""
    if reference.startswith(PREFIX):
        return ablation(*split_reference(reference))
    return load_experiment(reference)
