"""The storage of files: a private bucket in production, a folder elsewhere.

The name of a file is derived from the business and the hash of the uploaded file. No other names are served.
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
# How many digits of the hash are in the id of an asset.
ID_DIGITS = 32
# People wait for these calls, so the timeouts are short.
_CONFIG = Config(
    connect_timeout=2,
    read_timeout=10,
    retries={"mode": "standard", "total_max_attempts": 3},
    max_pool_connections=20,
    s3={"addressing_style": "auto"},
    signature_version="s3v4",
)


class Bucket(S3Storage):  # type: ignore[misc]
    """A private bucket: no public access, files are served only by our view."""

    def __init__(self, **options: Any) -> None:
        super().__init__(client_config=_CONFIG, default_acl=None, file_overwrite=True, **options)

    def uri(self, name: str) -> str:
        return f"s3://{self.bucket_name}/{name}"


class Folder(FileSystemStorage):
    """A local folder. Writes are atomic."""

    def uri(self, name: str) -> str:
        return f"local:{name}"

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name  # The name contains a hash, so an existing file is the same file.

    def _save(self, name: str, content: Any) -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content.read())
            Path(temporary).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
        return name


def asset_id(business: str, source: str) -> str:
    """The id of the file with this hash. The same file is the same asset."""
    return f"{business}-{source[:ID_DIGITS]}"


def name_for(business: str, source: str, extension: str) -> str:
    return f"branding/{business}/{source}.{extension}"


def uri_of(name: str) -> str:
    storage: Any = default_storage
    return str(storage.uri(name))


def find_name(uri: str | None, asset: str, business: str | None) -> str | None:
    """The name of an asset's file in our storage; None if its URI is elsewhere or belongs to another asset."""
    match = _NAME.search(uri or "")
    if match is None or uri != uri_of(match[0]):
        return None
    is_own = match["business"] == business and asset == asset_id(match["business"], match["hash"])
    return match[0] if is_own else None


def thumbnail_of(name: str) -> str:
    """The name of a file's thumbnail."""
    stem, _dot, extension = name.rpartition(".")
    return f"{stem}.thumb.{extension}"


def put(name: str, content: bytes) -> None:
    with _storage_errors():
        default_storage.save(name, ContentFile(content, name=name))


def read(name: str) -> bytes | None:
    """The content of a file; None if it does not exist."""
    with _storage_errors():
        try:
            with default_storage.open(name) as file:
                return _read_all(file)
        except FileNotFoundError:
            return None


def exists(name: str) -> bool:
    with _storage_errors():
        return default_storage.exists(name)


def remove(name: str) -> None:
    """Does nothing if it does not exist."""
    with _storage_errors():
        default_storage.delete(name)


def _read_all(file: File[Any]) -> bytes:
    out = io.BytesIO()
    for chunk in file.chunks():
        out.write(chunk)
    return out.getvalue()


@contextmanager
def _storage_errors() -> Iterator[None]:
    """Every storage error becomes `Unavailable`, which asks the person to try again."""
    try:
        yield
    except (BotoCoreError, ClientError, OSError) as error:
        text = _("The file storage is not responding. Nothing was changed. Try again in a moment.")
        raise Unavailable(text) from error
