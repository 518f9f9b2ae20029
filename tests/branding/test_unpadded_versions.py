"""Versions whose keys lack the leading zeros: `THEME#7`."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from branding import queries
from branding.items import ThemeStatus
from branding.services import drafts, publishing, schedules
from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts.items import Person
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import new_command
from dashboard.table.keypattern import Key
from tests.audit.entries import pages, put_all
from tests.branding import branding_service as service
from tests.branding.brand_pages import BRAND, titles, url_of
from tests.branding.publishing_factory import put_item
from tests.branding.theme_factory import put_theme, raw_theme
from tests.conftest import ACTOR, every_engine, sign_in
from tests.ui.html import parse
from tests.ui.walk import calls_of


def put_unpadded(number: int, **attributes: Any) -> None:
    values = {"type": "THEME", "version": number, "status": "draft", "metadata": {"primaryColor": "#123456"}}
    put_item(Key("BUS#andina", f"THEME#{number}"), **values | attributes)


def raw_unpadded(number: int) -> dict[str, Any]:
    return raw_theme("andina", number) | {"SK": to_attribute(f"THEME#{number}")}


def all_titles(browser: Client, query: str = "") -> list[str]:
    return [title for page in pages(browser, BRAND + query) for title in titles(page)]


def as_text(response: Any) -> str:
    return unescape(response.content.decode())


def versions(*numbers: int) -> list[str]:
    return [f"v{number}" for number in sorted(numbers, reverse=True)]


@every_engine
@pytest.mark.parametrize("query", ["", "?status=drafts"])
def test_they_are_in_the_list_at_their_places(table: str, as_owner: Client, query: str) -> None:
    padded, unpadded = [*range(1, 7), *range(8, 25), 30], [7, 9 * 3, 28, 31, 100]
    put_all(raw_theme("andina", number) for number in padded)
    put_all(raw_unpadded(number) for number in unpadded)
    assert all_titles(as_owner, query) == versions(*padded, *unpadded)


@pytest.mark.parametrize("odd", ["THEME#draft", "THEME#", "THEME#1#2", "THEME#100000000", "THEME#007"])
def test_other_malformed_keys_do_not_disturb_them(as_owner: Client, odd: str) -> None:
    put_all(raw_theme("andina", number) for number in range(10, 30))
    put_unpadded(7)
    put_unpadded(25 + 10)
    put_item(Key("BUS#andina", odd))
    assert all_titles(as_owner) == versions(7, *range(10, 30), 35)


def test_a_number_that_is_also_padded_is_listed_once(as_owner: Client) -> None:
    put_theme("andina", 7, name="Padded")
    put_unpadded(7, name="Unpadded")
    assert all_titles(as_owner) == ["v7 Padded"]
    assert queries.load_theme("andina", 7).name == "Padded"


@pytest.mark.parametrize("act", ["", "preview", "contrast", "publish", "share", "schedule"])
def test_its_pages_open(as_owner: Client, act: str) -> None:
    put_unpadded(7, name="Spring")
    put_theme("andina", 1)
    answer = as_owner.get(url_of(7, act))
    assert answer.status_code == 200
    assert as_owner.get(f"{BRAND}themes/7/preview.css").status_code == 200
    assert as_owner.get(f"{BRAND}compare/?a=1&b=7").status_code == 200
    assert as_owner.get(url_of(8, act)).status_code == 404


@every_engine
def test_it_is_saved_and_discarded_under_its_own_key(table: str, as_owner: Client) -> None:
    put_unpadded(7)
    assert as_owner.post(url_of(7), {"revision": "0", "primaryColor": "#222222"}).status_code == 303
    assert as_owner.post(url_of(7, "discard"), {"revision": "1"}).status_code == 303
    stored = service.stored("THEME#7")
    assert (stored["metadata"]["primaryColor"], stored["status"]) == ("#222222", "discarded")
    assert service.stored("THEME#00000007") == {}


def test_a_draft_is_not_published_but_its_copy_is(as_owner: Client) -> None:
    """Apps that read the marker look for the padded key."""
    put_unpadded(7)
    page = parse(as_owner.get(url_of(7, "publish")))
    assert "Apps cannot find this version" in page.text
    assert not [each for each in page.all("form") if each.attrs.get("action") == url_of(7, "publish")]
    answer = as_owner.post(url_of(7, "publish"), {"expected": "", "contrast": "accepted"})
    assert answer.status_code == 422 and service.live_version() is None
    made = as_owner.post(f"{BRAND}themes/", {"from": "7"})
    assert made.headers["Location"] == url_of(8)
    as_owner.post(url_of(8, "publish"), {"expected": "", "contrast": "accepted"})
    assert service.live_version() == 8


def test_a_version_that_was_live_is_superseded_and_goes_live_again(as_owner: Client) -> None:
    """An outside writer that reads such keys has made it live."""
    put_unpadded(7, status="PUBLISHED")
    put_item(Key("BUS#andina", "PUBLISHED"), type="PUBLISHED_MARKER", version=7)
    assert Client().get("/api/v1/businesses/andina/theme").json()["version"] == 7
    assert "missing" not in parse(as_owner.get(BRAND)).text
    service.put_draft(8)
    as_owner.post(url_of(8, "publish"), {"expected": "7", "contrast": "accepted"})
    assert queries.load_theme("andina", 7).current_status == ThemeStatus.SUPERSEDED
    as_owner.post(url_of(7, "publish"), {"expected": "8", "contrast": "accepted"})
    assert (service.live_version(), service.stored("THEME#7")["status"]) == (7, "PUBLISHED")


def test_a_draft_cannot_be_scheduled(as_owner: Client) -> None:
    put_unpadded(7)
    options: dict[str, Any] = {"due_at": now() + timedelta(hours=1), "zone": "UTC", "accept_low_contrast": True}
    with pytest.raises(Refused, match="leading zeros"):
        schedules.schedule("andina", 7, **options, revision=0, command=new_command(ACTOR))
    with pytest.raises(Refused, match="leading zeros"):
        publishing.publish("andina", 7, expected_live_version=None, command=new_command(ACTOR))


@pytest.mark.parametrize("unpadded", [[7], [9, 50], [43], [99, 100, 7], list(range(100, 190))])
def test_the_next_number_is_above_all_of_them(as_owner: Client, unpadded: list[int]) -> None:
    put_all(raw_theme("andina", number) for number in range(1, 43))
    put_all(raw_unpadded(number) for number in unpadded)
    made = drafts.create("andina", command=new_command(ACTOR))
    assert made.number == max(42, *unpadded) + 1


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_pages_cost_the_same_with_and_without_such_keys(table: str, businesses: dict[str, Person]) -> None:
    browser = sign_in(businesses["owner"])
    put_all(raw_theme("andina", number) for number in range(1, 200))

    def cost(url: str) -> tuple[int, int, float]:
        log = calls_of(browser.get(url))
        return len(log.calls), log.trips, log.units

    urls = [BRAND, f"{BRAND}?status=drafts", *(url_of(5, act) for act in ("", "publish", "preview"))]
    urls += [f"{BRAND}compare/", f"{BRAND}compare/?a=1&b=2"]
    before = [cost(url) for url in urls]
    assert all(trips == 2 for _calls, trips, _units in before)
    put_all(raw_unpadded(number) for number in (250, 260, 270))
    assert [cost(url) for url in urls] == before
    (more,) = [link for link in parse(browser.get(BRAND)).all("a") if "data-more" in link.attrs]
    assert cost(more.attrs["href"])[1] == 2
    # A page of such a version costs what that of another version does.
    assert [cost(url_of(250, act)) for act in ("", "publish", "preview")] == before[2:5]
    assert cost(f"{BRAND}compare/?a=1&b=250") == before[6]
    # So do the pages that read only the version, because the links to them name the form of its key.
    page = as_text(browser.get(url_of(250))) + as_text(browser.get(url_of(250, "preview")))
    for act in ("share/", "contrast/", "preview.css"):
        assert f"/themes/250/{act}?unpadded=1" in page, act
        assert cost(f"{BRAND}themes/250/{act}?unpadded=1") == cost(f"{BRAND}themes/5/{act}"), act
        assert cost(f"{BRAND}themes/250/{act}")[1] == 3, "without such a link"


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_list_says_when_it_leaves_some_out(table: str, businesses: dict[str, Person]) -> None:
    browser = sign_in(businesses["owner"])
    put_all(raw_theme("andina", number) for number in range(1, 21))
    put_all(raw_unpadded(number) for number in range(100, 100 + queries.MAX_UNPADDED))
    assert "leading zeros" not in parse(browser.get(BRAND)).text
    assert len(all_titles(browser)) == 20 + queries.MAX_UNPADDED
    put_all(raw_unpadded(number) for number in range(200, 400))
    response = browser.get(BRAND)
    text = parse(response).text
    assert f"more than {queries.MAX_UNPADDED} versions whose keys lack the leading zeros" in text
    assert calls_of(response).trips == 2
    shown = all_titles(browser)
    assert len(shown) == 20 + queries.MAX_UNPADDED and shown[-20:] == versions(*range(1, 21))
    assert browser.get(url_of(120)).status_code == 200
