"""Streaming of an export: it keeps the context of the request, and an interrupted file says that it is incomplete."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Generator
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils import timezone, translation

from dashboard.core.errors import Unavailable
from dashboard.platform.audit import export, queries
from dashboard.platform.audit.queries import AuditFilter
from dashboard.table import guards, oplog, tenancy
from dashboard.table.connection import table as connected
from dashboard.table.read import Page
from dashboard.web.streams import streamed
from tests.audit.entries import put_all, raw_entry, text_of, utc
from tests.ui.walk import calls_of

START = utc("2025-09-21T00:00:00")


def add_entries(count: int, business: str = "") -> None:
    put_all(raw_entry(START + timedelta(seconds=n), f"n{n:06}", business=business) for n in range(count))


def stream_response(request: HttpRequest, parts: Generator[str], broken: str = "") -> Any:
    return streamed(request, parts, name="x.csv", content_type="text/csv; charset=utf-8", broken=broken)


@pytest.fixture
def http_request() -> HttpRequest:
    return RequestFactory().get("/")


def test_reading_another_business_is_refused_while_streaming(as_owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses the real middleware. The request is over when the second part is generated."""
    add_entries(5, "andina")
    add_entries(5, "harbour")
    real = queries.trail

    def read_two_businesses(business: str, filters: AuditFilter) -> Generator[str]:
        yield f"{len(real(business, filters).items)} of its own"
        yield f"{len(real('harbour', filters).items)} of the neighbour's"

    monkeypatch.setattr(export, "lines", read_two_businesses)
    response = as_owner.get("/b/andina/audit/export.csv")
    assert response.status_code == 200 and tenancy.bound.get() is None
    written = iter(response.streaming_content)  # type: ignore[attr-defined]
    assert next(written) == b"5 of its own"
    rest = []
    with pytest.raises(tenancy.ForeignTenant):
        for part in written:
            rest.append(part)
    assert b"of the neighbour's" not in b"".join(rest)


def test_without_the_binding_another_business_can_be_read(as_owner: Client) -> None:
    """Shows that the binding of `streamed` causes the refusal in the test above."""
    add_entries(5, "harbour")
    assert len(queries.trail("harbour", AuditFilter()).items) == 5


def test_scanning_is_refused_while_streaming(table: str, http_request: HttpRequest) -> None:
    def scan_table() -> Generator[str]:
        yield "first"
        connected().scan()
        yield "everything"

    with guards.serving_request():
        response = stream_response(http_request, scan_table())
    written = iter(response.streaming_content)
    assert next(written) == b"first"
    next(written)
    with pytest.raises(guards.ScanRefused, match="query an index"):
        next(written)


def test_streaming_keeps_language_time_zone_and_log_of_the_request(table: str, http_request: HttpRequest) -> None:
    def read_language_and_zone() -> Generator[str]:
        yield "first"
        queries.trail("", AuditFilter())
        yield f"{translation.get_language()} {timezone.get_current_timezone_name()}"

    with oplog.recording() as log, translation.override("es"), timezone.override("Asia/Tokyo"):
        response = stream_response(http_request, read_language_and_zone())
    assert b"".join(response.streaming_content) == b"firstes Asia/Tokyo"
    assert [call.pattern for call in log.calls] == ["dashboard.platform.audit.queries.trail"]
    assert timezone.get_current_timezone_name() == "UTC"


def test_each_page_is_read_when_the_previous_one_was_sent(as_admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "AT_ONCE", 10)
    add_entries(95)
    response = as_admin.get("/audit/export.csv?until=2025-12-31")
    log = calls_of(response)
    queried = [[call.operation for call in log.calls].count("Query")]
    for part in response.streaming_content:  # type: ignore[attr-defined]
        assert part.count(b"\r\n") <= 11
        queried.append([call.operation for call in log.calls].count("Query"))
    assert queried == [1, *range(1, 11)], "each page is read after the previous one was sent"


def test_a_compressed_export_is_still_streamed(as_admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "AT_ONCE", 10)
    add_entries(95)
    response = as_admin.get("/audit/export.csv?until=2025-12-31", headers={"Accept-Encoding": "br, gzip"})
    assert response.headers["Content-Encoding"] == "gzip" and "Accept-Encoding" in response.headers["Vary"]
    log, unpack = calls_of(response), zlib.decompressobj(wbits=31)
    lines: dict[int, int] = {}
    for part in response.streaming_content:  # type: ignore[attr-defined]
        lines[len(log.calls)] = lines.get(len(log.calls), 0) + unpack.decompress(part).count(b"\r\n")
    assert lines == {3: 11, **dict.fromkeys(range(4, 12), 10), 12: 5}, "lines are sent when their page is read"
    assert unpack.eof


@pytest.mark.parametrize(("accepts", "is_compressed"), [("gzip", True), ("br, gzip", True), ("br", False), ("", False)])
def test_an_export_is_compressed_for_browsers_that_accept_gzip(
    as_admin: Client, accepts: str, is_compressed: bool
) -> None:
    response = as_admin.get("/audit/export.csv", headers={"Accept-Encoding": accepts})
    sent = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert (response.headers.get("Content-Encoding") == "gzip") is is_compressed
    assert (gzip.decompress(sent) if is_compressed else sent).startswith(b"\xef\xbb\xbftime,scope,")


def break_after(monkeypatch: pytest.MonkeyPatch, pages: int) -> None:
    """The table stops answering after this number of pages."""
    real, calls = queries.trail, []

    def failing(*args: Any, **options: Any) -> Page[Any]:
        calls.append(args)
        if len(calls) > pages:
            raise Unavailable
        return real(*args, **options)

    monkeypatch.setattr(queries, "trail", failing)
    monkeypatch.setattr(export, "AT_ONCE", 10)


def test_an_error_before_the_first_line_is_an_error_page(as_admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    break_after(monkeypatch, 0)
    response = as_admin.get("/audit/export.csv")
    assert response.status_code == 503
    assert "Content-Disposition" not in response.headers


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_an_interrupted_file_says_that_it_is_incomplete(
    as_admin: Client, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    add_entries(35)
    break_after(monkeypatch, 2)
    response = as_admin.get("/audit/export.csv?until=2025-12-31", headers={"Accept-Encoding": encoding})
    assert response.status_code == 200
    written = []
    with pytest.raises(Unavailable):
        for part in response.streaming_content:  # type: ignore[attr-defined]
            written.append(part)
    sent = b"".join(written)
    if encoding == "gzip":
        with pytest.raises(EOFError):
            gzip.decompress(sent)
        sent = zlib.decompressobj(wbits=31).decompress(sent)
    lines = sent.decode().splitlines()
    assert len(lines) == 1 + 20 + 1
    assert "This file is incomplete" in lines[-1]


def test_closing_the_response_closes_the_generator(table: str, http_request: HttpRequest) -> None:
    closed = []

    def endless() -> Generator[str]:
        with oplog.attributed_to("within a step"):
            try:
                while True:
                    yield "more"
            finally:
                closed.append(oplog.current_pattern.get())

    response = stream_response(http_request, endless())
    written = iter(response.streaming_content)
    assert [next(written) for _ in range(3)] == [b"more"] * 3
    response.close()
    assert closed == ["within a step"]


def test_a_complete_file_ends_with_its_last_entry(as_admin: Client) -> None:
    add_entries(3)
    assert text_of(as_admin.get("/audit/export.csv?until=2025-12-31")).endswith("2025-09-21T00:00:00Z_n000000,\r\n")
