"""From the command line's options to an engine."""

from dataclasses import dataclass, field
from typing import Any

from plyforge.core.errors import PlyforgeError, clipped
from plyforge.core.game import Game
from plyforge.engine import Engine


@dataclass(frozen=True)
class EngineOptions:
    """What the commands that search have in common."""

    driver: str = "pvs"
    preset: str = "exact"
    on: str | None = None
    off: str | None = None
    set: list[str] = field(default_factory=list)
    hash: float | None = None
    entries: int | None = None
    replace: str | None = None
    threads: int = 1
    evaluation: str | None = None

    def engine(self, game: Game) -> Engine:
        """An engine for a game, or an error that names the option."""
        settings = _settings(self.set)
        if self.replace is not None:
            if "replace" in settings:
                raise PlyforgeError("--replace and --set replace=... say the same; give one")
            settings["replace"] = self.replace
        return Engine(
            game,
            driver=self.driver,
            preset=self.preset,
            on=_names(self.on),
            off=_names(self.off),
            settings=settings,
            hash=self.hash,
            entries=self.entries,
            threads=self.threads,
            evaluation=self.evaluation,
        )


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _settings(given: list[str]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals or not name.strip():
            raise PlyforgeError(f"--set '{clipped(item)}': write NAME=VALUE, as --set step=1")
        if name.strip() in settings:
            raise PlyforgeError(f"--set gives '{name.strip()}' twice; give it once")
        settings[name.strip()] = value
    return settings
