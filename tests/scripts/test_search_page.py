"""The reference page of the search: it is complete, and its tables are well formed."""

from pathlib import Path

import plyforge
from plyforge.engine import DRIVERS
from plyforge.search.enhancements import ENHANCEMENTS, PARAMETERS
from plyforge.search.options import PRESETS
from scripts.search_page import page

SOURCES = Path(plyforge.__file__).parent


def test_the_page_names_every_switch_parameter_driver_and_preset() -> None:
    text = page()
    for name in [*ENHANCEMENTS, *PARAMETERS, *DRIVERS, *PRESETS]:
        assert f"| `{name}` |" in text
    for driver in DRIVERS.values():
        for parameter in driver.parameters:
            assert f"| {driver.name} | `{parameter.name}` |" in text


def test_every_row_has_as_many_cells_as_its_header() -> None:
    tables = [part.splitlines() for part in page().split("\n\n") if part.startswith("| ")]
    assert len(tables) == 7
    for header, rule, *rows in tables:
        assert rows
        assert {line.count("|") for line in (rule, *rows)} == {header.count("|")}


def test_the_files_of_the_enhancements_exist() -> None:
    for row in ENHANCEMENTS.values():
        assert (SOURCES / row.file).is_file()
