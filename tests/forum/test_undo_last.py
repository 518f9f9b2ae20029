"""Undo of the last decision: read from the log, one decision at a time, and never a redo."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.table.commands import Actor, new_command
from forum.actions import Action
from forum.queries import own_decisions
from forum.services import decisions
from forum.services.undo_last import NothingToUndo, undo_last
from forum.targets import ForumTarget
from tests.conftest import sign_in
from tests.forum.factories import MARCO, create_comment, create_post, decide, entries_of, reload_item
from tests.ui.html import form_to, parse, toasts

URL = "/forum/undo/"
INES = Actor("ines@example.com", "Inés Mora")
HTMX = {"HX-Request": "true", "HX-Trigger": "undo-last"}


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def test_each_undo_reverts_the_decision_before_and_the_end_is_reported(marco: Client) -> None:
    post = create_post()
    comment = create_comment(post)
    decide(post, Action.APPROVE)
    decide(comment, Action.DELETE)

    first = form_to(marco.get("/forum/"), URL).send(marco, follow=True)
    assert toasts(first) == ["Deletion undone. Beto Díaz: Qué puta espera en la fila"]
    assert reload_item(comment).status == "active"
    assert reload_item(post).reviewed_at is not None
    second = form_to(marco.get(f"/forum/posts/{ForumTarget.of(post).post}/"), URL).send(marco, follow=True)
    assert toasts(second) == ["Approval undone. Ana Soto: Qué puta espera en la fila"]
    assert reload_item(post).reviewed_at is None
    for _ in range(2):
        third = form_to(marco.get("/forum/"), URL).send(marco, follow=True)
        assert toasts(third) == ["None of your decisions is left to undo."]
    assert [len(entries_of(each)) for each in (post, comment)] == [2, 2], "nothing is redone"


@pytest.mark.usefixtures("table")
def test_two_decisions_about_one_post_are_undone_in_turn() -> None:
    post = create_post()
    approved = decide(post, Action.APPROVE)
    decide(approved, Action.BAN)
    undo_last(command=new_command(MARCO))
    assert (reload_item(post).status, bool(reload_item(post).reviewed_at)) == ("active", True)
    undo_last(command=new_command(MARCO))
    assert (reload_item(post).status, bool(reload_item(post).reviewed_at)) == ("active", False)
    with pytest.raises(NothingToUndo):
        undo_last(command=new_command(MARCO))


@pytest.mark.usefixtures("table")
def test_decisions_of_colleagues_and_what_they_changed_since_are_left_alone() -> None:
    first, second, theirs = create_post(), create_post(), create_post()
    decide(first, Action.BAN)
    banned = decide(second, Action.BAN)
    decide(theirs, Action.BAN, by=INES)
    decide(banned, Action.RESTORE, by=INES)
    undo_last(command=new_command(MARCO))
    assert [reload_item(each).status for each in (first, second, theirs)] == ["active", "active", "banned"]
    with pytest.raises(NothingToUndo):
        undo_last(command=new_command(MARCO))


@pytest.mark.usefixtures("table")
def test_the_same_command_sent_twice_undoes_one_decision() -> None:
    items = [decide(create_post(), Action.BAN) for _ in range(3)]
    command = new_command(MARCO)
    assert undo_last(command=command).key == undo_last(command=command).key
    assert sorted(str(reload_item(each).status) for each in items) == ["active", "banned", "banned"]


def test_the_answer_has_the_card_and_a_form_with_a_new_command(marco: Client) -> None:
    post = create_post()
    decide(post, Action.BAN)
    form = form_to(marco.get("/forum/?show=banned"), URL)
    answer = parse(form.send(marco, headers=HTMX))
    (card,) = answer.by_class("case")
    assert (card.attrs["data-name"], "data-waits" in card.attrs) == (ForumTarget.of(post).path, True)
    assert "data-undo-url" not in card.attrs, "an undo is not a decision"
    command = answer.one(id="undo-last-command").one("input").attrs["value"]
    assert command != form.data()["operation"], "the next undo is another command"
    nothing = form.send(marco, headers=HTMX, values={"operation": command})
    assert nothing["HX-Reswap"] == "none" and parse(nothing).one(id="undo-last-command")


@pytest.mark.usefixtures("table")
def test_a_decision_that_was_made_again_by_its_toast_is_undone_again() -> None:
    post = create_post()
    decide(post, Action.BAN)
    undo_last(command=new_command(MARCO))
    decisions.undo(entries_of(post)[-1], command=new_command(MARCO))
    assert reload_item(post).status == "banned"
    undo_last(command=new_command(MARCO))
    assert reload_item(post).status == "active"
    with pytest.raises(NothingToUndo):
        undo_last(command=new_command(MARCO))


def test_staff_cannot_undo(as_staff: Client) -> None:
    assert as_staff.post(URL).status_code == 403


@pytest.mark.usefixtures("table")
def test_a_decision_that_the_index_does_not_have_yet_is_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = create_post(), create_post()
    decide(first, Action.APPROVE)
    before = own_decisions.decisions_by(MARCO.email, None)
    decide(second, Action.BAN)
    monkeypatch.setattr(own_decisions, "decisions_by", lambda email, start_key: before)
    undo_last(command=new_command(MARCO))
    assert reload_item(second).status == "active"
    assert reload_item(first).reviewed_at is not None
