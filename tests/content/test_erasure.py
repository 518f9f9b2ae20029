"""Erasing a lead or the device of a visitor: what goes, what stays, who may, and that nothing comes back."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.test import Client

from content.queries import leads as queries
from content.services import erasure
from content.services import leads as services
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.audit.queries import latest_of
from dashboard.table import read
from dashboard.table.commands import new_command
from dashboard.table.keypattern import Collection, Key
from tests.adoption.outside import follow
from tests.conftest import ACTOR, every_engine, real_engines
from tests.content.site import BUSINESS
from tests.content.visitors import (
    LEADS,
    comment_url,
    lead_url,
    load,
    put_comment,
    put_consent,
    put_lead,
    visitor_url,
)
from tests.faults import act_then_break, bad_network, lose_reply, retry_until_available
from tests.stream.helpers import wrong_keys
from tests.ui.html import form_to, parse

OTTO = "otto@buyer.example"


def fill(business: str = BUSINESS) -> None:
    """A lead in three spellings with a note, an earlier contact and a next step."""
    first = put_lead("Otto@Buyer.example", name="Otto Kern", data={"message": "Secreto"}, business=business)
    put_lead("Otto@Buyer.example", old=first, createdAt="2026-06-01T09:00:00.000Z", business=business)
    put_lead(OTTO, createdAt="2026-05-11T20:05:45.601Z", business=business)
    put_lead("OTTO@buyer.example", createdAt="2026-05-11T20:05:46.601Z", business=business)
    for number in range(3):
        services.add_note(business, OTTO, f"Nota {number}", command=new_command(ACTOR))
    values = {"next_step": "Llamar", "next_step_on": (now().date() + timedelta(days=3)).isoformat()}
    services.edit(business, OTTO, values, revision=0, timezone="UTC", command=new_command(ACTOR))


def left(business: str = BUSINESS) -> list[str]:
    """The sort keys of what the partition of the business still has about the lead."""
    with_name = [
        raw["SK"]["S"]
        for raw in read.raw_page(Collection(None, f"TENANT#{business}", "")).items
        if "otto" in json.dumps(raw).casefold() and not raw["SK"]["S"].startswith("AUDIT#")
    ]
    return sorted(with_name)


@every_engine
def test_a_lead_is_erased_in_every_spelling(table: str, as_owner: Client) -> None:
    fill()
    fill("harbour")
    comment = put_comment("Hola", authorEmail="Otto@buyer.example", authorName="Otto")
    page = as_owner.get(f"{lead_url()}erase/")
    assert "This cannot be undone." in parse(page).text and "audit trail" in parse(page).text
    form = form_to(page, f"{lead_url()}erase/")
    wrong = form.send(as_owner, values={"confirm": "yes"})
    assert wrong.status_code == 422 and "This is not what is to be erased." in parse(wrong).text
    assert queries.find_state(BUSINESS, OTTO) is not None
    answer = form.send(as_owner, values={"confirm": "OTTO@buyer.example", "with_comments": "on"}, follow=True)
    assert "The lead was erased." in parse(answer).text
    assert left() == [] and len(left("harbour")) > 5, "the lead of another business stays"
    stored = load(comment.ref)
    assert stored.content == "Hola"
    assert not {"authorName", "authorEmail", "authorId"} & stored.raw.keys()
    assert "authorImage" not in stored.raw and not wrong_keys(dict(stored.raw))
    assert "Unknown" in parse(as_owner.get(comment_url(comment))).text
    [entry] = [each for each in latest_of(BUSINESS, 50) if each.action == "lead.erase"]
    assert entry.after == {"rows": 3, "notes": 3, "contacts": 1, "comments": 1}
    assert "otto" not in json.dumps(entry.raw, default=str).casefold()
    # The same form again is the same command; the page is gone.
    again = form.send(as_owner, values={"confirm": "OTTO@buyer.example", "with_comments": "on"})
    assert again.status_code == 303
    assert as_owner.get(f"{lead_url()}erase/").status_code == as_owner.get(lead_url()).status_code == 404
    assert parse(as_owner.get(LEADS)).all("tr", data_row="") == []


def test_without_the_wish_comments_keep_their_author(table: str, as_owner: Client) -> None:
    put_lead()
    comment = put_comment("Hola", authorEmail=OTTO)
    as_owner.post(f"{lead_url()}erase/", {"confirm": OTTO})
    assert load(comment.ref).author_email == OTTO and queries.find_state(BUSINESS, OTTO) is None


@every_engine
def test_a_late_follower_brings_nothing_back(table: str) -> None:
    first = put_lead("Otto@Buyer.example", name="Otto Kern")
    second = put_lead("Otto@Buyer.example", old=first, createdAt="2026-06-01T09:00:00.000Z", id="2")
    erasure.erase_lead(BUSINESS, OTTO, with_comments=False, command=new_command(ACTOR))
    follow(second, first)
    follow(second)
    assert left() == []


@real_engines
def test_an_erasure_ends_complete_with_lost_replies(table: str) -> None:
    fill()
    command = new_command(ACTOR)
    with bad_network() as network:
        network.add_random_fault(0.1, lose_reply)
        network.add_random_fault(0.05, act_then_break)
        retry_until_available(lambda: erasure.erase_lead(BUSINESS, OTTO, with_comments=True, command=command))
        network.stop_faults()
    assert left() == []
    assert [each.action for each in latest_of(BUSINESS, 50)].count("lead.erase") == 1


def test_only_owners_and_managers_may_erase(table: str, as_owner: Client, as_staff: Client) -> None:
    put_lead()
    assert as_staff.post(f"{lead_url()}erase/", {"confirm": OTTO}).status_code in (403, 404)
    assert queries.find_state(BUSINESS, OTTO) is not None
    put_lead("nina@x.example", business="harbour")
    assert as_owner.post(f"{lead_url('nina@x.example')}erase/", {"confirm": "nina@x.example"}).status_code == 404
    assert queries.find_state("harbour", "nina@x.example") is not None


def test_the_device_of_a_visitor_is_erased_and_the_proof_stays(table: str, as_owner: Client) -> None:
    visitor = "visitor_1779190000123_k3j9x0q2a"
    one = put_consent(visitor, ip="203.0.113.7")
    two = put_consent(visitor, "all", at=1779190009571, policyVersion="3")
    other = put_consent("visitor_2", ip="203.0.113.8")
    form = form_to(as_owner.get(f"{visitor_url(visitor)}erase/"), f"{visitor_url(visitor)}erase/")
    assert form.send(as_owner, values={"confirm": "visitor_2"}).status_code == 422
    assert form.send(as_owner, values={"confirm": visitor}).status_code == 303
    for each in (one, two):
        stored = read.get(type(each), Key(each.pk, each.sk))
        assert stored is not None and not {"ip", "userAgent"} & stored.raw.keys()
        assert (stored.choice, stored.timestamp) == (each.choice, each.timestamp) and not wrong_keys(dict(stored.raw))
    stored = read.get(type(other), Key(other.pk, other.sk))
    assert stored is not None and stored.ip == "203.0.113.8"
    [entry] = [each for each in latest_of(BUSINESS, 50) if each.action == "consent.erase"]
    assert entry.after == {"consents": 2} and visitor not in json.dumps(entry.raw, default=str)
    assert as_owner.get(f"{visitor_url('visitor_9')}erase/").status_code == 404


def test_nobody_erases_what_is_not_there(table: str) -> None:
    with pytest.raises(NotFound):
        erasure.erase_lead(BUSINESS, "nobody@x.example", with_comments=False, command=new_command(ACTOR))
    with pytest.raises(NotFound):
        erasure.erase_visitor(BUSINESS, "nobody", command=new_command(ACTOR))
