"""A server with more requests than it can serve refuses some at once, and works for nobody who has left."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest

from tests.attacks.server import PRODUCT, SLOW_APPLICATION, Server, start_server


@pytest.fixture(scope="module")
def small() -> Iterator[Server]:
    """One thread, and room for two requests that wait for it."""
    with start_server(SLOW_APPLICATION, threads=1, SERVER_QUEUE=2, SERVER_QUEUE_SECONDS=30) as server:
        yield server


def test_a_request_beyond_the_queue_is_refused_at_once(small: Server) -> None:
    """It is answered before the request that occupies the only thread."""
    with small.connect() as first, small.connect() as second, small.connect() as third:
        first.request("/wait/1.5")
        time.sleep(0.3)
        second.request("/wait/0")
        third.request("/wait/0")
        time.sleep(0.3)
        refused = small.get("/wait/0")
        assert (refused.status, refused.headers["retry-after"]) == (503, "5")
        first.socket.settimeout(0.01)
        with pytest.raises(TimeoutError):
            first.response()
        first.socket.settimeout(30)
        assert [client.response().status for client in (first, second, third)] == [200, 200, 200]


def test_a_request_whose_client_has_left_is_dropped(small: Server) -> None:
    with small.connect() as first:
        first.request("/wait/1")
        time.sleep(0.2)
        with small.connect() as impatient:
            impatient.request("/wait/0/impatient")
            time.sleep(0.2)
        assert first.response().status == 200
    assert b"impatient" not in small.get("/started").body


def test_clients_that_have_left_take_no_place_in_the_queue(small: Server) -> None:
    with small.connect() as first:
        first.request("/wait/1.5")
        time.sleep(0.2)
        with small.connect() as second, small.connect() as third:
            second.request("/wait/0")
            third.request("/wait/0")
            time.sleep(0.2)
        assert small.get("/wait/0").status == 200
        assert first.response().status == 200


def test_a_request_that_waited_too_long_is_refused() -> None:
    with (
        start_server(SLOW_APPLICATION, threads=1, SERVER_QUEUE_SECONDS=1) as server,
        server.connect() as first,
        server.connect() as second,
    ):
        first.request("/wait/3")
        time.sleep(0.2)
        second.request("/wait/0/late")
        assert second.response().status == 503
        assert first.response().status == 200
        assert b"late" not in server.get("/started").body


def test_a_request_that_would_wait_too_long_is_refused_at_once() -> None:
    """It is answered before the request that was in the queue before it."""
    with (
        start_server(SLOW_APPLICATION, threads=1, SERVER_QUEUE_SECONDS=4) as server,
        server.connect() as first,
        server.connect() as second,
    ):
        first.request("/wait/3.5")
        time.sleep(0.2)
        second.request("/wait/0")
        time.sleep(2.3)
        assert server.get("/wait/0").status == 503
        assert [first.response().status, second.response().status] == [200, 200]


def test_the_refusal_is_a_page_in_the_language_of_its_reader() -> None:
    """For htmx it is a toast, for the API JSON. None of them needs a thread or the table."""
    with start_server(PRODUCT, threads=1, SERVER_QUEUE=0) as server:
        english, spanish = server.get("/login/"), server.get("/login/", headers="Accept-Language: es\r\n")
        toast = server.get("/login/", headers="HX-Request: true\r\n")
        program = server.get("/api/v1/whoami")
        assert [each.status for each in (english, spanish, toast, program)] == [503] * 4
        assert b"Nothing was changed." in english.body
        assert '<html lang="es"' in spanish.body.decode()
        assert b"<html" not in toast.body and b"data-toast" in toast.body
        assert json.loads(program.body)["code"] == "busy"
        assert "default-src" in english.headers["content-security-policy"]
        assert server.get("/livez").status == 200
