"""The texts of a business: placeholders, preview, reset, undo."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.audit.queries import latest_of
from dashboard.platform.mail.items import CancelReason
from dashboard.platform.mail.queries import find_text
from dashboard.platform.mail.texts import as_line, fill, unknown_placeholders
from tests.bookings.bookable_business import BUSINESS, at, book
from tests.bookings.catalog import press_undo
from tests.conftest import sign_in
from tests.mail.letters import Clock, only, run_mail, sent
from tests.ui.html import form_to
from tests.ui.walk import calls_of

TEXTS = f"/b/{BUSINESS}/mail/texts/"
CONFIRMATION, REMINDER = f"{TEXTS}booking.confirmation/", f"{TEXTS}booking.reminder/"


@pytest.fixture
def as_olivia(people_by_role: Any, clock: Clock) -> Client:
    return sign_in(people_by_role["owner"])


def save(client: Client, url: str, **values: Any) -> Any:
    # The first page shows the toast of an earlier change, with a form of its own.
    client.get(url)
    return client.post(url, form_to(client.get(url), url).data(**values))


def test_a_saved_text_is_sent(table: str, clock: Clock, as_olivia: Client) -> None:
    page = as_olivia.get(CONFIRMATION)
    assert calls_of(page).trips <= 2
    assert save(as_olivia, CONFIRMATION, subject_es="Te esperamos, {customer}").status_code == 303
    stored = find_text(BUSINESS, "booking.confirmation")
    assert stored is not None
    assert stored.subject_es == "Te esperamos, {customer}"
    assert not (stored.body_es or stored.subject_en), "a text that equals the default is not stored"
    assert latest_of(BUSINESS)[0].action == "mail_text.save"
    book(at(15))
    clock.pass_time()
    run_mail()
    assert sent()[0].subject == "Te esperamos, Juan Pérez"


def test_saving_is_undone_and_reset(table: str, clock: Clock, as_olivia: Client) -> None:
    save(as_olivia, CONFIRMATION, subject_es="Uno", sending="off")
    assert press_undo(as_olivia, CONFIRMATION).status_code == 303
    stored = find_text(BUSINESS, "booking.confirmation")
    assert stored is not None and not stored.is_off and not stored.has_own_text
    save(as_olivia, CONFIRMATION, subject_es="Dos", body_en="Only this")
    reset = form_to(as_olivia.get(CONFIRMATION), f"{CONFIRMATION}reset/")
    assert as_olivia.post(reset.action, reset.data()).status_code == 303
    stored = find_text(BUSINESS, "booking.confirmation")
    assert stored is not None and not stored.has_own_text
    assert press_undo(as_olivia, CONFIRMATION).status_code == 303
    stored = find_text(BUSINESS, "booking.confirmation")
    assert stored is not None and (stored.subject_es, stored.body_en) == ("Dos", "Only this")


def test_two_people_do_not_overwrite_each_other(table: str, clock: Clock, as_olivia: Client) -> None:
    first, second = (form_to(as_olivia.get(CONFIRMATION), CONFIRMATION) for _ in range(2))
    as_olivia.post(CONFIRMATION, first.data(subject_es="Uno"))
    assert as_olivia.post(CONFIRMATION, second.data(subject_es="Dos")).status_code == 409
    stored = find_text(BUSINESS, "booking.confirmation")
    assert stored is not None and stored.subject_es == "Uno"


def test_an_unknown_placeholder_is_refused_and_the_text_is_kept(table: str, clock: Clock, as_olivia: Client) -> None:
    answer = save(as_olivia, CONFIRMATION, body_en="Hello {customre}, {__class__}")
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "{customre}" in text and "{__class__}" in text and "{customer}" in text
    assert find_text(BUSINESS, "booking.confirmation") is None


def test_the_preview_shows_typed_texts_and_saves_nothing(table: str, clock: Clock, as_olivia: Client) -> None:
    book(at(15))
    url = f"{CONFIRMATION}preview/"
    data = form_to(as_olivia.get(CONFIRMATION), CONFIRMATION).data(subject_en="See you, {customer} <b>")
    answer = as_olivia.post(url, data)
    assert answer.status_code == 200
    assert "See you, Ana Ruiz &lt;b&gt;" in answer.content.decode(), "the next booking is five weeks ahead"
    assert find_text(BUSINESS, "booking.confirmation") is None


def test_mail_that_is_switched_off_is_not_sent(table: str, clock: Clock, as_olivia: Client) -> None:
    save(as_olivia, CONFIRMATION, sending="off")
    book(at(15))
    clock.pass_time()
    run_mail()
    assert sent() == []
    assert only("booking.confirmation").reason == CancelReason.SWITCHED_OFF


def test_the_lead_time_of_reminders(table: str, clock: Clock, as_olivia: Client) -> None:
    assert save(as_olivia, REMINDER, lead_hours="7").status_code == 422
    save(as_olivia, REMINDER, lead_hours="48")
    book(at(15))
    clock.pass_time()
    run_mail()
    assert only("booking.reminder").send_at == at(15, day=-2)
    # A shorter time applies to reminders in the queue.
    save(as_olivia, REMINDER, lead_hours="2")
    clock.set(at(15, day=-2))
    assert run_mail() == ["moved to the time that the business has chosen since"]
    clock.set(at(13))
    assert run_mail() == ["sent"]


def test_texts_need_the_permission(table: str, clock: Clock, as_olivia: Client, as_staff: Client) -> None:
    assert as_staff.get(TEXTS).status_code in {403, 404}
    assert as_olivia.get(f"{TEXTS}account.invitation/").status_code == 404
    assert as_olivia.get(f"{TEXTS}nothing/").status_code == 404


def test_placeholders_are_replaced_once_and_lines_are_joined() -> None:
    assert fill("{a} {b} {c}", {"a": "{b}", "b": "x"}) == "{b} x {c}"
    assert unknown_placeholders("{a} {x} {x} {y.z}", ["a"]) == ["x", "y.z"]
    assert as_line("One\r\nBcc: two\u2028three\x00") == "One Bcc: two three"
