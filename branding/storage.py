"""Where files are kept: a private bucket in production, a folder elsewhere; one set of functions for both.

A file's name is made here, from the business and the hash of what was sent. What is not so named is not ours to serve.
"""

from __future__ import annotations

import io
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, default_storage
from django.utils.translation import gettext_lazy as _
from storages.backends.s3 import S3Storage

from dashboard.core.errors import Unavailable
from dashboard.platform.businesses.paths import BUSINESS

_NAME = re.compile(rf"branding/(?P<business>{BUSINESS})/(?P<hash>[0-9a-f]{{64}})\.(?:png|jpg)")
# How many digits of the hash an asset's id holds.
ID_DIGITS = 32
# People wait for these calls, as for those to the table; a file takes a little longer.
_CONFIG = Config(
    connect_timeout=2,
    read_timeout=10,
    retries={"mode": "standard", "total_max_attempts": 3},
    max_pool_connections=20,
    s3={"addressing_style": "auto"},
    signature_version="s3v4",
)


class Bucket(S3Storage):  # type: ignore[misc]
    """A bucket that nobody else reads: no public right is ever set, and files leave only through our own view."""

    def __init__(self, **options: Any) -> None:
        super().__init__(client_config=_CONFIG, default_acl=None, file_overwrite=True, **options)

    def uri(self, name: str) -> str:
        return f"s3://{self.bucket_name}/{name}"


class Folder(FileSystemStorage):
    """A folder on this machine. A file is there whole or not at all, however many write it at once."""

    def uri(self, name: str) -> str:
        return f"local:{name}"

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name  # Ours are made of hashes: what stands there is the same.

    def _save(self, name: str, content: Any) -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, written = tempfile.mkstemp(dir=path.parent, prefix=".")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content.read())
            Path(written).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(written).unlink()
            raise
        return name


def asset_id(business: str, source: str) -> str:
    """The id of the file with this hash: the same file is the same asset."""
    return f"{business}-{source[:ID_DIGITS]}"


def name_for(business: str, source: str, extension: str) -> str:
    return f"branding/{business}/{source}.{extension}"


def uri_of(name: str) -> str:
    storage: Any = default_storage
    return str(storage.uri(name))


def name_of(uri: str | None, asset: str, business: str | None) -> str | None:
    """The name of an asset's file in our storage; none where its uri leads elsewhere, or to something not its own."""
    match = _NAME.search(uri or "")
    if match is None or uri != uri_of(match[0]):
        return None
    own = match["business"] == business and asset == asset_id(match["business"], match["hash"])
    return match[0] if own else None


def thumbnail_of(name: str) -> str:
    """Where the thumbnail of a file is."""
    stem, _dot, extension = name.rpartition(".")
    return f"{stem}.thumb.{extension}"


def put(name: str, content: bytes) -> None:
    with _answering():
        default_storage.save(name, ContentFile(content, name=name))


def read(name: str) -> bytes | None:
    """A file's content; none where it is gone."""
    with _answering():
        try:
            with default_storage.open(name) as file:
                return _whole(file)
        except FileNotFoundError:
            return None


def is_there(name: str) -> bool:
    with _answering():
        return default_storage.exists(name)


def remove(name: str) -> None:
    """Fine if it is gone already."""
    with _answering():
        default_storage.delete(name)


def _whole(file: File[Any]) -> bytes:
    out = io.BytesIO()
    for chunk in file.chunks():
        out.write(chunk)
    return out.getvalue()


@contextmanager
def _answering() -> Iterator[None]:
    """Whatever is wrong with the place where files are kept: the person is told to try again, and may."""
    try:
        yield
    except (BotoCoreError, ClientError, OSError) as error:
        text = _("The place where files are kept is not answering. Nothing was changed: try again in a moment.")
        raise Unavailable(text) from error
