"""`plyforge options`: the switches, parameters, drivers and presets of the search."""

from rich.console import Console

from plyforge.interfaces.cli.output import console, print_json
from plyforge.search.enhancements import (
    DISTINCT,
    DRIVER_PARAMETERS,
    DRIVERS,
    ENHANCEMENTS,
    ORDER,
    Parameter,
)
from plyforge.search.options import PRESETS


def run(as_json: bool) -> None:
    if as_json:
        print_json(_fields())
        return
    out = console()
    out.print("Switches (--on, --off); * marks those that are on in the presets exact and play")
    for row in ENHANCEMENTS.values():
        star = "*" if row.in_presets else " "
        out.print(f" {star} {row.name:<13} {row.summary}", markup=False)
        for parameter in row.parameters:
            _print_parameter(out, parameter)
    out.print("Move ordering and counting (--set)")
    for parameter in (ORDER, DISTINCT):
        _print_parameter(out, parameter)
    out.print("Drivers (--driver)")
    for driver in DRIVERS.values():
        out.print(f"   {driver.name:<13} {driver.summary}", markup=False)
    for parameter in DRIVER_PARAMETERS:
        _print_parameter(out, parameter)
    out.print(f"Presets (--preset): {', '.join(PRESETS)}")


def _print_parameter(out: Console, parameter: Parameter) -> None:
    default = parameter.default
    value = ",".join(default) if isinstance(default, tuple) else default
    line = f"       {parameter.name}={value}: {parameter.summary} ({parameter.range})"
    out.print(line, markup=False)


def _fields() -> dict[str, object]:
    def describe(parameter: Parameter) -> dict[str, object]:
        return {
            "name": parameter.name,
            "default": parameter.default,
            "range": parameter.range,
            "summary": parameter.summary,
        }

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
            for row in ENHANCEMENTS.values()
        ],
        "drivers": [{"name": row.name, "summary": row.summary} for row in DRIVERS.values()],
        "parameters": [describe(p) for p in (ORDER, DISTINCT, *DRIVER_PARAMETERS)],
        "presets": {
            name: {"on": sorted(preset.switches), "set": dict(preset.settings)}
            for name, preset in PRESETS.items()
        },
    }
