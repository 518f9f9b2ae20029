"""The filter's words on the screen: listed, found, added, changed, removed; nothing holds before it is saved."""

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
    post,
    put_filter,
    raw_filter,
    rows,
    save,
    saved,
    staged,
    trail,
    words,
)
from tests.ui.html import Element, parse, toasts, undo_form
from tests.ui.walk import calls_of


def told(row: Element) -> str:
    """What a row says, without its checkbox."""
    return " ".join(cell.text for cell in row.all("td")[1:] if cell.text)


def test_the_starter_list_holds_until_one_is_saved(as_staff: Client) -> None:
    page = parse(as_staff.get(FILTER))
    assert "Starter list" in page.by_class("filter-state")[0].text
    assert f"{len(starter().words):,}" in page.by_class("tabs")[0].text
    assert raw_filter() == {}


def test_the_seed_loads_shows_and_is_what_is_written(table: str, people_by_role: dict[str, Person]) -> None:
    browser = sign_in(people_by_role["staff"])
    put_filter(**SEED)
    page = parse(browser.get(FILTER))
    assert [told(row) for row in rows(page)] == ["palabra1 High Whole word", "palabra2 Medium Whole word"]
    assert post(browser, "", word="palabra3", severity="low", matching="inside").status_code == 303
    assert raw_filter()["blacklist"] == {"L": [{"S": "palabra1"}, {"S": "palabra2"}]}, "not before it is saved"
    assert save(browser, note="Una más").status_code == 303
    raw = raw_filter()
    assert raw["blacklist"] == {"L": [{"S": "palabra1"}, {"S": "palabra2"}, {"S": "palabra3"}]}
    assert raw["severity"] == {"M": {"palabra1": {"S": "high"}, "palabra2": {"S": "medium"}, "palabra3": {"S": "low"}}}
    assert raw["matching"] == {"M": {"palabra3": {"S": "inside"}}}
    assert raw["autoModerationThreshold"] == {"N": "0.8"}
    entry = trail()[0]
    assert (entry.action, entry.target["title"], entry.actor["email"]) == ("profanity.save", "v2", SOFIA)
    assert entry.after is not None and entry.after["add"] == "palabra3" and entry.after["note"] == "Una más"


def test_what_another_service_keeps_stays(as_staff: Client) -> None:
    put_filter(
        **{**SEED, "severity": {"palabra1": "critical", "gone": "high"}, "owner": "ops", "blacklist": ["palabra1", 7]}
    )
    post(as_staff, "", word="nueva", severity="high")
    save(as_staff)
    raw = raw_filter()
    assert raw["severity"]["M"]["palabra1"] == {"S": "critical"}
    assert raw["owner"] == {"S": "ops"}
    assert raw["blacklist"]["L"][1] == {"N": "7"}


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("", "required"),
        ("PALABRA1", "“palabra1” is already in the list"),
        ("p\u0430labra1", "“palabra1” is already in the list"),
        ("x", "too short"),
        ("!!", "too short"),
        ("y" * 81, "longer than 80 characters"),
        ("z" * 5000, "at most 320"),
    ],
)
def test_a_word_that_cannot_be_added_is_told_why_and_kept(as_staff: Client, word: str, said: str) -> None:
    put_filter(**SEED)
    response = post(as_staff, "", word=word, severity="high")
    page = parse(response)
    assert response.status_code == 422
    assert said in page.by_class("add-word")[0].text
    assert page.one("input", name="word").attrs.get("value", "") == word
    assert page.one("select", id="id_severity").one("option", value="high").attrs.keys() >= {"selected"}
    assert staged() == {}


def test_a_word_is_written_otherwise_made_worse_and_taken_out(as_staff: Client) -> None:
    put_filter(**SEED)
    assert as_staff.post(f"{FILTER}word/?word=palabra1", {"word": "palabra9", "severity": "low"}).status_code == 303
    assert as_staff.post(f"{FILTER}word/?word=palabra2", {"word": "palabra2", "severity": "high"}).status_code == 303
    page = parse(as_staff.get(FILTER))
    assert [told(row) for row in rows(page)] == [
        "palabra1 High Whole word Removed",
        "palabra2 High Whole word Changed",
        "palabra9 Low Whole word New",
    ]
    assert "3 unsaved changes" in page.text
    save(as_staff)
    assert saved().blacklist == ["palabra2", "palabra9"]
    assert saved().severity == {"palabra2": "high", "palabra9": "low"}
    assert parse(as_staff.get(f"{FILTER}review/")).by_class("empty")


def test_a_word_that_is_not_there_is_404(as_staff: Client) -> None:
    put_filter(**SEED)
    for word in ("", "nothing", "palabra1%00", "a" * 3000):
        assert as_staff.get(f"{FILTER}word/?word={word}").status_code == 404


def test_each_step_is_taken_back_from_its_toast(as_staff: Client) -> None:
    put_filter(**SEED)
    post(as_staff, "", word="uno")
    as_staff.get(FILTER)
    response = as_staff.post(
        f"{FILTER}bulk/", {"selected": ["word:palabra1", "word:palabra2"], "action": "remove"}, follow=True
    )
    assert toasts(response) == ["2 words removed, not saved yet."]
    assert sorted(staged()) == ["word:palabra1", "word:palabra2", "word:uno"]
    assert undo_form(response).send(as_staff).status_code == 303
    assert sorted(staged()) == ["word:uno"]


def test_many_words_at_once(as_staff: Client) -> None:
    put_filter(**SEED, allowlist=["artículo"])
    chosen = ["word:palabra1", "word:palabra2"]
    as_staff.post(f"{FILTER}bulk/", {"selected": chosen, "action": "severity=low"})
    as_staff.post(f"{FILTER}bulk/", {"selected": "allowed:artículo", "action": "remove"})
    assert {name: change.now for name, change in staged().items()} == {
        "word:palabra1": ["low", "whole"],
        "word:palabra2": ["low", "whole"],
        "allowed:artículo": None,
    }
    as_staff.post(f"{FILTER}bulk/", {"selected": [*chosen, "allowed:artículo"], "action": "keep"})
    assert staged() == {}


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
def test_what_makes_no_sense_for_many_is_refused(as_staff: Client, fields: dict[str, object]) -> None:
    put_filter(**SEED)
    assert as_staff.post(f"{FILTER}bulk/", fields).status_code == 422
    assert staged() == {}


def test_words_let_through_are_a_list_of_their_own(as_staff: Client) -> None:
    put_filter(**{**SEED, "blacklist": ["culo"], "matching": {"culo": "inside"}})
    tried = post(as_staff, "try/", text="un artículo")
    assert "culo" in parse(tried).by_class("found")[0].text
    assert post(as_staff, "?show=allowed", word="artículo").status_code == 303
    assert words(as_staff, "?show=allowed") == ["artículo"]
    assert "No matches" in parse(post(as_staff, "try/", text="un artículo")).by_class("verdict")[0].text
    again = post(as_staff, "?show=allowed", word="artículo")
    assert again.status_code == 422
    save(as_staff)
    assert saved().allowlist == ["artículo"]


@pytest.mark.parametrize("value", ["0", "0.75", "1"])
def test_the_threshold(as_staff: Client, value: str) -> None:
    put_filter(**SEED)
    post(as_staff, "threshold/", threshold=value)
    save(as_staff)
    assert saved().auto_moderation_threshold == float(value)


@pytest.mark.parametrize("value", ["", "x", "-0.1", "1.01", "NaN", "1e400", "0.12345"])
def test_no_threshold_is_refused_beside_its_field(as_staff: Client, value: str) -> None:
    put_filter(**SEED)
    response = post(as_staff, "threshold/", threshold=value)
    assert response.status_code == 422
    assert parse(response).one("input", name="threshold").attrs.get("value", "") == value
    assert staged() == {}


def test_found_by_a_part_without_accents_and_filtered(as_staff: Client) -> None:
    put_filter(
        blacklist=["cabrón", "Puta", "hijo de puta", "tonto"],
        severity={"cabrón": "medium", "Puta": "high", "hijo de puta": "high", "tonto": "low"},
        matching={"tonto": "inside"},
    )
    assert words(as_staff) == ["cabrón", "hijo de puta", "Puta", "tonto"]
    assert words(as_staff, "?q=CABRON") == ["cabrón"]
    assert words(as_staff, "?q=puta") == ["hijo de puta", "Puta"]
    assert words(as_staff, "?severity=high&q=de") == ["hijo de puta"]
    assert words(as_staff, "?matching=inside") == ["tonto"]
    assert words(as_staff, "?severity=nonsense") == []
    assert "No words match your filters" in parse(as_staff.get(f"{FILTER}?q=zzz")).text
    assert as_staff.get(f"{FILTER}?show=nonsense").status_code == 404


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_five_thousand_words_come_in_pages_for_the_same_calls(table: str, people_by_role: dict[str, Person]) -> None:
    browser = sign_in(people_by_role["staff"])
    put_filter(**SEED)
    few = calls_of(browser.get(FILTER))
    many = [f"palabra{number:05}" for number in range(5_000)]
    put_filter(blacklist=many, severity=dict.fromkeys(many, "high"))
    response = browser.get(FILTER)
    log = calls_of(response)
    assert sorted(call.operation for call in log.calls) == sorted(call.operation for call in few.calls)
    assert log.trips == 2
    revision, url = words(browser), parse(response).one("a", data_more="").attrs["href"]
    assert revision == many[:100]
    following = browser.get(url, headers=HTMX)
    assert [row.by_class("main")[0].text for row in rows(parse(following))] == many[100:200]
    assert words(browser, "?q=04999") == ["palabra04999"]
    post(browser, "", word="palabra9", severity="low")
    assert save(browser).status_code == 303
    assert len(saved().blacklist) == 5_001


def test_a_list_too_large_is_refused_with_the_count_and_nothing_is_lost(as_staff: Client) -> None:
    put_filter(**SEED)
    many = "\n".join(f"palabra-{number:05}-{'x' * 40}" for number in range(5_000))
    assert as_staff.post(f"{FILTER}import/", {"text": many}).status_code == 303
    response = save(as_staff, note="Everything")
    assert response.status_code == 422
    page = parse(response)
    assert "5,002 entries" in page.text and "the limit is 350 KB" in page.text
    assert page.one("input", name="note").attrs["value"] == "Everything"
    assert len(staged()) == 5_000
    assert PROFANITY.totals(PROFANITY.entries_of(saved()))["words"] == 2


@pytest.mark.parametrize("role", ["moderator", "owner"])
def test_others_may_not(people_by_role: dict[str, Person], role: str) -> None:
    browser = sign_in(people_by_role[role])
    assert browser.get(FILTER).status_code == 403
    assert post(browser, "", word="x").status_code == 403
    assert browser.get(f"{FILTER}export/").status_code == 403


def test_nobody_sees_what_others_are_about_to_change(as_staff: Client, as_admin: Client) -> None:
    put_filter(**SEED)
    post(as_staff, "", word="secreta")
    assert "secreta" in words(as_staff)
    assert "secreta" not in words(as_admin)
    assert "secreta" not in as_admin.get(f"{FILTER}export/").content.decode()
