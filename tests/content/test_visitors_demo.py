"""The demo's visitors: added once, with something in every list."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from content.comment_statuses import OTHER, CommentStatus
from content.demo import seed_demo, visitors
from content.lead_stages import LeadStage
from content.queries import comments, consents, leads
from content.services.leads import edit
from dashboard.core.clock import now
from dashboard.table.commands import new_command
from tests.conftest import ACTOR, add_business
from tests.content.site import BUSINESS
from tests.content.visitors import put_comment, put_lead
from tests.ui.html import parse


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_demo_has_something_in_every_list_and_is_added_once(table: str) -> None:
    assert visitors.seed() == (0, 0, 0), "there is no business yet"
    add_business(BUSINESS, "Coca-Cola Andina")
    assert "18 comments on pages, 7 leads, 70 consents" in seed_demo(1)
    assert visitors.seed() == (0, 0, 0)
    for status in (*CommentStatus, OTHER):
        assert comments.comments_by_status(BUSINESS, status).items, status
    for stage in LeadStage:
        assert leads.leads_by_stage(BUSINESS, stage).items, stage
    state = leads.find_state(BUSINESS, "otto@kermesse.example")
    assert state is not None and len(state.other_addresses) == 1 and state.has_new_contact
    assert leads.contacts_of(BUSINESS, state.id) and leads.notes_of(BUSINESS, state.id)
    assert leads.count_due_steps(BUSINESS, now().date()) == 1
    for choice in ("all", "necessary", "denied"):
        assert consents.consents_by_choice(BUSINESS, choice).items, choice
    assert comments.decisions_of(BUSINESS).items


def test_the_home_page_names_what_waits(table: str, as_owner: Client) -> None:
    def lines() -> Any:
        return parse(as_owner.get(f"/b/{BUSINESS}/")).text

    assert "waits for approval" not in lines()
    put_comment()
    put_comment(at="2026-04-03T18:22:10.000Z", status="Approved")
    put_lead()
    values = {"next_step": "Llamar", "next_step_on": "2026-01-01"}
    edit(BUSINESS, "otto@buyer.example", values, revision=0, timezone="UTC", command=new_command(ACTOR))
    text = lines()
    assert "1 comment waits for approval" in text and "1 next step of a lead is due" in text
