"""Scheduled publication: created, cancelled, shown in the business's time zone, and refused if the draft changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from branding import queries
from branding.items import ScheduledPublication
from branding.services import drafts, publishing, schedules
from dashboard.core.clock import frozen, now
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.accounts.items import Person
from dashboard.platform.audit.labels import labels_of
from dashboard.platform.audit.sentences import value_label
from dashboard.table import keys
from dashboard.table.commands import new_command
from tests.branding.publishing_factory import (
    BUSINESS,
    LOW_CONTRAST,
    NOON,
    OLIVIA,
    audit_entries,
    create_draft,
    create_published,
    live_version,
    put_item,
    put_many_versions,
    put_schedule,
)
from tests.conftest import add_business, real_engines, sign_in
from tests.faults import bad_network, lose_reply
from tests.ui.html import form_to, forms, parse, toasts
from tests.ui.walk import calls_of, values

LIST = f"/b/{BUSINESS}/branding/"
# Saturday at noon in Santiago (UTC-3).
SATURDAY = datetime(2026, 3, 7, 15, tzinfo=UTC)
FIELDS = {"date": "2026-03-07", "time": "12:00", "zone": "America/Santiago", "note": "For the weekend"}


@pytest.fixture(autouse=True)
def andina(table: str) -> Iterator[None]:
    with frozen(NOON):
        add_business(BUSINESS, "Coca-Cola Andina", OLIVIA.email)
        yield


@pytest.fixture
def olivia(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["owner"])


def schedule_url(number: int) -> str:
    return f"{LIST}themes/{number}/schedule/"


def schedule(number: int, revision: int, due_at: datetime = SATURDAY, **options: Any) -> ScheduledPublication:
    return schedules.schedule(
        BUSINESS,
        number,
        due_at=due_at,
        zone="America/Santiago",
        revision=revision,
        command=new_command(OLIVIA),
        **options,
    )


def cancel(scheduled: ScheduledPublication) -> None:
    schedules.cancel(BUSINESS, scheduled.due_key, scheduled.number, command=new_command(OLIVIA))


def test_scheduling_a_draft(table: str) -> None:
    theme = create_draft(name="Autumn")
    assert theme.expires_at is not None
    scheduled = schedule(theme.number, theme.revision, note="For the weekend")
    (planned,) = queries.schedules(BUSINESS)
    assert planned.key == scheduled.key == keys.SCHEDULED.key(tenant=BUSINESS, due_at=SATURDAY, version=theme.number)
    assert (planned.due_at, planned.timezone, planned.note) == (SATURDAY, "America/Santiago", "For the weekend")
    assert (planned.created_by, planned.created_by_name) == (OLIVIA.email, OLIVIA.name)
    assert (planned.gsistatuspk, planned.gsistatussk) == ("DUE", "2026-03-07T15:00:00Z")
    after = queries.load_theme(BUSINESS, theme.number)
    assert values(after, "time_to_archive", "ttl", "revision") == (None, None, theme.revision + 1)
    assert (after.updated_at, after.updated_by) == (theme.updated_at, theme.updated_by), (
        "a schedule is not an edit of the draft"
    )
    (entry,) = audit_entries(BUSINESS, "theme.schedule")
    assert entry.actor == {"email": OLIVIA.email, "name": OLIVIA.name}
    assert entry.target == {"type": "theme", "id": "theme-1", "title": "v1 Autumn"}
    assert entry.after == {"due": "2026-03-07T15:00:00Z", "timezone": "America/Santiago", "note": "For the weekend"}
    assert value_label(labels_of("theme.schedule"), "due", entry.after["due"]) == "7 Mar 2026, 15:00 UTC"
    assert live_version() is None


def test_cancelling_a_schedule(table: str) -> None:
    theme = create_draft()
    scheduled = schedule(theme.number, theme.revision)
    cancel(scheduled)
    assert queries.schedules(BUSINESS) == []
    assert queries.load_theme(BUSINESS, theme.number).is_kept_forever, "the draft stays and no longer expires"
    (entry,) = audit_entries(BUSINESS, "theme.unschedule")
    assert (entry.before or {})["due"] == "2026-03-07T15:00:00Z"
    with pytest.raises(NotFound, match="no longer exists"):
        cancel(scheduled)


def test_an_earlier_version_can_be_scheduled() -> None:
    first, second = create_published(), create_published()
    schedule(first.number, 0)
    assert [each.number for each in queries.schedules(BUSINESS)] == [first.number]
    assert (queries.load_theme(BUSINESS, first.number).revision, live_version()) == (first.revision + 1, second.number)


def test_a_draft_that_changed_is_not_scheduled() -> None:
    theme = create_draft()
    drafts.disable_auto_delete(BUSINESS, theme.number, revision=theme.revision, command=new_command(OLIVIA))
    with pytest.raises(Conflict):
        schedule(theme.number, theme.revision)
    assert queries.schedules(BUSINESS) == [] and audit_entries(BUSINESS, "theme.schedule") == []


def test_low_contrast_requires_confirmation_and_is_recorded() -> None:
    theme = create_draft(textColor=LOW_CONTRAST["textColor"])
    with pytest.raises(publishing.LowContrast) as below:
        schedule(theme.number, theme.revision)
    assert [reading.pair.id for reading in below.value.failing] == ["text-background", "text-surface"]
    assert queries.schedules(BUSINESS) == []
    schedule(theme.number, theme.revision, accept_low_contrast=True)
    (planned,) = queries.schedules(BUSINESS)
    assert planned.below_aa == ["text-background", "text-surface"]
    assert (audit_entries(BUSINESS, "theme.schedule")[0].after or {})["below_aa"] == "text-background, text-surface"


def test_a_discarded_draft_is_not_scheduled_and_a_scheduled_one_not_discarded() -> None:
    gone, theme = create_draft(), create_draft()
    drafts.discard(BUSINESS, gone.number, revision=gone.revision, command=new_command(OLIVIA))
    with pytest.raises(Refused, match="discarded"):
        schedule(gone.number, gone.revision + 1)
    schedule(theme.number, theme.revision)
    for service in (drafts.discard, drafts.enable_auto_delete):
        with pytest.raises(Refused, match="Cancel the schedule first"):
            service(BUSINESS, theme.number, revision=theme.revision + 1, command=new_command(OLIVIA))


def test_only_one_version_can_be_scheduled_for_a_time() -> None:
    one, other = create_draft(), create_draft()
    schedule(one.number, one.revision)
    for theme in (one, other):
        with pytest.raises(Refused, match="v1 is already scheduled for that time") as refusal:
            schedule(theme.number, queries.load_theme(BUSINESS, theme.number).revision)
        assert refusal.value.field == "time"
    schedule(other.number, other.revision, SATURDAY + timedelta(minutes=1))
    assert [each.number for each in queries.schedules(BUSINESS)] == [1, 2]


def test_a_business_has_at_most_50_schedules() -> None:
    theme = create_draft()
    for number in range(schedules.MAX_SCHEDULES):
        put_schedule(BUSINESS, 1, NOON + timedelta(days=1, minutes=number))
    with pytest.raises(Refused, match="up to 50 scheduled versions"):
        schedule(theme.number, theme.revision)


@real_engines
def test_a_repeated_command_with_lost_replies_creates_one_schedule(table: str) -> None:
    theme, command = create_draft(), new_command(OLIVIA)
    with bad_network() as network:
        for _ in range(3):
            network.next("TransactWriteItems", lose_reply, lose_reply)
            scheduled = schedules.schedule(
                BUSINESS, theme.number, due_at=SATURDAY, zone="UTC", revision=theme.revision, command=command
            )
            assert scheduled.due_at == SATURDAY
    assert len(queries.schedules(BUSINESS)) == len(audit_entries(BUSINESS, "theme.schedule")) == 1


# --- The screens ---------------------------------------------------------------------------------
def test_the_form_starts_with_the_time_zone_of_the_business(olivia: Client) -> None:
    theme = create_draft()
    response = olivia.get(schedule_url(theme.number))
    form = form_to(response, schedule_url(theme.number))
    assert (form.data()["zone"], form.data()["revision"]) == ("America/Santiago", "1")
    assert calls_of(response).trips == 2
    assert "published as saved at that time" in parse(response).text


def test_schedule_with_the_form_cancel_and_undo(olivia: Client) -> None:
    theme = create_draft()
    form = form_to(olivia.get(schedule_url(theme.number)), schedule_url(theme.number))
    answer = form.send(olivia, values=FIELDS)
    assert (answer.status_code, answer.headers["Location"]) == (303, LIST)
    assert queries.schedules(BUSINESS)[0].due_at == SATURDAY
    listed = olivia.get(LIST)
    assert toasts(listed) == ["v1 will go live on 7 Mar 2026, 12:00 GMT-3."]
    section = parse(listed).one("section", id="schedules")
    assert (
        "7 Mar 2026, 12:00 GMT-3" in section.text and "For the weekend" in section.text and OLIVIA.name in section.text
    )
    entry = f"{LIST}schedules/2026-03-07T15:00:00Z_1/cancel/"
    undone = form_to(section, entry).send(olivia)
    assert (undone.status_code, queries.schedules(BUSINESS)) == (303, [])
    after = olivia.get(LIST)
    assert not after.content.decode().count('id="schedules"')
    again = next(each for each in forms(after) if each.action == schedule_url(1)).send(olivia)
    assert again.status_code == 303
    (planned,) = queries.schedules(BUSINESS)
    assert (planned.due_at, planned.note, planned.timezone) == (SATURDAY, "For the weekend", "America/Santiago")


def test_undo_in_the_toast_cancels_the_schedule(olivia: Client) -> None:
    theme = create_draft()
    form_to(olivia.get(schedule_url(theme.number)), schedule_url(theme.number)).send(olivia, values=FIELDS)
    toast_area = parse(olivia.get(LIST)).one(id="toasts")
    (undo,) = forms(toast_area)
    assert undo.send(olivia).status_code == 303
    assert queries.schedules(BUSINESS) == []


def test_times_are_shown_in_the_zones_of_the_viewer_and_the_business(people_by_role: dict[str, Person]) -> None:
    person = people_by_role["owner"]
    browser = sign_in(person)
    browser.post("/account/zone/", {"timezone": "Asia/Tokyo"})
    put_schedule(BUSINESS, create_draft().number, SATURDAY)
    text = parse(browser.get(LIST)).one("section", id="schedules").text
    assert "8 Mar 2026, 00:00 JST" in text and "7 Mar 2026, 12:00 GMT-3 · Coca-Cola Andina" in text


def test_an_invalid_form_shows_errors_and_keeps_the_input(olivia: Client) -> None:
    theme = create_draft()
    for fields, text in (
        ({"date": "2026-03-01"}, "This is in the past."),
        ({"date": "2026-09-06", "time": "00:30"}, "The next time is 01:00."),
        ({"zone": "Mars"}, "Select a valid choice"),
        ({"note": "x" * 201}, "at most 200 characters"),
    ):
        answer = olivia.post(schedule_url(theme.number), FIELDS | {"revision": "1"} | fields)
        assert answer.status_code == 422
        assert text in parse(answer).text, fields
        assert form_to(answer, schedule_url(theme.number)).data()["time"] == fields.get("time", "12:00")
    assert queries.schedules(BUSINESS) == []


def test_an_ambiguous_time_is_explained_in_the_toast(olivia: Client) -> None:
    theme = create_draft()
    twice = FIELDS | {"date": "2026-10-25", "time": "02:30", "zone": "Europe/Madrid", "revision": "1"}
    olivia.post(schedule_url(theme.number), twice)
    assert "occurs twice. The first one is used." in toasts(olivia.get(LIST))[0]


def test_low_contrast_asks_for_confirmation_on_the_page(olivia: Client) -> None:
    theme = create_draft(textColor=LOW_CONTRAST["textColor"])
    question = form_to(olivia.get(schedule_url(theme.number)), schedule_url(theme.number)).send(olivia, values=FIELDS)
    assert question.status_code == 422 and queries.schedules(BUSINESS) == []
    assert "Text on the background: 1.67 : 1" in parse(question).text
    form = form_to(question, schedule_url(theme.number))
    assert form.data()["note"] == "For the weekend"
    assert form.send(olivia).status_code == 303
    assert queries.schedules(BUSINESS)[0].below_aa == ["text-background", "text-surface"]
    # Undoing the cancellation does not ask again: the contrast was already accepted.
    (cancel_form,) = forms(parse(olivia.get(LIST)).one("section", id="schedules"))
    cancel_form.send(olivia)
    next(each for each in forms(olivia.get(LIST)) if each.action == schedule_url(1)).send(olivia)
    assert len(queries.schedules(BUSINESS)) == 1


def test_scheduling_a_draft_changed_meanwhile_is_a_conflict(olivia: Client) -> None:
    theme = create_draft()
    form = form_to(olivia.get(schedule_url(theme.number)), schedule_url(theme.number))
    drafts.disable_auto_delete(BUSINESS, theme.number, revision=1, command=new_command(OLIVIA))
    answer = form.send(olivia, values=FIELDS)
    assert answer.status_code == 409
    assert "Olivia Andrade has changed this draft" in parse(answer).text
    again = form_to(answer, schedule_url(theme.number))
    assert (again.data()["revision"], again.data()["note"]) == ("2", "For the weekend")
    assert again.send(olivia).status_code == 303
    assert len(queries.schedules(BUSINESS)) == 1


def test_cancelling_an_unknown_schedule_is_404_with_a_reason(olivia: Client) -> None:
    answer = olivia.post(f"{LIST}schedules/2026-03-07T15:00:00Z_1/cancel/")
    assert answer.status_code == 404
    assert "The version was published, or someone cancelled it" in parse(answer).text


def test_a_missed_schedule_shows_its_reason_and_can_be_dismissed(olivia: Client) -> None:
    entry = put_schedule(BUSINESS, 7, NOON - timedelta(days=1), missed="gone")
    section = parse(olivia.get(LIST)).one("section", id="schedules")
    assert "Not published" in section.text and "The version no longer exists." in section.text
    (form,) = forms(section)
    assert form.send(olivia).headers["Location"] == LIST
    assert toasts(olivia.get(LIST)) == ["v7 dismissed."], "the toast names the dismissed version"
    assert entry and queries.schedules(BUSINESS) == []
    assert [each.action for each in audit_entries()] == ["theme.clear"]


def test_malformed_schedules_of_outside_writers_are_listed(olivia: Client) -> None:
    put_item(keys.SCHEDULED.key(tenant=BUSINESS, due_at="soon/ish", version=3), dueAt="soon", missed="because", note=7)
    response = olivia.get(LIST)
    assert response.status_code == 200
    assert "soon/ish" in parse(response).text and "because" in parse(response).text
    assert olivia.get(schedule_url(create_draft().number)).status_code == 200


def test_the_page_of_a_version_shows_its_schedule(olivia: Client) -> None:
    theme = create_draft()
    put_schedule(BUSINESS, theme.number, SATURDAY, createdByName="Olivia")
    put_schedule(BUSINESS, theme.number, now() - timedelta(days=1), missed="closed")
    shell = {"business": {"id": BUSINESS}}
    context = {"theme": theme, "schedules": queries.schedules(BUSINESS), "shell": shell}
    text = parse(render_to_string("branding/_scheduled_notice.html", context)).text
    assert text.count("Scheduled to publish as saved") == 1 and "7 Mar 2026, 12:00 GMT-3" in text
    other = render_to_string("branding/_scheduled_notice.html", context | {"theme": create_draft()})
    assert parse(other).text == ""


def test_a_scheduled_version_has_its_own_badge_with_the_time(olivia: Client) -> None:
    theme, other = create_draft(), create_draft()
    put_schedule(BUSINESS, theme.number, SATURDAY)
    put_schedule(BUSINESS, other.number, NOON - timedelta(days=1), missed="closed")
    rows = {row.one("a", class_="row-link").text: row for row in parse(olivia.get(LIST)).all("li", data_row="")}
    assert rows[theme.title].one(class_="badge").text == "Scheduled"
    assert "7 Mar 2026, 12:00 GMT-3" in rows[theme.title].text
    assert rows[other.title].one(class_="badge").text == "Draft"
    state = parse(olivia.get(f"{LIST}themes/{theme.number}/")).one(class_="line theme-state")
    assert state.one(class_="badge").text == "Scheduled" and "7 Mar 2026, 12:00 GMT-3" in state.text


def test_a_scheduled_version_on_a_later_page_has_its_badge(olivia: Client) -> None:
    theme = create_draft()
    put_many_versions(BUSINESS, range(2, 14))
    put_schedule(BUSINESS, theme.number, SATURDAY)
    (more,) = [link.attrs["href"] for link in parse(olivia.get(LIST)).all("a") if "data-more" in link.attrs]
    page = parse(olivia.get(more))
    assert page.one(class_="versions").all("li", data_row="")[-1].one(class_="badge").text == "Scheduled"
    assert "schedules" not in {each.attrs.get("id") for each in page.all("section")}


def test_the_list_and_the_publish_page_offer_to_schedule(olivia: Client) -> None:
    live, draft = create_published(), create_draft()
    links = [link.attrs["href"] for link in parse(olivia.get(LIST)).all("a")]
    assert schedule_url(draft.number) in links and schedule_url(live.number) not in links
    for page in (f"{LIST}themes/{draft.number}/publish/?against={live.number}", f"{LIST}themes/{draft.number}/"):
        (link,) = [each for each in parse(olivia.get(page)).all("a") if each.text == "Schedule"]
        assert link.attrs["href"] == schedule_url(draft.number)
