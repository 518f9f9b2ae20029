"""Receivers with a real TLS server: their certificate must be of the name, and their address the one that was checked.

The authority of the test is trusted through `SSL_CERT_FILE`, as one of a company is (docs/webhooks.md).
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from dashboard.platform.webhooks.items import Delivery, DeliveryState
from dashboard.platform.webhooks.receiver import SendError
from dashboard.web import outside_connections
from tests.attacks.certificates import Authority
from tests.attacks.outside_host import NAME, PUBLIC, OutsideHost
from tests.bookings.bookable_business import at, book
from tests.webhooks.factories import bodies, create_webhook, deliveries_of, run_hooks

URL = f"https://{NAME}/hook"


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Authority]:
    found = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(found.file))
    outside_connections._tls.cache_clear()
    yield found
    outside_connections._tls.cache_clear()


def send_one() -> Delivery:
    webhook = create_webhook("andina", URL)
    book(at(9))
    run_hooks()
    (delivery,) = deliveries_of(webhook)
    return delivery


def test_a_message_arrives_over_tls(host: OutsideHost, authority: Authority) -> None:
    host.use_tls(authority.server_context(NAME))
    assert send_one().state == DeliveryState.DELIVERED
    assert [each["type"] for each in bodies(host)] == ["booking.created"]
    assert host.server_names == [NAME] and host.connections == [(PUBLIC, 443)]


def test_the_connection_is_to_the_address_that_was_checked(host: OutsideHost, authority: Authority) -> None:
    """A second lookup gives another address. The certificate is that of the name all the same."""
    host.names[NAME] = [[PUBLIC], ["127.0.0.1"]]
    host.use_tls(authority.server_context(NAME))
    assert send_one().state == DeliveryState.DELIVERED
    assert host.lookups == [NAME] and host.connections == [(PUBLIC, 443)]


@pytest.mark.parametrize(
    ("name", "ends_in"),
    [("other.example.com", timedelta(days=1)), (f"deep.{NAME}", timedelta(days=1)), (NAME, timedelta(days=-1))],
    ids=["another name", "a name below", "expired"],
)
def test_a_receiver_with_a_wrong_certificate_gets_nothing(
    host: OutsideHost, authority: Authority, name: str, ends_in: timedelta
) -> None:
    host.use_tls(authority.server_context(name, ends_in=ends_in))
    expect_refusal(host)


def test_an_unknown_authority_is_refused(host: OutsideHost, authority: Authority, tmp_path: Path) -> None:
    host.use_tls(Authority(tmp_path, "Other").server_context(NAME))
    expect_refusal(host)


def test_old_versions_of_tls_are_refused(host: OutsideHost, authority: Authority) -> None:
    context = authority.server_context(NAME)
    with pytest.warns(DeprecationWarning):
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    host.use_tls(context)
    expect_refusal(host, SendError.UNREACHABLE)


def test_a_receiver_without_tls_gets_nothing(host: OutsideHost, authority: Authority) -> None:
    expect_refusal(host, SendError.UNREACHABLE, asked=1)
    assert b"booking" not in host.requests[0]


def expect_refusal(host: OutsideHost, error: SendError = SendError.BAD_CERTIFICATE, *, asked: int = 0) -> None:
    delivery = send_one()
    assert delivery.attempts[-1]["error"] == error
    assert delivery.state == DeliveryState.QUEUED, "nothing is lost"
    assert len(host.requests) == asked and host.connections == [(PUBLIC, 443)], "it gets no byte of the message"
