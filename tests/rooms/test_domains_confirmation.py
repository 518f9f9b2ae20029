"""Changes that take access from people, or give it to everyone, require a confirmation."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.rooms.domains import (
    URL,
    allow_domains,
    current_revision,
    domain_entries,
    put_count,
    put_whitelist,
    stored_whitelist,
)
from tests.ui.html import Element, form_to, parse, toasts, undo_form


def post(browser: Client, **fields: Any) -> Any:
    return browser.post(URL, fields | {"revision": current_revision()})


def effects(answer: Any) -> list[str]:
    return [each.text for each in parse(answer).by_class("confirmation-effect")]


def confirm_box(answer: Any) -> Element:
    return parse(answer).one("input", name="confirm")


def confirm(browser: Client, question: Any, url: str = URL) -> Any:
    """Tick the box and send the same form again."""
    form = form_to(parse(question).one("main"), url)
    return form.send(browser, values={"confirm": confirm_box(question).attrs["value"]}, follow=True)


def test_removing_a_domain_with_people_requires_confirmation(table: str, as_staff: Client) -> None:
    allow_domains("sura.com.co", "b.example")
    put_count(sura_com_co=1_204, gmail_com=3)
    question = post(as_staff, remove="sura.com.co")
    assert question.status_code == 422
    assert effects(question) == ["1,204 people of sura.com.co lose access."]
    assert "checked" not in confirm_box(question).attrs
    assert stored_whitelist() == ["@sura.com.co", "@b.example"] and len(domain_entries()) == 1
    again = form_to(parse(question).one("main"), URL).send(as_staff)
    assert (again.status_code, len(effects(again))) == (422, 1), "without the box the form asks again"
    done = confirm(as_staff, question)
    assert toasts(done) == ["sura.com.co removed."]
    assert stored_whitelist() == ["@b.example"]
    assert domain_entries()[0].after["confirmed"] == "sura.com.co (1204)"


def test_removing_several_domains_requires_one_confirmation(as_staff: Client) -> None:
    allow_domains("a.example", "b.example", "c.example", "d.example", "e.example", "f.example")
    put_count(a_example=1, b_example=20, c_example=3, d_example=4)
    chosen = ["a.example", "b.example", "c.example", "d.example", "e.example"]
    question = post(as_staff, action="remove", selected=chosen)
    assert effects(question) == ["28 people of b.example, d.example, c.example and 1 more lose access."]
    # Another selection requires a new confirmation.
    token = confirm_box(question).attrs["value"]
    other = as_staff.post(
        URL, {"action": "remove", "selected": chosen[:2], "confirm": token, "revision": current_revision()}
    )
    assert effects(other) == ["21 people of b.example, a.example lose access."]
    form = form_to(parse(question).one("main"), URL)
    assert [value for name, value in form.fields if name == "selected"] == chosen
    done = as_staff.post(URL, form.data(selected=chosen, confirm=token), follow=True)
    assert toasts(done) == ["5 domains removed."]
    assert stored_whitelist() == ["@f.example"]


@pytest.mark.parametrize("counts", [{"b_example": 3}, {}])
def test_removing_a_domain_without_people_requires_no_confirmation(as_staff: Client, counts: dict[str, int]) -> None:
    allow_domains("a.example", "b.example")
    if counts:
        put_count(**counts)
    assert post(as_staff, remove="a.example").status_code == 303
    assert stored_whitelist() == ["@b.example"]


def test_removing_a_domain_counts_the_people_of_all_spellings(as_staff: Client) -> None:
    put_whitelist(["@bücher.de", "@xn--bcher-kva.de", "@a.example"])
    put_count(**{"xn--bcher-kva_de": 5})
    assert effects(post(as_staff, remove="bücher.de")) == ["5 people of bücher.de lose access."]


def test_removing_the_last_domain_requires_confirmation(table: str, as_staff: Client) -> None:
    allow_domains("sura.com.co")
    question = post(as_staff, remove="sura.com.co")
    assert effects(question) == ["The list would be empty and everyone would be allowed."]
    done = confirm(as_staff, question)
    assert toasts(done) == ["sura.com.co removed. Everyone is allowed now."]
    assert stored_whitelist() == []
    assert "Everyone is allowed" in parse(done).one("main").text
    # Undo takes access from everyone else, so it requires a confirmation too.
    undo = undo_form(done)
    question = undo.send(as_staff)
    assert question.status_code == 422 and stored_whitelist() == []
    confirm(as_staff, question, undo.action)
    assert stored_whitelist() == ["@sura.com.co"]


def test_a_list_with_entries_of_an_outside_writer_is_not_empty(as_staff: Client) -> None:
    put_whitelist([{"domain": "@x.example"}, "@sura.com.co"])
    assert post(as_staff, remove="sura.com.co").status_code == 303
    assert stored_whitelist() == [{"domain": "@x.example"}]


def test_adding_the_first_domain_requires_confirmation(table: str, as_staff: Client) -> None:
    put_count(sura_com_co=4, gmail_com=300, **{"*": 2})
    question = post(as_staff, domains="sura.com.co, b.example")
    assert question.status_code == 422
    effect = "Everyone is allowed now. After this, only addresses of sura.com.co, b.example are allowed."
    assert effects(question) == [f"{effect} 302 of 306 people lose access."]
    assert stored_whitelist() is None
    assert toasts(confirm(as_staff, question)) == ["2 domains added."]
    assert stored_whitelist() == ["@sura.com.co", "@b.example"]
    assert domain_entries()[0].after["confirmed"] == "sura.com.co, b.example (302)"
    # A second domain takes access from nobody.
    assert post(as_staff, domains="c.example").status_code == 303


def test_adding_the_first_domain_before_any_count_requires_confirmation(as_staff: Client) -> None:
    question = post(as_staff, domains="sura.com.co")
    assert effects(question) == ["Everyone is allowed now. After this, only addresses of sura.com.co are allowed."]


def test_restoring_a_version_requires_confirmation(as_staff: Client) -> None:
    allow_domains("a.example")
    allow_domains("sura.com.co")
    put_count(sura_com_co=9)
    url = f"{URL}versions/1/restore/"
    question = form_to(as_staff.get(f"{URL}versions/1/"), url).send(as_staff)
    assert question.status_code == 422
    assert effects(question) == ["9 people of sura.com.co lose access."]
    assert confirm(as_staff, question, url).status_code == 200
    assert stored_whitelist() == ["@a.example"]
