"""Answers that are written while they are read: long files that never stand in memory as a whole."""

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
_PACKS = re.compile(r"\bgzip\b")


def streamed(
    request: HttpRequest, parts: Generator[str], *, name: str, content_type: str, broken: str = ""
) -> StreamingHttpResponse:
    """A file, part by part, each made as if the request were still being served.

    The middleware has returned by then. What it bound (the tenant, the refusal of scans, the op log, language and
    zone) is kept as it was, and every step is made within it.

    The first part is made at once: what goes wrong before it is an ordinary error page. Where it goes wrong later,
    the file ends with the line `broken` and the connection breaks, so that it does not look like a whole one.
    """
    headers = {
        "Content-Disposition": content_disposition_header(True, name) or "attachment",
        # A proxy that waits for the end undoes all of this.
        "X-Accel-Buffering": "no",
    }
    context = copy_context()
    first = context.run(next, parts, "")
    if request.method == "HEAD":
        context.run(parts.close)
        return StreamingHttpResponse((), content_type=content_type, headers=headers)
    steps = _steps(context, first, parts, broken)
    packs = _PACKS.search(request.headers.get("Accept-Encoding", "")) is not None
    if packs:
        headers["Content-Encoding"] = "gzip"
    response = StreamingHttpResponse(_packed(steps) if packs else steps, content_type=content_type, headers=headers)
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _packed(steps: Generator[str]) -> Generator[bytes]:
    """Compressed, each part by itself: Django's middleware holds back some thousand lines before the first byte."""
    pack = zlib.compressobj(wbits=31)
    with closing(steps):
        for part in steps:
            yield pack.compress(part.encode()) + pack.flush(zlib.Z_SYNC_FLUSH)
    yield pack.flush()


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
