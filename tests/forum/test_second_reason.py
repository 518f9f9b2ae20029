"""A second action that needs a reason: here Delete, next to Ban."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from forum.actions import ACTIONS, Action
from forum.states import Reason, State
from forum.statuses import DELETED
from forum.targets import ForumTarget
from tests.conftest import sign_in
from tests.forum.factories import create_comment, create_post, decide, entries_of, reload_item
from tests.ui.html import Element, parse


def delete_with_reason(state: State, actor: str, moment: datetime, reason: Reason) -> State:
    return replace(state, status=DELETED, ban_reason=reason.text, ban_reason_id=reason.id or None)


@pytest.fixture
def moderator(people_by_role: dict[str, Person]) -> Iterator[Client]:
    # The specification is frozen, and several lists contain it.
    spec = ACTIONS[Action.DELETE]
    before = dict(vars(spec))
    vars(spec).update(needs_reason=True, apply=delete_with_reason)
    yield sign_in(people_by_role["moderator"])
    vars(spec).update(before)


def shortcut_help(page: Element) -> dict[str, str]:
    lines = page.one("template", data_keys="").all("div")
    return {line.one("dt").text: line.one("dd").text for line in lines}


def test_both_actions_share_one_reason(moderator: Client) -> None:
    create_post()
    page = parse(moderator.get("/forum/"))
    (card,) = page.by_class("case-reason-act")
    assert [button.attrs["data-card-key"] for button in card.all("button")] == ["b", "d"]
    assert len(card.all("select")) == 1
    bulk = page.one("form", id="bulk")
    assert [each.attrs["value"] for each in bulk.all("button", data_needs_reason="")] == ["ban", "delete"]
    assert len(bulk.all("select", name="reason")) == 1
    assert "required to ban, required to delete" in page.by_class("bulk-all")[0].text
    shortcuts = shortcut_help(page)
    assert {"Ban with the selected reason", "Delete with the selected reason"} <= set(shortcuts)
    with_digits = [line for line in shortcuts if "1 to 9" in line]
    assert with_digits == ["Ban with reason 1 to 9"], "the digits press the first button"


def test_the_reason_is_required_logged_and_shown(moderator: Client) -> None:
    post = create_post()
    url = f"/forum/posts/{ForumTarget.of(post).post}/"
    assert moderator.post(f"{url}delete/", {"revision": post.revision}).status_code == 422
    moderator.post(f"{url}delete/", {"revision": post.revision, "preset": "spam"})
    assert reload_item(post).status == DELETED
    assert entries_of(post)[-1].reason_id == "spam"
    assert "Deleted: Spam or advertising" in parse(moderator.get(url)).by_class("case-ban")[0].text


def test_a_list_without_such_an_action_asks_for_no_reason(people_by_role: dict[str, Person]) -> None:
    decide(create_post(), Action.BAN)
    page = parse(sign_in(people_by_role["moderator"]).get("/forum/?show=banned"))
    assert not page.by_class("bulk-all")[0].all("select")


def test_the_help_lists_the_shortcuts_that_work_on_a_selection(moderator: Client) -> None:
    text = "Same action on all selected"
    in_list = shortcut_help(parse(moderator.get("/forum/")))[text]
    assert in_list.split() == [spec.shortcut for spec in ACTIONS.values() if spec.bulk]
    comment = ForumTarget.of(create_comment(create_post()))
    page = parse(moderator.get(f"/forum/posts/{comment.post}/comments/{comment.comment}/"))
    assert text not in shortcut_help(page), "one comment is no selection"
