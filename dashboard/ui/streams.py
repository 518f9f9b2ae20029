"""Answers that are written while they are read: long files that never stand in memory as a whole."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator
from contextvars import Context, copy_context

from django.http import HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header

logger = logging.getLogger("trastienda.streams")


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
    return StreamingHttpResponse(_steps(context, first, parts, broken), content_type=content_type, headers=headers)


def _steps(context: Context, first: str, parts: Generator[str], broken: str) -> Iterator[str]:
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
