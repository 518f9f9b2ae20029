"""Pictures that outside writers keep in other buckets (`s3://…`), shown where our credentials can read them.

A URI comes from the table, so that whoever writes there chooses what is read: only pictures are shown, and never an
object of our own bucket, which may belong to another business.
"""

from __future__ import annotations

import logging
import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.storage import default_storage

from branding.public import picture_type
from branding.storage import Bucket

logger = logging.getLogger("trastienda.images")

_URI = re.compile(r"s3://(?P<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/(?P<name>[^\x00-\x1f]{1,1024})")
# A larger picture is only linked.
MAX_BYTES = 1024 * 1024
# A person is waiting for the page, and the page is complete without the picture.
_CONFIG = Config(
    connect_timeout=1, read_timeout=3, retries={"mode": "standard", "total_max_attempts": 2}, signature_version="s3v4"
)
SIGNED_FOR = 300


@dataclass(frozen=True)
class OutsidePicture:
    """A picture in another bucket."""

    # Signed; it works for five minutes.
    url: str
    content_type: str
    # Empty for a large one.
    content: bytes

    @property
    def data(self) -> str:
        """A `data:` URL: the content security policy allows no pictures of other hosts. Empty for a large one."""
        return f"data:{self.content_type};base64,{b64encode(self.content).decode()}" if self.content else ""


def find_picture(uri: str | None) -> OutsidePicture | None:
    """The picture at this URI; None if it is elsewhere, not readable with our credentials, or no picture."""
    match = _URI.fullmatch(uri or "")
    if match is None or not can_read() or match["bucket"] == _our_bucket():
        return None
    target = {"Bucket": match["bucket"], "Key": match["name"]}
    try:
        found = _client().get_object(**target, Range=f"bytes=0-{MAX_BYTES}")
        content: bytes = found["Body"].read(MAX_BYTES + 1)
        kind = picture_type(content)
        if not kind:
            return None
        # The type is part of the signature: a browser cannot take the object for a page.
        options = target | {"ResponseContentType": kind}
        url: str = _client().generate_presigned_url("get_object", Params=options, ExpiresIn=SIGNED_FOR)
    except (BotoCoreError, ClientError, OSError) as error:
        logger.info("a file in another bucket could not be read", extra={"reason": type(error).__name__})
        return None
    return OutsidePicture(url, kind, content if len(content) <= MAX_BYTES else b"")


def is_in_bucket(uri: str) -> bool:
    return _URI.fullmatch(uri) is not None


def can_read() -> bool:
    """Only where files are in a bucket, as in production: `make run` has no credentials."""
    return isinstance(default_storage, Bucket)


def _our_bucket() -> str:
    storage: Any = default_storage
    return str(storage.bucket_name)


@cache
def _client() -> Any:
    return boto3.session.Session().client("s3", config=_CONFIG)
