"""Publishing cancels the schedules of the version, and those of others that the person ticks; Undo restores them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from branding import queries
from branding.items import Theme
from branding.services import publishing, schedules
from dashboard.core.clock import frozen
from dashboard.core.errors import Refused
from dashboard.platform.accounts.items import Person
from dashboard.platform.due import runner
from dashboard.table.commands import new_command
from tests.branding.publishing_factory import (
    BUSINESS,
    NOON,
    OLIVIA,
    audit_entries,
    create_draft,
    create_published,
    live_version,
)
from tests.conftest import add_business, real_engines, sign_in
from tests.faults import bad_network, lose_reply
from tests.ui.html import form_to, parse, toasts, undo_form

LIST = f"/b/{BUSINESS}/branding/"
SATURDAY = datetime(2026, 3, 7, 15, tzinfo=UTC)


@pytest.fixture(autouse=True)
def andina(table: str) -> Iterator[None]:
    with frozen(NOON):
        add_business(BUSINESS, "Coca-Cola Andina", OLIVIA.email)
        yield


@pytest.fixture
def olivia(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["owner"])


def schedule(theme: Theme, due_at: datetime = SATURDAY, note: str = "") -> None:
    revision = queries.load_theme(BUSINESS, theme.number).revision
    schedules.schedule(
        BUSINESS,
        theme.number,
        due_at=due_at,
        zone="America/Santiago",
        note=note,
        revision=revision,
        command=new_command(OLIVIA),
    )


def scheduled() -> list[tuple[int, datetime | None, str | None]]:
    return [(each.number, each.due_at, each.note) for each in queries.schedules(BUSINESS)]


def publish(browser: Client, theme: Theme, *ticked: str) -> Any:
    url = f"{LIST}themes/{theme.number}/publish/"
    form = form_to(parse(browser.get(url, follow=True)).one("main"), url)
    return form.send(browser, values={"cancel": list(ticked)} if ticked else None, follow=True)


def test_publishing_cancels_the_schedules_of_the_version_and_undo_restores_them(olivia: Client) -> None:
    first, draft, other = create_published(name="Now"), create_draft(name="Autumn"), create_draft(name="Other")
    schedule(draft, note="For the weekend")
    schedule(draft, SATURDAY + timedelta(days=7))
    schedule(other, SATURDAY + timedelta(days=1))
    planned = scheduled()
    page = parse(olivia.get(f"{LIST}themes/{draft.number}/publish/", follow=True)).one("main").text
    assert "Publishing now cancels the schedule of this version: 7 Mar 2026, 12:00" in page

    answer = publish(olivia, draft)
    (text,) = toasts(answer)
    assert "v2 is live. Its schedule for 7 Mar 2026, 12:00" in text and text.count("was cancelled.") == 2
    assert scheduled() == [(other.number, SATURDAY + timedelta(days=1), None)]
    (entry,) = audit_entries(BUSINESS, "theme.publish")[1:]
    assert (entry.after or {})["schedules_cancelled"] == "v2 (2026-03-07T15:00:00Z), v2 (2026-03-14T15:00:00Z)"

    answer = undo_form(answer).send(olivia, follow=True)
    (text,) = toasts(answer)
    assert text.startswith("Undone: v2 is no longer live. v1 is live again. v2: schedule for 7 Mar 2026, 12:00")
    assert (live_version(), scheduled()) == (first.number, planned)
    restored = next(each for each in queries.schedules(BUSINESS) if each.due_at == SATURDAY)
    assert (restored.created_by, restored.timezone) == (OLIVIA.email, "America/Santiago")
    assert "schedules_restored" in (audit_entries(BUSINESS, "theme.rollback")[0].after or {})

    answer = undo_form(answer).send(olivia, follow=True)
    assert live_version() == draft.number
    assert [number for number, _due, _note in scheduled()] == [other.number], "the Undo of the Undo cancels them again"


def test_undo_of_the_first_publication_restores_its_schedule(olivia: Client) -> None:
    draft = create_draft(name="Autumn")
    schedule(draft)
    answer = publish(olivia, draft)
    assert scheduled() == []
    answer = undo_form(answer).send(olivia, follow=True)
    assert "v1 withdrawn. No version is live. v1: schedule for 7 Mar 2026, 12:00" in toasts(answer)[0]
    assert (live_version(), scheduled()) == (None, [(draft.number, SATURDAY, None)])


def test_a_rollback_offers_to_cancel_a_pending_schedule(olivia: Client) -> None:
    first, second, draft = create_published(), create_published(), create_draft()
    schedule(draft)
    kept = SATURDAY + timedelta(days=1)
    schedule(draft, kept)
    answer = publish(olivia, first, f"2026-03-07T15:00:00Z_{draft.number}")
    assert "v3: schedule for 7 Mar 2026, 12:00" in toasts(answer)[0]
    assert (live_version(), scheduled()) == (first.number, [(draft.number, kept, None)])
    undo_form(answer).send(olivia, follow=True)
    assert live_version() == second.number
    assert scheduled() == [(draft.number, SATURDAY, None), (draft.number, kept, None)]


def test_a_restored_schedule_publishes_at_its_time_and_a_past_one_is_not_restored() -> None:
    first, draft, command = create_published(), create_draft(), new_command(OLIVIA)
    schedule(draft)
    schedule(draft, SATURDAY + timedelta(days=1))
    publishing.publish(BUSINESS, draft.number, expected_live_version=first.number, command=command)
    with frozen(SATURDAY + timedelta(hours=1)):
        undo = new_command(OLIVIA)
        publishing.publish(BUSINESS, first.number, expected_live_version=draft.number, restore=command.id, command=undo)
    assert [due for _number, due, _note in scheduled()] == [SATURDAY + timedelta(days=1)]
    with frozen(SATURDAY + timedelta(days=1)):
        assert f"published v{draft.number}" in [each.text for each in runner.run()]
    assert (live_version(), scheduled()) == (draft.number, [])


def test_a_due_publication_leaves_the_later_schedules_of_its_version() -> None:
    create_published()
    draft = create_draft()
    schedule(draft)
    schedule(draft, SATURDAY + timedelta(days=7))
    with frozen(SATURDAY):
        list(runner.run())
    assert (live_version(), [due for _n, due, _note in scheduled()]) == (draft.number, [SATURDAY + timedelta(days=7)])


def test_more_schedules_than_a_transaction_holds_are_refused() -> None:
    create_published()
    draft = create_draft()
    for day in range(5):
        schedule(draft, SATURDAY + timedelta(days=day))
    with pytest.raises(Refused, match="Cancel some"):
        publishing.publish(BUSINESS, draft.number, expected_live_version=1, command=new_command(OLIVIA))
    assert (live_version(), len(scheduled())) == (1, 5)


def test_another_business_cannot_restore_these_schedules() -> None:
    add_business("other", "Other", OLIVIA.email)
    command = new_command(OLIVIA)
    draft = create_draft()
    schedule(draft)
    publishing.publish(BUSINESS, draft.number, expected_live_version=None, command=command)
    theirs = create_draft("other")
    publishing.publish(
        "other", theirs.number, expected_live_version=None, restore=command.id, command=new_command(OLIVIA)
    )
    assert queries.schedules("other") == []


@real_engines
def test_a_lost_reply_cancels_and_restores_once(table: str) -> None:
    first, draft = create_published(), create_draft()
    schedule(draft)
    command, undo = new_command(OLIVIA), new_command(OLIVIA)
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        marker = publishing.publish(BUSINESS, draft.number, expected_live_version=first.number, command=command)
    assert scheduled() == [] and len(marker.outcome.result["cancelled"]) == 1
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        publishing.publish(BUSINESS, first.number, expected_live_version=draft.number, restore=command.id, command=undo)
    assert scheduled() == [(draft.number, SATURDAY, None)]
    assert len(audit_entries(BUSINESS, "theme.publish", "theme.rollback")) == 3


@pytest.mark.parametrize("restore", ["a#b", "x" * 300, "\x00"])
def test_an_unknown_command_restores_nothing(olivia: Client, restore: str) -> None:
    published = create_published(BUSINESS)
    draft = create_draft(BUSINESS)
    sent = {"expected": str(published.number), "restore": restore, "contrast": "accepted"}
    assert olivia.post(f"{LIST}themes/{draft.number}/publish/", sent).status_code in {303, 400, 422}
    assert olivia.post(f"{LIST}themes/{draft.number}/withdraw/", {"restore": restore}).status_code < 500
