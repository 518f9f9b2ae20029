"""The lists of comments on pages, decisions about them, and their undo."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from content.comment_refs import CommentRef
from content.comment_statuses import DECISIONS
from content.items import PageComment
from content.queries import comments as queries
from content.services import comments as services
from dashboard.core.errors import NotFound
from dashboard.platform.audit.queries import history
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from tests.bookings.catalog import press_undo
from tests.conftest import ACTOR, every_engine
from tests.content.site import BUSINESS, NEIGHBOURS
from tests.content.visitors import COMMENTS, NODE, comment_url, load, put_comment, put_page, trips_of
from tests.forum.config_versions import save_filter_version
from tests.stream.helpers import wrong_keys
from tests.ui.html import Element, form_to, parse, toasts

HTMX = {"HX-Request": "true"}
LATER = "2026-04-04T02:10:55.870Z"


def cards(page: Any) -> list[Element]:
    return parse(page).all("li", data_card="")


def texts(page: Any) -> list[str]:
    return [card.by_class("case-text")[0].text.strip() for card in cards(page)]


def decide(comment: PageComment, name: str = "approve") -> PageComment:
    command = new_command(ACTOR)
    return services.decide(BUSINESS, comment.ref, DECISIONS[name], revision=comment.revision, command=command)


# --- Lists ---
def test_an_empty_queue_says_so(table: str, as_owner: Client) -> None:
    assert "No comments wait for you" in parse(as_owner.get(COMMENTS)).text
    assert "No comments with this status" in parse(as_owner.get(COMMENTS, {"show": "Spam"})).text
    assert as_owner.get(COMMENTS, {"show": "Nothing"}).status_code == 404


def test_comments_are_listed_by_status_with_their_page(table: str, as_owner: Client) -> None:
    put_page("Cómo teñir lana")
    put_comment("Espera")
    put_comment("Espera más tiempo", at="2026-04-03T18:22:10.000Z", authorEmail=None, authorName=None)
    put_comment("Ya está", status="Approved", at=LATER)
    put_comment("Compra", status="Spam", at="2026-04-04T02:10:56.000Z")
    put_comment("Oculto", status="Hidden", at="2026-04-04T02:10:57.000Z")
    put_comment("Rechazado", status="rejected", at="2026-04-04T02:10:58.000Z")
    put_comment("Sin estado", status=None, at="2026-04-04T02:10:59.000Z")
    queue = as_owner.get(COMMENTS)
    assert texts(queue) == ["Espera más tiempo", "Espera"], "the newest first"
    assert "Page: Cómo teñir lana" in cards(queue)[0].text
    assert "petra.n@reader.example" in cards(queue)[1].text and "petra" not in cards(queue)[0].text
    assert parse(queue).by_class("count")[0].text == "2"
    lists = {show: texts(as_owner.get(COMMENTS, {"show": show})) for show in ("Approved", "Spam", "Hidden", "Other")}
    assert lists == {
        "Approved": ["Ya está"],
        "Spam": ["Compra"],
        "Hidden": ["Oculto"],
        "Other": ["Sin estado", "Rechazado"],
    }
    other = parse(as_owner.get(COMMENTS, {"show": "Other"})).text
    assert "rejected" in other and "No status" in other


def test_the_filter_of_the_forum_scores_a_comment_as_it_is_now(table: str, as_owner: Client) -> None:
    put_comment("Qué zumbalo eres")
    assert not parse(as_owner.get(COMMENTS)).by_class("case-score")
    save_filter_version("zumbalo")
    card = cards(as_owner.get(COMMENTS))[0]
    assert card.one("mark").text == "zumbalo"
    assert card.by_class("case-score")[0].text.strip().startswith("Score 0.")


def test_a_comment_names_its_page_also_if_many_pages_are_newer(table: str, as_owner: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr(queries, "MAX_TITLES", 1)
    put_page("La primera")
    put_comment()
    put_page("Otra", node="n-2", updatedAt="2026-05-01T00:00:00.000Z")
    assert "Page: La primera" in cards(as_owner.get(COMMENTS))[0].text


def test_the_comments_of_a_page_and_of_a_visitor(table: str, as_owner: Client) -> None:
    put_page("Cómo teñir lana")
    first = put_comment("Uno")
    put_comment("Dos", status="Spam", at=LATER, authorEmail="Petra.N@Reader.example")
    put_comment("Otra página", node="n-2", authorEmail="otto@buyer.example")
    page = as_owner.get(f"{COMMENTS}c/{first.ref.token}/")
    assert page.status_code == 200 and "Cómo teñir lana" in parse(page).text
    links = {each.text.strip(): each.attrs["href"] for each in cards(page)[0].all("a")}
    assert texts(as_owner.get(links["Cómo teñir lana"])) == ["Dos", "Uno"]
    assert texts(as_owner.get(links["Petra N."])) == ["Dos", "Uno"], "whatever the letter case of the address"
    about = as_owner.get(links["Petra N."], {"part": "about"}, headers=HTMX)
    assert [each.text for each in parse(about).all("blockquote")] == ["Dos", "Uno"]


def test_lists_of_nothing_and_of_other_businesses_are_not_found(table: str, as_owner: Client) -> None:
    theirs = put_comment(business=NEIGHBOURS)
    assert as_owner.get(comment_url(theirs)).status_code == 404
    assert as_owner.get(f"{COMMENTS}c/!!/").status_code == 404
    assert as_owner.get(f"{COMMENTS}c/eHg/").status_code == 404
    for kind in ("page", "author"):
        assert as_owner.get(f"{COMMENTS}{kind}/bm9ib2R5/").status_code == 404
    answer = as_owner.post(f"{comment_url(theirs)}approve/", {"revision": "0"})
    assert answer.status_code == 404 and load(theirs.ref, NEIGHBOURS).status == "Pending"
    with pytest.raises(NotFound):
        queries.load_comment(BUSINESS, CommentRef("a#b", "c"))


def test_a_long_list_is_read_page_by_page(table: str, as_owner: Client) -> None:
    for number in range(60):
        put_comment(f"Número {number:02}", at=f"2026-04-03T18:22:{number:02}.000Z")
    seen, url = [], COMMENTS
    while url:
        answer = as_owner.get(url)
        assert trips_of(answer) <= 2
        seen += texts(answer)
        more = [each for each in parse(answer).all("a") if "cursor=" in each.attrs.get("href", "")]
        url = more[0].attrs["href"] if more else ""
    assert seen == [f"Número {number:02}" for number in reversed(range(60))]


# --- Decisions ---
@every_engine
def test_a_decision_and_its_undo(table: str, as_owner: Client) -> None:
    comment = put_comment(status="rejected")
    url = comment_url(comment)
    answer = as_owner.post(f"{url}approve/", form_to(as_owner.get(url), f"{url}approve/").data())
    assert answer.status_code == 303
    decided = load(comment.ref)
    assert (decided.status, decided.revision, decided.content) == ("Approved", 1, comment.content)
    assert not wrong_keys(dict(decided.raw)) and decided.raw["authorImage"] == comment.raw["authorImage"]
    [entry] = history(comment.ref.target, business=BUSINESS)
    assert entry.action == "page_comment.approve"
    assert (entry.before, entry.after) == ({"status": "rejected"}, {"status": "Approved", "revision": 1})
    page = as_owner.get(url)
    assert toasts(page) == ["Comment approved."]
    assert "status: rejected → Approved" in parse(page).text
    as_owner.post(f"{url}hide/", form_to(as_owner.get(url), f"{url}hide/").data())
    assert load(comment.ref).status == "Hidden"
    press_undo(as_owner, url)
    assert load(comment.ref).status == "Approved"
    assert toasts(as_owner.get(url)) == ["No longer hidden."]


def test_undo_restores_the_status_of_an_outside_writer(table: str, as_owner: Client) -> None:
    for number, status in enumerate(("rejected", None)):
        comment = put_comment(status=status, at=f"2026-04-03T18:22:0{number}.000Z")
        decided = decide(comment, "spam")
        restored = services.undo(BUSINESS, comment.ref, revision=decided.revision, command=new_command(ACTOR))
        assert restored.status == status and ("status" in load(comment.ref).raw) == (status is not None)


def test_htmx_gets_a_line_with_undo_and_then_the_card(table: str, as_owner: Client) -> None:
    comment = put_comment("Hola")
    form = form_to(as_owner.get(COMMENTS), f"{comment_url(comment)}approve/")
    answer = as_owner.post(f"{comment_url(comment)}spam/", form.data(), headers=HTMX)
    line = parse(answer).one("li", data_card="")
    assert "data-decided" in line.attrs and "Spam" in line.text and "Hola" in line.text
    undo = form_to(line, line.attrs["data-undo-url"])
    answer = as_owner.post(undo.action, undo.data(), headers=HTMX)
    [card] = cards(answer)
    assert "data-decided" not in card.attrs and "Pending" in card.text
    assert load(comment.ref).status == "Pending"


def test_two_moderators_decide_at_once(table: str, as_owner: Client) -> None:
    comment = put_comment()
    url = f"{comment_url(comment)}hide/"
    form = form_to(as_owner.get(COMMENTS), url)
    decide(comment, "approve")
    answer = as_owner.post(url, form.data(), headers=HTMX)
    assert answer.status_code == 409
    problem = parse(answer).one("div", data_problem="").text
    assert "Alma Ríos: now “Approved”" in problem and "Your action was not applied" in problem
    answer = as_owner.post(url, form.data())
    assert answer.status_code == 409 and "Alma Ríos" in parse(answer).text
    assert load(comment.ref).status == "Approved" and len(history(comment.ref.target, business=BUSINESS)) == 1


def test_a_decision_of_the_service_is_not_overwritten(table: str, as_owner: Client) -> None:
    comment = put_comment()
    decided = decide(comment, "approve")
    # The service sets the status and counts no revision.
    write.update(comment.key, [PageComment.status.set("Hidden")])
    url = f"{comment_url(comment)}undo/{decided.revision}/"
    assert as_owner.post(url).status_code == 409
    assert load(comment.ref).status == "Hidden"
    write.remove(comment.key)
    assert as_owner.post(url).status_code == 404


@every_engine
def test_a_status_that_the_service_writes_before_the_decision_conflicts(
    table: str, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the read and the write of a decision: the service counts no revision."""
    comment, find = put_comment(), queries.load_comment

    def find_and_write(*args: Any) -> PageComment:
        found = find(*args)
        write.update(comment.key, [PageComment.status.set("Hidden")])
        return found

    monkeypatch.setattr(services, "load_comment", find_and_write)
    with pytest.raises(services.CommentOvertaken):
        decide(comment, "approve")
    assert load(comment.ref).status == "Hidden"


def test_the_same_form_decides_once(table: str, as_owner: Client) -> None:
    comment = put_comment()
    url = f"{comment_url(comment)}approve/"
    data = form_to(as_owner.get(COMMENTS), url).data()
    assert [as_owner.post(url, data).status_code for _ in range(2)] == [303, 303]
    assert load(comment.ref).revision == 1 and len(history(comment.ref.target, business=BUSINESS)) == 1


@pytest.mark.parametrize("sent", [{"revision": "x"}, {"revision": "-1"}])
def test_an_invalid_form_changes_nothing(table: str, as_owner: Client, sent: dict[str, str]) -> None:
    comment = put_comment()
    assert as_owner.post(f"{comment_url(comment)}approve/", sent).status_code == 422
    assert as_owner.post(f"{comment_url(comment)}delete/", {"revision": "0"}).status_code == 404
    assert load(comment.ref).status == "Pending"


def test_undo_last_goes_back_one_decision_at_a_time(table: str, as_owner: Client) -> None:
    first, second = put_comment("Uno"), put_comment("Dos", at=LATER)
    for comment, name in ((first, "spam"), (second, "hide"), (second, "approve")):
        url = f"{comment_url(comment)}{name}/"
        as_owner.post(url, {"revision": load(comment.ref).revision})
    decide(put_comment("De otra persona", at="2026-04-05T00:00:00.000Z"), "approve")
    states = []
    for _ in range(3):
        assert as_owner.post(f"{COMMENTS}undo/").status_code == 303
        states.append((load(first.ref).status, load(second.ref).status))
    assert states == [("Spam", "Hidden"), ("Spam", "Pending"), ("Pending", "Pending")]
    as_owner.post(f"{COMMENTS}undo/")
    assert toasts(as_owner.get(COMMENTS))[-1] == "None of your decisions is left to undo."


def test_the_log_shows_who_decided_what(table: str, as_owner: Client) -> None:
    comment = put_comment("Hola", status="rejected")
    decided = decide(comment, "spam")
    services.undo(BUSINESS, comment.ref, revision=decided.revision, command=new_command(ACTOR))
    rows = [each.text for each in parse(as_owner.get(f"{COMMENTS}log/")).all("tr", data_row="")]
    assert len(rows) == 2 and "Spam → rejected" in rows[0] and "Undone" in rows[0]
    assert "Petra N.: Hola" in rows[1] and "rejected → Spam" in rows[1] and "Alma Ríos" in rows[1]
    assert not parse(as_owner.get(f"{COMMENTS}log/", {"person": "nobody@example.com"})).all("tr", data_row="")


def test_a_key_of_a_comment_has_no_id(table: str) -> None:
    comment = put_comment()
    assert comment.key == keys.PAGE_COMMENT.key(tenant=BUSINESS, page=NODE, at="2026-04-03T18:22:09.114Z")
    assert CommentRef.of_token(comment.ref.token) == comment.ref
    assert CommentRef.of_token(CommentRef("p/1", "a:b", "ñ").token) == CommentRef("p/1", "a:b", "ñ")
