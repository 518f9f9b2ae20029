"""Next steps of leads as due tasks: the reminder, its mail, done, put off, and the filters of the list."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core import mail as django_mail
from django.test import Client

from content import lead_lists
from content.lead_stages import LeadStage
from content.queries import leads as queries
from content.services import leads as services
from dashboard.core.clock import now, shifted
from dashboard.core.errors import Unavailable
from dashboard.platform.due import runner
from dashboard.table import keys
from dashboard.table.commands import Actor, new_command
from dashboard.table.keypattern import IndexPattern
from tests.bookings.catalog import press_undo
from tests.conftest import ACTOR, every_engine, real_engines
from tests.content.site import BUSINESS
from tests.content.visitors import LEADS, lead_url, put_lead, trips_of
from tests.faults import act_then_break, bad_network, lose_reply
from tests.stream.helpers import wrong_keys
from tests.ui.html import form_to, parse

OTTO = "otto@buyer.example"
OWNER = Actor("olivia@example.com", "Olivia")


def in_days(days: int) -> str:
    return (now().date() + timedelta(days=days)).isoformat()


def plan(days: int, *, lead: str = OTTO, by: Actor = OWNER, **values: str) -> None:
    state = queries.find_state(BUSINESS, lead)
    assert state is not None
    sent = {"next_step": "Llamar", "next_step_on": in_days(days)} | values
    services.edit(BUSINESS, lead, sent, revision=state.revision, timezone="UTC", command=new_command(by))


def run_due(queue: IndexPattern = keys.DUE) -> list[str]:
    kinds = ("lead reminder ", "audit entry ", "outgoing mail ")
    return [each.text for each in runner.run(queue=queue) if each.task.startswith(kinds)]


@every_engine
def test_a_step_is_one_due_task_in_the_morning_of_its_day(table: str) -> None:
    put_lead()
    plan(2)
    reminder = queries.find_reminder(BUSINESS, OTTO)
    assert reminder is not None and f"{reminder.due_at:%Y-%m-%d %H:%M}" == f"{in_days(2)} 08:00"
    assert not wrong_keys(dict(reminder.raw)) and run_due() == []
    plan(3)
    moved = queries.find_reminder(BUSINESS, OTTO)
    assert moved is not None and moved.due_at.date().isoformat() == in_days(3)
    with shifted(timedelta(days=4)):
        assert run_due() == ["a next step is due"]
        assert run_due() == [] and queries.find_reminder(BUSINESS, OTTO) is None
    actions = [entry.action for entry in queries.history_of(BUSINESS, OTTO)]
    assert actions.count("lead.step_due") == 1
    plan(-1)
    assert queries.find_reminder(BUSINESS, OTTO) is None, "whoever saves a step that is due needs no reminder"


@real_engines
def test_two_runs_at_once_and_lost_replies_remind_once(table: str) -> None:
    put_lead()
    plan(1)
    with shifted(timedelta(days=2)), bad_network() as network:
        network.add_random_fault(0.2, lose_reply)
        network.add_random_fault(0.1, act_then_break)
        for _ in range(6):
            with suppress(Unavailable):
                run_due()
        network.stop_faults()
    with shifted(timedelta(days=2, hours=3)):
        run_due()
    actions = [entry.action for entry in queries.history_of(BUSINESS, OTTO)]
    assert queries.find_reminder(BUSINESS, OTTO) is None
    assert actions.count("lead.step_due") == 1


def send_mails() -> list[Any]:
    """The mails that are sent when the step of tomorrow is due."""
    with shifted(timedelta(days=1, hours=12)):
        for queue in (keys.DUE, keys.DUE_OUTBOX, keys.DUE_MAIL):
            run_due(queue)
        run_due(keys.DUE_MAIL)
    return list(django_mail.outbox)


def test_the_person_who_does_the_step_gets_a_mail(table: str, as_owner: Client, settings: Any) -> None:
    settings.MAIL_IS_CONFIGURED = True
    put_lead(name="Otto Kern")
    plan(1)
    [letter] = send_mails()
    assert letter.to == ["olivia@example.com"] and letter.subject.endswith(": Llamar (Otto Kern)")
    assert f"{django_settings.SITE_URL}{lead_url()}" in letter.body


@pytest.mark.parametrize("change", ["archived", "put off", "left", "done"])
def test_a_step_that_is_not_needed_any_more_sends_no_mail(
    table: str, as_owner: Client, settings: Any, change: str
) -> None:
    settings.MAIL_IS_CONFIGURED = True
    put_lead()
    plan(1, by=ACTOR if change == "left" else OWNER)
    state = queries.find_state(BUSINESS, OTTO)
    assert state is not None
    options: dict[str, Any] = {"revision": state.revision, "command": new_command(OWNER)}
    if change == "archived":
        services.set_stage(BUSINESS, OTTO, LeadStage.ARCHIVED, **options)
    elif change == "put off":
        plan(9)
    elif change == "done":
        services.complete_step(BUSINESS, OTTO, timezone="UTC", **options)
    assert send_mails() == []


def test_a_step_is_done_or_put_off_with_undo(table: str, as_owner: Client) -> None:
    put_lead()
    plan(0)
    form = form_to(as_owner.get(lead_url()), f"{lead_url()}step/")
    assert form.send(as_owner, values={"step": "done"}).status_code == 303
    state = queries.find_state(BUSINESS, OTTO)
    assert state is not None and not state.next_step and not state.next_step_on and not state.step_for
    press_undo(as_owner, lead_url())
    state = queries.find_state(BUSINESS, OTTO)
    assert state is not None and (state.next_step, state.step_for) == ("Llamar", "olivia@example.com")
    assert form.send(as_owner, values={"step": "week"}).status_code == 409, "the form is older"
    form = form_to(as_owner.get(lead_url()), f"{lead_url()}step/")
    assert form.send(as_owner, values={"step": "week"}).status_code == 303
    state, reminder = queries.find_state(BUSINESS, OTTO), queries.find_reminder(BUSINESS, OTTO)
    assert state is not None and date.fromisoformat(state.next_step_on or "") > now().date() + timedelta(days=5)
    assert reminder is not None
    assert as_owner.post(f"{lead_url()}step/", {"step": "x", "revision": state.revision}).status_code == 422


def test_a_step_is_given_to_somebody_who_may_see_leads(table: str, as_owner: Client) -> None:
    put_lead()
    form = form_to(as_owner.get(lead_url()), lead_url())
    values = {"next_step": "Llamar", "next_step_on": in_days(3)}
    assert form.send(as_owner, values=values | {"step_for": "stranger@x.example"}).status_code == 422
    assert form.send(as_owner, values=values | {"step_for": "olivia@example.com"}).status_code == 303
    state = queries.find_state(BUSINESS, OTTO)
    assert state is not None and state.step_for == "olivia@example.com"


def titles(page: Any) -> list[str]:
    return [row.all("a")[0].text for row in parse(page).all("tr", data_row="")]


def test_leads_are_filtered_by_words_source_day_and_person(
    table: str, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_lead(name="Otto Núñez", source="contact-form", createdAt="2026-05-01T00:00:00.000Z")
    put_lead("ana@x.example", name="Ana", source="Comment", createdAt="2026-05-02T00:00:00.000Z")
    put_lead("bea@x.example", name="Bea", source="Website", createdAt="2026-05-03T00:00:00.000Z")
    plan(-2)
    plan(3, lead="ana@x.example", by=ACTOR)
    assert titles(as_owner.get(LEADS, {"words": "nunez"})) == ["Otto Núñez"]
    assert titles(as_owner.get(LEADS, {"source": "comm"})) == ["Ana"]
    assert titles(as_owner.get(LEADS, {"due": "overdue"})) == ["Otto Núñez"]
    assert titles(as_owner.get(LEADS, {"due": "week"})) == ["Ana"]
    assert titles(as_owner.get(LEADS, {"due": "none"})) == ["Bea"]
    mine = as_owner.get(LEADS, {"person": "OLIVIA@example.com"})
    assert titles(mine) == ["Otto Núñez"] and trips_of(mine) == 2
    assert "No leads match the filters." in parse(as_owner.get(LEADS, {"words": "nadie"})).text
    assert as_owner.get(LEADS, {"due": "x"}).status_code == 200
    monkeypatch.setattr(lead_lists, "SEARCHED_AT_ONCE", 1)
    first = parse(as_owner.get(LEADS, {"words": "nunez"}))
    assert "1 searched" in first.text and any(each.text == "Search more" for each in first.all("a"))
