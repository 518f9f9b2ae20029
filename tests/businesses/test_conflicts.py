"""Two people edit one business at the same time, and forms are sent again."""

from __future__ import annotations

import pytest

from dashboard.platform.businesses.services import businesses
from dashboard.table.commands import new_command
from tests.businesses.business_pages import (
    ALDO,
    audit_actions,
    create_business,
    edit,
    form_of,
    reload,
    toast_text,
    url_of,
)
from tests.ui.html import form_to, parse, undo_form
from tests.ui.world import World


def differing_rows(page: object) -> dict[str, list[str]]:
    body = parse(page).one("tbody")  # type: ignore[arg-type]
    cells_by_name = {row.one("th").text: [cell.text for cell in row.all("td")] for row in body.all("tr")}
    return {name.removesuffix("differs"): cells for name, cells in cells_by_name.items() if cells[0] != cells[1]}


def test_a_conflict_shows_both_versions_of_each_field(world: World) -> None:
    browser, business = world.browser("admin"), create_business(name="Old", color="#000000", position="top-left")
    form = form_of(browser, business)
    theirs = {"name": "Theirs", "color": "#ffffff", "status": "SUSPENDED", "reason": "Unpaid", "language": "en"}
    businesses.edit(business.business_id, theirs, revision=1, command=new_command(ALDO))

    refused = form.send(browser, values={"name": "Mine", "color": "#123456", "position": "bottom-right"})

    assert refused.status_code == 409
    assert "Aldo Paz changed this while you had it open" in parse(refused).text
    assert differing_rows(refused) == {
        "Name": ["Mine", "Theirs"],
        "Widget colour": ["#123456", "#ffffff"],
        "Widget position": ["Bottom right", "Top left"],
    }
    table_text = parse(refused).one("tbody").text
    assert "Suspended" in table_text and "Unpaid" in table_text and "English" in table_text
    assert reload(business).name == "Theirs"

    mine = form_to(refused, url_of(business))
    assert mine.send(browser).status_code == 303
    after = reload(business)
    assert (after.name, after.color, after.position) == ("Mine", "#123456", "bottom-right")
    assert (after.status, after.status_reason, after.language) == ("SUSPENDED", "Unpaid", "en"), (
        "fields I did not change keep their values"
    )


def test_a_conflict_shows_a_field_that_was_cleared(world: World) -> None:
    browser, business = world.browser("admin"), create_business(domain="clear.example.com")
    form = form_of(browser, business)
    businesses.edit(business.business_id, {"plan": "FREE"}, revision=1, command=new_command(ALDO))
    refused = form.send(browser, values={"domain": ""})
    assert differing_rows(refused) == {"Domain": ["–", "clear.example.com"]}
    form_to(refused, url_of(business)).send(browser)
    assert (reload(business).domain or "", reload(business).plan) == ("", "FREE")


def test_undo_after_a_newer_change_is_a_conflict(world: World) -> None:
    browser, business = world.browser("admin"), create_business(name="Old")
    undo = undo_form(edit(browser, business, name="New"))
    businesses.edit(business.business_id, {"name": "Newer"}, revision=2, command=new_command(ALDO))
    assert undo.send(browser).status_code == 409
    assert reload(business).name == "Newer"


def test_a_form_sent_twice_acts_once(world: World) -> None:
    browser, business = world.browser("admin"), create_business(name="Old")
    form = form_of(browser, business)
    twice = [form.send(browser, values={"name": "New", "slug": f"{business.slug}-x"}, follow=True) for _ in range(2)]
    assert toast_text(twice[0]) == toast_text(twice[1]) == "Changes to New saved."
    assert (reload(business).revision, audit_actions(business)[0]) == (2, ["business.edit", "business.create"])
    undo_form(twice[1]).send(browser)
    assert (reload(business).name, reload(business).slug) == ("Old", business.slug)


def test_a_create_form_sent_twice_creates_one_business(world: World) -> None:
    browser = world.browser("admin")
    form = form_to(browser.get("/businesses/new/"), "/businesses/new/")
    twice = [form.send(browser, values={"name": "Once Only", "domain": "once.example.com"}) for _ in range(2)]
    assert [response.headers["Location"] for response in twice] == ["/businesses/once-only/"] * 2
    changed = form.send(browser, values={"name": "Once Only", "domain": "twice.example.com"})
    assert changed.status_code == 422, "other content is a new command, and the slug is taken"


@pytest.mark.parametrize("revision", ["", "x", "-1", "9" * 40, "٣"])
def test_an_invalid_revision_changes_nothing(world: World, revision: str) -> None:
    business = create_business()
    response = world.browser("admin").post(url_of(business), {"name": "x", "revision": revision})
    assert response.status_code in {409, 422}
    assert reload(business).revision == 1
