"""Search steps on pages: switches of the command line's files, never a file that a page names."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.drivers import DriverCatalog
from plyforge.interfaces.web.players import read_description
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.steps import StepCatalog
from tests.interfaces.web.pages import HOST

STEP = """
from plyforge.steps import NO_VALUE
NAME, SUMMARY, EXACT = "mine", "mine & yours", True
def before_moves(position, level, node, context):
    return NO_VALUE
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "with, comma.py"
    path.write_text(STEP)
    return str(path)


def test_a_step_of_the_command_line_is_offered_as_a_switch(file: str) -> None:
    with TestClient(application(ServerState(steps=[file])), base_url=HOST) as client:
        offered = client.get("/api/choices").json()["switches"]
    assert offered[-1] == {"name": "mine", "summary": "mine & yours", "on": True}
    assert "cycles" not in [one["name"] for one in offered]


def test_a_page_cannot_name_a_step() -> None:
    with pytest.raises(PlyforgeError, match="'step'"):
        read_description("engine:depth=2,step=other.py", DriverCatalog())


def test_all_files_are_given_to_players(file: str) -> None:
    Path("other.py").write_text(STEP.replace("mine", "other"))
    catalog = StepCatalog([file, "other.py"])
    assert [step.name for step in catalog.added] == ["mine", "other"]
    assert catalog.setting == {"step": f"{file}+other.py"}
    assert StepCatalog().setting == {}


def test_wrong_files_are_refused(file: str) -> None:
    Path("a+b.py").write_text(STEP)
    with pytest.raises(PlyforgeError, match="the path contains '\\+'"):
        StepCatalog(["a+b.py"])
    with pytest.raises(PlyforgeError, match="the name 'mine' is taken"):
        StepCatalog([file, file])
