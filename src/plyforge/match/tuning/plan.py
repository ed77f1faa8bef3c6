"""The plan of a tuning: everything that determines its games."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.engine.clock import Clock
from plyforge.jobs.user_files import UserFile, read_user_file
from plyforge.match.openings import OpeningSource
from plyforge.match.plan import conditions, digests
from plyforge.match.players import Description, MoveLimits
from plyforge.match.referee import Adjudication, MatchRules
from plyforge.match.tuning.spsa import Spsa, TunedParameter, default_rate
from plyforge.match.user_files import read_user_files


@dataclass(frozen=True)
class TuningPlan:
    """The parameters to tune, and the conditions under which the games are played."""

    game: str
    player: str
    """The description of the player, without the parameters that are tuned."""
    parameters: tuple[TunedParameter, ...]
    iterations: int = 200
    pairs: int = 1
    """Pairs of games per iteration."""
    rate: float | None = None
    """a_k / c_k^2 at the last iteration; None for one that suits the number of pairs."""
    openings: OpeningSource = OpeningSource()
    seed: int = 0
    limits: MoveLimits = MoveLimits()
    rules: MatchRules = MatchRules()

    def __post_init__(self) -> None:
        for name, value in (("iterations", self.iterations), ("pairs", self.pairs)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise PlyforgeError(f"{name} must be an integer, at least 1, not {value!r}")
        if self.rate is not None and not 0 < self.rate < math.inf:
            raise PlyforgeError(f"the rate must be more than 0, not {self.rate:g}")
        if self.rules.max_plies < 1:
            raise PlyforgeError(f"limit of plies must be at least 1, not {self.rules.max_plies}")

    @property
    def total_pairs(self) -> int:
        """The number of pairs of games of all iterations."""
        return self.iterations * self.pairs

    def spsa(self) -> Spsa:
        """Return the state of the tuning before its first iteration."""
        rate = default_rate(self.total_pairs) if self.rate is None else self.rate
        return Spsa(self.parameters, self.iterations, rate, self.seed, self.pairs)

    def describe_player(self, values: Sequence[float], name: str | None = None) -> str:
        """Return the description of the player with these values of the parameters."""
        base = Description.parse(self.player)
        settings = dict(base.settings)
        for parameter, value in zip(self.parameters, values, strict=True):
            settings[parameter.name] = format_value(parameter, value)
        if name is not None:
            settings["name"] = name
        return str(replace(base, settings=settings))

    def round(self, values: Sequence[float]) -> tuple[float, ...]:
        """Return the values as results are written; the start is left as it is."""
        return tuple(
            one.start if value == one.start else one.round(value)
            for one, value in zip(self.parameters, values, strict=True)
        )

    def read_files(self) -> list[UserFile]:
        """Read the files of the user that the games use."""
        openings = [] if self.openings.file is None else [read_user_file(self.openings.file)]
        return [*read_user_files(self.game, [self.player]), *openings]

    def settings(self, files: Iterable[UserFile]) -> dict[str, Any]:
        """Return the plan as plain data, including digests of files.  These names are stored."""
        return {
            "game": self.game,
            "parameters": [asdict(one) for one in self.parameters],
            "player": self.player,
            "iterations": self.iterations,
            "pairs": self.pairs,
            "rate": self.rate,
            "openings": str(self.openings),
            "seed": self.seed,
            **conditions(self.limits, self.rules),
            "files": digests(self.game, files),
        }

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> "TuningPlan":
        """Return the plan that was stored as plain data."""
        limits, rules = settings["limits"], settings["rules"]
        return cls(
            settings["game"],
            settings["player"],
            tuple(TunedParameter(**one) for one in settings["parameters"]),
            settings["iterations"],
            settings["pairs"],
            settings["rate"],
            OpeningSource.parse(settings["openings"]),
            settings["seed"],
            MoveLimits(limits["depth"], limits["nodes"], limits["time"], _clock(limits["clock"])),
            MatchRules(
                rules["max_plies"],
                _clock(rules["clock"]),
                rules["hang_timeout"],
                Adjudication(rules["adjudicate_win"], rules["adjudicate_draw"]),
            ),
        )


def format_value(parameter: TunedParameter, value: float) -> str:
    """Return a parameter's value as a description of a player has it."""
    return str(int(value)) if parameter.integer else f"{value:.6g}"


def _clock(values: list[float | None] | None) -> Clock | None:
    return None if values is None else Clock(*values)  # type: ignore[arg-type]
