"""The summary and the history of an author: mistaken decisions do not count, and each entry names what it is about."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts.items import Person
from dashboard.table.commands import Actor, new_command
from forum.actions import Action
from forum.queries.log import load_entry
from forum.services import decisions
from forum.targets import ForumTarget
from tests.conftest import sign_in
from tests.forum.factories import MARCO, TEXT_TO_REVIEW, create_comment, create_post, decide, entries_of
from tests.ui.html import Element, parse

ANA = "ana@example.com"
LUCIA = Actor("lucia@example.com", "Lucía Mora")


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def undo(item: object, by: Actor = MARCO, *, after: timedelta = timedelta(minutes=1)) -> object:
    entry = load_entry(item.outcome.result["entry"])  # type: ignore[attr-defined]
    with frozen(now() + after):
        return decisions.undo(entry, command=new_command(by))


def summary(client: Client) -> dict[str, str]:
    """Bans and restorations, which the author's page and the panel beside a list both show."""
    pages = [parse(client.get(f"/forum/people/{ANA}/{part}")).by_class("record")[0] for part in ("", "about/")]
    found = [
        dict(zip((each.text for each in page.all("dt")), (each.text for each in page.all("dd")), strict=True))
        for page in pages
    ]
    assert found[0] == found[1]
    return {name: found[0][name] for name in ("Bans", "Restored")}


def test_a_mistaken_ban_does_not_count_against_its_author(marco: Client) -> None:
    banned = decide(create_post(), Action.BAN)
    assert summary(marco) == {"Bans": "1", "Restored": "0"}
    undone = undo(banned)
    assert summary(marco) == {"Bans": "0", "Restored": "0"}
    again = undo(undone, after=timedelta(minutes=2))
    assert summary(marco) == {"Bans": "1", "Restored": "0"}, "the undo was undone"
    undo(again, after=timedelta(minutes=3))
    assert summary(marco) == {"Bans": "0", "Restored": "0"}


def test_a_ban_that_its_moderator_restores_soon_does_not_count(marco: Client) -> None:
    banned = decide(create_post(), Action.BAN)
    with frozen(now() + timedelta(minutes=1)):
        restored = decide(banned, Action.RESTORE)
    assert summary(marco) == {"Bans": "0", "Restored": "0"}
    texts = [each.text for each in lines(parse(marco.get(f"/forum/people/{ANA}/")))]
    assert "Undo of a mistake, does not count" in texts[0] and "Undone as a mistake, does not count" in texts[1]
    undo(restored, after=timedelta(minutes=2))
    assert summary(marco) == {"Bans": "1", "Restored": "0"}, "the restore was the mistake"


@pytest.mark.parametrize(("by", "after"), [(LUCIA, timedelta(minutes=1)), (MARCO, timedelta(minutes=61))])
def test_a_restore_by_a_colleague_or_later_counts(marco: Client, by: Actor, after: timedelta) -> None:
    banned = decide(create_post(), Action.BAN)
    with frozen(now() + after):
        decide(banned, Action.RESTORE, by=by)
    assert summary(marco) == {"Bans": "1", "Restored": "1"}


def test_a_mistaken_deletion_does_not_count_as_restored_but_a_ban_before_it_does(marco: Client) -> None:
    decide(decide(create_post(), Action.DELETE), Action.RESTORE)
    assert summary(marco) == {"Bans": "0", "Restored": "0"}
    decide(decide(decide(create_post(), Action.BAN, by=LUCIA), Action.DELETE), Action.RESTORE)
    assert summary(marco) == {"Bans": "1", "Restored": "1"}


def test_a_mistaken_restore_does_not_count_either(marco: Client) -> None:
    banned = decide(create_post(), Action.BAN, by=LUCIA)
    undo(decide(banned, Action.RESTORE))
    assert summary(marco) == {"Bans": "1", "Restored": "0"}


@pytest.mark.parametrize(("by", "after"), [(LUCIA, timedelta(minutes=1)), (MARCO, timedelta(minutes=61))])
def test_a_ban_that_a_colleague_or_a_later_decision_reverts_counts_as_restored(
    marco: Client, by: Actor, after: timedelta
) -> None:
    undo(decide(create_post(), Action.BAN), by, after=after)
    assert summary(marco) == {"Bans": "1", "Restored": "1"}


def lines(page: Element) -> list[Element]:
    return page.by_class("history")[0].all("li")


def test_each_entry_names_the_post_or_comment_that_it_refers_to(marco: Client) -> None:
    first = create_post(f"{TEXT_TO_REVIEW} {'larga ' * 40}")
    second = create_comment(
        create_post("hola", author="x@example.com"), "otra puta <b>fila</b>", author=ANA, name="Ana"
    )
    decide(first, Action.BAN)
    with frozen(now() + timedelta(minutes=1)):
        mistaken = decide(second, Action.BAN)
    undo(mistaken, after=timedelta(minutes=2))
    for url in (f"/forum/people/{ANA}/", f"/forum/people/{ANA}/about/"):
        found = lines(parse(marco.get(url)))
        assert len(found) == 3
        assert (
            "Comment “otra puta <b>fila</b>”" in found[0].text and "Undo of a mistake, does not count" in found[0].text
        )
        assert "Undone as a mistake, does not count" in found[1].text
        assert f"Post “{TEXT_TO_REVIEW}" in found[2].text and found[2].text.count("larga") < 20
        target = ForumTarget.of(second)
        assert found[0].all("a", href=f"/forum/posts/{target.post}/comments/{target.comment}/")
        assert found[2].all("a", href=f"/forum/posts/{ForumTarget.of(first).post}/")
    assert [(each.metadata or {}).get("reverted") for each in entries_of(second)] == [None, "ban"]
