"""Receives one request in pieces, as its client sends them, without waiting for any."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import Any

from gunicorn.http.body import Body, ChunkedReader, LengthReader
from gunicorn.http.message import Request
from gunicorn.http.unreader import IterUnreader

_END_OF_HEAD = b"\r\n\r\n"
# A longer body is kept in a temporary file.
_IN_MEMORY = 128 * 1024


class Unacceptable(Exception):
    """A request that is answered with this status and not read any further."""

    def __init__(self, status: str) -> None:
        self.status = status
        super().__init__(status)


class IncomingRequest:
    """The next request of a connection."""

    def __init__(
        self, cfg: Any, client: Any, number: int, *, max_head: int, body_limit: Callable[[str], int | None]
    ) -> None:
        self._cfg, self._client, self._number = cfg, client, number
        self._max_head, self._body_limit = max_head, body_limit
        self._head = bytearray()
        self._body: Any = None
        self._missing = 0
        # gunicorn's request, as soon as the head is complete.
        self.request: Any = None
        self.is_complete = False
        # Bytes of the body so far.
        self.size = 0
        # What the client sent after this request: the start of the next one.
        self.rest = b""

    @property
    def has_begun(self) -> bool:
        return bool(self._head) or self.request is not None

    def add(self, data: bytes) -> None:
        """Add what was received. Raises an error of gunicorn's parser for a malformed head."""
        if self.request is not None:
            self._add_to_body(data)
            return
        searched = max(0, len(self._head) - len(_END_OF_HEAD) + 1)
        self._head += data
        end = self._head.find(_END_OF_HEAD, searched)
        if end < 0:
            if len(self._head) > self._max_head:
                raise Unacceptable("431 Request Header Fields Too Large")
            return
        end += len(_END_OF_HEAD)
        head, rest = bytes(self._head[:end]), bytes(self._head[end:])
        self.request = Request(self._cfg, IterUnreader([head]), self._client, self._number)
        self._begin_body()
        self._add_to_body(rest)

    def take_100_continue(self) -> bool:
        """Whether the client waits for "100 Continue" before it sends the body. True only once."""
        expects = bool(self.request._expected_100_continue)
        # gunicorn would send it again.
        self.request._expected_100_continue = False
        return expects and self._missing > 0

    def close(self) -> None:
        if self._body is not None:
            self._body.close()

    def _begin_body(self) -> None:
        reader = self.request.body.reader
        if isinstance(reader, ChunkedReader):
            # Django reads only bodies whose length is known.
            raise Unacceptable("411 Length Required")
        self._missing = reader.length if isinstance(reader, LengthReader) else 0
        limit = self._body_limit(self.request.path) if self._missing else None
        if limit is not None and self._missing > limit:
            # The application refuses it by its length, without reading it.
            self._missing = 0
            self.request.force_close()
        if self._missing:
            self._body = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 -- closed with the request
        else:
            self._body = BytesIO()
        self.request.body = Body(self._body)

    def _add_to_body(self, data: bytes) -> None:
        part = data[: self._missing]
        self._body.write(part)
        self.size += len(part)
        self._missing -= len(part)
        if self._missing == 0:
            self._body.seek(0)
            # After the last request of a connection nothing counts: it may be a body that was refused.
            self.rest = b"" if self.request.should_close() else data[len(part) :]
            self.is_complete = True
