"""Read which parameters to tune: `name`, `name=start` or `name=start:min:max:step`."""

import math
from collections.abc import Iterable
from typing import Final

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.engine.driver import Driver
from plyforge.engine.drivers import DRIVERS
from plyforge.match.tuning.spsa import MIN_INTEGER_STEP, TunedParameter
from plyforge.search.options import Options
from plyforge.search.parameters import Parameter

FORMS: Final = "NAME, NAME=START or NAME=START:MIN:MAX:STEP"
_STEP_SHARE: Final = 0.25
"""The default step as a share of the start."""


def read_parameters(
    texts: Iterable[str], options: Options, driver: Driver
) -> tuple[TunedParameter, ...]:
    """Read the parameters to tune; `options` are those of the player, with its settings."""
    tuned: list[TunedParameter] = []
    for text in texts:
        one = _read(text, options, driver)
        if one.name in [other.name for other in tuned]:
            raise PlyforgeError(f"parameter '{one.name}' is given twice; give it once")
        tuned.append(one)
    if not tuned:
        raise PlyforgeError(
            f"there is nothing to tune; name parameters as {FORMS}, such as lmr-base=0.5:0:2:0.2"
            " ('plyforge options' lists them)"
        )
    return tuple(tuned)


def _read(text: str, options: Options, driver: Driver) -> TunedParameter:
    name, equals, rest = text.partition("=")
    name = name.strip()
    if name not in options.parameters:
        raise UnknownName("parameter", name, options.parameters)
    parameter = options.parameters[name]
    if parameter.choices:
        raise PlyforgeError(f"'{name}' is not a number ({parameter.range}); only numbers are tuned")
    _check_use(parameter, options, driver)
    words = rest.split(":") if equals else []
    if len(words) not in (0, 1, 4) or (equals and not all(word.strip() for word in words)):
        raise PlyforgeError(f"parameter '{clip(text)}': write {FORMS}")
    start = parameter.read(words[0]) if words else options.get(name)
    if len(words) < 4:
        low, high = parameter.minimum, parameter.maximum
        step = _default_step(parameter, start)
    else:
        low, high = parameter.read(words[1]), parameter.read(words[2])
        if not low < high:
            raise PlyforgeError(
                f"parameter '{name}': the minimum must be less than the maximum, not {low:g} and"
                f" {high:g}"
            )
        step = _read_step(parameter, words[3], high - low)
    if not low <= start <= high:
        raise PlyforgeError(
            f"parameter '{name}': the start must be between {low:g} and {high:g}, not {start:g}"
        )
    return TunedParameter(name, start, low, high, step, not parameter.real)


def _check_use(parameter: Parameter, options: Options, driver: Driver) -> None:
    """Reject a parameter that makes no difference because its step or driver is not used."""
    name = parameter.name
    owners = [step for step in options.steps if parameter.name in {p.name for p in step.parameters}]
    switches = [switch for step in owners for switch in (step.name, *step.needs)]
    switches += [parameter.only_with] if parameter.only_with else []
    for switch in switches:
        if not options.has(switch):
            raise PlyforgeError(
                f"parameter '{name}' makes no difference because '{switch}' is off; switch it on"
                f" with --on {switch}"
            )
    if name in {p.name for p in driver.parameters}:
        return
    for other in DRIVERS.values():
        if name in {p.name for p in other.parameters}:
            raise PlyforgeError(
                f"parameter '{name}' makes no difference with the driver '{driver.name}'; choose"
                f" --driver {other.name}"
            )


def _default_step(parameter: Parameter, start: float) -> float:
    step = min(_STEP_SHARE * abs(start), _STEP_SHARE * (parameter.maximum - parameter.minimum))
    if not parameter.real:
        return max(step, 1.0)
    if step == 0:
        raise PlyforgeError(
            f"parameter '{parameter.name}' starts at 0, which gives no scale; write the step, as"
            f" {parameter.name}=0:MIN:MAX:STEP"
        )
    return step


def _read_step(parameter: Parameter, text: str, width: float) -> float:
    try:
        step = float(text)
    except ValueError:
        step = math.nan
    bound = "more than 0" if parameter.real else f"at least {MIN_INTEGER_STEP:g}"
    if not 0 < step <= width or not (parameter.real or step >= MIN_INTEGER_STEP):
        raise PlyforgeError(
            f"parameter '{parameter.name}': the step must be a number, {bound} and at most the"
            f" width of the range, {width:g}, not '{clip(text.strip())}'"
        )
    return step
