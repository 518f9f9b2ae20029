"""A folder and a bucket behave alike: atomic and conditional writes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import botocore.session
import pytest
from moto import mock_aws

from activity.archive import bucket, manifest
from activity.archive.bucket import ArchiveBucket
from activity.archive.storage import (
    ABSENT,
    ArchiveFolder,
    FileChanged,
    FileMissing,
    NoArchive,
    Storage,
    default_storage,
)
from activity.archive.writer import write_events
from dashboard.core.errors import Unavailable
from tests.activity.archive.helpers import DAY, event, events, stored
from tests.table.notes import on_dynoxide

NAME = "trastienda-archive"


@pytest.fixture
def a_bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[ArchiveBucket]:
    """A bucket of moto, with versions."""
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    bucket._client.cache_clear()
    with mock_aws():
        client: Any = botocore.session.Session().create_client("s3")
        client.create_bucket(Bucket=NAME)
        client.put_bucket_versioning(Bucket=NAME, VersioningConfiguration={"Status": "Enabled"})
        yield ArchiveBucket(f"s3://{NAME}/activity")
    bucket._client.cache_clear()


@pytest.fixture(params=["folder", "bucket"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    if request.param == "bucket":
        found: Storage = request.getfixturevalue("a_bucket")
        return found
    return ArchiveFolder(tmp_path / "archive")


def file(folder: Path, content: str) -> Path:
    path = folder / "content"
    path.write_text(content)
    return path


def test_files_are_written_read_and_removed(storage: Storage, tmp_path: Path) -> None:
    path = "events/date=2025-08-18/country=el%20salvador/events.parquet"
    version = storage.write(path, file(tmp_path, "one"))
    target = tmp_path / "copy"
    assert storage.fetch(path, target) == version
    assert target.read_text() == "one"
    assert stored(storage) == stored(storage, "events/date=") == [path]
    assert stored(storage, "incoming/") == []
    storage.remove(path)
    storage.remove(path)
    with pytest.raises(FileMissing):
        storage.fetch(path, target)


def test_a_file_is_replaced_only_at_the_version_that_was_read(storage: Storage, tmp_path: Path) -> None:
    first = storage.write("a", file(tmp_path, "one"), replaces=ABSENT)
    with pytest.raises(FileChanged):
        storage.write("a", file(tmp_path, "two"), replaces=ABSENT)
    second = storage.write("a", file(tmp_path, "two"), replaces=first)
    with pytest.raises(FileChanged):
        storage.write("a", file(tmp_path, "three"), replaces=first)
    assert storage.fetch("a", tmp_path / "copy") == second
    assert (tmp_path / "copy").read_text() == "two"


def test_a_file_that_was_removed_is_not_replaced(storage: Storage, tmp_path: Path) -> None:
    version = storage.write("a", file(tmp_path, "one"))
    storage.remove("a")
    with pytest.raises((FileChanged, FileMissing)):
        storage.write("a", file(tmp_path, "two"), replaces=version)


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    storage = ArchiveFolder(tmp_path / "archive")
    storage.write("a", file(tmp_path, "one"))

    def disk_full(*_: Any) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", disk_full)
        with pytest.raises(Unavailable):
            storage.write("a", file(tmp_path, "two"))
    storage.fetch("a", tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "one"
    assert [each.name for each in (tmp_path / "archive").iterdir()] != []
    assert not list((tmp_path / "archive").glob(".writing-*"))


def test_a_bucket_that_does_not_answer(tmp_path: Path, a_bucket: ArchiveBucket) -> None:
    with pytest.raises(Unavailable):
        ArchiveBucket("s3://no-such-bucket").write("a", file(tmp_path, "one"))


def test_the_setting_chooses_the_place(settings: Any) -> None:
    settings.ACTIVITY_ARCHIVE = "s3://trastienda-archive/activity/"
    assert default_storage().address("a/b") == "s3://trastienda-archive/activity/a/b"
    settings.ACTIVITY_ARCHIVE = "/srv/archive"
    assert default_storage().address("a/b") == "/srv/archive/a/b"
    settings.ACTIVITY_ARCHIVE = ""
    with pytest.raises(NoArchive):
        default_storage()


@on_dynoxide
def test_a_day_is_sealed_in_a_bucket(table: str, a_bucket: ArchiveBucket, tmp_path: Path) -> None:
    write_events(a_bucket, [*events(5), event("p", country="Perú")])
    write_events(a_bucket, [event("late")])
    refs = manifest.files(DAY, DAY)
    assert [(each.country, each.rows) for each in refs] == [("mexico", 6), ("peru", 1)]
    assert stored(a_bucket) == [each.path for each in refs]
