"""The search steps of users that pages may switch: files named on the command line."""

from collections.abc import Iterable
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.search.options import Options
from plyforge.search.steps.files import load_step
from plyforge.search.steps.step import Step

_SEPARATOR: Final = "+"


class StepCatalog:
    """Steps that all engines of analyses and described players have, besides the built-in ones.

    No page can name a file, which would be executed.
    """

    def __init__(self, files: Iterable[str] = ()) -> None:
        self._files = list(files)
        self._options = Options().with_steps(map(load_step, self._files))
        for file in self._files:
            if _SEPARATOR in file:
                raise PlyforgeError(
                    f"--step {file}: the path contains '{_SEPARATOR}', which separates the steps of"
                    " a player; rename it"
                )

    @property
    def added(self) -> tuple[Step, ...]:
        """The steps of the files."""
        return self._options.added

    @property
    def setting(self) -> dict[str, str]:
        """The setting with which a player's description names the files; empty without files."""
        return {"step": _SEPARATOR.join(self._files)} if self._files else {}

    def to_list(self) -> list[dict[str, object]]:
        """Describe all steps that can be switched, built-in ones first."""
        return [
            {"name": step.name, "summary": step.summary, "on": step.in_presets}
            for step in self._options.steps
            if not step.rule
        ]
