"""The versions that must be the same on all machines of a cluster.

The same seed gives the same results only if the same programs run everywhere.  Two checkouts may
have the same version number, so the sources are compared, too.
"""

from collections.abc import Callable, Mapping
from typing import Final

Versions = Mapping[str, str]
"""Versions by the name of the program; `missing` if it is not installed."""
MISSING: Final = "missing"


def make_probe() -> Callable[[], dict[str, str]]:
    """Return a function that finds the versions where it is called.

    It is sent to other machines by value, since Plyforge may be missing there: it can use nothing
    but the standard library.
    """

    def probe() -> dict[str, str]:
        import hashlib
        import platform
        from importlib.metadata import PackageNotFoundError, version
        from importlib.util import find_spec
        from pathlib import Path

        def version_of(package: str) -> str:
            try:
                return version(package)
            except PackageNotFoundError:
                return "missing"

        found = {
            "Python": ".".join(platform.python_version_tuple()[:2]),
            "NumPy": version_of("numpy"),
            "Numba": version_of("numba"),
        }
        spec = find_spec("plyforge")
        if spec is None or spec.origin is None:
            return {"Plyforge": "missing", **found}
        folder = Path(spec.origin).parent
        text = Path(spec.origin).read_text(encoding="utf-8")
        number = text.partition('__version__ = "')[2].partition('"')[0]
        sources = hashlib.sha256()
        for file in sorted(folder.rglob("*.py")):
            sources.update(f"{file.relative_to(folder).as_posix()}\n".encode())
            # The ends of lines depend on how the files were installed.
            sources.update(file.read_bytes().replace(b"\r\n", b"\n"))
        return {
            "Plyforge": number,
            "the sources of Plyforge": f"digest {sources.hexdigest()[:8]}",
            **found,
        }

    return probe


def describe_differences(here: Versions, there: Versions) -> str:
    """Return what differs, empty if nothing does.

    >>> describe_differences({"Numba": "0.68.0"}, {"Numba": "0.67.1"})
    'Numba is 0.67.1 there and 0.68.0 here'
    """
    if there.get("Plyforge") == MISSING:
        return "Plyforge is missing there"
    if here.get("Plyforge") != there.get("Plyforge"):
        names = [name for name in here if name != "the sources of Plyforge"]  # differ anyway
    else:
        names = list(here)
    return ", ".join(
        f"{name} {'are' if name.endswith('s of Plyforge') else 'is'}"
        f" {there.get(name, MISSING)} there and {here[name]} here"
        for name in names
        if here[name] != there.get(name, MISSING)
    )
