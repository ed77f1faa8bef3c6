"""Write docs/reference/search.md: every switch, parameter, driver and preset, from their table."""

from pathlib import Path

from plyforge.search.enhancements import (
    DISTINCT,
    DRIVER_PARAMETERS,
    DRIVERS,
    ENHANCEMENTS,
    ORDER,
    Parameter,
)
from plyforge.search.options import PRESETS

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "search.md"


def page() -> str:
    """The page's text."""
    return "\n".join([*_switches(), *_drivers(), *_presets()]) + "\n"


def _switches() -> list[str]:
    lines = [
        "# Switches, parameters, drivers, presets",
        "",
        "Written by `python -m scripts.search_page` from `search/enhancements.py`;"
        " `plyforge options` prints the same.",
        "",
        "Name switches in `--on` and `--off` (`--off all` takes all but `horizon-moves` and"
        " `cycles`, which belong to the rules), and parameters in `--set NAME=VALUE`. An exact"
        " enhancement keeps the value of minimax.",
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
    lines += ["", "## Parameters", "", "| of | parameter | default | values | what it is |", _RULE]
    for row in ENHANCEMENTS.values():
        lines += [_parameter(row.name, parameter) for parameter in row.parameters]
    lines += [_parameter("sorting", ORDER), _parameter("counting", DISTINCT)]
    return lines


_RULE = "|---|---|---|---|---|"


def _parameter(owner: str, parameter: Parameter) -> str:
    default = parameter.default
    shown = ",".join(default) if isinstance(default, tuple) else default
    return f"| {owner} | `{parameter.name}` | {shown} | {parameter.range} | {parameter.summary} |"


def _drivers() -> list[str]:
    lines = ["", "## Drivers", "", "| driver | what it does | source |", "|---|---|---|"]
    lines += [f"| `{row.name}` | {row.summary} | {row.paper} |" for row in DRIVERS.values()]
    lines += ["", "| of | parameter | default | values | what it is |", _RULE]
    lines += [_parameter("drivers", parameter) for parameter in DRIVER_PARAMETERS]
    return lines


def _presets() -> list[str]:
    lines = ["", "## Presets", "", "| preset | on | set |", "|---|---|---|"]
    for name, preset in PRESETS.items():
        on = ", ".join(sorted(preset.switches))
        told = ", ".join(f"`{key}={_shown(value)}`" for key, value in preset.settings.items())
        lines.append(f"| `{name}` | {on} | {told or 'the defaults above'} |")
    lines += [
        "",
        f"A game may ask for changes by its constant `SEARCH` (see the [contract](contract.md));"
        f" {', '.join(f'`{n}`' for n, row in PRESETS.items() if row.as_printed)} stays as printed.",
    ]
    return lines


def _shown(value: object) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
