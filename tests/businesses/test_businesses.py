"""Admins create, edit and close businesses, and undo that."""

from __future__ import annotations

import pytest

from dashboard.platform.businesses import queries
from tests.businesses.business_pages import (
    actions,
    edit,
    form_of,
    holder,
    new,
    raw_at,
    reloaded,
    said,
    trails,
    url_of,
    values,
)
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of
from tests.ui.walk import values as attributes
from tests.ui.world import World


def test_a_business_is_created(world: World) -> None:
    browser = world.browser("admin")
    form = form_to(browser.get("/businesses/new/"), "/businesses/new/")
    assert queries.find_business("la-esquina") is None

    typed = {"name": "La Esquina", "slug": "La-Esquina", "domain": "Shop.Esquina.CL.", "plan": "PRO", "language": "es"}
    response = form.send(browser, values=typed, follow=True)

    assert response.redirect_chain == [("/businesses/la-esquina/", 303)]
    assert "La Esquina created" in said(response)
    business = queries.load_business("la-esquina")
    assert (business.name, business.slug, business.domain) == ("La Esquina", "la-esquina", "shop.esquina.cl")
    assert (business.status, business.plan, business.settings) == ("ACTIVE", "PRO", {"language": "es"})
    assert (business.revision, business.updated_by) == (1, "alma@example.com")
    assert (holder("slug", "la-esquina"), holder("domain", "shop.esquina.cl")) == ("la-esquina", "la-esquina")
    assert actions(business) == (["business.create"], ["business.create"])
    assert "created the business La Esquina" in parse(browser.get("/")).by_class("history")[0].text


def test_a_slug_is_made_of_the_name_where_none_is_given(world: World) -> None:
    browser = world.browser("admin")
    response = browser.post("/businesses/new/", {"name": "Ñandú & Hijos", "status": "TRIAL", "plan": "FREE"})
    assert response.headers["Location"] == "/businesses/nandu-hijos/"
    again = browser.post("/businesses/new/", {"name": "ñandu HIJOS", "status": "TRIAL", "plan": "FREE"})
    assert again.status_code == 422
    assert "“nandu-hijos” is already used by Ñandú & Hijos (nandu-hijos)" in parse(again).text
    unsayable = browser.post("/businesses/new/", {"name": "東京", "status": "TRIAL", "plan": "FREE"})
    assert unsayable.status_code == 422
    assert form_to(unsayable, "/businesses/new/").data()["name"] == "東京"


def test_a_business_is_edited_and_undone(world: World) -> None:
    browser, business = world.browser("admin"), new(name="Old", color="#aabbcc")
    response = edit(browser, business, name="New", plan="ENTERPRISE", color="", billing_email="Pay@Example.com")

    assert said(response) == "Changes to New saved."
    after = reloaded(business)
    assert (after.name, after.plan, after.color, after.billing_email) == ("New", "ENTERPRISE", None, "pay@example.com")
    assert (after.revision, after.updated_by) == (2, "alma@example.com")
    own, platform = trails(business)
    assert (
        [entry.action for entry in own] == [entry.action for entry in platform] == ["business.edit", "business.create"]
    )
    assert own[0].operation == platform[0].operation, "one transaction"
    assert {name: (before, now) for name, before, now in own[0].changed} == {
        "name": ("Old", "New"),
        "plan": ("PRO", "ENTERPRISE"),
        "color": ("#aabbcc", None),
        "billing_email": (None, "pay@example.com"),
    }
    form = undo_form(response)
    sent = set(form.data()) - {"csrfmiddlewaretoken", "operation"}
    assert sent == {"name", "plan", "color", "billing_email", "revision"}

    undone = form.send(browser, follow=True)
    back = reloaded(business)
    assert attributes(back, "name", "plan", "color", "billing_email") == ("Old", "PRO", "#aabbcc", None)
    undo_form(undone).send(browser)
    assert reloaded(business).name == "New", "the way back has a way back"


def test_closing_needs_a_reason_and_says_it(world: World) -> None:
    browser, business = world.browser("admin"), new(name="Late Payer")
    refused = form_of(browser, business).send(browser, values={"status": "SUSPENDED"})
    assert refused.status_code == 422
    assert "Enter a reason" in parse(refused).text
    assert reloaded(business).status == "ACTIVE"

    response = edit(browser, business, status="SUSPENDED", reason="The invoice of May is open.")
    assert said(response) == "Late Payer: Suspended."
    after = reloaded(business)
    assert (after.status, after.status_reason) == ("SUSPENDED", "The invoice of May is open.")
    assert actions(business)[0][0] == actions(business)[1][0] == "business.suspend"
    told = "suspended Late Payer: The invoice of May is open."
    assert told in parse(response).by_class("history")[0].text
    assert told in parse(browser.get("/")).by_class("history")[0].text

    undone = undo_form(response).send(browser, follow=True)
    assert attributes(reloaded(business), "status", "status_reason") == ("ACTIVE", None)
    assert actions(business)[0][0] == "business.activate"
    undo_form(undone).send(browser)
    assert reloaded(business).status_reason == "The invoice of May is open."
    edit(browser, business, status="TRIAL")
    assert reloaded(business).status_reason is None, "why it was closed is not said of one that is open"


def test_a_slug_moves_and_the_id_stays(world: World) -> None:
    browser, business = world.browser("admin"), new()
    first = business.slug
    response = edit(browser, business, slug=f"{first}-2", domain="moved.example.com")
    after = reloaded(business)
    assert (after.business_id, after.slug, after.domain) == (first, f"{first}-2", "moved.example.com")
    assert (holder("slug", first), holder("slug", f"{first}-2")) == (None, first)
    # The slug that is free now is another's, whose id is its own.
    other = new(slug=first, domain="other.example.com")
    assert other.business_id != first and other.business_id.startswith(f"{first}-")
    assert (holder("slug", first), reloaded(other).slug) == (other.business_id, first)
    # And so there is no way back, which is said where it was asked for.
    refused = undo_form(response).send(browser)
    assert refused.status_code == 422
    assert f"“{first}” is already used by {other.name} ({other.business_id})" in parse(refused).text
    assert reloaded(business).slug == f"{first}-2"


@pytest.mark.parametrize("field", ["slug", "domain"])
def test_what_another_business_has_is_refused_by_name(world: World, field: str) -> None:
    browser = world.browser("admin")
    theirs = new(name="Theirs", domain=f"{field}-theirs.example.com")
    mine = new(name="Mine")
    taken = str(getattr(theirs, field))
    page = parse(form_of(browser, mine).send(browser, values={field: taken, "plan": "FREE"}))
    assert f"“{taken}” is already used by Theirs ({theirs.business_id})" in page.one("p", id=f"id_{field}_error").text
    assert form_to(page, url_of(mine)).data()["plan"] == "FREE", "what was typed stays"
    assert (reloaded(mine).revision, reloaded(mine).plan, actions(mine)[0]) == (1, "PRO", ["business.create"])


def test_a_domain_is_freed_when_it_is_given_up(world: World) -> None:
    browser, business = world.browser("admin"), new(domain="mine.example.com")
    edit(browser, business, domain="")
    assert attributes(reloaded(business), "domain") == (None,)
    assert holder("domain", "mine.example.com") is None
    assert "domain" not in raw_at(business.key), "an index takes no empty key"
    assert new(domain="mine.example.com").domain == "mine.example.com"


def test_nothing_changed_writes_nothing(world: World) -> None:
    browser, business = world.browser("admin"), new()
    assert said(edit(browser, business)) == "Nothing was changed."
    assert (reloaded(business).revision, actions(business)[0]) == (1, ["business.create"])


def test_a_field_that_is_not_sent_stays_as_it_is(world: World) -> None:
    browser, business = world.browser("admin"), new(domain="stays.example.com")
    assert browser.post(url_of(business), {"plan": "FREE", "revision": "1"}).status_code == 303
    after = reloaded(business)
    assert (after.plan, after.domain, after.name) == ("FREE", "stays.example.com", business.name)


@pytest.mark.parametrize("business", ["nothing", "x" * 63, "new-one", "..", "a.b_c"])
def test_a_business_that_is_not_there(world: World, business: str) -> None:
    browser = world.browser("admin")
    assert browser.get(f"/businesses/{business}/").status_code == 404
    assert browser.post(f"/businesses/{business}/", {"name": "x", "revision": "0"}).status_code == 404
    assert browser.post(f"/businesses/{business}/members/", {"email": "olivia@example.com"}).status_code == 404


def test_no_transaction_is_longer_than_ten_steps(world: World) -> None:
    """The longest: everything about a business changes at once."""
    browser, business = world.browser("admin"), new(domain="long-a.example.com")
    given = values(name="All", status="CANCELLED", reason="Closed", plan="FREE", domain="long-b.example.com")
    response = form_of(browser, business).send(browser, values=given)
    assert response.status_code == 303
    assert reloaded(business).revision == 2
    assert [call.operation for call in calls_of(response).calls].count("TransactWriteItems") == 1
    assert toasts(browser.get("/")) == ["All: Cancelled."]
