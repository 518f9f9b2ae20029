"""Filters of the review queue and of the lists: author, word, score, date, oldest first."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts.items import Person
from forum.actions import Action
from forum.queries import posts
from forum.queries.content_filters import ContentFilter, matching, read_candidates
from forum.queries.posts import Order
from forum.statuses import POSTS, REVIEW_QUEUE
from tests.audit.entries import put_all
from tests.conftest import every_engine, sign_in
from tests.forum.bulk_jobs import press_continue
from tests.forum.factories import create_comment, create_post, decide
from tests.forum.filter_pages import put_filter
from tests.forum.many_posts import raw_posts
from tests.ui.html import form_to, parse
from tests.ui.walk import calls_of


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    """A moderator, and posts of two authors: the first is the oldest and has the highest score."""
    put_filter(blacklist=["gato", "perro"], severity={"gato": "medium", "perro": "low"}, autoModerationThreshold=0.9)
    texts = [("uno gato gato", "ana"), ("dos perro", "beto"), ("tres gato", "ana"), ("cuatro perro perro", "beto")]
    for number, (text, who) in enumerate(texts):
        with frozen(now() - timedelta(days=8 - 2 * number)):
            create_post(text, author=f"{who}@example.com", name=who.title())
    return sign_in(people_by_role["moderator"])


def shown(client: Client, query: str) -> list[str]:
    """The first word of each text."""
    response = client.get(f"/forum/{query}")
    assert response.status_code == 200
    assert calls_of(response).trips == 2
    return [each.text.split()[0] for each in parse(response).by_class("case-text")]


def day(days_ago: int) -> str:
    return (now() - timedelta(days=days_ago)).date().isoformat()


@every_engine
def test_the_queue_is_filtered_and_sorted(marco: Client) -> None:
    assert shown(marco, "") == ["uno", "tres", "cuatro", "dos"], "the worst first"
    assert shown(marco, "?order=oldest") == ["uno", "dos", "tres", "cuatro"]
    assert shown(marco, "?author=ana@example.com") == ["uno", "tres"]
    assert shown(marco, "?author=BETO") == ["cuatro", "dos"], "a part of the name"
    assert shown(marco, "?author=beto@example.com&order=oldest") == ["dos", "cuatro"]
    assert shown(marco, "?word=PERRO") == ["cuatro", "dos"]
    assert shown(marco, "?word=perro&q=dos") == ["dos"]
    assert shown(marco, "?score=0.5") == ["uno", "tres"]
    assert shown(marco, f"?since={day(5)}&order=oldest") == ["tres", "cuatro"]
    assert shown(marco, f"?until={day(5)}&author=ana@example.com") == ["uno"]
    assert shown(marco, "?author=nobody@example.com") == []


def test_the_lists_are_filtered_and_sorted(marco: Client) -> None:
    assert shown(marco, "?show=active&word=gato&order=oldest") == ["uno", "tres"]
    assert shown(marco, "?show=active&score=0.6") == ["uno"]
    assert shown(marco, f"?show=active&since={day(7)}&until={day(3)}") == ["tres", "dos"]
    gato = ContentFilter(word="gato")
    candidates = read_candidates(REVIEW_QUEUE, POSTS, Order.NEWEST, gato).items
    decide(matching(REVIEW_QUEUE, gato, candidates)[0], Action.BAN)
    assert shown(marco, "?show=banned&author=ana@example.com") == ["uno"]
    assert shown(marco, "?show=active&author=ana@example.com") == ["tres"]
    assert shown(marco, "?author=ana@example.com") == ["tres"]


def test_comments_are_filtered(marco: Client) -> None:
    post = create_post("hola", author="x@example.com")
    create_comment(post, "cinco gato", author="ana@example.com", name="Ana")
    create_comment(post, "seis perro")
    assert shown(marco, "?kind=comments&author=ana@example.com") == ["cinco"]
    assert shown(marco, "?kind=comments&word=perro") == ["seis"]
    assert shown(marco, "?kind=comments&order=oldest&score=0.5") == ["cinco"]
    assert shown(marco, "?author=ana@example.com&order=oldest") == ["uno", "tres", "cinco"], "of both kinds"
    assert shown(marco, "?show=active&author=ana@example.com") == ["cinco", "tres", "uno"]
    assert shown(marco, "?order=oldest&word=gato") == ["uno", "tres", "cinco"]


def test_an_action_on_all_results_of_the_filters_counts_them_first(marco: Client) -> None:
    post = create_post("hola", author="x@example.com")
    create_comment(post, "cinco gato", author="ana@example.com", name="Ana")
    page = parse(marco.get("/forum/?word=gato&score=0.1"))
    assert "Act on all results of the filters" in page.text
    sent = dict(form_to(page, "/forum/bulk/", everything="1").fields)
    asked = marco.post("/forum/bulk/", sent | {"action": "ban", "place": ""})
    assert asked.status_code == 422, "a reason is missing"
    started = form_to(asked, "/forum/bulk/").send(marco, values={"reason": "spam"})
    preview = parse(press_continue(marco, started["Location"]))
    assert preview.one("h1").text == "Ban 3 posts and comments (To review) that match the filters"
    assert all(word in preview.text for word in ("uno gato", "tres gato", "cinco gato")) and "perro" not in preview.text


@pytest.mark.parametrize("filters", ["score=9", "since=x"])
def test_an_action_with_invalid_filters_is_refused(marco: Client, filters: str) -> None:
    sent = {"action": "delete", "everything": "1", "show": "active", "kind": "posts", "filters": filters}
    assert marco.post("/forum/bulk/", sent).status_code == 422


@pytest.mark.parametrize(
    "query", ["?score=9", "?score=x", "?since=yesterday", f"?author={'a' * 400}", "?author=%23@%23", "?word=%00"]
)
def test_an_invalid_filter_shows_an_error_or_nothing(marco: Client, query: str) -> None:
    assert marco.get(f"/forum/{query}").status_code == 200
    assert marco.get(f"/forum/{query}&show=banned&kind=comments&order=oldest").status_code == 200


def test_the_filters_are_kept_by_the_forms_and_can_be_cleared(marco: Client) -> None:
    page = parse(marco.get("/forum/?show=active&author=ana@example.com&q=uno"))
    assert [each.attrs.get("value") for each in page.all("input", name="author")] == ["ana@example.com"] * 2
    assert page.all("input", name="q")
    assert "No results in this list." in parse(marco.get("/forum/?word=zorro")).text


def test_the_oldest_first_are_paged_and_the_limit_is_stated(marco: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posts, "SEARCHED_AT_ONCE", 3)
    monkeypatch.setattr(posts, "PAGE", 2)
    response = marco.get("/forum/?order=oldest&kind=posts")
    page = parse(response)
    assert "Only the 3 with the highest score are sorted by date." in page.text
    assert shown(marco, "?order=oldest&kind=posts") == ["uno", "tres"]
    more = next(each.attrs["href"] for each in page.all("a") if "cursor=" in each.attrs.get("href", ""))
    assert [each.text.split()[0] for each in parse(marco.get(more)).by_class("case-text")] == ["cuatro"]
    assert "Only the" not in parse(marco.get("/forum/?order=oldest&score=0.5&kind=posts")).text


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_a_filtered_list_costs_the_same_with_1000_and_with_3000_posts(
    table: str, people_by_role: dict[str, Person]
) -> None:
    browser = sign_in(people_by_role["moderator"])
    queries = ["?order=oldest", "?word=espera", "?show=active&score=0.5", "?author=p5@example.com&show=active"]
    put_all(raw_posts(range(1_000)))
    costs = [_cost(browser, query) for query in queries[:3]]
    put_all(raw_posts(range(1_000, 3_000)))
    assert [_cost(browser, query) for query in queries[:3]] == costs
    assert _cost(browser, queries[3])[1] == 2


def _cost(browser: Client, query: str) -> tuple[int, int, float]:
    log = calls_of(browser.get(f"/forum/{query}"))
    return len(log.calls), log.trips, log.units


def test_an_action_refuses_filters_that_are_too_long(marco: Client) -> None:
    sent = {"action": "delete", "everything": "1", "show": "active", "kind": "posts", "filters": f"word={'a' * 9000}"}
    assert marco.post("/forum/bulk/", sent).status_code == 422
