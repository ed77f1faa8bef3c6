"""The drivers that pages may use: the built-in ones, and files named on the command line."""

from collections.abc import Iterable

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.engine import DRIVERS, Driver
from plyforge.engine.drivers import find_driver


class DriverCatalog:
    """Drivers by name; no page can name a file, which would be executed."""

    def __init__(self, files: Iterable[str] = ()) -> None:
        self._drivers = dict(DRIVERS)
        self._references = {name: name for name in DRIVERS}
        for file in files:
            driver = find_driver(file)
            if self._references.setdefault(driver.name, file) != file:
                raise PlyforgeError(f"two drivers are named '{driver.name}'; rename one by NAME")
            self._drivers[driver.name] = driver

    @property
    def names(self) -> list[str]:
        return list(self._drivers)

    def find(self, name: str) -> Driver:
        """Return a driver by its name."""
        if name not in self._drivers:
            raise UnknownName("driver", name, self._drivers)
        return self._drivers[name]

    def reference(self, name: str) -> str:
        """Return the name or file with which a player's description names the driver."""
        return self._references[self.find(name).name]

    def to_list(self) -> list[dict[str, str]]:
        """Describe all drivers."""
        return [{"name": one.name, "summary": one.summary} for one in self._drivers.values()]
