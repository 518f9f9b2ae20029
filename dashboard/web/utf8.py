"""Refuses requests with bytes that are not valid UTF-8. Django would put question marks in their place.

The path, the query string and the fields of forms are checked, with the names of fields and files. The content of a
file is not: a picture is no text, and the imports read other encodings too.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes

from django.core.exceptions import BadRequest
from django.core.signals import request_started
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase, UnreadablePostError
from django.http.multipartparser import MultiPartParser, MultiPartParserError

RAW_PATH = "trastienda.raw_path"
STRICT = "utf_8_without_replacement"


@codecs.register
def _find_codec(name: str) -> codecs.CodecInfo | None:
    """UTF-8 that never replaces a byte. Django's parser asks for replacement, whatever the encoding."""
    if name != STRICT:
        return None
    return codecs.CodecInfo(
        codecs.utf_8_encode, lambda data, _errors="strict": codecs.utf_8_decode(data, "strict", True), name=STRICT
    )


@receiver(request_started)
def prepare_environ(environ: dict[str, Any] | None = None, **_: object) -> None:
    """Keep the bytes of the path, because Django overwrites them with its own reading.

    The charset that a client names is removed: Django would decode the query string with it before any middleware
    runs, and some charsets cannot decode text at all.
    """
    if environ is not None:
        environ[RAW_PATH] = environ.get("PATH_INFO", "")
        content_type = environ.get("CONTENT_TYPE", "")
        kept = [part for part in content_type.split(";") if not part.strip().lower().startswith("charset")]
        environ["CONTENT_TYPE"] = ";".join(kept)


class RequireUtf8:
    """Answers 400 before the view runs. The body is read only after its size was checked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # The server hands on bytes as Latin-1.
        _require(str(request.META.get(RAW_PATH, "")).encode("latin-1"))
        _require(unquote_to_bytes(str(request.META.get("QUERY_STRING", "")).encode("latin-1")))
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        try:
            _check_body(request)
        except UnreadablePostError as error:
            raise BadRequest("The body ended too early.") from error


def _check_body(request: HttpRequest) -> None:
    if request.content_type == "application/json":
        _require(request.body)
    elif request.method == "POST" and request.content_type == "application/x-www-form-urlencoded":
        _require(unquote_to_bytes(request.body))
    elif request.method == "POST" and request.content_type == "multipart/form-data":
        request.parse_file_upload = _strict_parser(request)  # type: ignore[method-assign, assignment]
        _ = request.POST


def _require(content: bytes) -> None:
    try:
        content.decode()
    except UnicodeDecodeError as error:
        raise BadRequest("This is not valid UTF-8.") from error


# --- Forms with files ----------------------------------------------------------------------------
def _strict_parser(request: HttpRequest) -> Callable[[Any, Any], Any]:
    def parse_file_upload(meta: Any, post_data: Any) -> Any:
        parser = MultiPartParser(meta, post_data, request.upload_handlers, STRICT)
        parser._input_data = _CheckedInput(post_data, parser._boundary)  # type: ignore[attr-defined]
        try:
            return parser.parse()
        except UnicodeDecodeError as error:
            raise MultiPartParserError("A field is not valid UTF-8.") from error

    return parse_file_upload


class _CheckedInput:
    """The body of a form with files. Checks the headers of its parts, which Django ignores if it cannot read them."""

    def __init__(self, body: Any, boundary: bytes) -> None:
        self._body, self._separator = body, b"--" + boundary
        self._unchecked = b""
        self._is_in_header = False

    def read(self, size: int) -> bytes:
        content: bytes = self._body.read(size)
        self._unchecked += content
        while self._check_next():
            pass
        return content

    def _check_next(self) -> bool:
        """Check up to the next end of a header or of a part. False if more bytes are needed for it."""
        end = b"\r\n\r\n" if self._is_in_header else self._separator
        found, separator, rest = self._unchecked.partition(end)
        if not separator:
            if not self._is_in_header:
                self._unchecked = self._unchecked[-len(end) :]
            return False
        if self._is_in_header:
            found.decode()
            if b"*=" in found:
                unquote_to_bytes(found).decode()  # A name as RFC 2231 writes it.
        self._unchecked, self._is_in_header = rest, not self._is_in_header
        return True
