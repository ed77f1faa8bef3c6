"""The lock files, the wheel and the source distribution."""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

import plyforge
from scripts import lock

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "plyforge"
MAX_SDIST_BYTES = 6_000_000


def normalise_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def lock_entries(file: Path) -> dict[str, str]:
    """The entries of a lock file, by the name of the package."""
    found: dict[str, str] = {}
    for entry in lock.entries(file.read_text()):
        name = normalise_name(re.match(r"[\w.-]+", entry)[0])  # type: ignore[index]
        found[name] = found.get(name, "") + entry
    return found


def names(requirements: list[str]) -> set[str]:
    return {normalise_name(re.match(r"[\w.-]+", one)[0]) for one in requirements}  # type: ignore[index]


@pytest.fixture(scope="module")
def project() -> dict[str, object]:
    table: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return table


def build(target: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target]
    subprocess.run([*command, "--directory", str(folder)], check=True, cwd=ROOT)
    (file,) = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.mark.parametrize("file", [lock.RUN, lock.DEV], ids=lambda file: file.name)
def test_a_lock_has_hashes_and_no_addresses(file: Path) -> None:
    assert "://" not in file.read_text()
    assert all("--hash=sha256:" in entry for entry in lock_entries(file).values())


def test_the_locks_hold_all_dependencies_once(project: dict) -> None:  # type: ignore[type-arg]
    run, dev = lock_entries(lock.RUN), lock_entries(lock.DEV)
    extras = project["optional-dependencies"]
    assert names(project["dependencies"]) | names(extras["build"]) <= run.keys()
    assert names(extras["test"]) | names(extras["check"]) <= run.keys() | dev.keys()
    assert not run.keys() & dev.keys()


def test_running_installs_no_browser_driver_and_no_oracle() -> None:
    assert not lock_entries(lock.RUN).keys() & {
        "playwright",
        "open-spiel",
        "chess",
        "pydraughts",
        "scikit-learn",
    }


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    expected = {
        file.relative_to(SOURCE.parent).as_posix()
        for file in SOURCE.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if name.startswith("plyforge/")} == expected


def test_the_source_distribution_is_small_and_holds_no_raw_results(tmp_path: Path) -> None:
    file = build("sdist", tmp_path)
    with tarfile.open(file) as archive:
        members = [member.name.partition("/")[2] for member in archive.getmembers()]
    assert not [name for name in members if ".csv" in name and name.startswith("docs/results")]
    assert {"pyproject.toml", "README.md", "Makefile", "src/plyforge/py.typed"} <= set(members)
    assert file.stat().st_size < MAX_SDIST_BYTES


@pytest.mark.parametrize(
    "arguments", [["games"], pytest.param(["lab", "list"], marks=pytest.mark.long)], ids=" ".join
)
def test_an_unpacked_wheel_has_the_same_games_and_experiments(
    wheel: Path, tmp_path: Path, arguments: list[str]
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    unpacked = os.environ | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "plyforge", *arguments, "--json"]
    outputs = [
        subprocess.run(command, env=environment, cwd=tmp_path, check=True, capture_output=True)
        for environment in (unpacked, os.environ)
    ]
    assert outputs[0].stdout == outputs[1].stdout


class InstalledProject:
    """An environment that holds nothing but the installed project."""

    def __init__(self, folder: Path, project: Path) -> None:
        venv.create(folder, with_pip=True)
        self.folder = folder
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        pip = [str(self.bin / "python"), "-m", "pip", "install", "--quiet", str(project)]
        subprocess.run(pip, check=True, cwd=folder)

    def output(self, *arguments: str) -> str:
        command = [str(self.bin / "plyforge"), *arguments]
        result = subprocess.run(
            command, cwd=self.folder, check=True, capture_output=True, text=True
        )
        return result.stdout

    def page(self, path: str) -> str:
        """A page of the server, which is started for it."""
        command = [
            str(self.bin / "plyforge"),
            "serve",
            "--port",
            "0",
            "--no-open",
            "--played",
            "games.db",
        ]
        server = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = next(
                match[0] for line in server.stdout if (match := re.search(r"http://\S+", line))
            )
            with urllib.request.urlopen(address.rstrip("/.") + path) as response:
                return str(response.read().decode())
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()  # type: ignore[union-attr]


@pytest.fixture(scope="module", params=["folder", "wheel"])
def installed(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> InstalledProject:
    project = ROOT if request.param == "folder" else wheel
    return InstalledProject(tmp_path_factory.mktemp(request.param) / "environment", project)


@pytest.mark.long
def test_pip_installs_a_working_command(installed: InstalledProject) -> None:
    environment = json.loads(installed.output("games", "--json").splitlines()[-1])
    assert {game["name"] for game in environment["games"]} == set(plyforge.names())
    assert json.loads(installed.output("perft", "othello", "--depth", "3", "--json"))["nodes"] == 56
    assert "mtd-real" in installed.output("lab", "list")
    assert "<html" in installed.page("/")
