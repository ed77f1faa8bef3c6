"""Installing with uv: it gets pip's configuration, and pip takes over if it fails."""

import subprocess
from types import SimpleNamespace

import pytest

from scripts import install


def test_uv_looks_for_packages_where_pip_does() -> None:
    listing = """\
:env:.find-links='/wheels'
:env:.default-timeout='180'
global.cert='/certificates.crt'
global.extra-index-url='\\nfile:///one\\nfile:///two'
global.find-links='/older'
global.index-url='https://packages.invalid/simple'
install.trusted-host='packages.invalid'
user.name='someone'
"""
    assert install.uv_settings(listing) == {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": "https://packages.invalid/simple",
        "UV_INDEX": "file:///one file:///two",
        "UV_FIND_LINKS": "/wheels",
        "UV_INSECURE_HOST": "packages.invalid",
        "SSL_CERT_FILE": "/certificates.crt",
    }


class Commands:
    """Records commands instead of running them; those that contain a word of `fail` fail."""

    def __init__(self, *fail: str) -> None:
        self.fail, self.commands = fail, []

    def __call__(self, command, **options):
        self.commands.append((command, options))
        failed = any(word in command for word in self.fail)
        return SimpleNamespace(returncode=int(failed), stdout="global.index-url='i'\n")

    def installers(self) -> list[str]:
        return [command[2] for command, _ in self.commands if "install" in command]


def install_with(monkeypatch: pytest.MonkeyPatch, *fail: str) -> Commands:
    commands = Commands(*fail)
    monkeypatch.setattr(subprocess, "run", commands)
    monkeypatch.setattr(install, "find_spec", lambda name: None)
    monkeypatch.delenv("UV_DEFAULT_INDEX", raising=False)
    install.install(["--requirement", "lock.txt"])
    return commands


def test_the_locked_uv_is_installed_and_installs_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = install_with(monkeypatch)
    assert commands.installers() == ["pip", "uv"]
    assert commands.commands[-1][1]["env"]["UV_DEFAULT_INDEX"] == "i"


@pytest.mark.parametrize("fail", ["--only-binary", "config", "uv"])
def test_pip_takes_over_if_anything_fails(monkeypatch: pytest.MonkeyPatch, fail: str) -> None:
    commands = install_with(monkeypatch, fail)
    assert commands.installers()[-1] == "pip"
    assert commands.commands[-1][0][-2:] == ["--requirement", "lock.txt"]


def test_the_exit_code_of_pip_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit) as exit_code:
        install_with(monkeypatch, "install")
    assert exit_code.value.code == 1
