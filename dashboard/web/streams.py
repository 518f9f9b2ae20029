"""Streamed downloads: long files that are never in memory as a whole."""

from __future__ import annotations

import logging
import re
import zlib
from collections.abc import Generator
from contextlib import closing
from contextvars import Context, copy_context

from django.http import HttpRequest, StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.http import content_disposition_header

logger = logging.getLogger("trastienda.streams")
_GZIP = re.compile(r"\bgzip\b")


def streamed(
    request: HttpRequest, parts: Generator[str], *, name: str, content_type: str, broken: str = ""
) -> StreamingHttpResponse:
    """Send a file part by part, in the context of the request.

    The middleware has returned when the parts are made. Its context (business, refusal of scans, op log, language and
    time zone) is therefore copied.

    The first part is built immediately, so that an earlier error is an ordinary error page. After a later error the
    file ends with the line `broken` and the connection is closed, so that the file does not look complete.
    """
    headers = {
        "Content-Disposition": content_disposition_header(True, name) or "attachment",
        # A proxy must not wait for the end of the file.
        "X-Accel-Buffering": "no",
    }
    context = copy_context()
    first = context.run(next, parts, "")
    if request.method == "HEAD":
        context.run(parts.close)
        return StreamingHttpResponse((), content_type=content_type, headers=headers)
    steps = _steps(context, first, parts, broken)
    compress = _GZIP.search(request.headers.get("Accept-Encoding", "")) is not None
    if compress:
        headers["Content-Encoding"] = "gzip"
    response = StreamingHttpResponse(
        _compressed(steps) if compress else steps, content_type=content_type, headers=headers
    )
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _compressed(steps: Generator[str]) -> Generator[bytes]:
    """Compress each part at once. Django's middleware would wait for some thousand lines before the first byte."""
    gzip = zlib.compressobj(wbits=31)
    with closing(steps):
        for part in steps:
            yield gzip.compress(part.encode()) + gzip.flush(zlib.Z_SYNC_FLUSH)
    yield gzip.flush()


def _steps(context: Context, first: str, parts: Generator[str], broken: str) -> Generator[str]:
    try:
        part: str | None = first
        while part is not None:
            yield part
            part = context.run(next, parts, None)
    except Exception:
        context.run(logger.exception, "a file broke off while it was written")
        yield broken
        raise
    finally:
        context.run(parts.close)
