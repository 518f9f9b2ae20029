"""Each word of the filter leads to the texts in which it was found, with their number."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from forum.actions import Action
from forum.queries import matched_words
from tests.conftest import every_engine, sign_in
from tests.forum.factories import create_comment, create_post, decide
from tests.forum.filter_pages import FILTER, put_filter
from tests.ui.html import parse
from tests.ui.walk import calls_of

URL = "/forum/words/"


@pytest.fixture
def as_moderator(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


@pytest.fixture
def texts(table: str) -> None:
    put_filter(blacklist=["gato", "perro"], severity={"gato": "high", "perro": "low"}, autoModerationThreshold=0.8)
    banned, waiting, approved, _clean = (create_post(text) for text in ("Gato y perro", "perro", "PERRO rojo", "hola"))
    decide(approved, Action.APPROVE)
    create_comment(waiting, "un perro <b>azul</b>")
    assert banned.status == "banned"


@every_engine
def test_the_texts_of_each_word_are_counted_and_linked(texts: None, people_by_role: dict[str, Person]) -> None:
    browser = sign_in(people_by_role["moderator"])
    response = browser.get(URL)
    assert calls_of(response).trips == 2
    rows = [[cell.text for cell in row.all("td")] for row in parse(response).one("tbody").all("tr")]
    assert rows == [["perro", "4"], ["gato", "1"]]
    (link,) = [each.attrs["href"] for each in parse(response).all("a") if each.text == "perro"]
    page = parse(browser.get(link))
    assert sorted(each.text for each in page.by_class("marked-text")) == [
        "Gato y perro",
        "PERRO rojo",
        "perro",
        "un perro <b>azul</b>",
    ]
    assert {each.text for each in page.by_class("marked-text")[0].all("mark")} <= {"Gato", "perro", "PERRO"}
    in_list = [each.attrs["href"] for each in page.by_class("matched-lists")[0].all("a")]
    found = [len(parse(browser.get(url)).by_class("case-text")) for url in in_list]
    assert sum(found) == 4 + 2, "two of the active texts also wait for review"


def test_the_word_list_links_each_word_to_its_texts(texts: None, as_staff: Client) -> None:
    links = [each.attrs["href"] for each in parse(as_staff.get(FILTER)).by_class("word-texts")]
    assert links == [f"{URL}?word=gato", f"{URL}?word=perro"]
    # The counts cost more than the word list: they have a page of their own.
    (sentence,) = [each for each in parse(as_staff.get(FILTER)).all("p") if "How many texts" in each.text]
    assert sentence.one("a").attrs["href"] == URL
    assert "Gato y perro" in parse(as_staff.get(links[0])).text


def test_the_page_says_when_it_reaches_its_limit(
    texts: None, as_moderator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Only the latest" not in parse(as_moderator.get(URL)).text
    monkeypatch.setattr(matched_words, "READ_AT_ONCE", 1)
    assert "Only the latest" in parse(as_moderator.get(URL)).text


@pytest.mark.parametrize("word", ["zorro", "", " ", "%00", "x" * 500, "<b>"])
def test_any_word_in_the_address_is_accepted(texts: None, as_moderator: Client, word: str) -> None:
    assert as_moderator.get(URL, {"word": word}).status_code == 200


def test_without_texts_the_page_says_so(table: str, as_moderator: Client) -> None:
    assert "No words found" in parse(as_moderator.get(URL)).text
