"""Businesses as outside writers store them are listed after the repair, and every page of them answers."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.platform.accounts.items import Person
from dashboard.platform.audit.sentences import history_line
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.services import businesses, member_copies
from dashboard.platform.stream import writer
from dashboard.table import keys
from dashboard.table.commands import new_command
from dashboard.table.items import Raw
from tests import outside_writes
from tests.businesses.business_pages import audit_trails, claim_owner, create_business, edit, reload, toast_text
from tests.conftest import ACTOR, add_business, every_engine, real_engines, sign_in
from tests.outside_writes import follow
from tests.ui.html import parse
from tests.ui.walk import routes
from tests.ui.world import World


def raw_business(business: str, **values: Any) -> Raw:
    key = keys.TENANT.key(tenant=business)
    texts = {"PK": key.pk, "SK": key.sk} | {name: value for name, value in values.items() if isinstance(value, str)}
    return {name: {"S": value} for name, value in texts.items()} | {
        name: value for name, value in values.items() if not isinstance(value, str)
    }


def site_business(business: str = "fern-and-loom", **more: Any) -> Raw:
    """As the site's service writes it: no slug, statuses and plans of its own, the domain twice."""
    values = {
        "id": business,
        "name": "Fern & Loom",
        "status": "LIVE",
        "plan": "Agency",
        "domain": f"{business}.example",
        "Domain": f"{business}.example",
        "theme": {"M": {"primaryColor": {"S": "#000000"}}},
        "navLinks": {"L": [{"M": {"label": {"S": "Shop"}, "href": {"S": "/shop"}}}]},
        "createdAt": "2026-01-09T10:00:00.123Z",
    }
    return raw_business(business, **values | more)


def booking_business(business: str = "a1b2c3d4", **more: Any) -> Raw:
    """As the bookings' service writes it: it has to be paid first, and its owner is an id of that service."""
    values = {
        "tenantId": business,
        "name": "Clínica Ñuñoa",
        "slug": "clinica-nunoa",
        "status": "PENDING_PAYMENT",
        "plan": "LITE",
        "ownerUserId": "7d1c-cognito-sub",
        "billingEmail": "pagos@example.com",
        "settings": {"M": {"aiMode": {"S": "x"}, "widget": {"S": "none"}, "notification_rules": {"L": []}}},
        "whatsappQuota": {"N": "0"},
        "isPublished": {"BOOL": False},
        "publishedAt": {"NULL": True},
        "createdAt": "2026-05-10T12:00:00.654321+00:00",
    }
    return raw_business(business, **values | more)


def listed(prefix: str = "") -> list[str]:
    return [each.id for each in queries.businesses(prefix).items]


@every_engine
def test_businesses_of_other_services_are_listed(table: str, people_by_role: dict[str, Person]) -> None:
    admin = sign_in(people_by_role["admin"])
    for raw in (site_business(), booking_business()):
        change = outside_writes.put(raw)
        assert follow(change)
        assert not follow(change), "nothing is left to repair"
        stored = outside_writes.raw_at(change.key) or {}
        assert {name: stored[name] for name in raw} == raw
    assert set(listed()) >= {"fern-and-loom", "a1b2c3d4"}
    shown = parse(admin.get("/businesses/")).text
    assert all(text in shown for text in ("Fern & Loom", "LIVE", "Clínica Ñuñoa", "PENDING_PAYMENT"))
    assert claim_owner("slug", "clinica-nunoa") == "a1b2c3d4"
    assert claim_owner("domain", "fern-and-loom.example") == "fern-and-loom"
    assert [each.id for each in queries.businesses_with_domain("fern-and-loom.example")] == ["fern-and-loom"]
    # A second write moves it in the list.
    follow(outside_writes.put(site_business(name="Alba")))
    assert "fern-and-loom" in listed("al") and "fern-and-loom" not in listed("fern")


@pytest.mark.parametrize(
    "raw",
    [
        site_business("odd"),
        booking_business("odd"),
        raw_business("odd"),
        raw_business("odd", name={"N": "3"}, status={"L": []}, slug={"NULL": True}, domain="A#B", plan={"BOOL": True}),
        site_business("odd", slug="Slug With Spaces", settings={"L": []}, createdAt={"N": "1768"}),
        site_business("Odd_Capitals.x", slug="x" * 1500),
    ],
    ids=["site", "bookings", "empty", "mistyped", "malformed", "capitals"],
)
def test_every_page_of_it_answers(world: World, raw: Raw) -> None:
    admin = world.browser("admin")
    follow(outside_writes.put(raw))
    business = raw["SK"]["S"].removeprefix("TENANT#")
    assert business in listed()
    pages = [route for route in routes() if set(route.parts) == {"business"} and not route.needs_api_key]
    answers = {route.text: admin.get(route.url({"business": business})).status_code for route in pages}
    assert len(answers) > 15 and [text for text, status in answers.items() if status >= 500] == []
    assert answers["b/<business:business>/"] == answers["businesses/<business:business>/"] == 200
    assert admin.get("/businesses/").status_code == admin.get("/businesses/switch/").status_code == 200


def test_an_admin_can_edit_it(world: World) -> None:
    admin = world.browser("admin")
    follow(outside_writes.put(booking_business()))
    business = queries.load_business("a1b2c3d4")
    assert "saved" in toast_text(edit(admin, business, name="Clínica", slug="clinica"))
    assert (claim_owner("slug", "clinica"), claim_owner("slug", "clinica-nunoa")) == ("a1b2c3d4", None)
    assert (reload(business).status, reload(business).plan) == ("PENDING_PAYMENT", "LITE")


def test_a_changed_slug_is_reserved_and_the_previous_one_released(table: str) -> None:
    follow(outside_writes.put(booking_business()))
    assert follow(outside_writes.put(booking_business(slug="nunoa")))
    assert (claim_owner("slug", "nunoa"), claim_owner("slug", "clinica-nunoa")) == ("a1b2c3d4", None)


def test_an_address_of_another_business_is_reported(table: str) -> None:
    first = create_business(slug="clinica-nunoa")
    change = outside_writes.put(booking_business())
    assert follow(change)
    assert not follow(change)
    assert claim_owner("slug", "clinica-nunoa") == first.id
    assert queries.load_business("a1b2c3d4").slug == "clinica-nunoa", "what they wrote stays"
    (entry,) = audit_trails(queries.load_business("a1b2c3d4"))[1]
    assert (entry.action, entry.after) == ("business.address_taken", {"slug": "clinica-nunoa"})
    assert "another business uses" in str(history_line(entry).what)
    # Its slug is changed: the address of the first business is not released.
    follow(outside_writes.put(booking_business(slug="nunoa")))
    assert claim_owner("slug", "clinica-nunoa") == first.id


@real_engines
def test_a_slug_that_is_reserved_while_it_is_repaired_stays_reserved(table: str) -> None:
    change = outside_writes.put(booking_business())
    writes = outside_writes.writes_for(change)
    first = create_business(slug="clinica-nunoa")
    assert not writer.apply(writes)
    assert follow(change)
    assert claim_owner("slug", "clinica-nunoa") == first.id
    assert "a1b2c3d4" in listed()


@every_engine
def test_a_business_of_another_service_is_marked_until_it_has_an_owner(table: str) -> None:
    follow(outside_writes.put(site_business()))
    assert [each.title for each in queries.ownerless_businesses().items] == ["Fern & Loom"]
    member = keys.MEMBER.key(tenant="fern-and-loom", email="fay@example.com")
    follow(outside_writes.put({"PK": {"S": member.pk}, "SK": {"S": member.sk}, "role": {"S": "owner"}}))
    assert queries.ownerless_businesses().items == []
    follow(outside_writes.delete(member))
    assert [each.id for each in queries.ownerless_businesses().items] == ["fern-and-loom"]


@every_engine
def test_members_have_the_name_and_status_that_an_outside_writer_gave_the_business(table: str) -> None:
    """More members than a transaction has steps; with an update, which keeps the revision, and with a Put."""
    business = add_business("andina", "Andina")
    for number in range(12):
        key = keys.MEMBER.key(tenant="andina", email=f"m{number:02}@example.com")
        outside_writes.put({"PK": {"S": key.pk}, "SK": {"S": key.sk}, "tenantName": {"S": "Andina"}})

    def copies() -> set[tuple[str, str | None]]:
        return {(each.business_name, each.business_status) for each in queries.members("andina")}

    change = outside_writes.update(business.key, name={"S": "Andina Sur"}, status={"S": "SUSPENDED"})
    follow(change)
    assert copies() == {("Andina Sur", "SUSPENDED")}
    follow(outside_writes.put(site_business("andina", name="Andina Norte")))
    assert copies() == {("Andina Norte", "LIVE")}
    follow(change)
    assert copies() == {("Andina Norte", "LIVE")}, "the record of an earlier change again"
    # A copy of an earlier revision does not replace our own later rename.
    current = queries.load_business("andina")
    businesses.edit("andina", {"name": "Andina"}, revision=current.revision, command=new_command(ACTOR))
    member_copies.update_after_outside_change(current)
    assert {name for name, _ in copies()} == {"Andina"}
