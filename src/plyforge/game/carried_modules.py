"""Importing modules from contents that a job carries, as if they were in the folder."""

import importlib.util
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType

from plyforge.jobs.user_files import UserFile


class CarriedModules:
    """A finder for `sys.meta_path`."""

    def __init__(self, modules: Iterable[UserFile]) -> None:
        self._modules = {module.name: module for module in modules}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import a module; None if it is not one of these."""
        module = self._modules.get(name)
        if module is None:
            return self._find_folder(name)
        loader = _Loader(name, module)
        return importlib.util.spec_from_file_location(name, module.path, loader=loader)

    def _find_folder(self, name: str) -> ModuleSpec | None:
        """Return how to import a folder of modules that has no `__init__.py`."""
        for module in self._modules.values():
            if module.name.startswith(f"{name}."):
                file = Path(module.path)
                file = file.parent if file.name == "__init__.py" else file
                spec = ModuleSpec(name, None, is_package=True)
                inside = module.name.count(".") - name.count(".")
                spec.submodule_search_locations = [str(file.parents[inside - 1])]
                return spec
        return None


class _Loader(SourceFileLoader):
    """Loads one module from its content."""

    def __init__(self, name: str, module: UserFile) -> None:
        super().__init__(name, module.path)
        self._data = module.data

    def get_data(self, path: str) -> bytes:
        return self._data

    def path_stats(self, path: str) -> dict[str, float]:
        raise OSError("no bytecode is kept for a module that is not on disk")
