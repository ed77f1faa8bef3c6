"""The engine options of the commands that search."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.interfaces.cli.arguments import (
    Book,
    DatabaseFolder,
    Driver,
    Entries,
    Evaluation,
    Hash,
    Off,
    On,
    Parallel,
    Preset,
    Processes,
    Replace,
    Set,
    Steps,
    Threads,
)

if TYPE_CHECKING:
    from plyforge.engine import Engine
    from plyforge.game.game import Game
    from plyforge.match.players import Description


@dataclass(frozen=True)
class EngineOptions:
    """The engine options of a command."""

    driver: Driver = "pvs"
    step: Steps = None
    preset: Preset = "exact"
    on: On = None
    off: Off = None
    set: Set = None
    hash: Hash = None
    entries: Entries = None
    replace: Replace = None
    threads: Threads = 1
    parallel: Parallel = "shared-table"
    processes: Processes = 1
    evaluation: Evaluation = None
    database: DatabaseFolder = None
    book: Book = None

    def engine(self, game: "Game") -> "Engine":
        """Create the engine for a game; an error message names the wrong option."""
        from plyforge.engine import Engine

        return Engine(game, **self.arguments())

    def with_learned(self, game: "Game") -> "EngineOptions":
        """Return the options with the weights beside the game's file, unless another is given.

        A line on standard error names the file.
        """
        from plyforge.evaluate import learned_beside

        learned = learned_beside(game) if self.evaluation is None else None
        if learned is None:
            return self
        game.notices.say(f"evaluation: {learned} (--evaluation own for the one in the game's file)")
        return dataclasses.replace(self, evaluation=learned)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of the engine."""
        return {
            "driver": self.driver,
            "steps": self.step or [],
            "preset": self.preset,
            "on": _split_names(self.on),
            "off": _split_names(self.off),
            "settings": self.settings(),
            "hash": self.hash,
            "entries": self.entries,
            "threads": self.threads,
            "parallel": self.parallel,
            "processes": self.processes,
            "evaluation": self.evaluation,
            "book": self.book,
        }

    def settings(self) -> dict[str, Any]:
        """Return the parameters that `--set` and `--replace` give."""
        settings = parse_settings(self.set or [])
        if self.replace is not None:
            if "replace" in settings:
                raise PlyforgeError(
                    "--replace and --set replace=... both set the replacement; give one of them"
                )
            settings["replace"] = self.replace
        if self.database is not None:
            if "database" in settings:
                raise PlyforgeError(
                    "--database and --set database=... both name the folder; give one of them"
                )
            settings["database"] = self.database
        return settings

    def player(self, **more: str) -> "Description":
        """Return the options as the description of a player; `more` are further settings.

        Options given by the user come before `more` of the same name.
        """
        from plyforge.match.players import Description, Kind

        if self.processes > 1:
            raise PlyforgeError(
                "--processes is for 'plyforge analyse'; a player uses threads (--threads)"
            )
        values = {
            "driver": None if self.driver == EngineOptions.driver else self.driver,
            "step": "+".join(self.step or []),
            "preset": self.preset,
            "on": "+".join(_split_names(self.on)),
            "off": "+".join(_split_names(self.off)),
            "hash": self.hash,
            "entries": self.entries,
            "threads": None if self.threads == EngineOptions.threads else self.threads,
            "parallel": None if self.parallel == EngineOptions.parallel else self.parallel,
            "evaluation": self.evaluation,
            "book": self.book,
            **more,
            **self.settings(),
        }
        given = {name: str(value) for name, value in values.items() if value not in (None, "")}
        return Description.parse(str(Description(Kind.ENGINE, None, given)))


DEFAULT_OPTIONS: Final = EngineOptions()


def with_engine_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the engine options to a command; its parameter `engine` receives them as one object.

    The default of that parameter has the defaults of the options.
    """

    @wraps(command)
    def wrapper(**arguments: Any) -> None:
        engine = EngineOptions(**{option.name: arguments.pop(option.name) for option in options})
        command(**arguments, engine=engine)

    options = fields(EngineOptions)
    original = signature(command)
    parameters = []
    for parameter in original.parameters.values():
        if parameter.name == "engine":
            parameters += [
                Parameter(
                    option.name,
                    parameter.kind,
                    default=getattr(parameter.default, option.name),
                    annotation=option.type,
                )
                for option in options
            ]
        else:
            parameters.append(parameter)
    wrapper.__signature__ = original.replace(parameters=parameters)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return wrapper


def _split_names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def parse_settings(items: list[str]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals or not name.strip():
            raise PlyforgeError(
                f"--set '{clip(item)}' must be NAME=VALUE, as in --set depth-step=1"
            )
        if name.strip() in settings:
            raise PlyforgeError(f"--set gives '{name.strip()}' twice; give it once")
        settings[name.strip()] = value
    return settings
