"""`plyforge options`: the switches, parameters, drivers and presets of the search."""

from rich.console import Console

from plyforge.engine.deepening import GUESS
from plyforge.engine.driver import Driver
from plyforge.engine.drivers import DRIVERS, find_driver, parameters_for
from plyforge.interfaces.cli.output import console, print_json
from plyforge.search.enhancements import GENERAL
from plyforge.search.options import PRESETS, Options
from plyforge.search.parallel.methods import DISTRIBUTED_METHODS, METHODS, Method
from plyforge.search.parameters import Parameter
from plyforge.search.steps.files import load_step


def run(driver: str | None, steps: list[str], as_json: bool) -> None:
    """Print all options; `driver` and `steps` are files whose contents are listed, too."""
    drivers = list(DRIVERS.values())
    if driver is not None and (named := find_driver(driver)) not in drivers:
        drivers.append(named)
    options = Options().declaring(parameters_for(drivers[-1])).with_steps(map(load_step, steps))
    if as_json:
        print_json(_fields(options, drivers))
        return
    out = console()
    out.print("Switches (--on, --off); * marks those that are on in the presets exact and play")
    for row in options.steps:
        star = "*" if row.in_presets else " "
        out.print(f" {star} {row.name:<13} {row.summary}", markup=False)
        for parameter in row.parameters:
            _print_parameter(out, parameter)
    out.print("The whole search (--set)")
    for parameter in _general(options):
        _print_parameter(out, parameter)
    out.print("Drivers (--driver)")
    for one in drivers:
        out.print(f"   {one.name:<13} {one.summary}", markup=False)
        for parameter in one.parameters:
            _print_parameter(out, parameter)
    out.print("All drivers (--set)")
    _print_parameter(out, GUESS)
    out.print("Parallel methods (--parallel, with --threads)")
    for method in METHODS.values():
        out.print(f"   {method.name:<13} {method.summary}", markup=False)
    out.print("Methods for several processes (--parallel, with --processes)")
    for method in DISTRIBUTED_METHODS.values():
        out.print(f"   {method.name:<17} {method.summary}", markup=False)
    out.print(f"Presets (--preset): {', '.join(PRESETS)}")


def _general(options: Options) -> list[Parameter]:
    """Return the parameters that belong to no step; steps of users may add choices to them."""
    return [options.parameters[parameter.name] for parameter in GENERAL]


def _print_parameter(out: Console, parameter: Parameter) -> None:
    default = parameter.default
    value = ",".join(default) if isinstance(default, tuple) else default
    line = f"       {parameter.name}={value}: {parameter.summary} ({parameter.range})"
    out.print(line, markup=False)


def _describe_method(method: Method) -> dict[str, str]:
    return {"name": method.name, "summary": method.summary, "paper": method.paper}


def _fields(options: Options, drivers: list[Driver]) -> dict[str, object]:
    def describe(parameter: Parameter) -> dict[str, object]:
        return {
            "name": parameter.name,
            "default": parameter.default,
            "range": parameter.range,
            "summary": parameter.summary,
        }

    general = [*_general(options), GUESS]
    return {
        "switches": [
            {
                "name": row.name,
                "summary": row.summary,
                "exact": row.exact,
                "paper": row.paper,
                "file": row.file,
                "parameters": [describe(parameter) for parameter in row.parameters],
            }
            for row in options.steps
        ],
        "drivers": [
            {
                "name": driver.name,
                "summary": driver.summary,
                "paper": driver.paper,
                "parameters": [describe(parameter) for parameter in driver.parameters],
            }
            for driver in drivers
        ],
        "parameters": [describe(parameter) for parameter in general],
        "parallel": [_describe_method(method) for method in METHODS.values()],
        "distributed": [_describe_method(method) for method in DISTRIBUTED_METHODS.values()],
        "presets": {
            name: {"on": sorted(preset.switches), "set": dict(preset.settings)}
            for name, preset in PRESETS.items()
        },
    }
