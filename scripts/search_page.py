"""Write docs/reference/search.md: all switches, parameters, drivers, methods and presets."""

from pathlib import Path

from plyforge.engine.deepening import GUESS
from plyforge.engine.drivers import DRIVERS
from plyforge.search.enhancements import ENHANCEMENTS, GENERAL
from plyforge.search.options import PRESETS
from plyforge.search.parallel.methods import DISTRIBUTED_METHODS, METHODS
from plyforge.search.parameters import Parameter

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "search.md"


def page() -> str:
    """Return the text of the page."""
    return "\n".join([*_switches(), *_drivers(), *_methods(), *_presets()]) + "\n"


def _switches() -> list[str]:
    lines = [
        "# Switches, parameters, drivers, presets",
        "",
        "All options of the search. `plyforge options` prints the same list. This page is written"
        " by `python -m scripts.search_page` from `search/enhancements.py` and `engine/drivers`.",
        "",
        "Name switches in `--on` and `--off` (`--off all` means all but `horizon-moves` and"
        " `cycles`, which belong to the rules), and parameters in `--set NAME=VALUE`. With an exact"
        " enhancement the search still returns the minimax value.",
        "",
        "| switch | what it does | exact | source | file |",
        "|---|---|---|---|---|",
    ]
    for row in ENHANCEMENTS.values():
        needs = f" (needs `{'`, `'.join(row.needs)}`)" if row.needs else ""
        exact = "yes" if row.exact else "no"
        lines.append(
            f"| `{row.name}` | {row.summary}{needs} | {exact} | {row.paper} | `{row.file}` |"
        )
    lines += ["", "## Parameters", "", *_PARAMETER_HEADER]
    for row in ENHANCEMENTS.values():
        lines += [_parameter(row.name, parameter) for parameter in row.parameters]
    lines += [_parameter("the whole search", parameter) for parameter in GENERAL]
    return lines


_PARAMETER_HEADER = ["| of | parameter | default | values | meaning |", "|---|---|---|---|---|"]


def _parameter(owner: str, parameter: Parameter) -> str:
    default = _format_value(parameter.default)
    return f"| {owner} | `{parameter.name}` | {default} | {parameter.range} | {parameter.summary} |"


def _drivers() -> list[str]:
    lines = ["", "## Drivers", "", "| driver | what it does | source |", "|---|---|---|"]
    lines += [f"| `{one.name}` | {one.summary} | {one.paper} |" for one in DRIVERS.values()]
    lines += [
        "",
        "A driver is also [a Python file of your own](../search/drivers.md).",
        "",
        *_PARAMETER_HEADER,
        _parameter("all", GUESS),
    ]
    for one in DRIVERS.values():
        lines += [_parameter(one.name, parameter) for parameter in one.parameters]
    return lines


def _methods() -> list[str]:
    head = ["", "## Parallel methods", "", "| method | what threads do | source |", "|---|---|---|"]
    rows = [f"| `{one.name}` | {one.summary} | {one.paper} |" for one in METHODS.values()]
    lines = [*head, *rows, "", "See [parallel search](../search/parallel.md).", ""]
    lines += ["| method | what processes do | source |", "|---|---|---|"]
    methods = DISTRIBUTED_METHODS.values()
    lines += [f"| `{one.name}` | {one.summary} | {one.paper} |" for one in methods]
    return [*lines, "", "See [search on several processes](../search/distributed.md)."]


def _presets() -> list[str]:
    lines = ["", "## Presets", "", "| preset | on | set |", "|---|---|---|"]
    for name, preset in PRESETS.items():
        on = ", ".join(sorted(preset.switches))
        settings = ", ".join(f"`{k}={_format_value(v)}`" for k, v in preset.settings.items())
        lines.append(f"| `{name}` | {on} | {settings or 'the defaults above'} |")
    lines += [
        "",
        f"A game can change presets by its constant `SEARCH` (see the [contract](contract.md));"
        f" {', '.join(f'`{n}`' for n, row in PRESETS.items() if row.as_printed)} stays as printed.",
    ]
    return lines


def _format_value(value: object) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
