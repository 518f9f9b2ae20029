"""The outbox: states, resend, cancel, undo, and nothing of another business."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links, people
from dashboard.platform.audit.queries import latest_of
from dashboard.platform.mail.items import CancelReason, MailState
from dashboard.platform.mail.queries import load_mail
from dashboard.table.commands import new_command
from tests.bookings.bookable_business import BUSINESS, at, book
from tests.bookings.catalog import press_undo
from tests.conftest import ACTOR, add_business, sign_in
from tests.mail.letters import Clock, only, run_mail, sent
from tests.mail.samples import put_mail
from tests.ui.html import form_to, parse
from tests.ui.walk import calls_of

OUTBOX = f"/b/{BUSINESS}/mail/"


@pytest.fixture
def as_olivia(people_by_role: Any, clock: Clock) -> Client:
    return sign_in(people_by_role["owner"])


def test_the_outbox_shows_what_was_sent(table: str, clock: Clock, as_olivia: Client) -> None:
    book(at(15))
    clock.pass_time()
    run_mail()
    page = as_olivia.get(OUTBOX)
    assert calls_of(page).trips <= 2
    text = parse(page).text
    assert "Juan Pérez" in text and "juan@example.com" in text
    assert "juan@example.com" not in parse(as_olivia.get(f"{OUTBOX}?state=queued")).text
    assert as_olivia.get(f"{OUTBOX}?state=nonsense").status_code == 404
    mail = only("booking.confirmation")
    page = as_olivia.get(f"{OUTBOX}{mail.place}/")
    assert calls_of(page).trips <= 2 and sent()[0].subject in parse(page).text


def test_mail_is_cancelled_and_put_back_with_undo(table: str, clock: Clock, as_olivia: Client) -> None:
    book(at(15))
    clock.pass_time()
    run_mail()
    mail = only("booking.reminder")
    url = f"{OUTBOX}{mail.place}/"
    form = form_to(as_olivia.get(url), f"{url}cancel/")
    assert as_olivia.post(form.action, form.data()).status_code == 303
    assert (only("booking.reminder").state, only("booking.reminder").reason) == ("cancelled", CancelReason.PERSON)
    assert latest_of(BUSINESS)[0].action == "mail.cancel"
    assert press_undo(as_olivia, url).status_code == 303
    restored = only("booking.reminder")
    assert (restored.state, restored.send_at) == (MailState.QUEUED, mail.send_at)


def test_mail_is_sent_again_with_a_new_id(table: str, clock: Clock, as_olivia: Client) -> None:
    book(at(15))
    clock.pass_time()
    run_mail()
    url = f"{OUTBOX}{only('booking.confirmation').place}/"
    form = form_to(as_olivia.get(url), f"{url}resend/")
    as_olivia.post(form.action, form.data())
    # The same form again changes nothing.
    as_olivia.post(form.action, form.data())
    assert run_mail() == ["sent"]
    ids = [message.message()["Message-ID"] for message in sent()]
    assert len(ids) == 2 and ids[0] != ids[1]


def test_a_stale_form_changes_nothing(table: str, clock: Clock, as_olivia: Client) -> None:
    mail = put_mail(BUSINESS, "x1", send_at=at(1), due_at=at(1))
    url = f"{OUTBOX}{mail.place}/"
    first, second = (form_to(as_olivia.get(url), f"{url}cancel/") for _ in range(2))
    as_olivia.post(first.action, first.data())
    answer = as_olivia.post(second.action, second.data())
    assert answer.status_code in {409, 422}
    assert load_mail(BUSINESS, mail.place).revision == 2
    assert as_olivia.post(first.action, {"revision": "x"}).status_code == 422


def test_mail_of_another_business_and_of_the_platform_does_not_exist(
    table: str, clock: Clock, as_olivia: Client
) -> None:
    add_business("harbour", "Harbour", "other@example.com")
    foreign, own_platform = put_mail("harbour", "x1"), put_mail("", "x2", kind="account.invitation")
    for mail in (foreign, own_platform):
        assert as_olivia.get(f"{OUTBOX}{mail.place}/").status_code == 404
        assert as_olivia.post(f"{OUTBOX}{mail.place}/cancel/", {"revision": "1"}).status_code == 404
    assert as_olivia.get(f"/b/harbour/mail/{foreign.place}/").status_code == 404
    assert as_olivia.get("/mail/").status_code == 403
    assert foreign.place not in as_olivia.get(OUTBOX).content.decode()


def test_an_invitation_is_sent_and_its_link_is_not_stored(
    table: str, clock: Clock, as_admin: Client, settings: Any
) -> None:
    command = new_command(ACTOR)
    person = people.invite("ines@example.com", name="Inés", role=Role.STAFF, command=command)
    token = str(links.token_of(person, command))
    clock.pass_time()
    assert run_mail() == ["queued 1", "sent"]
    (message,) = sent()
    assert f"{settings.SITE_URL}/join/{token}/" in message.body
    mail = only("account.invitation", "")
    assert token not in (mail.body or "") and "••••••" in (mail.body or "")
    page = as_admin.get(f"/mail/{mail.place}/").content.decode()
    assert token not in page and "ines@example.com" in page


def test_a_link_that_was_replaced_is_not_sent(table: str, clock: Clock, people_by_role: Any) -> None:
    person = people.invite("ines@example.com", name="Inés", role=Role.STAFF, command=new_command(ACTOR))
    links.create_link(person.email, revision=person.revision, command=new_command(ACTOR))
    clock.pass_time()
    results = run_mail()
    assert sorted(results) == ["not sent: link_replaced", "queued 1", "queued 1", "sent"]


def test_failed_mail_is_on_the_home_page(table: str, clock: Clock, as_olivia: Client, as_admin: Client) -> None:
    put_mail(BUSINESS, "x1", state="failed", due_at=None)
    put_mail("", "x2", kind="account.invitation", state="failed", due_at=None)
    assert f"{OUTBOX}?state=failed" in as_olivia.get(f"/b/{BUSINESS}/").content.decode()
    assert "/mail/?state=failed" in as_admin.get("/").content.decode()


def test_an_unknown_mail_is_a_404(table: str, clock: Clock, as_olivia: Client) -> None:
    for place in ("2026-01-01T00:00:00Z_nope", "xxxx_..", "2026_a%23b"):
        assert as_olivia.get(f"{OUTBOX}{place}/").status_code == 404
