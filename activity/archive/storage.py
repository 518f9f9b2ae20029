"""Where the archive's files are: a folder, or a bucket of S3. Every write is atomic and can be conditional."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from django.conf import settings

from dashboard.core.errors import Unavailable

# The version of a file that does not exist.
ABSENT = ""


class FileChanged(Exception):
    """Somebody else has written the file since its version was read."""


class FileMissing(Exception):
    """The archive has no such file."""


class NoArchive(Exception):
    """No place for the archive is configured."""


class Storage(Protocol):
    """Files by their path below the archive's root. A version changes whenever the content does."""

    def write(self, path: str, content: Path, *, replaces: str | None = None) -> str:
        """Write a file and return its version. With `replaces`, only if the file is still at that version."""

    def fetch(self, path: str, target: Path) -> str:
        """Copy a file to this machine; returns its version. Raises FileMissing."""

    def remove(self, path: str) -> None:
        """Remove a file. A missing one is no error."""

    def paths(self, prefix: str = "") -> Iterator[str]:
        """The paths of all files that begin with this, sorted."""

    def address(self, path: str) -> str:
        """The path on this machine or the s3:// address, for engines that read files themselves."""


def default_storage() -> Storage:
    """The place in the setting ACTIVITY_ARCHIVE."""
    place = str(settings.ACTIVITY_ARCHIVE)
    if not place:
        raise NoArchive("Set ACTIVITY_ARCHIVE to a bucket (s3://…) or to a folder.")
    if place.startswith("s3://"):
        from activity.archive.bucket import ArchiveBucket

        return ArchiveBucket(place)
    return ArchiveFolder(Path(place))


class ArchiveFolder:
    """A folder on this machine."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, content: Path, *, replaces: str | None = None) -> str:
        target = self.root / path
        with _storage_errors(), self._lock():
            if replaces is not None and replaces != self._version(target):
                raise FileChanged(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self.root, prefix=".writing-")
            os.close(handle)
            try:
                shutil.copyfile(content, temporary)
                with Path(temporary).open("rb") as written:
                    os.fsync(written.fileno())
                Path(temporary).replace(target)
            except BaseException:
                with suppress(OSError):
                    Path(temporary).unlink()
                raise
            return self._version(target)

    def fetch(self, path: str, target: Path) -> str:
        # The copy is of one version of the file, whatever replaces it meanwhile.
        with _storage_errors():
            try:
                shutil.copyfile(self.root / path, target)
            except FileNotFoundError as error:
                raise FileMissing(path) from error
        return self._version(target)

    def remove(self, path: str) -> None:
        with _storage_errors():
            (self.root / path).unlink(missing_ok=True)

    def paths(self, prefix: str = "") -> Iterator[str]:
        folder = self.root / prefix.rpartition("/")[0]
        names = sorted(
            each.relative_to(self.root).as_posix()
            for each in folder.rglob("*")
            if each.is_file() and not each.name.startswith(".")
        )
        yield from (name for name in names if name.startswith(prefix))

    def address(self, path: str) -> str:
        return str(self.root / path)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """One writer at a time, of all processes: between the comparison of the version and the replacement."""
        self.root.mkdir(parents=True, exist_ok=True)
        with (self.root / ".lock").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    @staticmethod
    def _version(file: Path) -> str:
        try:
            with file.open("rb") as content:
                return hashlib.file_digest(content, "sha256").hexdigest()
        except FileNotFoundError:
            return ABSENT


@contextmanager
def _storage_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unavailable from error
