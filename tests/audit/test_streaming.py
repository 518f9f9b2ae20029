"""A file is written while it is read, within what the request was bound to, and one that breaks looks broken."""

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


def add(count: int, business: str = "") -> None:
    put_all(raw_entry(START + timedelta(seconds=n), f"n{n:06}", business=business) for n in range(count))


def answer(request: HttpRequest, parts: Generator[str], broken: str = "") -> Any:
    return streamed(request, parts, name="x.csv", content_type="text/csv; charset=utf-8", broken=broken)


@pytest.fixture
def request_() -> HttpRequest:
    return RequestFactory().get("/")


def test_a_step_that_reaches_for_another_tenant_is_refused_while_it_streams(
    as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the real middleware: the request is over when the second step is made."""
    add(5, "andina")
    add(5, "harbour")
    real = queries.trail

    def astray(business: str, wanted: AuditFilter) -> Generator[str]:
        yield f"{len(real(business, wanted).items)} of its own"
        yield f"{len(real('harbour', wanted).items)} of the neighbour's"

    monkeypatch.setattr(export, "lines", astray)
    response = as_owner.get("/b/andina/audit/export.csv")
    assert response.status_code == 200 and tenancy.bound.get() is None
    written = iter(response.streaming_content)  # type: ignore[attr-defined]
    assert next(written) == b"5 of its own"
    rest = []
    with pytest.raises(tenancy.ForeignTenant):
        for part in written:
            rest.append(part)
    assert b"of the neighbour's" not in b"".join(rest)


def test_without_the_binding_the_same_step_would_have_read_it(as_owner: Client) -> None:
    """What the test above shows is the helper's doing."""
    add(5, "harbour")
    assert len(queries.trail("harbour", AuditFilter()).items) == 5


def test_no_step_can_scan(table: str, request_: HttpRequest) -> None:
    def scans() -> Generator[str]:
        yield "first"
        connected().scan()
        yield "everything"

    with guards.serving_request():
        response = answer(request_, scans())
    written = iter(response.streaming_content)
    assert next(written) == b"first"
    next(written)
    with pytest.raises(guards.ScanRefused, match="query an index"):
        next(written)


def test_language_zone_and_log_stay_the_requests(table: str, request_: HttpRequest) -> None:
    def tells() -> Generator[str]:
        yield "first"
        queries.trail("", AuditFilter())
        yield f"{translation.get_language()} {timezone.get_current_timezone_name()}"

    with oplog.recording() as log, translation.override("es"), timezone.override("Asia/Tokyo"):
        response = answer(request_, tells())
    assert b"".join(response.streaming_content) == b"firstes Asia/Tokyo"
    assert [call.pattern for call in log.calls] == ["dashboard.platform.audit.queries.trail"]
    assert timezone.get_current_timezone_name() == "UTC"


def test_it_is_read_page_by_page_as_it_is_written(as_admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "AT_ONCE", 10)
    add(95)
    response = as_admin.get("/audit/export.csv?until=2025-12-31")
    log = calls_of(response)
    queried = [[call.operation for call in log.calls].count("Query")]
    for part in response.streaming_content:  # type: ignore[attr-defined]
        assert part.count(b"\r\n") <= 11
        queried.append([call.operation for call in log.calls].count("Query"))
    assert queried == [1, *range(1, 11)], "each page is asked for when the one before has been sent"


def test_compressed_it_still_comes_in_pieces(as_admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "AT_ONCE", 10)
    add(95)
    response = as_admin.get("/audit/export.csv?until=2025-12-31", headers={"Accept-Encoding": "br, gzip"})
    assert response.headers["Content-Encoding"] == "gzip" and "Accept-Encoding" in response.headers["Vary"]
    log, unpack = calls_of(response), zlib.decompressobj(wbits=31)
    lines: dict[int, int] = {}
    for part in response.streaming_content:  # type: ignore[attr-defined]
        lines[len(log.calls)] = lines.get(len(log.calls), 0) + unpack.decompress(part).count(b"\r\n")
    assert lines == {2: 11, **dict.fromkeys(range(3, 11), 10), 11: 5}, "lines arrive as their page is read"
    assert unpack.eof


@pytest.mark.parametrize(("accepts", "packed"), [("gzip", True), ("br, gzip", True), ("br", False), ("", False)])
def test_it_is_compressed_for_those_who_can_read_it(as_admin: Client, accepts: str, packed: bool) -> None:
    response = as_admin.get("/audit/export.csv", headers={"Accept-Encoding": accepts})
    sent = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert (response.headers.get("Content-Encoding") == "gzip") is packed
    assert (gzip.decompress(sent) if packed else sent).startswith(b"\xef\xbb\xbftime,scope,")


def break_after(monkeypatch: pytest.MonkeyPatch, pages: int) -> None:
    """The table stops answering after so many pages."""
    real, asked = queries.trail, []

    def failing(*args: Any, **options: Any) -> Page[Any]:
        asked.append(args)
        if len(asked) > pages:
            raise Unavailable
        return real(*args, **options)

    monkeypatch.setattr(queries, "trail", failing)
    monkeypatch.setattr(export, "AT_ONCE", 10)


def test_an_error_before_the_first_line_is_an_ordinary_one(as_admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    break_after(monkeypatch, 0)
    response = as_admin.get("/audit/export.csv")
    assert response.status_code == 503
    assert "Content-Disposition" not in response.headers


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_file_that_breaks_off_does_not_look_whole(
    as_admin: Client, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    add(35)
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


def test_a_reader_who_leaves_ends_the_reading(table: str, request_: HttpRequest) -> None:
    closed = []

    def endless() -> Generator[str]:
        with oplog.attributed_to("within a step"):
            try:
                while True:
                    yield "more"
            finally:
                closed.append(oplog.current_pattern.get())

    response = answer(request_, endless())
    written = iter(response.streaming_content)
    assert [next(written) for _ in range(3)] == [b"more"] * 3
    response.close()
    assert closed == ["within a step"]


def test_a_whole_file_ends_with_its_last_entry(as_admin: Client) -> None:
    add(3)
    assert text_of(as_admin.get("/audit/export.csv?until=2025-12-31")).endswith("2025-09-21T00:00:00Z_n000000\r\n")
