"""Publishing in the browser: the confirmation with the changes, undo, low contrast and invalid input."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from branding import contrast, queries
from branding.items import Publication, ScheduledPublication, Theme, ThemeStatus
from dashboard.core.clock import now
from dashboard.platform.accounts.items import Person
from dashboard.platform.audit.queries import latest_of
from dashboard.table.commands import new_command
from dashboard.table.transactions import Transaction
from tests.branding.brand_pages import (
    BRAND,
    HTMX,
    OLIVIA,
    SEED_MARKER,
    audit_actions,
    diff_lines,
    publish_form,
    put_marker,
    toast_text,
    url_of,
)
from tests.branding.theme_factory import (
    LOW_CONTRAST,
    create_discarded,
    create_draft,
    create_published,
    live_version,
    publications,
    publish,
    put_theme,
    reload,
)
from tests.conftest import real_engines, sign_in
from tests.faults import bad_network, lose_reply
from tests.ui.html import Element, form_to, forms, parse, undo_form

MAIN = HTMX | {"HX-Target": "main"}


def confirmation(browser: Client, theme: Theme) -> Element:
    return parse(browser.get(url_of(theme, "publish"), follow=True)).one("main")


def last_publication(business: str = "andina") -> Publication:
    return publications(business)[0]


# --- The confirmation ----------------------------------------------------------------------------
def test_the_confirmation_shows_the_changes(as_owner: Client) -> None:
    old = create_published("andina", "Summer", {"primaryColor": "#aa0011"}, by=OLIVIA)
    draft = create_draft("andina", "Autumn", {"primaryColor": "#7a3300", "spacing": "airy"})
    answer = as_owner.get(url_of(draft, "publish"))
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{url_of(draft, 'publish')}?against={old.number}")
    page = confirmation(as_owner, draft)
    assert diff_lines(page) == {
        "Primary": ["#aa0011", "#7a3300"],
        "Spacing": ["Normal", "Spacious"],
        "Name": ["Summer", "Autumn"],
    }
    assert [each.all("rect")[0].attrs["fill"] for each in page.by_class("diff")[0].all("svg", class_="swatch")] == [
        "#aa0011",
        "#7a3300",
    ]
    assert "Apps and visitors get v2 instead of v1" in page.text and "Olivia Andrade" in page.text
    assert "pairs of colours pass AA" in page.text
    frames = [frame.attrs["src"] for frame in page.all("iframe")]
    assert frames == [url_of(old, "preview"), url_of(draft, "preview")]
    form = form_to(page, url_of(draft, "publish"))
    assert {name: form.data()[name] for name in ("expected", "revision", "note")} == {
        "expected": "1",
        "revision": str(draft.revision),
        "note": "",
    }
    assert [button.text for button in form.buttons] == ["Publish"]


def test_the_first_publication_shows_every_field(as_owner: Client) -> None:
    draft = create_draft("andina")
    answer = as_owner.get(url_of(draft, "publish"))
    assert answer.status_code == 200
    page = parse(answer).one("main")
    assert diff_lines(page)["Primary"] == ["#1d4ed8"] and len(diff_lines(page)) == 14
    assert "Apps and visitors get v1 right away." in page.text
    assert form_to(page, url_of(draft, "publish")).data()["expected"] == ""


def test_an_earlier_version_can_be_published_again(as_owner: Client) -> None:
    earlier, _current = create_published("andina", "First"), create_published("andina", "Second")
    form = publish_form(as_owner, earlier)
    assert [button.text for button in form.buttons] == ["Make live"]
    assert "revision" not in form.data()
    response = form.send(as_owner, follow=True)
    assert toast_text(response) == "v1 is live."
    assert live_version("andina") == 1 and audit_actions(1)[0] == "theme.rollback"


@pytest.mark.parametrize("against", ["7", "x", "", "-1", "9" * 500, "²", "none"])
def test_an_invalid_version_to_compare_is_replaced_by_the_live_one(as_owner: Client, against: str) -> None:
    create_published("andina")
    draft = create_draft("andina")
    answer = as_owner.get(url_of(draft, "publish"), {"against": against})
    assert answer.headers["Location"] == f"{url_of(draft, 'publish')}?against=1"
    assert as_owner.get(answer.headers["Location"]).status_code == 200


def test_the_live_version_cannot_be_published_again(as_owner: Client) -> None:
    theme = create_published("andina")
    page = parse(as_owner.get(url_of(theme, "publish"))).one("main")
    assert "v1 is already live" in page.text and forms(page) == []


def test_a_discarded_draft_must_be_restored_first(as_owner: Client) -> None:
    draft = create_discarded("andina")
    page = parse(as_owner.get(url_of(draft, "publish"))).one("main")
    assert [form.action for form in forms(page)] == [url_of(draft, "restore")]
    response = as_owner.post(url_of(draft, "publish"), {"expected": ""})
    assert response.status_code == 422 and "Restore it first" in parse(response).one("main").text
    assert live_version("andina") is None and publications("andina") == []


def test_a_marker_of_a_missing_version_is_replaced_without_undo(as_owner: Client) -> None:
    put_marker(**SEED_MARKER)
    put_theme("andina", 42)
    page = confirmation(as_owner, queries.load_theme("andina", 42))
    assert "marked as live but does not exist" in page.text and "You can undo this" not in page.text
    response = form_to(page, url_of(42, "publish")).send(as_owner, follow=True)
    assert toast_text(response) == "v42 is live."
    assert live_version("andina") == 42 and last_publication().previous == 41
    assert not [form for toast in parse(response).by_class("toast") for form in forms(toast)]


def test_the_confirmation_names_scheduled_versions(as_owner: Client) -> None:
    draft, later = create_draft("andina"), create_draft("andina")
    planned = ScheduledPublication.new(tenant="andina", due_at=now() + timedelta(days=1), version=later.number)
    planned.due_at = now() + timedelta(days=1)
    transaction = Transaction(new_command(OLIVIA))
    transaction.create(planned)
    transaction.commit(planned)
    assert "Cancel the schedule of v2" in confirmation(as_owner, draft).text
    assert "is scheduled to publish" not in confirmation(as_owner, later).text
    assert "v2" in parse(as_owner.get(BRAND)).one("section", id="schedules").text


# --- Publishing and undo -------------------------------------------------------------------------
@pytest.mark.parametrize("headers", [{}, MAIN], ids=["plain", "htmx"])
def test_publish_and_undo(as_owner: Client, headers: dict[str, str]) -> None:
    old, draft = create_published("andina", "Old"), create_draft("andina", "New")
    answer = publish_form(as_owner, draft).send(as_owner, values={"note": "  For\u202e the season "}, headers=headers)
    assert answer.status_code == (204 if headers else 303)
    assert answer.headers["HX-Redirect" if headers else "Location"] == BRAND
    page = as_owner.get(BRAND)
    assert toast_text(page) == "v2 is live."
    assert (live_version("andina"), reload(draft).status, reload(old).status) == (
        2,
        ThemeStatus.PUBLISHED,
        ThemeStatus.SUPERSEDED,
    )
    assert (last_publication().version, last_publication().previous, last_publication().note) == (
        2,
        1,
        "For the season",
    )
    assert last_publication().published_by == "olivia@example.com" and audit_actions(2)[0] == "theme.publish"
    undo = undo_form(page)
    assert undo.action == url_of(old, "publish")
    back = undo.send(as_owner, headers=HTMX | {"HX-Boosted": "true"} if headers else {}, follow=True)
    assert toast_text(back) == "Undone: v2 is no longer live. v1 is live again."
    assert live_version("andina") == 1 and reload(draft).status == ThemeStatus.SUPERSEDED
    # Undo can be undone.
    assert toast_text(undo_form(back).send(as_owner, follow=True)).endswith("v2 is live again.")


def test_undo_of_the_first_publication_withdraws_it(as_owner: Client) -> None:
    draft = create_draft("andina", "First")
    response = publish_form(as_owner, draft).send(as_owner, follow=True)
    undo = undo_form(response)
    assert undo.action == url_of(draft, "withdraw")
    back = undo.send(as_owner, follow=True)
    assert toast_text(back) == "v1 withdrawn. No version is live."
    assert live_version("andina") is None and reload(draft).status == ThemeStatus.SUPERSEDED
    assert audit_actions(1)[0] == "theme.withdraw"
    again = undo_form(back).send(as_owner, follow=True)
    assert toast_text(again) == "Undone: v1 is live again." and live_version("andina") == 1


def test_undo_works_for_a_version_with_low_contrast(as_owner: Client) -> None:
    create_published("andina", "Faint", LOW_CONTRAST)
    draft = create_draft("andina")
    response = publish_form(as_owner, draft).send(as_owner, follow=True)
    assert toast_text(undo_form(response).send(as_owner, follow=True)).endswith("v1 is live again.")


def test_publishing_the_live_version_changes_nothing(as_owner: Client) -> None:
    theme = create_published("andina")
    response = as_owner.post(url_of(theme, "publish"), {"expected": "1"}, follow=True)
    assert toast_text(response) == "Nothing was changed."
    assert len(publications("andina")) == 1 and audit_actions(1).count("theme.publish") == 1


def test_a_repeated_form_publishes_once(as_owner: Client) -> None:
    draft = create_draft("andina")
    form = publish_form(as_owner, draft)
    for _ in range(3):
        assert toast_text(form.send(as_owner, follow=True)) == "v1 is live."
    assert len(publications("andina")) == 1
    publish(create_draft("andina"))
    assert toast_text(form.send(as_owner, follow=True)) == "This was already done, and has changed since."
    assert live_version("andina") == 2


def test_a_form_repeated_after_its_undo_changes_nothing(as_owner: Client) -> None:
    """After the undo no marker exists that could tell what happened."""
    form = publish_form(as_owner, create_draft("andina"))
    undo = undo_form(form.send(as_owner, follow=True))
    undo.send(as_owner, follow=True)
    assert toast_text(form.send(as_owner, follow=True)) == "This was already done, and has changed since."
    assert live_version("andina") is None and len(publications("andina")) == 2
    assert toast_text(undo.send(as_owner, follow=True)) == "v1 withdrawn. No version is live."


@real_engines
def test_a_lost_reply_is_not_reported_as_a_failure(table: str, businesses: dict[str, Person]) -> None:
    browser = sign_in(businesses["owner"])
    form = publish_form(browser, create_draft("andina"))
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        response = form.send(browser, follow=True)
    assert toast_text(response) == "v1 is live."
    assert undo_form(response).action == url_of(1, "withdraw")
    assert len(publications("andina")) == 1


# --- Below AA ------------------------------------------------------------------------------------
def test_low_contrast_requires_confirmation_and_is_recorded(as_owner: Client) -> None:
    draft = create_draft("andina", "Faint", LOW_CONTRAST)
    page = confirmation(as_owner, draft)
    assert "2 pairs of colours are below AA" in page.text
    response = publish_form(as_owner, draft).send(as_owner, values={"note": "On purpose"}, headers=MAIN)
    assert response.status_code == 422
    question = parse(response).one("main")
    notice = question.by_class("notice")[0]
    pairs = [each.text for each in notice.by_class("readings")[0].all("li")]
    assert len(pairs) == 2 and pairs[0].startswith("Text on the background #aaaaaa / #ffffff")
    assert "2.32 : 1" in pairs[0] and len(notice.all("svg", class_="swatch")) == 4
    assert live_version("andina") is None and publications("andina") == []
    form = form_to(question, url_of(draft, "publish"))
    assert form.data()["note"] == "On purpose" and form.data()["contrast"] == "accepted"
    assert toast_text(form.send(as_owner, follow=True)) == "v1 is live."
    assert (
        last_publication().below_aa == ["text-background", "text-surface"] and last_publication().note == "On purpose"
    )
    entry = latest_of("andina")[0]
    assert (entry.action, (entry.after or {})["below_aa"]) == ("theme.publish", "text-background, text-surface")


@pytest.mark.parametrize("contrast_field", ["", "yes", "Accepted", "accepted\x00", "x" * 5000])
def test_only_the_exact_value_confirms_low_contrast(as_owner: Client, contrast_field: str) -> None:
    draft = create_draft("andina", "", LOW_CONTRAST)
    response = as_owner.post(url_of(draft, "publish"), {"expected": "", "contrast": contrast_field})
    assert response.status_code == 422 and live_version("andina") is None


def test_a_form_without_a_revision_publishes_the_current_draft(as_owner: Client) -> None:
    draft = create_draft("andina")
    assert draft.revision > 0
    assert as_owner.post(url_of(draft, "publish"), {"expected": ""}).status_code == 303
    assert live_version("andina") == draft.number


def test_enough_contrast_requires_no_confirmation(as_owner: Client) -> None:
    draft = create_draft("andina")
    assert contrast.failing_pairs(draft.style) == []
    assert publish_form(as_owner, draft).send(as_owner).status_code == 303


# --- Bad input -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "fields",
    [
        {"expected": "x"},
        {"expected": "-1"},
        {"expected": "9" * 5000},
        {"revision": "x"},
        {"revision": "-3"},
        {"note": "x" * 301},
        {"note": "a\x00b"},
    ],
)
@pytest.mark.parametrize("headers", [{}, MAIN], ids=["plain", "htmx"])
def test_invalid_input_is_reported_and_publishes_nothing(
    as_owner: Client, fields: dict[str, str], headers: dict[str, str]
) -> None:
    draft = create_draft("andina")
    sent = {"expected": "", "note": "Mine"} | fields
    response = as_owner.post(url_of(draft, "publish"), sent, headers=headers)
    assert response.status_code == 422 and live_version("andina") is None
    page = parse(response).one("main")
    assert page.one("div", data_level="bad").attrs["role"] == "alert"
    form = form_to(page, url_of(draft, "publish"))
    assert form.data()["note"] == sent["note"].replace("\x00", "\ufffd") or "\x00" in sent["note"]
    # The other fields are valid again, so the form can be sent.
    assert form.send(as_owner, values={"note": "Mine"}).status_code == 303


def test_a_form_without_fields_expects_no_live_version(as_owner: Client) -> None:
    theme = create_published("andina")
    draft = create_draft("andina")
    assert as_owner.post(url_of(draft, "publish")).status_code == 409
    assert live_version("andina") == theme.number
