"""Files with the content of the table, including password hashes: only the user who runs the command can read them."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO, Any

MODE = 0o600


def open_private(path: Path, mode: str) -> IO[Any]:
    """Open a file for writing. An existing file is made private first."""
    file = open(path, mode, opener=_opener)  # noqa: SIM115 -- the caller closes it
    mode_now = os.fstat(file.fileno()).st_mode
    # Not for devices, such as /dev/null.
    if stat.S_ISREG(mode_now) and mode_now & 0o077:
        try:
            os.fchmod(file.fileno(), MODE)
        except OSError as error:
            file.close()
            raise OSError(error.errno, error.strerror, str(path)) from error
    return file


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags, MODE)
