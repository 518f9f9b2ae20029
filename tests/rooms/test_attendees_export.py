"""The CSV export of attendees: content, protection against formulas, and the audit entry."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.platform.audit.queries import latest
from dashboard.table.timestamps import to_wire
from rooms.attendees_export import COLUMNS
from tests.audit.entries import put, put_all, text_of
from tests.conftest import sign_in
from tests.faults import bad_network, broken
from tests.rooms.attendees import ANA, REGISTERED, create_attendee, raw_attendee, raw_attendees
from tests.rooms.rooms import create_room
from tests.ui.html import form_to, parse
from tests.ui.walk import calls_of

URL = "/rooms/people/"
EXPORT = f"{URL}export/"


def rows(response: Any) -> list[dict[str, str]]:
    text = text_of(response)
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def exports() -> list[tuple[str, Any]]:
    """Author and filters of each export, newest first."""
    return [(each.actor["email"], each.after) for each in latest(50) if each.action == "event_people.export"]


def test_the_export_button_exports_the_filtered_list(as_staff: Client) -> None:
    create_room("sala1")
    create_attendee(progress=["sala1", "sala9"])
    put(raw_attendee("b@example.org", country="Chile"))
    page = as_staff.get(f"{URL}?country=colombia")
    form = form_to(page, EXPORT)
    assert "data-downloads" in form.element.attrs and form.buttons[0].text == "Export Colombia as CSV"
    response = form.send(as_staff)
    (row,) = rows(response)
    assert tuple(row) == COLUMNS
    assert list(row.values()) == [
        ANA,
        "Ana Torres",
        "Colombia",
        "attendee",
        to_wire(REGISTERED),
        "1",
        "sala1, sala9",
        "no",
    ]
    assert response.headers["Content-Disposition"].startswith('attachment; filename="event-people-')
    assert response.headers["Cache-Control"] == "no-store, private"
    assert exports() == [("sofia@example.com", {"country": "Colombia"})]
    form.send(as_staff)
    assert len(exports()) == 2, "every download has its own audit entry, also with the same form"


def test_the_export_shows_who_has_an_account(as_staff: Client) -> None:
    create_attendee()
    form = form_to(as_staff.get(URL), EXPORT)
    assert form.buttons[0].text == "Export all as CSV"
    account_by_email = {row["email"]: row["account"] for row in rows(form.send(as_staff))}
    assert (
        account_by_email[ANA] == "no" and account_by_email["marco@example.com"] == "yes" and len(account_by_email) == 6
    )
    assert exports() == [("sofia@example.com", None)]


def test_the_audit_page_describes_the_export(as_staff: Client, people_by_role: dict[str, Person]) -> None:
    as_staff.post(EXPORT, {"country": "Colombia"})
    page = parse(sign_in(people_by_role["admin"]).get("/audit/?action=event_people.export"))
    assert "Sofía Duarte exported the attendees" in page.text
    assert "country" in page.text and "Colombia" in page.text


def test_formulas_are_escaped(as_staff: Client) -> None:
    put(raw_attendee("=1+1@example.org", "@SUM(A1)", "-Chile", progress=["+1", "=x"]))
    (row,) = rows(as_staff.post(EXPORT, {"country": "-Chile"}))
    assert [row[name] for name in ("email", "name", "country", "rooms")] == [
        "'=1+1@example.org",
        "'@SUM(A1)",
        "'-Chile",
        "'+1, '=x",
    ]


def test_the_export_is_streamed_in_parts(as_staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooms.attendees_export.AT_ONCE", 10)
    put_all(raw_attendees(range(75)))
    response = as_staff.post(EXPORT, {"country": "Chile"})
    parts = [part.count(b"\r\n") for part in response.streaming_content]  # type: ignore[attr-defined]
    assert parts == [11, 10, 5]
    operations = [call.operation for call in calls_of(response).calls]
    assert operations.count("Query") == len(parts) + 1 and operations.count("TransactWriteItems") == 1
    # The session, the audit entry, the event of the security log, and the pages.
    assert len(operations) == 1 + 1 + 1 + 4


def test_a_country_without_attendees_gives_an_empty_file(as_staff: Client) -> None:
    for country in ("Narnia", "a#b"):
        text = text_of(as_staff.post(EXPORT, {"country": country}))
        assert text.removeprefix("\ufeff").strip() == ",".join(COLUMNS)


@pytest.mark.parametrize("country", ["x" * 101, "a\0b"])
def test_invalid_input_exports_nothing(as_staff: Client, country: str) -> None:
    assert as_staff.post(EXPORT, {"country": country}).status_code == 422
    assert exports() == []


def test_the_export_requires_post_and_the_permission(as_staff: Client, people_by_role: dict[str, Person]) -> None:
    assert as_staff.get(EXPORT).status_code == 405
    assert sign_in(people_by_role["moderator"]).post(EXPORT).status_code == 403
    assert exports() == []


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_nothing_is_exported_if_the_audit_entry_cannot_be_written(table: str, as_staff: Client) -> None:
    create_attendee()
    with bad_network() as network:
        network.next("TransactWriteItems", *[broken] * 12)
        response = as_staff.post(EXPORT)
    assert response.status_code == 503 and ANA not in response.content.decode()
    assert exports() == []
