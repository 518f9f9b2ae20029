"""Fetch a file from another host, whose URL was written by somebody else.

The time, the size and the redirects are limited. Each request is made by `outside_connections`, which contacts only
public addresses.
"""

from __future__ import annotations

import http.client
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urljoin

from dashboard.web.outside_addresses import NotPublic, UnknownHost
from dashboard.web.outside_connections import BadUrl, Deadline, Location, request

MAX_SECONDS = 5.0
MAX_BYTES = 5 * 1024 * 1024
MAX_REDIRECTS = 3
_REDIRECTS = {301, 302, 303, 307, 308}
_PART = 64 * 1024


class FetchFailureReason(StrEnum):
    BAD_URL = "bad URL"
    NOT_PUBLIC = "not public"
    UNREACHABLE = "unreachable"
    TOO_SLOW = "too slow"
    TOO_LARGE = "too large"
    TOO_MANY_REDIRECTS = "too many redirects"
    NO_FILE = "no file"


class FetchFailed(Exception):
    def __init__(self, reason: FetchFailureReason) -> None:
        self.reason = reason
        super().__init__(reason.value)


def fetch(url: str, accept: str = "*/*") -> bytes:
    """The content of a file. Raises `FetchFailed`, and nothing else."""
    deadline = Deadline(MAX_SECONDS)
    try:
        for _attempt in range(MAX_REDIRECTS + 1):
            found = _request(Location.of(url), accept, deadline)
            if isinstance(found, bytes):
                return found
            url = _join(url, found.location)
    except FetchFailed:
        raise
    except BadUrl:
        raise FetchFailed(FetchFailureReason.BAD_URL) from None
    except NotPublic:
        raise FetchFailed(FetchFailureReason.NOT_PUBLIC) from None
    except TimeoutError:
        raise FetchFailed(FetchFailureReason.TOO_SLOW) from None
    except (UnknownHost, OSError, http.client.HTTPException, ValueError):
        raise FetchFailed(FetchFailureReason.UNREACHABLE) from None
    raise FetchFailed(FetchFailureReason.TOO_MANY_REDIRECTS)


@dataclass(frozen=True)
class _Redirect:
    location: str


def _join(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        raise FetchFailed(FetchFailureReason.BAD_URL) from None


def _request(location: Location, accept: str, deadline: Deadline) -> bytes | _Redirect:
    with request("GET", location, deadline, {"Accept": accept}) as response:
        return _read(response)


def _read(response: http.client.HTTPResponse) -> bytes | _Redirect:
    if response.status in _REDIRECTS:
        # A header arrives as Latin-1, but addresses are sent as UTF-8.
        header = (response.headers.get("Location") or "").encode("latin-1", "replace").decode("utf-8", "replace")
        if not header:
            raise FetchFailed(FetchFailureReason.NO_FILE)
        return _Redirect(header)
    if response.status != 200:
        raise FetchFailed(FetchFailureReason.NO_FILE)
    if (response.length or 0) > MAX_BYTES:
        raise FetchFailed(FetchFailureReason.TOO_LARGE)
    content = bytearray()
    while part := response.read(_PART):
        content += part
        # The length may be absent or wrong.
        if len(content) > MAX_BYTES:
            raise FetchFailed(FetchFailureReason.TOO_LARGE)
    return bytes(content)
