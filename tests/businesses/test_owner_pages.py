"""The pages of a business for its owners: home, settings, and the read-only state after it is closed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.services import businesses, members
from dashboard.table.commands import new_command
from tests.businesses.business_pages import ALDO, audit_actions, audit_trails, create_business, reload, toast_text
from tests.conftest import ACTOR, sign_in
from tests.ui.html import form_to, parse, undo_form
from tests.ui.walk import calls_of
from tests.ui.world import World


def create_business_of(person: Person, **fields: str) -> Business:
    business = create_business(**fields)
    members.add(business.business_id, person.email, command=new_command(ACTOR))
    return business


def save_settings(browser: Client, business: Business, **fields: str) -> Any:
    url = f"/b/{business.business_id}/settings/"
    return form_to(parse(browser.get(url)).one("main"), url).send(browser, values=fields, follow=True)


def test_the_home_page_shows_details_owners_and_recent_activity(world: World) -> None:
    owner = world.add(Role.OWNER, "Nora Sol")
    business = create_business_of(owner, name="Shop", domain="home.example.com", plan="ENTERPRISE")
    response = sign_in(owner).get(f"/b/{business.business_id}/")
    page = parse(response)
    assert page.one("h1").text == "Shop"
    details = page.one("dl", class_="details").text
    assert "Active" in details and "Enterprise" in details and "home.example.com" in details
    assert "Nora Sol" in details
    assert "added Nora Sol to Shop" in page.by_class("history")[0].text
    assert not page.by_class("places"), "home does not repeat the menu"
    assert calls_of(response).trips == 2
    platform = [link.attrs["href"] for link in page.all("a") if link.attrs["href"].startswith("/businesses/")]
    assert platform == ["/businesses/switch/"]


def test_an_owner_edits_the_settings_and_undoes_it(world: World) -> None:
    owner = world.add(Role.OWNER, "Nora")
    business, browser = create_business_of(owner, name="Old"), sign_in(owner)
    response = save_settings(
        browser, business, name="New", billing_email="pay@example.com", color="#112233", language="en"
    )
    assert toast_text(response) == "Settings saved."
    after = reload(business)
    assert (after.name, after.billing_email, after.color, after.language) == ("New", "pay@example.com", "#112233", "en")
    assert after.updated_by == owner.email
    own, platform = audit_actions(business)
    assert own == ["business.edit", "member.add", "business.create"]
    assert platform == ["business.create"], "an owner's edit is only in the business's own trail"
    assert audit_trails(business)[0][0].actor["email"] == owner.email
    undo_form(response).send(browser)
    assert (reload(business).name, reload(business).language) == ("Old", "es")


def test_an_owner_cannot_change_slug_domain_plan_or_status(world: World) -> None:
    owner = world.add(Role.OWNER)
    business, browser = create_business_of(owner, domain="mine-only.example.com"), sign_in(owner)
    url = f"/b/{business.business_id}/settings/"
    page = parse(browser.get(url))
    assert "mine-only.example.com" in page.one("dl", class_="details").text
    assert not {"slug", "domain", "plan", "status", "reason"} & set(form_to(page, url).data())
    sent = {"name": "Fine", "slug": "stolen", "domain": "x.example.com", "plan": "ENTERPRISE", "status": "TRIAL"}
    assert browser.post(url, sent | {"revision": "1"}).status_code == 303
    after = reload(business)
    assert (after.name, after.slug, after.domain) == ("Fine", business.slug, "mine-only.example.com")
    assert (after.plan, after.status) == ("PRO", "ACTIVE")


def test_an_owner_who_saves_after_an_admin_sees_the_conflict(world: World) -> None:
    owner = world.add(Role.OWNER)
    business, browser = create_business_of(owner, name="Old", timezone="America/Santiago"), sign_in(owner)
    url = f"/b/{business.business_id}/settings/"
    form = form_to(browser.get(url), url)
    businesses.edit(business.business_id, {"timezone": "Europe/Madrid"}, revision=1, command=new_command(ALDO))
    refused = form.send(browser, values={"name": "Mine"})
    assert refused.status_code == 409
    assert "Madrid" in parse(refused).one("tbody").text
    assert form_to(refused, url).send(browser).status_code == 303
    assert (reload(business).name, reload(business).timezone) == ("Mine", "Europe/Madrid")


@pytest.mark.parametrize(
    ("field", "value"), [("name", ""), ("color", "red"), ("timezone", "Mars/X"), ("billing_email", "x")]
)
def test_invalid_settings_show_errors_and_keep_the_input(world: World, field: str, value: str) -> None:
    owner = world.add(Role.OWNER)
    business, browser = create_business_of(owner), sign_in(owner)
    response = save_settings(browser, business, **{field: value, "position": "top-left"})
    assert response.status_code == 422
    assert parse(response).one("p", id=f"id_{field}_error").text
    assert form_to(response, f"/b/{business.business_id}/settings/").data()["position"] == "top-left"
    assert reload(business).revision == 1


@pytest.mark.parametrize("status", ["SUSPENDED", "CANCELLED"])
def test_a_closed_business_is_read_only_for_its_owners(world: World, status: str) -> None:
    owner = world.add(Role.OWNER)
    business, browser = create_business_of(owner, status=status, reason="The invoice <of May> is open."), sign_in(owner)
    for path in ("", "settings/"):
        text = parse(browser.get(f"/b/{business.business_id}/{path}")).by_class("notice")[0].text
        assert "It is read-only." in text
        assert "The invoice <of May> is open." in text
    url = f"/b/{business.business_id}/settings/"
    assert not parse(browser.get(url)).one("main").all("form"), "there is no form that would be refused"
    assert "Español" in parse(browser.get(url)).by_class("details")[1].text, "but all settings are shown as text"
    refused = browser.post(url, {"name": "x", "revision": "1"})
    assert refused.status_code == 403
    assert "The invoice <of May> is open." in parse(refused).text
    assert reload(business).revision == 1

    admin = world.browser("admin")
    notice = parse(admin.get(f"/b/{business.business_id}/")).by_class("notice")[0]
    assert "Its owners can view it but not change it; you still can" in notice.text
    assert "Message to its owners: The invoice <of May> is open." in notice.text
    assert notice.one("a").attrs["href"] == f"/businesses/{business.business_id}/"
    manage = f"/businesses/{business.business_id}/"
    assert form_to(admin.get(manage), manage).send(admin, values={"status": "ACTIVE"}).status_code == 303
    assert save_settings(browser, business, name="Open again").status_code == 200
    assert reload(business).name == "Open again"


def test_the_settings_page_redirects_admins_to_the_platform_page(world: World) -> None:
    business = create_business()
    admin = world.browser("admin")
    for response in (
        admin.get(f"/b/{business.business_id}/settings/"),
        admin.post(f"/b/{business.business_id}/settings/"),
    ):
        assert (response.status_code, response.headers["Location"]) == (303, f"/businesses/{business.business_id}/")
    assert reload(business).revision == 1


def test_the_owner_of_another_business_sees_nothing(world: World) -> None:
    business = create_business_of(world.add(Role.OWNER), name="Secret Shop")
    neighbour = world.browser("neighbour")
    for path in ("", "settings/"):
        url = f"/b/{business.business_id}/{path}"
        assert neighbour.get(url).status_code == 404
        assert neighbour.post(url, {"name": "x", "revision": "1"}).status_code == 404
        assert b"Secret" not in neighbour.get(url).content
    assert neighbour.get(f"/businesses/{business.business_id}/").status_code == 403
