"""Admins create, edit and close businesses, and undo that."""

from __future__ import annotations

import pytest

from dashboard.platform.businesses import queries
from tests.businesses.business_pages import (
    audit_actions,
    audit_trails,
    claim_owner,
    create_business,
    edit,
    form_of,
    form_values,
    raw_at,
    reload,
    toast_text,
    url_of,
)
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of
from tests.ui.walk import values as attributes
from tests.ui.world import World


def test_a_business_is_created(world: World) -> None:
    browser = world.browser("admin")
    form = form_to(browser.get("/businesses/new/"), "/businesses/new/")
    assert queries.find_business("la-esquina") is None

    fields = {"name": "La Esquina", "slug": "La-Esquina", "domain": "Shop.Esquina.CL.", "plan": "PRO", "language": "es"}
    response = form.send(browser, values=fields, follow=True)

    assert response.redirect_chain == [("/businesses/la-esquina/", 303)]
    assert "La Esquina created" in toast_text(response)
    business = queries.load_business("la-esquina")
    assert (business.name, business.slug, business.domain) == ("La Esquina", "la-esquina", "shop.esquina.cl")
    assert (business.status, business.plan, business.settings) == ("ACTIVE", "PRO", {"language": "es"})
    assert (business.revision, business.updated_by) == (1, "alma@example.com")
    assert (claim_owner("slug", "la-esquina"), claim_owner("domain", "shop.esquina.cl")) == ("la-esquina", "la-esquina")
    assert audit_actions(business) == (["business.create"], ["business.create"])
    assert "created the business La Esquina" in parse(browser.get("/")).by_class("history")[0].text


def test_a_missing_slug_is_created_from_the_name(world: World) -> None:
    browser = world.browser("admin")
    response = browser.post("/businesses/new/", {"name": "Ñandú & Hijos", "status": "TRIAL", "plan": "FREE"})
    assert response.headers["Location"] == "/businesses/nandu-hijos/"
    again = browser.post("/businesses/new/", {"name": "ñandu HIJOS", "status": "TRIAL", "plan": "FREE"})
    assert again.status_code == 422
    assert "“nandu-hijos” is already used by Ñandú & Hijos (nandu-hijos)" in parse(again).text
    without_slug = browser.post("/businesses/new/", {"name": "東京", "status": "TRIAL", "plan": "FREE"})
    assert without_slug.status_code == 422
    assert form_to(without_slug, "/businesses/new/").data()["name"] == "東京"


def test_an_edit_is_saved_and_undone(world: World) -> None:
    browser, business = world.browser("admin"), create_business(name="Old", color="#aabbcc")
    response = edit(browser, business, name="New", plan="ENTERPRISE", color="", billing_email="Pay@Example.com")

    assert toast_text(response) == "Changes to New saved."
    after = reload(business)
    assert (after.name, after.plan, after.color, after.billing_email) == ("New", "ENTERPRISE", None, "pay@example.com")
    assert (after.revision, after.updated_by) == (2, "alma@example.com")
    own, platform = audit_trails(business)
    assert (
        [entry.action for entry in own] == [entry.action for entry in platform] == ["business.edit", "business.create"]
    )
    assert own[0].operation == platform[0].operation, "both entries are written in one transaction"
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
    back = reload(business)
    assert attributes(back, "name", "plan", "color", "billing_email") == ("Old", "PRO", "#aabbcc", None)
    undo_form(undone).send(browser)
    assert reload(business).name == "New", "an undo can be undone"


def test_suspending_a_business_needs_a_reason_and_shows_it(world: World) -> None:
    browser, business = world.browser("admin"), create_business(name="Late Payer")
    refused = form_of(browser, business).send(browser, values={"status": "SUSPENDED"})
    assert refused.status_code == 422
    assert "Enter a reason" in parse(refused).text
    assert reload(business).status == "ACTIVE"

    response = edit(browser, business, status="SUSPENDED", reason="The invoice of May is open.")
    assert toast_text(response) == "Late Payer: Suspended."
    after = reload(business)
    assert (after.status, after.status_reason) == ("SUSPENDED", "The invoice of May is open.")
    assert audit_actions(business)[0][0] == audit_actions(business)[1][0] == "business.suspend"
    sentence = "suspended Late Payer: The invoice of May is open."
    assert sentence in parse(response).by_class("history")[0].text
    assert sentence in parse(browser.get("/")).by_class("history")[0].text

    undone = undo_form(response).send(browser, follow=True)
    assert attributes(reload(business), "status", "status_reason") == ("ACTIVE", None)
    assert audit_actions(business)[0][0] == "business.activate"
    undo_form(undone).send(browser)
    assert reload(business).status_reason == "The invoice of May is open."
    edit(browser, business, status="TRIAL")
    assert reload(business).status_reason is None, "an open business has no reason for being closed"


def test_a_change_of_slug_keeps_the_id_and_frees_the_old_slug(world: World) -> None:
    browser, business = world.browser("admin"), create_business()
    first = business.slug
    response = edit(browser, business, slug=f"{first}-2", domain="moved.example.com")
    after = reload(business)
    assert (after.business_id, after.slug, after.domain) == (first, f"{first}-2", "moved.example.com")
    assert (claim_owner("slug", first), claim_owner("slug", f"{first}-2")) == (None, first)
    # Another business takes the slug that is free now. It gets a new id.
    other = create_business(slug=first, domain="other.example.com")
    assert other.business_id != first and other.business_id.startswith(f"{first}-")
    assert (claim_owner("slug", first), reload(other).slug) == (other.business_id, first)
    # So the change of slug cannot be undone, and the error names the business that has the slug.
    refused = undo_form(response).send(browser)
    assert refused.status_code == 422
    assert f"“{first}” is already used by {other.name} ({other.business_id})" in parse(refused).text
    assert reload(business).slug == f"{first}-2"


@pytest.mark.parametrize("field", ["slug", "domain"])
def test_a_slug_or_domain_of_another_business_is_refused_and_that_business_is_named(world: World, field: str) -> None:
    browser = world.browser("admin")
    theirs = create_business(name="Theirs", domain=f"{field}-theirs.example.com")
    mine = create_business(name="Mine")
    taken = str(getattr(theirs, field))
    page = parse(form_of(browser, mine).send(browser, values={field: taken, "plan": "FREE"}))
    assert f"“{taken}” is already used by Theirs ({theirs.business_id})" in page.one("p", id=f"id_{field}_error").text
    assert form_to(page, url_of(mine)).data()["plan"] == "FREE", "the form keeps the input"
    assert (reload(mine).revision, reload(mine).plan, audit_actions(mine)[0]) == (1, "PRO", ["business.create"])


def test_a_removed_domain_can_be_used_by_another_business(world: World) -> None:
    browser, business = world.browser("admin"), create_business(domain="mine.example.com")
    edit(browser, business, domain="")
    assert attributes(reload(business), "domain") == (None,)
    assert claim_owner("domain", "mine.example.com") is None
    assert "domain" not in raw_at(business.key), "an index key must not be empty"
    assert create_business(domain="mine.example.com").domain == "mine.example.com"


def test_saving_without_changes_writes_nothing(world: World) -> None:
    browser, business = world.browser("admin"), create_business()
    assert toast_text(edit(browser, business)) == "Nothing was changed."
    assert (reload(business).revision, audit_actions(business)[0]) == (1, ["business.create"])


def test_a_field_that_is_not_sent_is_not_changed(world: World) -> None:
    browser, business = world.browser("admin"), create_business(domain="stays.example.com")
    assert browser.post(url_of(business), {"plan": "FREE", "revision": "1"}).status_code == 303
    after = reload(business)
    assert (after.plan, after.domain, after.name) == ("FREE", "stays.example.com", business.name)


@pytest.mark.parametrize("business", ["nothing", "x" * 63, "new-one", "..", "a.b_c"])
def test_a_business_that_does_not_exist_is_not_found(world: World, business: str) -> None:
    browser = world.browser("admin")
    assert browser.get(f"/businesses/{business}/").status_code == 404
    assert browser.post(f"/businesses/{business}/", {"name": "x", "revision": "0"}).status_code == 404
    assert browser.post(f"/businesses/{business}/members/", {"email": "olivia@example.com"}).status_code == 404


def test_changing_every_field_takes_one_transaction(world: World) -> None:
    """The longest transaction changes every field of a business."""
    browser, business = world.browser("admin"), create_business(domain="long-a.example.com")
    fields = form_values(name="All", status="CANCELLED", reason="Closed", plan="FREE", domain="long-b.example.com")
    response = form_of(browser, business).send(browser, values=fields)
    assert response.status_code == 303
    assert reload(business).revision == 2
    assert [call.operation for call in calls_of(response).calls].count("TransactWriteItems") == 1
    assert toasts(browser.get("/")) == ["All: Cancelled."]
