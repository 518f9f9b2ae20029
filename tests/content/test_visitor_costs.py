"""What the lists of comments, leads and consents cost: the same with few items and with thousands."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from content.items import Consent, LeadState, PageComment
from content.items.leads import LEAD
from dashboard.table.items import Item
from tests.content.site import BUSINESS
from tests.content.visitors import COMMENTS, CONSENTS, LEADS
from tests.forum.bulk_jobs import put_all
from tests.ui.walk import calls_of

FEW, MANY = 100, 2_000
START = datetime(2026, 1, 1, tzinfo=UTC)


def put_visitors(since: int, until: int) -> None:
    items: list[Item] = []
    for number in range(since, until):
        at = START + timedelta(minutes=number)
        comment = PageComment.new(tenant=BUSINESS, page=f"page-{number % 20:04}", at=f"{at:%Y-%m-%dT%H:%M:%S}.000Z")
        comment.content, comment.status, comment.created_at = "x" * 200, "Pending", at
        comment.author_name, comment.author_email = "Petra Nadal", f"petra-{number % 20:04}@x.example"
        lead = LeadState.new(tenant=BUSINESS, lead=f"{LEAD}-{number:05}@x.example")
        lead.email, lead.stored_stage, lead.last_contact_at = f"{LEAD}-{number:05}@x.example", "New", at
        lead.source, lead.next_step, lead.next_step_on = "Comment", "Llamar", f"2026-02-{number % 28 + 1:02}"
        consent = Consent.new(tenant=BUSINESS, visitor=f"visitor_{number:05}", at=str(int(at.timestamp() * 1000)))
        consent.choice, consent.timestamp, consent.ip = "all", int(at.timestamp() * 1000), "203.0.113.100"
        items += [comment, lead, consent]
    put_all(items)


def measure(browser: Client) -> dict[str, tuple[Any, ...]]:
    urls: tuple[str, ...] = (
        COMMENTS,
        f"{COMMENTS}?by=petra-0001@x.example",
        LEADS,
        f"{LEADS}?show=steps",
        f"{LEADS}?q=lead-0",
    )
    urls += (CONSENTS, f"{CONSENTS}?show=all", f"{CONSENTS}?q=visitor_0", f"{CONSENTS}totals/")
    logs = {url: calls_of(browser.get(url)) for url in urls}
    return {url: (len(log.calls), log.trips, log.units) for url, log in logs.items()}


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_lists_cost_the_same_with_few_items_and_with_many(table: str, as_owner: Client) -> None:
    put_visitors(0, FEW)
    few = measure(as_owner)
    put_visitors(FEW, MANY)
    many = measure(as_owner)
    author = f"{COMMENTS}?by=petra-0001@x.example"
    assert {url: cost for url, cost in many.items() if url != author} == {
        url: cost for url, cost in few.items() if url != author
    }
    assert all(trips <= 2 for _calls, trips, _units in many.values())
    # A search reads at most 300 items, whatever the list has.
    assert many[author][0] == few[author][0]
    searched = {url: calls_of(as_owner.get(url)) for url in (f"{COMMENTS}?q=nadie", f"{LEADS}?words=nadie")}
    assert all(log.trips <= 2 and log.units < 100 for log in searched.values())
