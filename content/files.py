"""The private files of resources, in Django's storage: a bucket on AWS, a folder with `make run`.

The website service names a file `<business>/<id>-<name>`. A file of another business is never read.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from botocore.exceptions import BotoCoreError, ClientError
from django.core.exceptions import SuspiciousOperation
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.signing import BadSignature, TimestampSigner
from django.utils.translation import gettext_lazy as _
from storages.backends.s3 import S3Storage

from dashboard.core.errors import Refused, Unavailable

MAX_BYTES = 10 * 1024 * 1024
# A signed address works for five minutes, like that of the website service.
SIGNED_FOR = 300
MAX_NAME = 80
# A browser saves a file of this type and never opens it.
UNKNOWN_TYPE = "application/octet-stream"
# Folders of the storage that belong to the product.
_OWN_FOLDERS = frozenset({"branding", "site-media"})
_UNUSUAL = re.compile(r"[^\w.()-]+")
_NOT_HERE = _("The file of this resource is not in the storage of this product.")
_EXPIRED = _("This address has expired. Download the file again.")


def clean_name(name: str) -> str:
    """The name of a file without its path and without unusual characters, shortened, with its extension."""
    base = unicodedata.normalize("NFC", name.replace("\\", "/").rpartition("/")[2])
    plain = _UNUSUAL.sub("-", base).strip("-.") or "file"
    stem, dot, extension = plain.rpartition(".")
    suffix = f"{dot}{extension}" if stem and len(extension) <= 8 else ""
    return plain[: MAX_NAME - len(suffix)].removesuffix(suffix) + suffix if suffix else plain[:MAX_NAME]


def key_for(business: str, name: str, content: bytes) -> str:
    """The key of an uploaded file. The same file has the same key, so that sending it twice stores it once."""
    return f"{business}/{hashlib.sha256(content).hexdigest()[:32]}-{clean_name(name)}"


def is_own_key(business: str, key: str | None) -> bool:
    """Whether this is the key of a file of this business."""
    folder, *path = (key or "").split("/")
    is_plain = key is not None and key.isprintable() and "\\" not in key
    return (
        folder == business and folder not in _OWN_FOLDERS and is_plain and bool(path) and not {"", ".", ".."} & {*path}
    )


def put_file(key: str, content: bytes) -> None:
    with _storage_errors():
        default_storage.save(key, ContentFile(content, name=key))


def read_file(key: str) -> bytes | None:
    """The content of a file; None if it does not exist."""
    with _storage_errors():
        try:
            with default_storage.open(key) as file:
                content: bytes = file.read()
                return content
        except FileNotFoundError:
            return None


def signed_address(business: str, key: str | None, name: str, own_address: str) -> str:
    """An address that downloads the file for some minutes: of the bucket, or of this product for a folder."""
    if key is None or not is_own_key(business, key):
        raise Refused(_NOT_HERE)
    with _storage_errors():
        if not default_storage.exists(key):
            raise Refused(_NOT_HERE)
        if isinstance(default_storage, S3Storage):
            storage: Any = default_storage
            headers = {
                "ResponseContentDisposition": attachment(name),
                "ResponseContentType": "application/octet-stream",
            }
            return str(storage.url(key, parameters=headers, expire=SIGNED_FOR))
    return f"{own_address}?signature={quote(_signer().sign(key).removeprefix(key))}"


def read_signed(business: str, key: str | None, signature: str) -> bytes:
    """The content of a file whose address this product has signed."""
    if key is None or not is_own_key(business, key):
        raise Refused(_NOT_HERE)
    try:
        _signer().unsign(key + signature, max_age=SIGNED_FOR)
    except BadSignature:
        raise Refused(_EXPIRED) from None
    content = read_file(key)
    if content is None:
        raise Refused(_NOT_HERE)
    return content


def attachment(name: str) -> str:
    """The header that makes a browser save a file under this name."""
    return f"attachment; filename*=UTF-8''{quote(clean_name(name), safe='')}"


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="content.files")


@contextmanager
def _storage_errors() -> Iterator[None]:
    """A storage that does not respond asks the person to try again."""
    try:
        yield
    except SuspiciousOperation:
        raise Refused(_NOT_HERE) from None
    except (BotoCoreError, ClientError, OSError) as error:
        text = _("The file storage is not responding. Nothing was changed. Try again in a moment.")
        raise Unavailable(text) from error
