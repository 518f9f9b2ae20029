"""Publish, unpublish, archive and schedule a page, and the markers that the public site waits for."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from content.items import Content
from content.queries.pages import load_page
from content.queries.schedules import find_schedule
from content.services import schedules
from content.statuses import PageStatus
from dashboard.core.clock import frozen, now
from dashboard.core.errors import Conflict, Refused, Unavailable
from dashboard.platform.due import runner
from dashboard.table import keys, read, tenancy, write
from dashboard.table.commands import new_command
from dashboard.table.keypattern import IndexPattern
from tests.conftest import ACTOR, add_business
from tests.content.site import (
    BUSINESS,
    a_page,
    publish,
    put_outside_page,
    raw_page,
    raw_version,
    save_page,
    set_status_of,
)


def markers() -> list[int]:
    """When something changed last, as the two items say; empty if nothing did."""
    found = [read.raw_item(keys.CDN_MARKER.key(name=name)) for name in ("PENDING", "LAST_CHANGE")]
    return [int(each["updatedAt"]["N"]) for each in found if each]


def forget_markers() -> None:
    for name in ("PENDING", "LAST_CHANGE"):
        write.remove(keys.CDN_MARKER.key(name=name))


def schedule(page: Content, due_at: datetime) -> None:
    command = new_command(ACTOR)
    schedules.schedule(BUSINESS, page.node, due_at, "America/Santiago", revision=page.revision, command=command)


def run_due(queue: IndexPattern = keys.DUE) -> list[str]:
    """What the due tasks of pages in a queue did."""
    kinds = ("page schedule ", "audit entry ")
    return [each.text for each in runner.run(queue=queue) if each.task.startswith(kinds)]


# --- Status ---
def test_each_change_of_the_status_is_a_version(table: str) -> None:
    page = publish(a_page())
    assert (page.state, page.number) == ("Published", 2)
    first = raw_version(page.node, 1)
    assert first is not None and first["status"] == {"S": "Draft"}
    with pytest.raises(Conflict, match="already published"):
        publish(page)
    page = set_status_of(page, PageStatus.ARCHIVED)
    assert set_status_of(page, PageStatus.DRAFT).number == 4


def test_a_fixed_page_is_never_archived_and_a_page_without_an_address_is_not_published(table: str) -> None:
    with pytest.raises(Refused):
        set_status_of(a_page("Home", slug="/"), PageStatus.ARCHIVED)
    put_outside_page("bare", slug=None, status="Draft")
    with pytest.raises(Refused):
        publish(load_page(BUSINESS, "bare"))
    put_outside_page("odd", slug="/a#b", status="Draft")
    with pytest.raises(Refused):
        publish(load_page(BUSINESS, "odd"))


# --- Markers ---
def test_the_markers_follow_what_the_public_site_shows(table: str) -> None:
    page = a_page()
    save_page(page, title="Still a draft")
    assert markers() == []
    before = int(now().timestamp() * 1000)
    page = publish(load_page(BUSINESS, page.node))
    assert len(markers()) == 2 and min(markers()) >= before
    forget_markers()
    page = save_page(page, title="New")
    assert len(markers()) == 2
    forget_markers()
    page = set_status_of(page, PageStatus.DRAFT)
    assert len(markers()) == 2
    forget_markers()
    set_status_of(page, PageStatus.ARCHIVED)
    assert markers() == []


def test_a_request_inside_a_business_can_put_the_markers_but_not_read_them(table: str) -> None:
    page = a_page()
    with tenancy.bind(tenancy.Binding(BUSINESS, ACTOR.email)):
        publish(page)
        with pytest.raises(tenancy.ForeignTenant):
            markers()
    assert len(markers()) == 2


def test_markers_that_were_not_put_are_put_for_the_audit_entry(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise Unavailable

    with monkeypatch.context() as patched:
        patched.setattr("content.services.markers.put_markers", fail)
        page = publish(a_page())
    assert (page.state, markers()) == ("Published", [])
    run_due(keys.DUE_OUTBOX)
    assert len(markers()) == 2


# --- Schedule ---
def test_a_scheduled_page_is_published_once_at_its_time_as_it_is_then(table: str) -> None:
    add_business(BUSINESS, "Andina", "olivia@example.com")
    page = a_page()
    schedule(page, now() + timedelta(hours=2))
    page = save_page(page, title="Edited meanwhile")
    assert run_due() == []
    with frozen(now() + timedelta(hours=2, minutes=1)):
        assert run_due() == [f"published {page.node}"]
        published = load_page(BUSINESS, page.node)
        assert (published.state, published.title, published.number) == ("Published", "Edited meanwhile", 3)
        assert find_schedule(BUSINESS, page.node) is None and run_due() == []
    assert raw_page(page.node)["updatedBy"] == {"S": ACTOR.email}


def test_a_schedule_that_cannot_be_kept_says_why(table: str) -> None:
    add_business(BUSINESS, "Andina", "olivia@example.com")
    archived, taken = a_page("Archived", slug="/archived"), a_page("Taken", slug="/taken")
    for page in (archived, taken):
        schedule(page, now() + timedelta(hours=1))
    set_status_of(archived, PageStatus.ARCHIVED)
    # Another service gives the address to another page.
    write.remove(keys.ROUTE.key(tenant=BUSINESS, slug="/taken"))
    publish(a_page("Other", slug="/taken"))
    with frozen(now() + timedelta(hours=2)):
        run_due()
    reasons = {}
    for page in (archived, taken):
        found = find_schedule(BUSINESS, page.node)
        reasons[page.title] = found.missed if found else None
    assert reasons == {"Archived": "archived", "Taken": "address"}
    assert load_page(BUSINESS, taken.node).state == "Draft"


def test_a_schedule_is_replaced_and_ends_when_the_page_is_published(table: str) -> None:
    page = a_page()
    times = [now() + timedelta(hours=hours) for hours in (2, 5)]
    for due_at in times:
        schedule(page, due_at)
    found = find_schedule(BUSINESS, page.node)
    assert found is not None and found.due_at == times[1]
    publish(page)
    assert find_schedule(BUSINESS, page.node) is None
    with pytest.raises(Conflict):
        schedule(load_page(BUSINESS, page.node), now() + timedelta(hours=1))
    other = a_page("Other", slug="/other")
    with pytest.raises(Refused):
        schedule(other, now() - timedelta(minutes=1))
