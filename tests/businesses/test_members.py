"""The members of a business."""

from __future__ import annotations

from typing import Any

from dashboard.platform.accounts import queries as person_queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.platform.audit.queries import history, latest_of
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.services import businesses, members
from dashboard.table.commands import new_command
from tests.businesses.business_pages import ALDO, create_business, edit, put_raw, toast_text, url_of
from tests.conftest import ACTOR, add_business, sign_in
from tests.ui.html import form_to, parse, undo_form
from tests.ui.walk import new_browser
from tests.ui.world import World


def send_add_form(browser: Any, business: Business, email: str) -> Any:
    url = f"{url_of(business)}members/"
    return form_to(browser.get(url_of(business)), url).send(browser, values={"email": email}, follow=True)


def businesses_of(person: Person) -> list[str]:
    return [each.business_id for each in queries.businesses_of(person.email)]


def test_a_member_is_added_and_removed_and_each_is_undone(world: World) -> None:
    browser, business, person = world.browser("admin"), create_business(name="Shop"), world.add(Role.OWNER, "Nora")
    members.add(business.business_id, "olivia@example.com", command=new_command(ACTOR))
    inside = sign_in(person)
    assert inside.get(f"/b/{business.business_id}/").status_code == 404

    response = send_add_form(browser, business, person.email.upper())
    assert toast_text(response) == "Nora added to Shop."
    assert businesses_of(person) == [business.business_id]
    assert inside.get(f"/b/{business.business_id}/").status_code == 200
    assert "Nora" in parse(response).one("section", id="members").text
    own, platform = latest_of(business.business_id)[0], history(person.email)[0]
    assert own.action == platform.action == "member.add" and own.operation == platform.operation
    assert "added Nora to Shop" in parse(response).by_class("history")[0].text
    assert "added Nora to Shop" in parse(browser.get(f"/people/{person.email}/")).by_class("history")[0].text

    undone = undo_form(response).send(browser, follow=True)
    assert (businesses_of(person), inside.get(f"/b/{business.business_id}/").status_code) == ([], 404)
    assert latest_of(business.business_id)[0].action == "member.remove"
    assert "removed Nora from Shop" in parse(undone).by_class("history")[0].text
    again = undo_form(undone).send(browser, follow=True)
    assert businesses_of(person) == [business.business_id]

    url = f"{url_of(business)}members/{person.email}/remove/"
    (form,) = [form_to(parse(again).one("main"), url)]
    removed = form.send(browser, follow=True)
    assert f"{person.email} removed from the business." == toast_text(removed)
    assert businesses_of(person) == []
    assert form.send(browser).status_code == 303, "the same form sent again is answered as done"
    assert browser.post(url, {"revision": "1"}).status_code == 409, "a new command finds no member"


def test_an_address_without_account_is_refused_with_a_link_to_invite(world: World) -> None:
    browser, business = world.browser("admin"), create_business()
    response = send_add_form(browser, business, "stranger+x@example.com")
    assert response.status_code == 422
    page = parse(response)
    assert "No account with this address." in page.text
    (link,) = [each for each in page.all("a") if each.text == "Invite them"]
    assert link.attrs["href"] == "/people/new/?email=stranger%2Bx@example.com&role=owner"
    prefilled = form_to(browser.get(link.attrs["href"]), "/people/new/").data()
    assert (prefilled["email"], prefilled["role"]) == ("stranger+x@example.com", "owner")
    assert queries.members(business.business_id) == []


def test_adding_someone_who_is_not_an_owner_shows_a_warning(world: World) -> None:
    browser, business, person = world.browser("admin"), create_business(name="Shop"), world.add(Role.STAFF, "Sam")
    toast = toast_text(send_add_form(browser, business, person.email))
    assert toast.startswith("Sam added to Shop. Their role is Event staff. Only business members and admins can open")
    assert sign_in(person).get(f"/b/{business.business_id}/").status_code == 403


def test_a_member_cannot_be_added_twice_or_with_an_invalid_address(world: World) -> None:
    browser, business, person = world.browser("admin"), create_business(), world.add(Role.OWNER)
    send_add_form(browser, business, person.email)
    twice = send_add_form(browser, business, person.email)
    assert twice.status_code == 422
    assert "is already in the business" in parse(twice).one("p", id="id_email_error").text
    for invalid_email in ("", "x", "a#b@example.com"):
        assert send_add_form(browser, business, invalid_email).status_code == 422
    assert len(queries.members(business.business_id)) == 1


def test_a_business_has_at_most_fifty_members(world: World) -> None:
    business = create_business()
    for start in range(0, queries.MAX_MEMBERS, 5):
        emails = [f"m{number:02}@example.com" for number in range(start, start + 5)]
        add_business(f"{business.business_id}-{start}", "x", *emails)
    for start in range(0, queries.MAX_MEMBERS, 5):
        for member in queries.members(f"{business.business_id}-{start}"):
            raw = member.serialize() | {"PK": {"S": f"TENANT#{business.business_id}"}}
            put_raw(raw)
    refused = send_add_form(world.browser("admin"), business, "olivia@example.com")
    assert refused.status_code == 422
    assert "can have up to 50 people" in parse(refused).text
    assert len(queries.members(business.business_id)) == 50


def test_removing_with_an_old_revision_is_a_conflict(world: World) -> None:
    """A colleague removed and added the person again, so the revision on the old page no longer matches."""
    browser, business, person = world.browser("admin"), create_business(), world.add(Role.OWNER)
    for email in (person.email, "olivia@example.com"):
        members.add(business.business_id, email, command=new_command(ACTOR))
    url = f"{url_of(business)}members/{person.email}/remove/"
    assert browser.post(url, {"revision": "7"}).status_code == 409
    assert businesses_of(person) == [business.business_id]


def test_a_rename_updates_the_copies_on_the_members(world: World) -> None:
    browser, business, person = world.browser("admin"), create_business(name="Old Name"), world.add(Role.OWNER, "Nora")
    send_add_form(browser, business, person.email)
    edit(browser, business, name="New Name", status="SUSPENDED", reason="Unpaid")
    (copy,) = queries.businesses_of(person.email)
    assert (copy.business_name, copy.business_status) == ("New Name", "SUSPENDED")
    home = parse(sign_in(person).get("/")).by_class("home-businesses")[0].text
    assert "New Name" in home and "Suspended" in home
    # A rename by an owner updates the copies too.
    businesses.edit(business.business_id, {"status": "ACTIVE"}, revision=2, command=new_command(ACTOR))
    inside = sign_in(person)
    url = f"/b/{business.business_id}/settings/"
    form_to(inside.get(url), url).send(inside, values={"name": "Newest"})
    (copy,) = queries.businesses_of(person.email)
    assert (copy.business_name, copy.business_status) == ("Newest", "ACTIVE")


def test_a_persons_new_name_is_copied_to_their_memberships(world: World) -> None:
    business, person = create_business(), world.add(Role.OWNER, "Old")
    members.add(business.business_id, person.email, command=new_command(ACTOR))
    people.edit(person.email, name="By Admin", role=Role.OWNER, revision=person.revision, command=new_command(ALDO))
    assert [each.title for each in queries.members(business.business_id)] == ["By Admin"]
    browser = sign_in(person_queries.load_person(person.email))
    form_to(browser.get("/account/"), "/account/edit/").send(browser, values={"name": "By Themselves"})
    assert [each.title for each in queries.members(business.business_id)] == ["By Themselves"]
    form_to(parse(browser.get("/account/")).one("main"), "/account/edit/").send(browser, values={"name": ""})
    assert [each.title for each in queries.members(business.business_id)] == [person.email]


def test_only_admins_add_and_remove_members(world: World) -> None:
    business, person = create_business(), world.add(Role.OWNER)
    members.add(business.business_id, person.email, command=new_command(ACTOR))
    owner = sign_in(person)
    for browser, status in ((owner, 403), (world.browser("staff"), 403), (new_browser(), 401)):
        assert browser.post(f"{url_of(business)}members/", {"email": "olivia@example.com"}).status_code == status
        url = f"{url_of(business)}members/{person.email}/remove/"
        assert browser.post(url, {"revision": "1"}).status_code == status
    assert businesses_of(person) == [business.business_id]
