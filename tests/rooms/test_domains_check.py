"""Checking whether an address is allowed, and by which domain, with and without JavaScript."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.rooms.domains import URL, allow_domains, put_count, stored_whitelist
from tests.ui.html import forms, parse
from tests.ui.walk import calls_of

HX = {"HX-Request": "true"}


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("ana@sura.com.co", ["Allowed", "by @sura.com.co", "12 people have an address of sura.com.co."]),
        (
            "ana@mail.sura.com.co",
            ["Not permitted", "sura.com.co is allowed, but mail.sura.com.co is a different domain"],
        ),
        ("ana@nothing.example", ["Not permitted", "@nothing.example is not in the list."]),
        ("ana@sura", ["“ana@sura” has no dot"]),
        ("<b>@x", ["has no dot"]),
        ("", ["Shows whether the address is allowed"]),
    ],
)
def test_an_address_is_checked_with_and_without_htmx(as_staff: Client, text: str, phrases: list[str]) -> None:
    allow_domains("sura.com.co")
    put_count(sura_com_co=12)
    page = as_staff.get(URL, {"try": text})
    fragment = as_staff.get(URL, {"try": text}, headers=HX | {"HX-Target": "try-result"})
    for each in (parse(page).one("div", id="try-result"), parse(fragment)):
        assert [phrase for phrase in phrases if phrase not in each.text] == []
    assert not parse(fragment).all("table"), "htmx receives only the result"
    assert parse(page).one("input", name="try").attrs["value"] == text
    assert calls_of(fragment).trips == 2


def test_a_checked_domain_can_be_added_from_the_result(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    result = parse(as_staff.get(URL, {"try": "ana@mail.sura.com.co"})).one("div", id="try-result")
    (form,) = forms(result)
    answer = form.send(as_staff, follow=True)
    assert stored_whitelist() == ["@sura.com.co", "@mail.sura.com.co"]
    assert "by @mail.sura.com.co" in parse(answer).one("div", id="try-result").text


def test_with_an_empty_list_every_address_is_allowed(as_staff: Client) -> None:
    result = parse(as_staff.get(URL, {"try": "ana@x.example"})).one("div", id="try-result")
    assert "The list is empty: everyone is allowed." in result.text
