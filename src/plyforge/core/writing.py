"""Writing files so that a reader sees the old content or the new one, never a part."""

import os
import tempfile
from pathlib import Path

from plyforge.core.errors import PlyforgeError, clip


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file under a temporary name, then give it its own."""
    try:
        path = path.resolve()
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).chmod(path.stat().st_mode if path.exists() else _new_mode())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise PlyforgeError(f"'{clip(str(path))}' cannot be written: {error.strerror}") from error
    except ValueError as error:  # a null byte or an incomplete character in the name
        raise PlyforgeError(f"{clip(repr(str(path)))} is not a file name: {error}") from None


def _new_mode() -> int:
    """Return the default permissions of new files; those of a temporary file are stricter."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
