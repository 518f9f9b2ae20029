"""Whether an address is let in, and by what: as one types, and without a script."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.rooms.domains import URL, allow_domains, put_count, stored_whitelist
from tests.ui.html import forms, parse
from tests.ui.walk import calls_of

HX = {"HX-Request": "true"}


@pytest.mark.parametrize(
    ("text", "said"),
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
def test_an_address_is_tried_with_a_script_and_without(as_staff: Client, text: str, said: list[str]) -> None:
    allow_domains("sura.com.co")
    put_count(sura_com_co=12)
    whole = as_staff.get(URL, {"try": text})
    part = as_staff.get(URL, {"try": text}, headers=HX | {"HX-Target": "try-result"})
    for each in (parse(whole).one("div", id="try-result"), parse(part)):
        assert [phrase for phrase in said if phrase not in each.text] == []
    assert not parse(part).all("table"), "only the answer"
    assert parse(whole).one("input", name="try").attrs["value"] == text
    assert calls_of(part).trips == 2


def test_what_is_tried_and_not_let_in_can_be_added_there(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    shown = parse(as_staff.get(URL, {"try": "ana@mail.sura.com.co"})).one("div", id="try-result")
    (form,) = forms(shown)
    answer = form.send(as_staff, follow=True)
    assert stored_whitelist() == ["@sura.com.co", "@mail.sura.com.co"]
    assert "by @mail.sura.com.co" in parse(answer).one("div", id="try-result").text


def test_without_a_list_whoever_is_tried_is_let_in(as_staff: Client) -> None:
    shown = parse(as_staff.get(URL, {"try": "ana@x.example"})).one("div", id="try-result")
    assert "The list is empty: everyone is allowed." in shown.text
