"""Two people change the filter at once: separate changes are merged, and conflicts are shown to the second person."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.platform.configs import queries
from forum.configs.profanity import PROFANITY
from tests.conftest import real_engines, sign_in
from tests.forum.filter_pages import (
    FILTER,
    SEED,
    SOFIA,
    audit_entries,
    post_form,
    put_filter,
    save_changes,
    saved_filter,
    staged_changes,
)
from tests.ui.html import form_to, parse, toasts, undo_form


def open_review(client: Client) -> dict[str, Any]:
    """Open the review page; return the values that its form would send."""
    return form_to(client.get(f"{FILTER}review/"), f"{FILTER}review/").data()


def test_separate_changes_of_two_people_are_merged_and_the_toast_says_so(
    table: str, people_by_role: dict[str, Person]
) -> None:
    staff, admin = sign_in(people_by_role["staff"]), sign_in(people_by_role["admin"])
    put_filter(**SEED)
    post_form(staff, "", word="de-sofia", severity="high")
    post_form(admin, "", word="de-alma", severity="low")
    mine = open_review(staff)
    assert "Saved as version 2" in toasts(admin.post(f"{FILTER}review/", open_review(admin), follow=True))[0]
    toast = toasts(staff.post(f"{FILTER}review/", mine, follow=True))[0]
    assert "Saved as version 3" in toast and "Merged with the changes that Alma Ríos saved." in toast
    assert saved_filter().blacklist == ["palabra1", "palabra2", "de-alma", "de-sofia"]


def test_a_conflict_shows_both_values_and_can_be_resolved_with_ones_own(
    table: str, people_by_role: dict[str, Person]
) -> None:
    staff, admin = sign_in(people_by_role["staff"]), sign_in(people_by_role["admin"])
    put_filter(**SEED)
    staff.post(f"{FILTER}word/?word=palabra1", {"word": "palabra1", "severity": "low"})
    post_form(staff, "", word="otra")
    admin.post(f"{FILTER}word/?word=palabra1", {"word": "palabra1", "severity": "medium"})
    mine = open_review(staff)
    save_changes(admin)
    response = staff.post(f"{FILTER}review/", mine | {"note": "Why"})
    assert response.status_code == 409
    page = parse(response)
    conflict = page.by_class("merge-conflict")[0].text
    assert (
        "palabra1" in conflict
        and "Medium" in conflict
        and "Low" in conflict
        and "High" in conflict
        and "Alma Ríos" in conflict
    )
    assert page.one("input", name="note").attrs["value"] == "Why"
    assert sorted(staged_changes()) == ["word:otra", "word:palabra1"], "the staged changes are kept"
    assert saved_filter().severity["palabra1"] == "medium", "nothing is overwritten"
    assert save_changes(staff, **{"keep:word:palabra1": "mine"}).status_code == 303
    assert saved_filter().severity == {"palabra1": "low", "palabra2": "medium", "otra": "medium"}


def test_a_conflict_can_be_resolved_with_the_value_of_the_other_person(as_staff: Client, as_admin: Client) -> None:
    put_filter(**SEED)
    for client, level in ((as_staff, "low"), (as_admin, "medium")):
        client.post(f"{FILTER}word/?word=palabra1", {"word": "palabra1", "severity": level})
    save_changes(as_admin)
    response = as_staff.get(f"{FILTER}review/")
    assert parse(response).by_class("merge-conflict")
    assert save_changes(as_staff, **{"keep:word:palabra1": "theirs"}).status_code == 303
    assert saved_filter().severity["palabra1"] == "medium"
    assert staged_changes() == {}


def test_ones_own_value_replaces_only_the_value_that_was_shown(as_staff: Client, as_admin: Client) -> None:
    put_filter(**SEED)
    for client, level in ((as_staff, "low"), (as_admin, "medium")):
        client.post(f"{FILTER}word/?word=palabra1", {"word": "palabra1", "severity": level})
    save_changes(as_admin)
    shown_form = open_review(as_staff)
    as_admin.post(f"{FILTER}word/?word=palabra1", {"word": "palabra1", "severity": "high", "matching": "inside"})
    save_changes(as_admin)
    response = as_staff.post(f"{FILTER}review/", shown_form | {"keep:word:palabra1": "mine"})
    assert response.status_code == 409
    assert saved_filter().severity["palabra1"] == "high"


def test_saving_can_be_undone_from_its_toast(as_staff: Client) -> None:
    put_filter(**SEED)
    post_form(as_staff, "", word="otra")
    post_form(as_staff, "threshold/", threshold="0.5")
    response = as_staff.post(f"{FILTER}review/", open_review(as_staff), follow=True)
    assert undo_form(response).send(as_staff).status_code == 303
    assert (saved_filter().blacklist, saved_filter().auto_moderation_threshold, saved_filter().version) == (
        SEED["blacklist"],
        0.8,
        3,
    )
    assert [entry.action for entry in audit_entries()][:2] == ["profanity.revert", "profanity.save"]


def test_the_same_form_sent_again_saves_nothing_new(as_staff: Client) -> None:
    put_filter(**SEED)
    post_form(as_staff, "", word="otra")
    form = open_review(as_staff)
    first = toasts(as_staff.post(f"{FILTER}review/", form, follow=True))[0]
    second = toasts(as_staff.post(f"{FILTER}review/", form, follow=True))[0]
    assert second == first
    assert saved_filter().version == 2


def test_discarding_changes_can_be_undone(as_staff: Client) -> None:
    put_filter(**SEED)
    post_form(as_staff, "", word="otra")
    as_staff.get(FILTER)
    response = as_staff.post(f"{FILTER}discard/", follow=True)
    assert staged_changes() == {}
    undo_form(response).send(as_staff)
    assert list(staged_changes()) == ["word:otra"]


@real_engines
def test_three_people_who_save_at_once_lose_nothing(table: str, people_by_role: dict[str, Person]) -> None:
    put_filter(**SEED)
    browsers = [sign_in(people_by_role[name]) for name in ("staff", "admin", "admin2")]
    for number, browser in enumerate(browsers):
        post_form(browser, "", word=f"nueva{number}", severity="high")
    forms = [open_review(browser) for browser in browsers]
    barrier = threading.Barrier(len(browsers))

    def save_review(each: tuple[Client, dict[str, Any]]) -> str:
        browser, form = each
        barrier.wait()
        return toasts(browser.post(f"{FILTER}review/", form, follow=True))[0]

    with ThreadPoolExecutor(len(browsers)) as pool:
        toast = list(pool.map(save_review, zip(browsers, forms, strict=True)))
    assert sorted(text.split(".")[0] for text in toast) == [f"Saved as version {number}" for number in (2, 3, 4)]
    assert sum("Merged with the changes" in text for text in toast) == 2
    assert set(saved_filter().blacklist) == {"palabra1", "palabra2", "nueva0", "nueva1", "nueva2"}
    assert [each.number for each in queries.history(PROFANITY).items] == [4, 3, 2, 1]
    assert staged_changes(SOFIA) == {}


@pytest.mark.parametrize("note", ["x" * 301, "a\x00b"])
def test_an_invalid_note_is_refused_and_nothing_is_saved(as_staff: Client, note: str) -> None:
    put_filter(**SEED)
    post_form(as_staff, "", word="otra")
    assert save_changes(as_staff, note=note).status_code == 422
    assert "version" not in {name for name, value in saved_filter().attribute_values.items() if value}
