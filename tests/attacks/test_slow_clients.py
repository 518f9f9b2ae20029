"""Clients that send or read slowly do not keep others waiting."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import pytest

from dashboard.server.connections import network_of
from tests.attacks.server import SLOW_APPLICATION, SLOW_HOST, Server, sending_slowly, slow_sockets, start_server
from tests.project_copy import ROOT

# A page of the product that needs no table.
PAGE = "/login/"
HALF_A_HEAD = b"GET /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
HALF_A_BODY = b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nemail="
NOTHING = b""


@pytest.fixture(scope="module")
def product() -> Iterator[Server]:
    """As many workers and threads as `make serve` starts."""
    with start_server(workers=2, threads=8) as server:
        # Each worker renders its first page.
        for _ in range(10):
            server.get(PAGE)
        yield server


@pytest.fixture(scope="module")
def hasty() -> Iterator[Server]:
    """A server that gives up soon, and has one thread."""
    with start_server(SLOW_APPLICATION, threads=1, SERVER_HEAD_SECONDS=1, SERVER_STALL_SECONDS=1) as server:
        yield server


@pytest.mark.parametrize("begin", [HALF_A_HEAD, HALF_A_BODY, NOTHING], ids=["head", "body", "nothing"])
@pytest.mark.parametrize("count", [16, 64, 200])
def test_other_clients_are_served_while_slow_sockets_are_open(product: Server, count: int, begin: bytes) -> None:
    def measure() -> float:
        before = product.median_seconds(PAGE)
        clients = slow_sockets(product, count, begin)
        with sending_slowly(clients if begin else []):
            during = product.median_seconds(PAGE)
        for client in clients:
            client.socket.close()
        return during / before

    # A machine that does something else meanwhile spoils a round, but not all of them.
    assert any(measure() < 2 for _ in range(5))


def test_a_client_that_sends_byte_after_byte_is_closed(hasty: Server) -> None:
    """Each byte is progress, but the headers as a whole have a deadline, and the body a rate."""
    for begin in (HALF_A_HEAD, HALF_A_BODY):
        with hasty.connect() as client:
            client.send(begin)
            started = time.monotonic()
            while not client.is_closed_within(0.1):
                client.send(b"a")
                assert time.monotonic() - started < 10


def test_a_slow_client_is_told_that_it_is_slow(hasty: Server) -> None:
    with hasty.connect() as client:
        client.send(HALF_A_HEAD)
        assert client.response().status == 408


def test_a_body_that_arrives_in_pieces_is_complete(hasty: Server) -> None:
    with hasty.connect() as client:
        client.send(b"POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 400000\r\nExpect: 100-continue\r\n\r\n")
        assert client.response().status == 100
        for _ in range(8):
            client.send(b"x" * 50_000)
            time.sleep(0.05)
        assert client.response().body == b"400000"
        # The connection stays open for the next requests, also for two in one piece.
        client.send(b"GET /length HTTP/1.1\r\nHost: a\r\n\r\n" * 2)
        first = client.socket.recv(65536)
        while first.count(b"HTTP/1.1 200 OK") < 2:
            first += client.socket.recv(65536)


def test_one_address_has_a_limited_number_of_slow_connections() -> None:
    """The oldest are closed; those of other addresses and those between two requests stay."""
    with start_server(SLOW_APPLICATION, SERVER_PER_ADDRESS=5, SERVER_SLOW_SECONDS=0.2) as server:
        idle = [server.connect(SLOW_HOST) for _ in range(9)]
        for client in (other := server.connect(), *idle):
            client.request("/wait/0")
            assert client.response().status == 200
        clients = slow_sockets(server, 9, HALF_A_HEAD)
        time.sleep(1)
        assert [client.is_closed_within(0.05) for client in clients] == [True] * 4 + [False] * 5
        for client in (other, *idle):
            client.request("/wait/0")
            assert client.response().status == 200
            client.socket.close()


def test_behind_a_proxy_all_clients_have_its_address_and_none_is_closed() -> None:
    with start_server(SLOW_APPLICATION, TRUSTED_PROXIES=1) as server:
        clients = slow_sockets(server, 60, HALF_A_HEAD)
        assert not any(client.is_closed_within(0.01) for client in clients)
        for client in clients:
            client.socket.close()


def test_clients_that_do_not_read_their_responses_hold_no_thread() -> None:
    """The only thread is free while three responses of 4 MB wait for their clients, for 20 seconds each."""
    with start_server(SLOW_APPLICATION, threads=1) as server:
        clients = [server.connect(SLOW_HOST, receive_buffer=4096) for _ in range(3)]
        for client in clients:
            client.request("/large/4000000")
        with server.connect(seconds=10) as other:
            other.request("/wait/0")
            assert other.response().status == 200
        for client in clients:
            client.socket.close()


def test_a_large_response_reaches_a_client_that_reads_steadily(hasty: Server) -> None:
    with hasty.connect(receive_buffer=4096) as client:
        client.request("/large/4000000")
        assert len(client.response().body) == 4_000_000


def test_an_endless_response_ends_if_its_client_stops_reading(hasty: Server) -> None:
    with hasty.connect(receive_buffer=4096) as client:
        client.request("/stream")
        assert client.socket.recv(1000)
        # The only thread makes the stream, until the server gives up.
        assert hasty.get("/started").body.endswith(b"stream ended\n/started")


def test_a_body_without_a_length_is_refused(hasty: Server) -> None:
    with hasty.connect() as client:
        client.request("/length", method="POST", headers="Transfer-Encoding: chunked\r\n")
        assert client.response().status == 411


def test_endless_headers_are_refused(hasty: Server) -> None:
    with hasty.connect() as client:
        client.send(b"GET / HTTP/1.1\r\n" + b"X-Long: aaaaaaaaaaaaaaaa\r\n" * 3000)
        assert client.response().status == 431


def test_bodies_that_wait_take_a_limited_amount_of_disk() -> None:
    with start_server(SLOW_APPLICATION, SERVER_INCOMING_BYTES=300_000) as server:
        with server.connect() as first, server.connect() as second:
            begin = b"POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 200001\r\n\r\n" + b"x" * 200_000
            first.send(begin)
            second.send(begin)
            # Whichever came last is refused, and the other one is received.
            time.sleep(0.5)
            for client in (first, second):
                with contextlib.suppress(OSError):
                    client.send(b"x")
            assert sorted(client.response().status for client in (first, second)) == [200, 503]
        # Nothing is left over, once the server has noticed that it has answered.
        time.sleep(0.5)
        with server.connect() as client:
            client.request("/length", method="POST", body=b"x" * 250_000)
            assert client.response().body == b"250000"


def test_what_follows_a_refused_body_is_not_taken_for_a_request(product: Server) -> None:
    with product.connect() as client:
        head = b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50000000\r\n\r\n"
        client.send(head + b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        refused = client.response()
        assert (refused.status, refused.headers["connection"]) == (413, "close")
        assert client.is_closed_within(10)


@pytest.mark.parametrize(
    ("client", "network"),
    [
        (("10.0.0.7", 4000), "10.0.0.7"),
        (("::ffff:10.0.0.7", 4000, 0, 0), "10.0.0.7"),
        (("2001:db8::1:2:3:4", 4000, 0, 0), "2001:db8::/64"),
        (("fe80::1%eth0", 4000, 0, 2), "fe80::/64"),
        ("", ""),
    ],
)
def test_an_address_is_counted_as_one_client_can_have_it(client: Any, network: str) -> None:
    assert network_of(client) == network


def test_make_serve_and_make_run_start_this_server() -> None:
    config = "python:dashboard.server.config"
    serve = (ROOT / "Makefile").read_text().partition("\nserve:")[2].partition("\n\n")[0]
    assert f"--config {config}" in serve and "--worker-class" not in serve
    assert f"--config={config}" in (ROOT / "dashboard" / "dev" / "__main__.py").read_text()


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(product: Server) -> None:
    with product.connect() as client:
        client.send(b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50000000\r\n\r\nemail=")
        assert client.response().status == 413
