"""Connect your site: the link of the stylesheet, and the check with the protections of outgoing requests."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from django.test import Client

from branding import site_check
from dashboard.web import capacity, outside_files
from tests.attacks.outside_host import NAME, OutsideHost, http, outside_host, redirect
from tests.branding.brand_pages import BRAND
from tests.branding.theme_factory import create_published
from tests.ui.html import form_to, parse

URL = f"{BRAND}connect/"
STYLESHEET = "/api/v1/businesses/andina/theme.css"
LINK = f'<link rel="stylesheet" href="http://testserver{STYLESHEET}">'


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[OutsideHost]:
    with outside_host(monkeypatch) as found:
        yield found


def check(browser: Client, address: str = f"http://{NAME}/") -> tuple[int, str]:
    form = form_to(parse(browser.get(URL)).one("main"), URL)
    answer = form.send(browser, values={"site": address})
    page = parse(answer).one("main")
    notices = [each.text for each in page.by_class("notice")]
    return answer.status_code, " ".join(notices) or page.text


def test_the_page_shows_the_stylesheet_link(as_owner: Client) -> None:
    page = parse(as_owner.get(URL)).one("main")
    assert page.one("input", id="stylesheet").attrs["value"] == LINK
    assert "No version is live yet" in page.text
    create_published("andina")
    assert "No version is live yet" not in parse(as_owner.get(URL)).one("main").text
    assert URL in [each.attrs.get("href") for each in parse(as_owner.get(BRAND)).one("main").all("a")]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<html><head>{LINK}</head>", "is connected"),
        (f"<link href='//testserver{STYLESHEET}?v=2' rel='preload StyleSheet'>", "is connected"),
        (f"<base href='http://testserver/x/'><link rel=stylesheet href='{STYLESHEET}'>", "is connected"),
        (f"<link rel='icon' href='http://testserver{STYLESHEET}'>", "does not contain the link"),
        (f"<!-- {LINK} -->", "does not contain the link"),
        ("<link rel=stylesheet href='http://testserver/api/v1/businesses/other/theme.css'>", "does not contain"),
        ("<link rel=stylesheet href='http://[broken'>", "does not contain the link"),
        ("\x00\x01 not html", "does not contain the link"),
    ],
)
def test_the_check_finds_the_link(as_owner: Client, host: OutsideHost, html: str, expected: str) -> None:
    host.answers["/"] = http(html.encode(), "Content-Type: text/html")
    status, text = check(as_owner)
    assert status == 200 and expected in text
    assert "cookie" not in host.headers() and "referer" not in host.headers()


def test_private_addresses_bad_input_and_failures_are_explained(
    as_owner: Client, host: OutsideHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.names["inside.example.com"] = [["10.0.0.8"]]
    host.answers["/away"] = redirect("http://169.254.169.254/latest/")
    host.answers["/large"] = http(b"x" * 2000)
    monkeypatch.setattr(outside_files, "MAX_BYTES", 1000)
    for address in ("http://inside.example.com/", f"http://{NAME}/away", "http://127.0.0.1/", "http://[::1]/"):
        assert "not on the public internet" in check(as_owner, address)[1], address
    assert "larger than 5 MB" in check(as_owner, f"http://{NAME}/large")[1]
    assert "There is no page at this address" in check(as_owner, f"http://{NAME}/missing")[1]
    for address in ("file:///etc/passwd", "http://user:secret@example.com/", f"http://{NAME}:8080/", "a b"):
        assert "not the address of a website" in check(as_owner, address)[1], address
    assert check(as_owner, "")[0] == 422
    assert {address for address, _port in host.connections} == {"93.184.216.34"}


def test_a_get_contacts_nobody_and_the_share_of_expensive_work_is_bounded(
    as_owner: Client, host: OutsideHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_owner.get(f"{URL}?site=http://{NAME}/")
    assert host.lookups == []
    form = form_to(parse(as_owner.get(URL)).one("main"), URL)
    monkeypatch.setattr(capacity, "share", capacity.Share(lambda: 0, lambda: 1))
    assert form.send(as_owner, values={"site": f"http://{NAME}/"}).status_code == 503
    assert host.lookups == []


def test_a_page_with_long_addresses_is_checked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Joining addresses takes time that grows with their length."""
    page = f"<base href='http://x/{'a/' * 10_000}'>" + "<link rel=stylesheet href=b>" * 10_000
    monkeypatch.setattr(site_check, "fetch", lambda address, accept: page.encode())
    joined: list[str] = []

    def join(base: str, address: str) -> str:
        joined.append(base)
        return urljoin(base, address)

    monkeypatch.setattr(site_check, "urljoin", join)
    assert site_check.check_site("https://example.com/", STYLESHEET)[0] == site_check.SiteState.NOT_LINKED
    assert len(joined) <= site_check.MAX_LINKS + 1 and max(map(len, joined)) <= site_check.MAX_ADDRESS
