"""Two people change the filter at once: what does not overlap comes together, and the rest is asked."""

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
from tests.forum.filter_pages import FILTER, SEED, SOFIA, post, put_filter, save, saved, staged, trail
from tests.ui.html import form_to, parse, toasts, undo_form


def opened(client: Client) -> dict[str, Any]:
    """What the review page would send, as it was opened."""
    return form_to(client.get(f"{FILTER}review/"), f"{FILTER}review/").data()


def test_what_does_not_overlap_is_merged_and_both_are_told(table: str, people_by_role: dict[str, Person]) -> None:
    staff, admin = sign_in(people_by_role["staff"]), sign_in(people_by_role["admin"])
    put_filter(**SEED)
    post(staff, "", word="de-sofia", severity="high")
    post(admin, "", word="de-alma", severity="low")
    mine = opened(staff)
    assert "Saved as version 2" in toasts(admin.post(f"{FILTER}review/", opened(admin), follow=True))[0]
    said = toasts(staff.post(f"{FILTER}review/", mine, follow=True))[0]
    assert "Saved as version 3" in said and "Merged with the changes that Alma Ríos saved." in said
    assert saved().blacklist == ["palabra1", "palabra2", "de-alma", "de-sofia"]


def test_what_overlaps_is_asked_with_both_and_decided(table: str, people_by_role: dict[str, Person]) -> None:
    staff, admin = sign_in(people_by_role["staff"]), sign_in(people_by_role["admin"])
    put_filter(**SEED)
    staff.post(f"{FILTER}word/?word=palabra1", {"word": "palabra1", "severity": "low"})
    post(staff, "", word="otra")
    admin.post(f"{FILTER}word/?word=palabra1", {"word": "palabra1", "severity": "medium"})
    mine = opened(staff)
    save(admin)
    response = staff.post(f"{FILTER}review/", mine | {"note": "Why"})
    assert response.status_code == 409
    page = parse(response)
    asked = page.by_class("merge-conflict")[0].text
    assert "palabra1" in asked and "Medium" in asked and "Low" in asked and "High" in asked and "Alma Ríos" in asked
    assert page.one("input", name="note").attrs["value"] == "Why"
    assert sorted(staged()) == ["word:otra", "word:palabra1"], "nothing is lost"
    assert saved().severity["palabra1"] == "medium", "nothing is overwritten"
    assert save(staff, **{"keep:word:palabra1": "mine"}).status_code == 303
    assert saved().severity == {"palabra1": "low", "palabra2": "medium", "otra": "medium"}


def test_theirs_is_kept_where_one_decides_so(as_staff: Client, as_admin: Client) -> None:
    put_filter(**SEED)
    for client, level in ((as_staff, "low"), (as_admin, "medium")):
        client.post(f"{FILTER}word/?word=palabra1", {"word": "palabra1", "severity": level})
    save(as_admin)
    response = as_staff.get(f"{FILTER}review/")
    assert parse(response).by_class("merge-conflict")
    assert save(as_staff, **{"keep:word:palabra1": "theirs"}).status_code == 303
    assert saved().severity["palabra1"] == "medium"
    assert staged() == {}


def test_a_decision_does_not_count_for_what_one_did_not_see(as_staff: Client, as_admin: Client) -> None:
    put_filter(**SEED)
    for client, level in ((as_staff, "low"), (as_admin, "medium")):
        client.post(f"{FILTER}word/?word=palabra1", {"word": "palabra1", "severity": level})
    save(as_admin)
    revision = opened(as_staff)
    as_admin.post(f"{FILTER}word/?word=palabra1", {"word": "palabra1", "severity": "high", "matching": "inside"})
    save(as_admin)
    response = as_staff.post(f"{FILTER}review/", revision | {"keep:word:palabra1": "mine"})
    assert response.status_code == 409
    assert saved().severity["palabra1"] == "high"


def test_saving_is_undone_from_its_toast(as_staff: Client) -> None:
    put_filter(**SEED)
    post(as_staff, "", word="otra")
    post(as_staff, "threshold/", threshold="0.5")
    response = as_staff.post(f"{FILTER}review/", opened(as_staff), follow=True)
    assert undo_form(response).send(as_staff).status_code == 303
    assert (saved().blacklist, saved().auto_moderation_threshold, saved().version) == (SEED["blacklist"], 0.8, 3)
    assert [entry.action for entry in trail()][:2] == ["profanity.revert", "profanity.save"]


def test_the_same_form_sent_again_changes_nothing(as_staff: Client) -> None:
    put_filter(**SEED)
    post(as_staff, "", word="otra")
    form = opened(as_staff)
    first = toasts(as_staff.post(f"{FILTER}review/", form, follow=True))[0]
    again = toasts(as_staff.post(f"{FILTER}review/", form, follow=True))[0]
    assert again == first
    assert saved().version == 2


def test_discarded_and_brought_back(as_staff: Client) -> None:
    put_filter(**SEED)
    post(as_staff, "", word="otra")
    as_staff.get(FILTER)
    response = as_staff.post(f"{FILTER}discard/", follow=True)
    assert staged() == {}
    undo_form(response).send(as_staff)
    assert list(staged()) == ["word:otra"]


@real_engines
def test_three_people_saving_at_once_lose_nothing_and_each_is_told(
    table: str, people_by_role: dict[str, Person]
) -> None:
    put_filter(**SEED)
    browsers = [sign_in(people_by_role[name]) for name in ("staff", "admin", "admin2")]
    for number, browser in enumerate(browsers):
        post(browser, "", word=f"nueva{number}", severity="high")
    forms = [opened(browser) for browser in browsers]
    together = threading.Barrier(len(browsers))

    def press(each: tuple[Client, dict[str, Any]]) -> str:
        browser, form = each
        together.wait()
        return toasts(browser.post(f"{FILTER}review/", form, follow=True))[0]

    with ThreadPoolExecutor(len(browsers)) as pool:
        said = list(pool.map(press, zip(browsers, forms, strict=True)))
    assert sorted(text.split(".")[0] for text in said) == [f"Saved as version {number}" for number in (2, 3, 4)]
    assert sum("Merged with the changes" in text for text in said) == 2
    assert set(saved().blacklist) == {"palabra1", "palabra2", "nueva0", "nueva1", "nueva2"}
    assert [each.number for each in queries.history(PROFANITY).items] == [4, 3, 2, 1]
    assert staged(SOFIA) == {}


@pytest.mark.parametrize("note", ["x" * 301, "a\x00b"])
def test_a_bad_note_is_told_and_nothing_is_saved(as_staff: Client, note: str) -> None:
    put_filter(**SEED)
    post(as_staff, "", word="otra")
    assert save(as_staff, note=note).status_code == 422
    assert "version" not in {name for name, value in saved().attribute_values.items() if value}
