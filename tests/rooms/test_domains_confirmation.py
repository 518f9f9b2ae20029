"""What shuts people out, or lets everybody in, is held until somebody says that it is meant."""

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


def says(answer: Any) -> list[str]:
    return [each.text for each in parse(answer).by_class("confirmation-effect")]


def box(answer: Any) -> Element:
    return parse(answer).one("input", name="confirm")


def confirmed(browser: Client, held: Any, url: str = URL) -> Any:
    """Tick the box and send the same form again."""
    form = form_to(parse(held).one("main"), url)
    return form.send(browser, values={"confirm": box(held).attrs["value"]}, follow=True)


def test_removing_a_domain_that_has_people_is_held_and_says_how_many(table: str, as_staff: Client) -> None:
    allow_domains("sura.com.co", "b.example")
    put_count(sura_com_co=1_204, gmail_com=3)
    held = post(as_staff, remove="sura.com.co")
    assert held.status_code == 422
    assert says(held) == ["1,204 people of sura.com.co lose access."]
    assert "checked" not in box(held).attrs
    assert stored_whitelist() == ["@sura.com.co", "@b.example"] and len(domain_entries()) == 1
    again = form_to(parse(held).one("main"), URL).send(as_staff)
    assert (again.status_code, len(says(again))) == (422, 1), "not without the box"
    done = confirmed(as_staff, held)
    assert toasts(done) == ["sura.com.co removed."]
    assert stored_whitelist() == ["@b.example"]
    assert domain_entries()[0].after["confirmed"] == "sura.com.co (1204)"


def test_some_that_are_selected_are_asked_for_together(as_staff: Client) -> None:
    allow_domains("a.example", "b.example", "c.example", "d.example", "e.example", "f.example")
    put_count(a_example=1, b_example=20, c_example=3, d_example=4)
    chosen = ["a.example", "b.example", "c.example", "d.example", "e.example"]
    held = post(as_staff, action="remove", selected=chosen)
    assert says(held) == ["28 people of b.example, d.example, c.example and 1 more lose access."]
    # Another selection is asked for anew, whatever was confirmed before.
    token = box(held).attrs["value"]
    other = as_staff.post(
        URL, {"action": "remove", "selected": chosen[:2], "confirm": token, "revision": current_revision()}
    )
    assert says(other) == ["21 people of b.example, a.example lose access."]
    form = form_to(parse(held).one("main"), URL)
    assert [value for name, value in form.fields if name == "selected"] == chosen
    done = as_staff.post(URL, form.data(selected=chosen, confirm=token), follow=True)
    assert toasts(done) == ["5 domains removed."]
    assert stored_whitelist() == ["@f.example"]


@pytest.mark.parametrize("counts", [{"b_example": 3}, {}])
def test_a_domain_without_people_goes_at_once(as_staff: Client, counts: dict[str, int]) -> None:
    allow_domains("a.example", "b.example")
    if counts:
        put_count(**counts)
    assert post(as_staff, remove="a.example").status_code == 303
    assert stored_whitelist() == ["@b.example"]


def test_another_spelling_of_it_that_stays_shuts_nobody_out(as_staff: Client) -> None:
    put_whitelist(["@bücher.de", "@xn--bcher-kva.de", "@a.example"])
    put_count(**{"xn--bcher-kva_de": 5})
    assert says(post(as_staff, remove="bücher.de")) == ["5 people of bücher.de lose access."]


def test_removing_the_last_domain_lets_everybody_in_and_is_held(table: str, as_staff: Client) -> None:
    allow_domains("sura.com.co")
    held = post(as_staff, remove="sura.com.co")
    assert says(held) == ["The list would be empty and everyone would be allowed."]
    done = confirmed(as_staff, held)
    assert toasts(done) == ["sura.com.co removed. Everyone is allowed now."]
    assert stored_whitelist() == []
    assert "Everyone is allowed" in parse(done).one("main").text
    # The way back shuts everybody else out again, so it asks, too.
    undo = undo_form(done)
    held = undo.send(as_staff)
    assert held.status_code == 422 and stored_whitelist() == []
    confirmed(as_staff, held, undo.action)
    assert stored_whitelist() == ["@sura.com.co"]


def test_what_another_service_keeps_in_it_is_not_an_empty_list(as_staff: Client) -> None:
    put_whitelist([{"domain": "@x.example"}, "@sura.com.co"])
    assert post(as_staff, remove="sura.com.co").status_code == 303
    assert stored_whitelist() == [{"domain": "@x.example"}]


def test_the_first_domain_shuts_everybody_else_out_and_is_held(table: str, as_staff: Client) -> None:
    put_count(sura_com_co=4, gmail_com=300, **{"*": 2})
    held = post(as_staff, domains="sura.com.co, b.example")
    assert held.status_code == 422
    wanted = "Everyone is allowed now. After this, only addresses of sura.com.co, b.example are allowed."
    assert says(held) == [f"{wanted} 302 of 306 people lose access."]
    assert stored_whitelist() is None
    assert toasts(confirmed(as_staff, held)) == ["2 domains added."]
    assert stored_whitelist() == ["@sura.com.co", "@b.example"]
    assert domain_entries()[0].after["confirmed"] == "sura.com.co, b.example (302)"
    # From then on another one shuts nobody out.
    assert post(as_staff, domains="c.example").status_code == 303


def test_the_first_domain_where_nobody_is_counted(as_staff: Client) -> None:
    held = post(as_staff, domains="sura.com.co")
    assert says(held) == ["Everyone is allowed now. After this, only addresses of sura.com.co are allowed."]


def test_going_back_to_a_version_is_held_as_well(as_staff: Client) -> None:
    allow_domains("a.example")
    allow_domains("sura.com.co")
    put_count(sura_com_co=9)
    url = f"{URL}versions/1/restore/"
    held = form_to(as_staff.get(f"{URL}versions/1/"), url).send(as_staff)
    assert held.status_code == 422
    assert says(held) == ["9 people of sura.com.co lose access."]
    assert confirmed(as_staff, held, url).status_code == 200
    assert stored_whitelist() == ["@a.example"]
