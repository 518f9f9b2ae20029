"""Search and filters of comments, the log with its filters, and what an open list learns."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from content import comment_lists
from content.comment_statuses import DECISIONS
from content.items import PageComment
from content.services import comments as services
from dashboard.table.commands import Actor, new_command
from tests.conftest import ACTOR
from tests.content.site import BUSINESS
from tests.content.visitors import COMMENTS, load, put_comment, put_page, trips_of
from tests.ui.html import Element, form_to, parse

INES = Actor("ines@example.com", "Inés Mora")
HTMX = {"HX-Request": "true"}


def texts(page: Any) -> list[str]:
    return [each.text for each in parse(page).by_class("case-text")]


def decide(comment: PageComment, decision: str, by: Actor = ACTOR) -> PageComment:
    revision = load(comment.ref).revision
    return services.decide(BUSINESS, comment.ref, DECISIONS[decision], revision=revision, command=new_command(by))


# --- Search and filters ----------------------------------------------------------------------------
def test_comments_are_found_by_words_and_by_author(table: str, as_owner: Client) -> None:
    put_comment("Teñí la lana", at="2026-04-03T00:00:01.000Z", authorName="Ana Soto", authorEmail="Ana@x.example")
    put_comment("Otra cosa", at="2026-04-03T00:00:02.000Z", authorName="Bruno", authorEmail="b@x.example")
    put_comment("lana negra", at="2026-04-03T00:00:03.000Z", status="Spam", authorEmail="ana@x.example")
    assert texts(as_owner.get(COMMENTS, {"q": "TENI lana"})) == ["Teñí la lana"]
    assert texts(as_owner.get(COMMENTS, {"by": "soto"})) == ["Teñí la lana"]
    by_address = as_owner.get(COMMENTS, {"by": "ANA@x.example"})
    assert texts(by_address) == ["Teñí la lana"] and trips_of(by_address) == 2
    assert texts(as_owner.get(COMMENTS, {"by": "ana@x.example", "show": "Spam"})) == ["lana negra"]
    assert "No comments in this list." in parse(as_owner.get(COMMENTS, {"q": "nadie"})).text
    assert texts(as_owner.get(COMMENTS, {"since": "2026-04-04"})) == []
    invalid = as_owner.get(COMMENTS, {"since": "nonsense"})
    assert invalid.status_code == 200 and "Enter the day as year-month-day" in parse(invalid).text


def test_a_search_says_how_far_it_searched(table: str, as_owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comment_lists, "SEARCHED_AT_ONCE", 4)
    for number in range(9):
        put_comment(f"Número {number}", at=f"2026-04-03T00:00:0{number}.000Z")
    first = as_owner.get(COMMENTS, {"q": "número 2"})
    assert texts(first) == [] and "4 searched (back to" in parse(first).text
    more = next(each for each in parse(first).all("a") if "data-more" in each.attrs)
    assert more.text == "Search more"
    assert texts(as_owner.get(str(more.attrs["href"]))) == ["Número 2"]


def test_the_author_beside_a_list_has_the_page_of_each_comment(table: str, as_owner: Client) -> None:
    put_page("Cómo teñir lana")
    comment = put_comment("Uno")
    card = parse(as_owner.get(COMMENTS)).one("li", data_name=comment.ref.token)
    about = parse(as_owner.get(str(card.attrs["data-about"]), headers=HTMX))
    assert "Page: Cómo teñir lana" in about.text
    assert any(each.attrs["href"] == f"{COMMENTS}c/{comment.ref.token}/" for each in about.all("a"))


# --- The log ---------------------------------------------------------------------------------------
def test_the_log_has_filters_and_undo(table: str, as_owner: Client) -> None:
    one, two = put_comment("Uno", at="2026-04-03T00:00:01.000Z"), put_comment("Dos", at="2026-04-03T00:00:02.000Z")
    decide(one, "spam")
    decide(two, "approve", INES)

    def rows(**query: str) -> list[str]:
        return [row.all("a")[0].text for row in parse(as_owner.get(f"{COMMENTS}log/", query)).all("tr", data_row="")]

    assert len(rows()) == 2
    assert rows(decision="spam") == ["Petra N.: Uno"]
    assert rows(person="INES@example.com") == ["Petra N.: Dos"]
    assert rows(person="ines@example.com", decision="hide") == rows(until="2020-01-01") == []
    assert as_owner.get(f"{COMMENTS}log/", {"decision": "x"}).status_code == 200
    form = form_to(as_owner.get(f"{COMMENTS}log/"), f"{COMMENTS}c/{one.ref.token}/undo/1/")
    assert form.send(as_owner).status_code == 303
    assert load(one.ref).status == "Pending"
    # The same row again: the decision is no longer in effect.
    assert (
        form_to(as_owner.get(f"{COMMENTS}log/"), f"{COMMENTS}c/{one.ref.token}/undo/1/").send(as_owner).status_code
        == 409
    )


# --- Open lists ------------------------------------------------------------------------------------
def pulse(client: Client, *comments: PageComment, **fields: str) -> Element:
    shown = parse(client.get(COMMENTS)).one(id="list").attrs
    names = "\n".join(each.ref.token for each in comments)
    sent = {"decisions_until": str(shown["data-decisions-until"]), "show": str(shown["data-show"]), "names": names}
    sent["since"] = str(shown["data-since"])
    answer = client.post(str(shown["data-refresh-url"]), sent | fields, headers=HTMX)
    assert answer.status_code == 200
    return parse(answer)


def changes(page: Element) -> dict[str, tuple[str, bool]]:
    """The text of each change, and whether the card stays in the list."""
    found = [each for each in page.all("div") if "data-change" in each.attrs]
    return {
        str(each.attrs["data-change"]): (str(each.attrs["data-text"]), "data-decided" not in each.one("li").attrs)
        for each in found
    }


def test_decisions_of_colleagues_are_shown_in_an_open_list(table: str, as_owner: Client) -> None:
    one, two = put_comment("Uno", at="2026-04-03T00:00:01.000Z"), put_comment("Dos", at="2026-04-03T00:00:02.000Z")
    theirs = put_comment("Ajeno", business="harbour", at="2026-04-03T00:00:03.000Z")
    decide(one, "spam", INES)
    found = pulse(as_owner, one, two, theirs)
    assert changes(found) == {one.ref.token: ("Inés Mora: now “Spam”", False)}
    assert found.one("ul").attrs["data-waiting"] == "1"
    assert changes(pulse(as_owner, two)) == {}, "only cards of the page are sent"
    assert changes(pulse(as_owner, one, show="Spam")) == {one.ref.token: ("Inés Mora: now “Spam”", True)}
    assert changes(pulse(as_owner, one, decisions_until="x")) == {}
    written = put_comment("Nuevo", at="2026-04-03T00:00:09.000Z")
    assert "1 new comment" in pulse(as_owner, one, since="2026-04-03T00:00:05.000Z").text
    decide(written, "hide", INES)
    assert changes(pulse(as_owner, written)) == {written.ref.token: ("Inés Mora: now “Hidden”", False)}


def test_the_comment_that_a_colleague_has_open_is_marked(table: str, as_owner: Client, as_admin: Client) -> None:
    comment = put_comment()
    pulse(as_admin, comment, open=comment.ref.token)
    opened = [each for each in pulse(as_owner, comment).all("li") if "data-opened" in each.attrs]
    assert [each.attrs["data-opened"] for each in opened] == [comment.ref.token]
    assert "has this open" in parse(as_owner.get(COMMENTS)).one("p", data_open="").text
    pulse(as_admin, comment)
    assert not [each for each in pulse(as_owner, comment).all("li") if "data-opened" in each.attrs]
