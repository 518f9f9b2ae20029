"""The page of the filter's words: listing, searching, adding, changing and removing; changes are staged until saved."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from forum.configs.profanity import PROFANITY
from forum.profanity import starter
from tests.conftest import sign_in
from tests.forum.filter_pages import (
    FILTER,
    HTMX,
    SEED,
    SOFIA,
    audit_entries,
    listed_words,
    post_form,
    put_filter,
    raw_filter,
    rows,
    save_changes,
    saved_filter,
    staged_changes,
)
from tests.ui.html import Element, parse, toasts, undo_form
from tests.ui.walk import calls_of


def row_text(row: Element) -> str:
    """The text of a row without its checkbox."""
    return " ".join(cell.text for cell in row.all("td")[1:] if cell.text)


def test_the_starter_list_is_shown_until_a_list_is_saved(as_staff: Client) -> None:
    page = parse(as_staff.get(FILTER))
    assert "Starter list" in page.by_class("filter-state")[0].text
    assert f"{len(starter().words):,}" in page.by_class("tabs")[0].text
    assert raw_filter() == {}


def test_the_list_of_the_seed_is_shown_and_saved_in_the_same_format(
    table: str, people_by_role: dict[str, Person]
) -> None:
    browser = sign_in(people_by_role["staff"])
    put_filter(**SEED)
    page = parse(browser.get(FILTER))
    assert [row_text(row) for row in rows(page)] == ["palabra1 High Whole word", "palabra2 Medium Whole word"]
    assert post_form(browser, "", word="palabra3", severity="low", matching="inside").status_code == 303
    assert raw_filter()["blacklist"] == {"L": [{"S": "palabra1"}, {"S": "palabra2"}]}, "not before it is saved"
    assert save_changes(browser, note="Una más").status_code == 303
    raw = raw_filter()
    assert raw["blacklist"] == {"L": [{"S": "palabra1"}, {"S": "palabra2"}, {"S": "palabra3"}]}
    assert raw["severity"] == {"M": {"palabra1": {"S": "high"}, "palabra2": {"S": "medium"}, "palabra3": {"S": "low"}}}
    assert raw["matching"] == {"M": {"palabra3": {"S": "inside"}}}
    assert raw["autoModerationThreshold"] == {"N": "0.8"}
    entry = audit_entries()[0]
    assert (entry.action, entry.target["title"], entry.actor["email"]) == ("profanity.save", "v2", SOFIA)
    assert entry.after is not None and entry.after["add"] == "palabra3" and entry.after["note"] == "Una más"


def test_values_of_outside_writers_are_kept(as_staff: Client) -> None:
    put_filter(
        **{**SEED, "severity": {"palabra1": "critical", "gone": "high"}, "owner": "ops", "blacklist": ["palabra1", 7]}
    )
    post_form(as_staff, "", word="nueva", severity="high")
    save_changes(as_staff)
    raw = raw_filter()
    assert raw["severity"]["M"]["palabra1"] == {"S": "critical"}
    assert raw["owner"] == {"S": "ops"}
    assert raw["blacklist"]["L"][1] == {"N": "7"}


@pytest.mark.parametrize(
    ("word", "error"),
    [
        ("", "required"),
        ("PALABRA1", "“palabra1” is already in the list"),
        ("p\u0430labra1", "“palabra1” is already in the list"),
        ("x", "too short"),
        ("!!", "too short"),
        ("y" * 81, "longer than 80 characters"),
        ("z" * 5000, "at most 2000"),
    ],
)
def test_an_invalid_word_shows_an_error_and_keeps_the_input(as_staff: Client, word: str, error: str) -> None:
    put_filter(**SEED)
    response = post_form(as_staff, "", word=word, severity="high")
    page = parse(response)
    assert response.status_code == 422
    assert error in page.by_class("add-word")[0].text
    assert page.one("input", name="word").attrs.get("value", "") == word
    assert page.one("select", id="id_severity").one("option", value="high").attrs.keys() >= {"selected"}
    assert staged_changes() == {}


def test_a_list_of_words_asks_whether_it_is_several_words(as_staff: Client) -> None:
    put_filter(**SEED, allowlist=[])
    response = post_form(as_staff, "", word="uno, PALABRA1, tres", severity="high")
    assert response.status_code == 422
    form = parse(response).by_class("add-word")[0]
    assert "Are these 3 words?" in form.text and "Add 3 words" in form.text
    assert staged_changes() == {}
    response = as_staff.post(FILTER, {"word": "uno, PALABRA1, tres", "severity": "high", "split": "words"}, follow=True)
    assert toasts(response) == ["2 words added, not saved yet. Already in the list: palabra1."]
    post_form(as_staff, "", word="hijo, de mil", severity="low", split="phrase")
    post_form(as_staff, "?show=allowed", word="ave; oso", split="words")
    assert {name: change.now for name, change in staged_changes().items()} == {
        "word:uno": ["high", "whole"],
        "word:tres": ["high", "whole"],
        "word:hijo, de mil": ["low", "whole"],
        "allowed:ave": True,
        "allowed:oso": True,
    }
    response = post_form(as_staff, "", word="x, nuevo", split="words")
    assert "too short" in parse(response).by_class("add-word")[0].text


def test_a_word_with_columns_has_its_own_severity(as_staff: Client) -> None:
    put_filter(**SEED)
    post_form(as_staff, "", word="equis;high;inside", severity="low")
    post_form(as_staff, "", word="ye, baja")
    post_form(as_staff, "", word="zeta;permitida")
    assert {name: change.now for name, change in staged_changes().items()} == {
        "word:equis": ["high", "inside"],
        "word:ye": ["low", "whole"],
        "allowed:zeta": True,
    }


def test_words_are_renamed_changed_and_removed(as_staff: Client) -> None:
    put_filter(**SEED)
    assert as_staff.post(f"{FILTER}word/?word=palabra1", {"word": "palabra9", "severity": "low"}).status_code == 303
    assert as_staff.post(f"{FILTER}word/?word=palabra2", {"word": "palabra2", "severity": "high"}).status_code == 303
    page = parse(as_staff.get(FILTER))
    assert [row_text(row) for row in rows(page)] == [
        "palabra1 High Whole word Removed",
        "palabra2 High Whole word Changed",
        "palabra9 Low Whole word New",
    ]
    assert "3 unsaved changes" in page.text
    save_changes(as_staff)
    assert saved_filter().blacklist == ["palabra2", "palabra9"]
    assert saved_filter().severity == {"palabra2": "high", "palabra9": "low"}
    assert parse(as_staff.get(f"{FILTER}review/")).by_class("empty")


def test_a_missing_word_is_not_found(as_staff: Client) -> None:
    put_filter(**SEED)
    for word in ("", "nothing", "palabra1%00", "a" * 3000):
        assert as_staff.get(f"{FILTER}word/?word={word}").status_code == 404


def test_each_step_can_be_undone_from_its_toast(as_staff: Client) -> None:
    put_filter(**SEED)
    post_form(as_staff, "", word="uno")
    as_staff.get(FILTER)
    response = as_staff.post(
        f"{FILTER}bulk/", {"selected": ["word:palabra1", "word:palabra2"], "action": "remove"}, follow=True
    )
    assert toasts(response) == ["2 words removed, not saved yet."]
    assert sorted(staged_changes()) == ["word:palabra1", "word:palabra2", "word:uno"]
    assert undo_form(response).send(as_staff).status_code == 303
    assert sorted(staged_changes()) == ["word:uno"]


def test_several_words_are_changed_at_once(as_staff: Client) -> None:
    put_filter(**SEED, allowlist=["artículo"])
    chosen = ["word:palabra1", "word:palabra2"]
    as_staff.post(f"{FILTER}bulk/", {"selected": chosen, "action": "severity=low"})
    as_staff.post(f"{FILTER}bulk/", {"selected": "allowed:artículo", "action": "remove"})
    assert {name: change.now for name, change in staged_changes().items()} == {
        "word:palabra1": ["low", "whole"],
        "word:palabra2": ["low", "whole"],
        "allowed:artículo": None,
    }
    as_staff.post(f"{FILTER}bulk/", {"selected": [*chosen, "allowed:artículo"], "action": "keep"})
    assert staged_changes() == {}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"action": "remove"},
        {"selected": "word:palabra1"},
        {"selected": "word:palabra1", "action": "severity=worst"},
        {"selected": "word:palabra1", "action": "matching=inside"},
        {"selected": "threshold", "action": "remove"},
        {"selected": [f"word:{number}" for number in range(1001)], "action": "remove"},
    ],
)
def test_an_invalid_bulk_change_is_refused(as_staff: Client, fields: dict[str, object]) -> None:
    put_filter(**SEED)
    assert as_staff.post(f"{FILTER}bulk/", fields).status_code == 422
    assert staged_changes() == {}


def test_allowed_words_have_a_list_of_their_own(as_staff: Client) -> None:
    put_filter(**{**SEED, "blacklist": ["culo"], "matching": {"culo": "inside"}})
    tried = post_form(as_staff, "try/", text="un artículo")
    assert "culo" in parse(tried).by_class("match-list")[0].text
    assert post_form(as_staff, "?show=allowed", word="artículo").status_code == 303
    assert listed_words(as_staff, "?show=allowed") == ["artículo"]
    assert "No matches" in parse(post_form(as_staff, "try/", text="un artículo")).by_class("verdict")[0].text
    again = post_form(as_staff, "?show=allowed", word="artículo")
    assert again.status_code == 422
    save_changes(as_staff)
    assert saved_filter().allowlist == ["artículo"]


@pytest.mark.parametrize("value", ["0", "0.75", "1"])
def test_a_threshold_can_be_saved(as_staff: Client, value: str) -> None:
    put_filter(**SEED)
    post_form(as_staff, "threshold/", threshold=value)
    save_changes(as_staff)
    assert saved_filter().auto_moderation_threshold == float(value)


@pytest.mark.parametrize("value", ["", "x", "-0.1", "1.01", "NaN", "1e400", "0.12345"])
def test_an_invalid_threshold_is_refused_and_keeps_the_input(as_staff: Client, value: str) -> None:
    put_filter(**SEED)
    response = post_form(as_staff, "threshold/", threshold=value)
    assert response.status_code == 422
    assert parse(response).one("input", name="threshold").attrs.get("value", "") == value
    assert staged_changes() == {}


def test_the_search_ignores_accents_and_filters_apply(as_staff: Client) -> None:
    put_filter(
        blacklist=["cabrón", "Puta", "hijo de puta", "tonto"],
        severity={"cabrón": "medium", "Puta": "high", "hijo de puta": "high", "tonto": "low"},
        matching={"tonto": "inside"},
    )
    assert listed_words(as_staff) == ["cabrón", "hijo de puta", "Puta", "tonto"]
    assert listed_words(as_staff, "?q=CABRON") == ["cabrón"]
    assert listed_words(as_staff, "?q=puta") == ["hijo de puta", "Puta"]
    assert listed_words(as_staff, "?severity=high&q=de") == ["hijo de puta"]
    assert listed_words(as_staff, "?matching=inside") == ["tonto"]
    assert listed_words(as_staff, "?severity=nonsense") == []
    assert "No words match your filters" in parse(as_staff.get(f"{FILTER}?q=zzz")).text
    assert as_staff.get(f"{FILTER}?show=nonsense").status_code == 404


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_five_thousand_words_are_paged_with_the_same_number_of_calls(
    table: str, people_by_role: dict[str, Person]
) -> None:
    browser = sign_in(people_by_role["staff"])
    put_filter(**SEED)
    few = calls_of(browser.get(FILTER))
    many = [f"palabra{number:05}" for number in range(5_000)]
    put_filter(blacklist=many, severity=dict.fromkeys(many, "high"))
    response = browser.get(FILTER)
    log = calls_of(response)
    assert sorted(call.operation for call in log.calls) == sorted(call.operation for call in few.calls)
    assert log.trips == 2
    first_page, url = listed_words(browser), parse(response).one("a", data_more="").attrs["href"]
    assert first_page == many[:100]
    following = browser.get(url, headers=HTMX)
    assert [row.by_class("main")[0].text for row in rows(parse(following))] == many[100:200]
    assert listed_words(browser, "?q=04999") == ["palabra04999"]
    post_form(browser, "", word="palabra9", severity="low")
    assert save_changes(browser).status_code == 303
    assert len(saved_filter().blacklist) == 5_001


def test_a_list_that_is_too_large_is_refused_and_the_draft_is_kept(as_staff: Client) -> None:
    put_filter(**SEED)
    many = "\n".join(f"palabra-{number:05}-{'x' * 40}" for number in range(5_000))
    assert as_staff.post(f"{FILTER}import/", {"text": many, "step": "add"}).status_code == 303
    response = save_changes(as_staff, note="Everything")
    assert response.status_code == 422
    page = parse(response)
    assert "5,002 entries" in page.text and "the limit is 350 KB" in page.text
    assert page.one("input", name="note").attrs["value"] == "Everything"
    assert len(staged_changes()) == 5_000
    assert PROFANITY.totals(PROFANITY.entries_of(saved_filter()))["words"] == 2


@pytest.mark.parametrize("role", ["moderator", "owner"])
def test_moderators_and_owners_may_not_see_or_change_the_list(people_by_role: dict[str, Person], role: str) -> None:
    browser = sign_in(people_by_role[role])
    assert browser.get(FILTER).status_code == 403
    assert post_form(browser, "", word="x").status_code == 403
    assert browser.get(f"{FILTER}export/").status_code == 403


def test_staged_changes_are_visible_only_to_their_author(as_staff: Client, as_admin: Client) -> None:
    put_filter(**SEED)
    post_form(as_staff, "", word="secreta")
    assert "secreta" in listed_words(as_staff)
    assert "secreta" not in listed_words(as_admin)
    assert "secreta" not in as_admin.get(f"{FILTER}export/").content.decode()
