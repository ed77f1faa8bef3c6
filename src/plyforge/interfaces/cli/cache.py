"""`plyforge cache`."""

from plyforge.compilation.store import FUNCTIONS, Store
from plyforge.interfaces.cli.output import console, print_json


def run(clear: bool, as_json: bool) -> None:
    store = Store()
    removed = store.clear() if clear else 0
    entries = list(store.entries())
    kernels = sum(not entry.name.startswith(FUNCTIONS) for entry in entries)
    size = sum(entry.size for entry in entries)
    if as_json:
        print_json(
            {
                "path": str(store.folder),
                "kernels": kernels,
                "size": size,
                "removed": removed,
            }
        )
        return
    out = console()
    if clear:
        out.print(f"removed {removed} files")
    out.print(f"folder   {store.folder}", markup=False)
    out.print(f"kernels  {kernels}")
    out.print(f"size     {size / 1e6:.1f} MB")
