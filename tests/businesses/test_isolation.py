"""Isolation between businesses: no URL of one business opens an item of another one."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.core.clock import now
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses.queries import businesses_of
from dashboard.platform.businesses.services import members
from dashboard.table import cursors
from dashboard.table.commands import Actor, new_command
from tests.apikeys.factories import create_key
from tests.audit.entries import put, raw_entry, utc
from tests.bookings.conversations import begin
from tests.branding.pictures import upload_asset
from tests.branding.publishing_factory import put_schedule, put_share_link
from tests.branding.theme_factory import put_theme
from tests.conftest import ACTOR, sign_in
from tests.content.library_items import create_context, put_resource, put_signal, put_site_file
from tests.content.visitors import put_consent
from tests.franchises.undo_jobs import counted_undo
from tests.jobs.count_job import unfinished_job
from tests.ui.html import parse
from tests.ui.samples import (
    BUSINESS,
    NEIGHBOURS,
    PAGE_PARTS,
    Samples,
    begin_joint_publication,
    create_booking_samples,
    create_count,
    create_lead,
    create_mail_and_webhook_samples,
    create_page_comment,
    create_page_samples,
    create_store_samples,
    decide_comments,
    move_leads,
    prepare_stock_import,
)
from tests.ui.walk import Route, routes
from tests.ui.world import World

# Parts that name no item: every business has a text for each kind of mail, and every list of its site.
NO_ITEMS = {"business", "mail_kind", "library"}
NESTED = [route for route in routes() if route.is_in_business and set(route.parts) - NO_ITEMS]
AT = utc("2025-09-22T10:00:00")
# A person who is not a member is answered as one who was just removed.
NOT_FOUND = {"business_member_": 409}
# Valid for every form that is checked before its item is read.
SENT = {
    "revision": "1",
    "status": "Published",
    "role": "manager",
    "code": "CAFE",
    "branch": "branch-1",
    "stage": "Contacted",
}


def neighbour_values(who: Actor) -> Samples:
    """An item of the neighbours for every part that a URL inside a business can have. Jobs belong to `who`."""
    return Samples(
        {
            ("entry",): put_entry,
            ("key_id",): lambda: [create_key(NEIGHBOURS)[0].id],
            ("widget_key_id",): lambda: [create_key(NEIGHBOURS, origins=["https://www.harbour.example"])[0].id],
            ("version", "schedule", "share"): put_shared_version,
            ("asset",): lambda: [upload_asset(NEIGHBOURS).id],
            ("service", "provider", "customer", "booking"): lambda: create_booking_samples(NEIGHBOURS).values(),
            ("conversation",): put_conversation,
            ("branch", "product", "seq"): lambda: create_store_samples(NEIGHBOURS),
            ("count", "count_product"): lambda: create_count(NEIGHBOURS),
            ("place", "mail_kind", "webhook_id"): lambda: create_mail_and_webhook_samples(NEIGHBOURS),
            ("page_comment", "page_id", "author"): lambda: create_page_comment(NEIGHBOURS),
            ("decision", "revision"): lambda: ["approve", "1"],
            ("lead", "at", "note"): lambda: create_lead(NEIGHBOURS),
            ("visitor",): lambda: [put_consent("visitor_theirs", business=NEIGHBOURS).visitor],
            ("job_id",): lambda: [unfinished_job(who, NEIGHBOURS).id],
            ("stores_job_id",): lambda: [prepare_stock_import(who, NEIGHBOURS).id],
            ("comments_job_id",): lambda: [decide_comments(who, NEIGHBOURS).id],
            ("leads_job_id",): lambda: [move_leads(who, NEIGHBOURS).id],
            PAGE_PARTS: lambda: create_page_samples(NEIGHBOURS),
            ("joint_job_id",): lambda: [begin_joint_publication(who, NEIGHBOURS).id],
            ("undo_job_id",): lambda: [put_counted_undo(who)],
            ("email",): lambda: ["nuria@example.com"],
            ("library", "item"): lambda: create_context(NEIGHBOURS),
            ("signal",): lambda: [put_signal(NEIGHBOURS)],
            ("resource",): lambda: [put_resource(NEIGHBOURS)],
            ("site_file",): lambda: [put_site_file(NEIGHBOURS)],
        }
    )


def put_entry() -> list[str]:
    put(raw_entry(AT, "theirs", business=NEIGHBOURS))
    return ["2025-09-22T10:00:00Z_theirs"]


def put_counted_undo(who: Actor) -> str:
    create_store_samples(NEIGHBOURS)
    return counted_undo(who, NEIGHBOURS).id


def put_conversation() -> list[str]:
    begin("conv-theirs", business=NEIGHBOURS)
    return ["conv-theirs"]


def put_shared_version() -> tuple[str, str, str]:
    """A version that the own business never reaches, a schedule and a share link."""
    version = put_theme(NEIGHBOURS, 90_000_000)
    return (
        str(version),
        put_schedule(NEIGHBOURS, version, now() + timedelta(days=3)),
        put_share_link(NEIGHBOURS, version),
    )


def test_there_are_nested_urls() -> None:
    assert len(NESTED) >= 5


@pytest.mark.parametrize("who", ["owner", "admin"])
@pytest.mark.parametrize("route", NESTED, ids=lambda route: route.name)
def test_items_of_another_business_are_not_found_in_ones_own(world: World, route: Route, who: str) -> None:
    neighbour = world.people["neighbour"]
    values = neighbour_values(Actor(neighbour.email, neighbour.name))
    own, foreign = (route.url(values | {"business": each}) for each in (BUSINESS, NEIGHBOURS))
    browser = world.browser(who)
    answers = [browser.get(own), browser.post(own, SENT)]
    not_found = next((status for name, status in NOT_FOUND.items() if route.name.startswith(name)), 404)
    assert {response.status_code for response in answers} <= {not_found, 405}
    assert not_found in {response.status_code for response in answers}
    # The values are valid: in the neighbours' business they open a page, or lead to a file.
    assert {world.browser("neighbour").get(foreign).status_code} <= {200, 303, 405}


def test_a_cursor_of_another_business_is_refused(world: World) -> None:
    start = {name: {"S": "x"} for name in ("PK", "SK")}
    for email in (world.people["neighbour"].email, world.people["owner"].email):
        marker = cursors.encode(start, email, "audit", NEIGHBOURS)
        assert world.browser("owner").get(f"/b/{BUSINESS}/audit/?cursor={marker}").status_code == 400


@pytest.mark.parametrize("url", ["/businesses/switch/", "/businesses/switch/?q=h", "/go/?q=harbour", "/"])
def test_the_switcher_and_search_name_no_business_of_others(world: World, url: str) -> None:
    assert "Harbour" in world.browser("neighbour").get(url, follow=True).content.decode()
    for who in ("owner", "moderator", "staff"):
        text = parse(world.browser(who).get(url, follow=True)).text.replace("“harbour”", "")
        assert "harbour" not in text.lower(), who


def test_a_removed_member_loses_access_with_the_next_request(world: World) -> None:
    person = world.add(Role.OWNER)
    member = members.add(BUSINESS, person.email, command=new_command(ACTOR))
    browser = sign_in(person)
    assert browser.get(f"/b/{BUSINESS}/").status_code == 200
    members.remove(BUSINESS, person.email, revision=member.revision, command=new_command(ACTOR))
    assert browser.get(f"/b/{BUSINESS}/").status_code == 404
    assert browser.post(f"/b/{BUSINESS}/keys/new/", {"name": "x"}).status_code == 404
    assert businesses_of(person.email) == []
