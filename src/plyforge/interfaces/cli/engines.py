"""From the command line's options to an engine."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.interfaces.cli.arguments import (
    Driver,
    Entries,
    Evaluation,
    Hash,
    Off,
    On,
    Preset,
    Replace,
    Set,
    Threads,
)

if TYPE_CHECKING:
    from plyforge.engine import Engine
    from plyforge.game.game import Game


@dataclass(frozen=True)
class EngineOptions:
    """What the commands that search have in common."""

    driver: Driver = "pvs"
    preset: Preset = "exact"
    on: On = None
    off: Off = None
    set: Set = None
    hash: Hash = None
    entries: Entries = None
    replace: Replace = None
    threads: Threads = 1
    evaluation: Evaluation = None

    def engine(self, game: "Game") -> "Engine":
        """An engine for a game, or an error that names the option."""
        from plyforge.engine import Engine

        settings = _settings(self.set or [])
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


DEFAULT_OPTIONS: Final = EngineOptions()


def with_engine_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take every option of an engine; its parameter `engine` gets them together."""

    @wraps(command)
    def taking(**given: Any) -> None:
        engine = EngineOptions(**{option.name: given.pop(option.name) for option in options})
        command(**given, engine=engine)

    options = fields(EngineOptions)
    own = signature(command)
    parameters = []
    for parameter in own.parameters.values():
        if parameter.name == "engine":
            parameters += [
                Parameter(
                    option.name, parameter.kind, default=option.default, annotation=option.type
                )
                for option in options
            ]
        else:
            parameters.append(parameter)
    taking.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    taking.__annotations__ = {one.name: one.annotation for one in parameters}
    return taking


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _settings(given: list[str]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals or not name.strip():
            raise PlyforgeError(f"--set '{clip(item)}': write NAME=VALUE, as --set step=1")
        if name.strip() in settings:
            raise PlyforgeError(f"--set gives '{name.strip()}' twice; give it once")
        settings[name.strip()] = value
    return settings
