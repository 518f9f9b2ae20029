"""Files are stored in a folder or a bucket with the same code; files of others are not served."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ReadTimeoutError
from django.core.files.storage import default_storage
from django.test import Client
from moto import mock_aws

from branding import storage
from branding.services import assets
from dashboard.core.clock import frozen, now
from dashboard.core.errors import Unavailable
from dashboard.table.commands import new_command
from tests.branding.pictures import make_picture, upload_asset
from tests.conftest import ACTOR, as_on_aws

HASH = "ab" * 32
NAME = f"branding/andina/{HASH}.png"
ASSET = f"andina-{HASH[:32]}"
BUCKET = "brand-files"


def use_bucket(settings: Any) -> None:
    options = {"BACKEND": "branding.storage.Bucket", "OPTIONS": {"bucket_name": BUCKET}}
    settings.STORAGES = settings.STORAGES | {"default": options}


@pytest.fixture
def bucket(settings: Any) -> Iterator[Any]:
    """S3 storage, as in production."""
    with mock_aws():
        created_bucket = boto3.resource("s3").create_bucket(Bucket=BUCKET)
        use_bucket(settings)
        yield created_bucket


@pytest.fixture(params=["folder", "bucket"])
def storage_kind(request: pytest.FixtureRequest) -> str:
    request.getfixturevalue(request.param)
    return str(request.param)


def test_write_read_and_remove(storage_kind: str) -> None:
    assert (storage.exists(NAME), storage.read(NAME)) == (False, None)
    storage.put(NAME, b"one")
    assert (storage.exists(NAME), storage.read(NAME)) == (True, b"one")
    storage.put(NAME, b"another")
    assert storage.read(NAME) == b"another"
    storage.remove(NAME)
    storage.remove(NAME)
    assert (storage.exists(NAME), storage.read(NAME)) == (False, None)


def test_a_uri_identifies_the_storage_and_the_name(storage_kind: str) -> None:
    uri = storage.uri_of(NAME)
    assert uri == {"folder": f"local:{NAME}", "bucket": f"s3://{BUCKET}/{NAME}"}[storage_kind]
    assert storage.find_name(uri, ASSET, "andina") == NAME


FOREIGN_URIS = [
    None,
    "",
    "s3://intrale-branding/assets/logo-123.png",
    f"s3://{BUCKET}/secrets/passwords.csv",
    f"s3://{BUCKET}/branding/andina/../../secrets.png",
    f"s3://{BUCKET}-2/{NAME}",
    f"s3://evil/{BUCKET}/{NAME}",
    f"s3://{BUCKET}/{NAME}.csv",
    f"s3://{BUCKET}/{NAME}\n",
    f"s3://{BUCKET}/{NAME.replace('.png', '.svg')}",
    f"s3://{BUCKET}/{NAME.replace('andina', 'harbour')}",
    f"s3://{BUCKET}/{NAME.replace('ab', 'cd')}",
    f"local:{NAME}",
    f"file:///{NAME}",
    NAME,
]


@pytest.mark.parametrize("uri", FOREIGN_URIS)
def test_a_foreign_uri_has_no_stored_name(bucket: Any, uri: str | None) -> None:
    assert storage.find_name(uri, ASSET, "andina") is None


def test_files_in_the_bucket_are_private_and_have_a_content_type(bucket: Any) -> None:
    storage.put(NAME, b"x")
    written = bucket.Object(NAME)
    assert written.content_type == "image/png"
    public = [grant for grant in written.Acl().grants if "URI" in grant["Grantee"]]
    assert public == []


@as_on_aws
def test_a_file_in_a_bucket_from_upload_to_purge(table: str, settings: Any) -> None:
    """The complete cycle as in production: upload, serve, delete, purge."""
    created_bucket = boto3.resource("s3").create_bucket(Bucket=BUCKET)
    use_bucket(settings)
    asset = upload_asset("andina")
    name = asset.file_name
    assert name is not None and asset.uri == f"s3://{BUCKET}/{name}"
    assert {each.key for each in created_bucket.objects.all()} == {name, storage.thumbnail_of(name)}
    answer = Client().get(f"/files/{asset.id}/")
    assert (answer.status_code, answer.content) == (200, created_bucket.Object(name).get()["Body"].read())
    assert Client().get(f"/files/{asset.id}/?size=thumb").status_code == 200
    gone = assets.delete("andina", asset.id, revision=asset.revision, command=new_command(ACTOR))
    assert len(list(created_bucket.objects.all())) == 2
    with frozen(now() + assets.RESTORABLE_FOR):
        assert assets.purge(gone).startswith("removed branding/andina/")
    assert list(created_bucket.objects.all()) == []


def test_an_unreachable_bucket_is_unavailable_and_nothing_is_written(
    table: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_bucket(settings)  # The bucket does not exist.
    with pytest.raises(Unavailable):
        upload_asset("andina")
    timeout = ReadTimeoutError(endpoint_url="https://s3")
    monkeypatch.setattr(type(default_storage._wrapped), "_save", lambda *_: (_ for _ in ()).throw(timeout))  # type: ignore[attr-defined]
    with pytest.raises(Unavailable):
        upload_asset("andina")
    assert Client().get(f"/files/{storage.asset_id('andina', make_picture().source)}/").status_code == 404


def test_an_unreadable_file_is_503_and_a_missing_one_404(table: str, folder: Path, settings: Any) -> None:
    asset = upload_asset("andina")
    name = str(asset.file_name)
    (folder / name).unlink()
    assert Client().get(f"/files/{asset.id}/").status_code == 404
    (folder / name).mkdir()
    assert Client().get(f"/files/{asset.id}/").status_code == 503


def test_a_reader_never_sees_a_partly_written_file(folder: Path) -> None:
    content = os.urandom(400_000)
    storage.put(NAME, content)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            storage.put(NAME, content)

    with ThreadPoolExecutor(3) as threads:
        writers = [threads.submit(write) for _ in range(3)]
        seen = {storage.read(NAME) == content for _ in range(200)}
        stop.set()
    assert seen == {True}
    assert [writer.exception() for writer in writers] == [None] * 3
    assert [path.name for path in (folder / NAME).parent.iterdir()] == [f"{HASH}.png"], "no temporary file remains"
