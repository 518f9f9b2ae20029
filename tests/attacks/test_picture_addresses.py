"""Pictures of posts are loaded only from the public internet: never from an address inside our network."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.web import outside_addresses, outside_files
from tests.attacks.forum_pictures import PICTURE, host, marco, posted, problem_of
from tests.attacks.outside_host import NAME, PUBLIC, OutsideHost, http, redirect
from tests.branding.pictures import png

__all__ = ["host", "marco"]

PRIVATE_URLS = [
    "http://127.0.0.1/a.png",
    "http://2130706433/a.png",
    "http://0177.0.0.1/a.png",
    "http://017700000001/a.png",
    "http://0x7f.0x0.0x0.0x1/a.png",
    "http://0x7f000001/a.png",
    "http://127.1/a.png",
    "http://0/a.png",
    "http://１２７.0.0.1/a.png",
    "http://localhost/a.png",
    "http://10.1.2.3/a.png",
    "http://172.16.0.1/a.png",
    "http://192.168.1.1/a.png",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.64.0.1/a.png",
    "http://224.0.0.1/a.png",
    "http://240.0.0.1/a.png",
    "http://255.255.255.255/a.png",
    "https://[::1]/a.png",
    "http://[::]/a.png",
    "http://[::ffff:127.0.0.1]/a.png",
    "http://[::ffff:7f00:1]/a.png",
    "http://[::127.0.0.1]/a.png",
    "http://[64:ff9b::7f00:1]/a.png",
    "http://[64:ff9b:1::a00:1]/a.png",
    "http://[2002:7f00:1::]/a.png",
    "http://[fe80::1]/a.png",
    "http://[fc00::1]/a.png",
    "http://[fd00:ec2::254]/a.png",
    "http://[ff02::1]/a.png",
    "http://[2001:db8::1]/a.png",
]


@pytest.mark.parametrize("url", PRIVATE_URLS)
def test_a_private_address_is_refused_in_every_notation(host: OutsideHost, url: str) -> None:
    with pytest.raises(outside_files.FetchFailed) as failed:
        outside_files.fetch(url)
    assert failed.value.reason in {
        outside_files.FetchFailureReason.NOT_PUBLIC,
        outside_files.FetchFailureReason.UNREACHABLE,
    }
    assert host.connections == []


def test_the_person_reads_that_the_address_is_not_public(marco: Client, host: OutsideHost) -> None:
    assert "not on the public internet" in problem_of(marco.get(posted("http://127.0.0.1/a.png").show_url))
    assert "not on the public internet" in problem_of(marco.get(posted("http://2130706433/a.png").show_url))


def test_only_addresses_of_the_public_internet_are_public() -> None:
    refused = "0.0.0.0 192.0.0.192 192.88.99.1 168.63.129.16 198.18.0.1 203.0.113.9 100.100.100.200 2001::1 3fff::1"
    refused += " 2600::1%eth0 fec0::1 100::1 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808:: 5f00::1 x "
    for address in [*refused.split(), ""]:
        assert not outside_addresses.is_public(address), address
    for address in (PUBLIC, "8.8.8.8", "172.32.0.1", "2606:2800:220:1::1", "2a00:1450::1"):
        assert outside_addresses.is_public(address), address


@pytest.mark.parametrize("address", ["10.0.0.1", "::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "fe80::1%1"])
def test_a_name_with_a_private_address_is_refused_even_if_it_also_has_a_public_one(
    host: OutsideHost, address: str
) -> None:
    host.names[NAME] = [[PUBLIC, address]]
    with pytest.raises(outside_files.FetchFailed, match="not public"):
        outside_files.fetch(PICTURE)
    assert host.connections == []


def test_a_name_that_changes_its_address_after_the_check_gains_nothing(host: OutsideHost) -> None:
    host.names[NAME] = [[PUBLIC], ["127.0.0.1"]]
    assert outside_files.fetch(PICTURE) == png()
    assert (host.lookups, host.connections) == ([NAME], [(PUBLIC, 80)])


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.1/", "http://[::1]/", "//169.254.169.254/x", "http://inside.example.com/", "http://0x7f1/"],
)
def test_a_redirect_to_a_private_address_is_refused(host: OutsideHost, target: str) -> None:
    host.names["inside.example.com"] = [["10.0.0.8"]]
    host.answers["/a.png"] = redirect(target)
    with pytest.raises(outside_files.FetchFailed, match="not public"):
        outside_files.fetch(PICTURE)
    assert host.connections == [(PUBLIC, 80)]


def test_a_redirect_to_the_same_name_is_checked_again(host: OutsideHost) -> None:
    host.names[NAME] = [[PUBLIC], ["127.0.0.1"]]
    host.answers["/a.png"] = redirect("/b.png")
    with pytest.raises(outside_files.FetchFailed, match="not public"):
        outside_files.fetch(PICTURE)
    assert host.connections == [(PUBLIC, 80)]


BAD_URLS = [
    *("http://pics.example.com:8000/", "https://pics.example.com:80/", "http://pics.example.com:22/"),
    *("ftp://pics.example.com/", "file:///etc/passwd", "gopher://pics.example.com/", "data:image/png;base64,"),
    *("http://a:b@pics.example.com/", "http://pics.example.com:x/", "http://[::1/", "http://a b.example.com/"),
    *(f"http://{'a' * 64}.example.com/", "http://a..example.com/", "http://[fe80::1%25eth0]/"),
]


@pytest.mark.parametrize("url", BAD_URLS)
def test_only_web_addresses_on_the_usual_ports_are_loaded(host: OutsideHost, url: str) -> None:
    host.answers["/a.png"] = redirect(url)
    for address in (url, PICTURE):
        with pytest.raises(outside_files.FetchFailed):
            outside_files.fetch(address)
    assert set(host.connections) <= {(PUBLIC, 80)} and len(host.requests) <= 2


def test_three_redirects_are_followed_and_a_fourth_is_not(marco: Client, host: OutsideHost) -> None:
    for number in range(1, 4):
        host.answers[f"/{number}"] = redirect(f"/{number - 1}")
    host.answers["/0"] = http(png())
    assert marco.get(posted(f"http://{NAME}/3").show_url).status_code == 200
    host.answers["/4"] = redirect("/3")
    assert "too often" in problem_of(marco.get(posted(f"http://{NAME}/4").show_url))


def test_a_secure_connection_is_made_to_the_checked_address_for_the_name(marco: Client, host: OutsideHost) -> None:
    """The host does not speak TLS here. Its name is in the first message of the handshake."""
    assert "cannot be reached" in problem_of(marco.get(posted(f"https://{NAME}/a.png").show_url))
    assert host.connections == [(PUBLIC, 443)]
    assert NAME.encode() in host.requests[0] and b"GET" not in host.requests[0]
