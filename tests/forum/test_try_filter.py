"""The page that tries the filter on a text: matches and score, with the staged and with the saved list."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.forum.filter_pages import FILTER, post_form, put_filter
from tests.ui.html import parse, toasts

TRY = f"{FILTER}try/"
FRAGMENT = {"HX-Request": "true", "HX-Target": "try-result"}


@pytest.fixture(autouse=True)
def _filter(as_staff: Client) -> None:
    put_filter(
        blacklist=["puta", "mierda", "tonto"],
        severity={"puta": "high", "mierda": "medium"},
        autoModerationThreshold=0.8,
    )


def test_matches_are_marked_and_the_score_is_explained(as_staff: Client) -> None:
    page = parse(as_staff.post(TRY, {"text": "qué <b>MIERDA</b> de p.u.t.a vida, tonto"}, headers=FRAGMENT))
    assert [mark.text for mark in page.all("mark")] == ["MIERDA", "p.u.t.a", "tonto"]
    assert page.by_class("marked-text")[0].raw_text == "qué <b>MIERDA</b> de p.u.t.a vida, tonto"
    assert "Banned" in page.by_class("verdict")[0].text and "Score 0.95 (limit 0.8)" in page.by_class("verdict")[0].text
    assert page.by_class("score-parts")[0].text == "1 × High (0.8), 2 × Medium (0.5): 1 − (1 − 0.8) × (1 − 0.5)² = 0.95"
    assert "p.u.t.a matches “puta”" in page.by_class("match-list")[0].text


def test_an_innocent_text_has_no_matches(as_staff: Client) -> None:
    page = parse(as_staff.post(TRY, {"text": "una disputa por la computadora"}, headers=FRAGMENT))
    assert "No matches" in page.text
    assert not page.all("mark")


def test_the_score_of_the_staged_list_is_shown_with_that_of_the_saved_one(as_staff: Client) -> None:
    post_form(as_staff, "", word="gaznápiro", severity="high")
    text = parse(as_staff.post(TRY, {"text": "gaznápiro"}, headers=FRAGMENT)).text
    assert "Score 0.8" in text
    assert "Score with the saved list: 0 (no matches)" in text


def test_without_javascript_the_answer_is_a_full_page(as_staff: Client) -> None:
    assert as_staff.get(TRY).status_code == 200
    page = parse(as_staff.post(TRY, {"text": "puta"}))
    assert page.one("h1").text == "Try the filter"
    assert page.one("textarea", name="text").raw_text.strip() == "puta"
    assert page.all("mark")


@pytest.mark.parametrize(
    "text", ["", "   ", "\x00", "\ud83d", "p." * 4_000, "a" * 9_999, "\u0301" * 500, "👩‍👩‍👧 puta"]
)
def test_any_text_can_be_tried(as_staff: Client, text: str) -> None:
    assert as_staff.post(TRY, {"text": text.encode(errors="replace").decode()}).status_code in (200, 422)


def test_a_text_that_is_too_long_shows_an_error(as_staff: Client) -> None:
    response = as_staff.post(TRY, {"text": "a" * 10_001}, headers=FRAGMENT)
    assert response.status_code == 422
    assert "10000" in parse(response).text or "10,000" in parse(response).text


def test_the_fragment_does_not_consume_the_toast_of_the_next_page(as_staff: Client) -> None:
    as_staff.post(FILTER, {"word": "gaznápiro"})
    assert not toasts(as_staff.post(TRY, {"text": "puta"}, headers=FRAGMENT))
    assert toasts(as_staff.get(FILTER)) == ["“gaznápiro” added, not saved yet."]
