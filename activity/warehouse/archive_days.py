"""Which of the dates of a report are sealed in the archive, and their files on this machine."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from activity.archive import manifest
from activity.archive.items import SealedDay
from activity.archive.manifest import FileRef
from activity.archive.schema import day_of
from activity.archive.storage import FileMissing, NoArchive, Storage, default_storage
from activity.events import RETENTION
from activity.warehouse.engines.local import copies_folder
from activity.warehouse.errors import FileLost, Unanswered
from activity.warehouse.values import Moments, dates_between
from dashboard.core.clock import now

# Copies of a bucket's files that nobody read for so long are removed.
COPIES_KEPT = timedelta(days=7)


@dataclass(frozen=True)
class ArchiveDays:
    """The dates (UTC) of a report."""

    dates: Sequence[date]
    sealed: Mapping[date, SealedDay]

    @property
    def open_dates(self) -> list[date]:
        """The dates whose events are in the log tables. Those that have expired there are in the archive or nowhere."""
        today = day_of(now())
        oldest = today - RETENTION
        return [day for day in self.dates if day not in self.sealed and oldest <= day <= today]

    @property
    def is_closed(self) -> bool:
        """Whether nothing is expected to change: all dates are past, and sealed or older than the archive."""
        return not self.open_dates and max(self.dates) < day_of(now())

    @property
    def generations(self) -> str:
        """Changes when one of the dates is sealed again."""
        return " ".join(f"{day.isoformat()}:{int(self.sealed[day].generation)}" for day in sorted(self.sealed))

    def of_date(self, day: date) -> ArchiveDays:
        """Only one of the dates."""
        return ArchiveDays([day], {day: self.sealed[day]} if day in self.sealed else {})

    def files(self, country: str = "") -> list[FileRef]:
        """The files of the sealed dates, optionally of one country only."""
        found = [file for day in sorted(self.sealed) for file in manifest.files_of(self.sealed[day])]
        return [file for file in found if not country or file.country == country]


def archive_days(ranges: Sequence[tuple[date, date]], sealed: Sequence[SealedDay]) -> ArchiveDays:
    """The dates of some ranges, from the sealed days between the first and the last of them."""
    dates = {day for first, last in ranges for day in dates_between(first, last)}
    return ArchiveDays(sorted(dates), {each.day: each for each in sealed if each.day in dates})


def period_of(day: date, between: Moments) -> Moments:
    """The part of a period that is on a date (UTC)."""
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return max(start, between[0]), min(start + timedelta(days=1), between[1])


def local_files(files: Sequence[FileRef]) -> list[str]:
    """The paths of these files on this machine. Those of a bucket are copied once."""
    if not files:
        return []
    try:
        storage = default_storage()
    except NoArchive as error:
        raise Unanswered from error
    addresses = [storage.address(file.path) for file in files]
    if not any(address.startswith("s3://") for address in addresses):
        return [str(Path(address).absolute()) for address in addresses]
    return [str(_copy(storage, file)) for file in files]


def _copy(storage: Storage, file: FileRef) -> Path:
    """The copy of one version of a file. The path keeps the date, which is no column of the file."""
    copy = copies_folder() / file.sha256 / file.path
    if copy.exists():
        return copy
    copy.parent.mkdir(parents=True, exist_ok=True)
    _remove_old_copies()
    with tempfile.NamedTemporaryFile(dir=copy.parent, delete=False) as temporary:
        target = Path(temporary.name)
    try:
        storage.fetch(file.path, target)
        target.replace(copy)
    except FileMissing as error:
        raise FileLost from error
    finally:
        target.unlink(missing_ok=True)
    return copy


def _remove_old_copies() -> None:
    oldest = time.time() - COPIES_KEPT.total_seconds()
    for folder in copies_folder().iterdir():
        # Another process may remove it at the same time.
        with suppress(OSError):
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder)
