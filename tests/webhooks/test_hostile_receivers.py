"""Receivers that fail, hang, lie about lengths, redirect, or lead to private addresses."""

from __future__ import annotations

import socket
import time
from typing import Any

import pytest

from dashboard.platform.due import runner
from dashboard.platform.webhooks import receiver
from dashboard.platform.webhooks.items import DeliveryState
from dashboard.platform.webhooks.receiver import SendError, is_allowed_url
from dashboard.table import keys
from tests.attacks.outside_host import NAME, OutsideHost, http, redirect
from tests.bookings.bookable_business import at, book
from tests.webhooks.factories import URL, create_webhook, deliveries_of, run_hooks

PRIVATE = [
    *("127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"),
    *("::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1"),
]


def send_one() -> dict[str, Any]:
    """Send an event; the log of the attempt."""
    webhook = create_webhook()
    book(at(9))
    results = run_hooks()
    assert not any(each.startswith("failed ") and "Error" in each for each in results), results
    (delivery,) = deliveries_of(webhook)
    attempt: dict[str, Any] = delivery.attempts[-1]
    return attempt | {"state": delivery.state}


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_with_a_private_address_is_not_contacted(host: OutsideHost, address: str) -> None:
    host.names[NAME] = [[address]]
    attempt = send_one()
    assert attempt["error"] == SendError.NOT_PUBLIC and "status" not in attempt
    assert host.connections == [] and host.requests == []
    assert attempt["state"] == DeliveryState.QUEUED, "nothing is lost"


def test_a_name_with_a_public_and_a_private_address_is_not_contacted(host: OutsideHost) -> None:
    host.names[NAME] = [["93.184.216.34", "10.0.0.1"]]
    assert send_one()["error"] == SendError.NOT_PUBLIC
    assert host.connections == []


def test_a_name_that_changes_to_a_private_address_after_the_check_gains_nothing(host: OutsideHost) -> None:
    host.names[NAME] = [["93.184.216.34"], ["127.0.0.1"]]
    attempt = send_one()
    assert attempt["state"] == DeliveryState.DELIVERED
    assert [address for address, _port in host.connections] == ["93.184.216.34"]
    assert host.lookups == [NAME], "it is looked up once"


@pytest.mark.parametrize(
    "to", ["http://127.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://pics.example.com/other", "/other"]
)
def test_a_redirect_is_not_followed(host: OutsideHost, to: str) -> None:
    host.answers["/hook"] = redirect(to)
    host.answers["/other"] = http(b"ok")
    attempt = send_one()
    assert (attempt["error"], attempt["status"]) == (SendError.REDIRECT, 302)
    assert len(host.requests) == len(host.connections) == 1


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiver, "MAX_SECONDS", 0.5)


def hang(connection: socket.socket) -> None:
    time.sleep(3)


def trickle(connection: socket.socket) -> None:
    """A byte now and then, so that no single read times out."""
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 100:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


def continue_forever(connection: socket.socket) -> None:
    while True:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.02)


@pytest.mark.parametrize("answer", [hang, trickle, continue_forever])
def test_a_receiver_that_hangs_is_left_after_the_time_limit(host: OutsideHost, impatient: None, answer: Any) -> None:
    host.answers["/hook"] = answer
    started = time.monotonic()
    attempt = send_one()
    assert attempt["error"] == SendError.TOO_SLOW and attempt["state"] == DeliveryState.QUEUED
    assert time.monotonic() - started < 2.5


def test_a_receiver_that_hangs_costs_one_wait_for_all_its_deliveries(host: OutsideHost, impatient: None) -> None:
    host.answers["/hook"] = hang
    host.answers["/other"] = http(b"ok")
    create_webhook()
    other = create_webhook("andina", "http://pics.example.com/other")
    for hour in range(5):
        book(at(9 + hour))
    list(runner.run(queue=keys.DUE_OUTBOX))
    started = time.monotonic()
    list(runner.run(queue=keys.DUE_HOOK))
    assert time.monotonic() - started < 2.5
    assert {each.state for each in deliveries_of(other)} == {DeliveryState.DELIVERED}


def test_other_queues_do_not_wait_for_webhooks(host: OutsideHost) -> None:
    """Queueing a delivery contacts nobody, and the deliveries are in a queue of their own."""
    host.answers["/hook"] = hang
    create_webhook()
    book(at(9))
    list(runner.run())
    assert [each.text for each in runner.run(queue=keys.DUE_OUTBOX)] == ["queued 1 for webhooks"]
    list(runner.run(queue=keys.DUE_MAIL))
    assert host.connections == []


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + b"x" * 100_000,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\nx",
        http(b"", status="204 No Content", length=False),
    ],
    ids=["too long", "negative", "too short", "endless chunk", "no content"],
)
def test_the_status_counts_whatever_the_length_says(host: OutsideHost, answer: bytes) -> None:
    host.answers["/hook"] = answer
    assert send_one()["state"] == DeliveryState.DELIVERED


def test_of_an_error_only_the_beginning_is_read_and_kept(host: OutsideHost) -> None:
    host.answers["/hook"] = http(b"\x00\x1b[31m" + b"A" * 1_000_000, status="500 Oops")
    attempt = send_one()
    assert attempt["status"] == 500 and len(attempt["answer"]) <= receiver.MAX_SHOWN
    assert "\x1b" not in attempt["answer"] and "\x00" not in attempt["answer"]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"garbage\r\n\r\n",
        b"HTTP/1.1 99999 What\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 70_000,
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 300 + b"\r\n",
    ],
    ids=["nothing", "no HTTP", "status", "long header", "many headers"],
)
def test_an_answer_that_is_no_http_is_a_failure(host: OutsideHost, answer: bytes) -> None:
    host.answers["/hook"] = lambda connection: connection.sendall(answer)
    attempt = send_one()
    assert attempt["error"] in {SendError.BAD_ANSWER, SendError.UNREACHABLE}
    assert attempt["state"] == DeliveryState.QUEUED


def test_a_compressed_answer_is_not_decompressed(host: OutsideHost) -> None:
    host.answers["/hook"] = http(b"\x1f\x8b" + b"0" * 100, "Content-Encoding: gzip", status="500 Oops")
    assert len(send_one()["answer"]) <= 110
    assert host.headers()["accept-encoding"] == "identity"


def test_an_unknown_host_is_a_failure(host: OutsideHost) -> None:
    host.names[NAME] = [[]]
    assert send_one()["error"] == SendError.UNKNOWN_HOST


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.com/", "ftp://example.com/", "https://", "https://example.com:8443/", "//example.com/"),
        *("https://user:pass@example.com/", "https://user@example.com/", "https://localhost/", "https://LOCALHOST./"),
        *(
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://10.0.0.1/",
            "https://169.254.169.254/",
            "https://2130706433/",
        ),
        *(
            "https://0x7f.0.0.1/",
            "https://0x7f000001/",
            "https://127.1/",
            "https://printer.local/",
            "https://db.internal/",
        ),
        *("https://intranet/", "https://exa mple.com/", "javascript:alert(1)", "https://[fe80::1%25eth0]/"),
    ],
)
def test_a_url_that_cannot_be_a_receiver_is_refused_when_it_is_saved(url: str) -> None:
    assert not is_allowed_url(url)


@pytest.mark.parametrize(
    "url",
    ["https://example.com/hook?x=1", "https://example.com:443/", "https://bücher.example/", "https://93.184.216.34/"],
)
def test_a_public_url_can_be_a_receiver(url: str) -> None:
    assert is_allowed_url(url)


def test_the_message_goes_to_the_path_with_its_query(host: OutsideHost) -> None:
    host.answers["/hook?a=1"] = http(b"ok")
    webhook = create_webhook("andina", URL + "?a=1")
    book(at(9))
    run_hooks()
    assert deliveries_of(webhook)[0].state == DeliveryState.DELIVERED
