"""Two people at one business, and forms that are sent again."""

from __future__ import annotations

import pytest

from dashboard.platform.businesses.services import businesses
from dashboard.table.commands import new_command
from tests.businesses.business_pages import ALDO, actions, edit, form_of, new, reloaded, said, url_of
from tests.ui.html import form_to, parse, undo_form
from tests.ui.world import World


def rows(page: object) -> dict[str, list[str]]:
    body = parse(page).one("tbody")  # type: ignore[arg-type]
    found = {row.one("th").text: [cell.text for cell in row.all("td")] for row in body.all("tr")}
    return {name.removesuffix("differs"): cells for name, cells in found.items() if cells[0] != cells[1]}


def test_both_versions_are_shown_also_inside_the_settings(world: World) -> None:
    browser, business = world.browser("admin"), new(name="Old", color="#000000", position="top-left")
    form = form_of(browser, business)
    theirs = {"name": "Theirs", "color": "#ffffff", "status": "SUSPENDED", "reason": "Unpaid", "language": "en"}
    businesses.edit(business.business_id, theirs, revision=1, command=new_command(ALDO))

    refused = form.send(browser, values={"name": "Mine", "color": "#123456", "position": "bottom-right"})

    assert refused.status_code == 409
    assert "Aldo Paz changed this while you had it open" in parse(refused).text
    assert rows(refused) == {
        "Name": ["Mine", "Theirs"],
        "Widget colour": ["#123456", "#ffffff"],
        "Widget position": ["Bottom right", "Top left"],
    }
    shown = parse(refused).one("tbody").text
    assert "Suspended" in shown and "Unpaid" in shown and "English" in shown
    assert reloaded(business).name == "Theirs"

    mine = form_to(refused, url_of(business))
    assert mine.send(browser).status_code == 303
    after = reloaded(business)
    assert (after.name, after.color, after.position) == ("Mine", "#123456", "bottom-right")
    assert (after.status, after.status_reason, after.language) == ("SUSPENDED", "Unpaid", "en"), "what I left alone"


def test_clearing_a_field_is_a_change_too(world: World) -> None:
    browser, business = world.browser("admin"), new(domain="clear.example.com")
    form = form_of(browser, business)
    businesses.edit(business.business_id, {"plan": "FREE"}, revision=1, command=new_command(ALDO))
    refused = form.send(browser, values={"domain": ""})
    assert rows(refused) == {"Domain": ["–", "clear.example.com"]}
    form_to(refused, url_of(business)).send(browser)
    assert (reloaded(business).domain or "", reloaded(business).plan) == ("", "FREE")


def test_undo_meets_a_newer_change(world: World) -> None:
    browser, business = world.browser("admin"), new(name="Old")
    undo = undo_form(edit(browser, business, name="New"))
    businesses.edit(business.business_id, {"name": "Newer"}, revision=2, command=new_command(ALDO))
    assert undo.send(browser).status_code == 409
    assert reloaded(business).name == "Newer"


def test_a_form_sent_twice_acts_once(world: World) -> None:
    browser, business = world.browser("admin"), new(name="Old")
    form = form_of(browser, business)
    twice = [form.send(browser, values={"name": "New", "slug": f"{business.slug}-x"}, follow=True) for _ in range(2)]
    assert said(twice[0]) == said(twice[1]) == "Changes to New saved."
    assert (reloaded(business).revision, actions(business)[0]) == (2, ["business.edit", "business.create"])
    undo_form(twice[1]).send(browser)
    assert (reloaded(business).name, reloaded(business).slug) == ("Old", business.slug)


def test_creating_twice_with_one_form_makes_one(world: World) -> None:
    browser = world.browser("admin")
    form = form_to(browser.get("/businesses/new/"), "/businesses/new/")
    twice = [form.send(browser, values={"name": "Once Only", "domain": "once.example.com"}) for _ in range(2)]
    assert [response.headers["Location"] for response in twice] == ["/businesses/once-only/"] * 2
    changed = form.send(browser, values={"name": "Once Only", "domain": "twice.example.com"})
    assert changed.status_code == 422, "another content is another wish, and the slug is taken"


@pytest.mark.parametrize("revision", ["", "x", "-1", "9" * 40, "٣"])
def test_an_invalid_revision_changes_nothing(world: World, revision: str) -> None:
    business = new()
    response = world.browser("admin").post(url_of(business), {"name": "x", "revision": revision})
    assert response.status_code in {409, 422}
    assert reloaded(business).revision == 1
