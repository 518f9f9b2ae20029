"""The archive in a bucket of S3. S3 has no rename: a PUT replaces a file at once, and can require its version."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from activity.archive.storage import ABSENT, FileChanged, FileMissing
from dashboard.core.errors import Unavailable

# Nobody waits for these calls.
_CONFIG = Config(
    connect_timeout=2, read_timeout=30, retries={"mode": "standard", "total_max_attempts": 4}, signature_version="s3v4"
)
_CHANGED = {"PreconditionFailed", "ConditionalRequestConflict", "412", "409"}
_MISSING = {"NoSuchKey", "404"}
_CHUNK = 1 << 20


@functools.cache
def _client() -> Any:
    return botocore.session.Session().create_client("s3", config=_CONFIG)


class ArchiveBucket:
    """A bucket, or a folder in it."""

    def __init__(self, address: str) -> None:
        self.bucket, _, folder = address.removeprefix("s3://").partition("/")
        self._folder = f"{folder.strip('/')}/" if folder.strip("/") else ""

    def write(self, path: str, content: Path, *, replaces: str | None = None) -> str:
        condition = {} if replaces is None else {"IfNoneMatch": "*"} if replaces == ABSENT else {"IfMatch": replaces}
        with _storage_errors(path), content.open("rb") as body:
            answer = _client().put_object(Bucket=self.bucket, Key=self._folder + path, Body=body, **condition)
        return str(answer["ETag"])

    def fetch(self, path: str, target: Path) -> str:
        with _storage_errors(path):
            answer = _client().get_object(Bucket=self.bucket, Key=self._folder + path)
            with target.open("wb") as file:
                for chunk in answer["Body"].iter_chunks(_CHUNK):
                    file.write(chunk)
        return str(answer["ETag"])

    def remove(self, path: str) -> None:
        with _storage_errors(path):
            _client().delete_object(Bucket=self.bucket, Key=self._folder + path)

    def paths(self, prefix: str = "") -> Iterator[str]:
        pages = _client().get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=self._folder + prefix)
        with _storage_errors(prefix):
            for page in pages:
                for each in page.get("Contents", []):
                    yield str(each["Key"]).removeprefix(self._folder)

    def address(self, path: str) -> str:
        return f"s3://{self.bucket}/{self._folder}{path}"


@contextmanager
def _storage_errors(path: str) -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        code = str(error.response["Error"].get("Code"))
        if code in _CHANGED:
            raise FileChanged(path) from error
        if code in _MISSING:
            raise FileMissing(path) from error
        raise Unavailable from error
    except (BotoCoreError, OSError) as error:
        raise Unavailable from error
