"""The filter as outside writers store it: every page answers, and saving keeps their data."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.configs import queries
from dashboard.platform.configs.changes import EntryChange
from dashboard.platform.configs.items import VERSION_LIMIT
from dashboard.platform.configs.services import drafts
from dashboard.platform.configs.services.config_writes import save as save_config
from dashboard.table import keys
from dashboard.table.commands import Actor, new_command
from dashboard.table.connection import table as connected
from forum.configs.profanity import PROFANITY, word_entry
from tests.conftest import ACTOR as AN_ADMIN
from tests.conftest import every_engine
from tests.forum.filter_pages import (
    FILTER,
    SOFIA,
    listed_words,
    post_form,
    raw_filter,
    save_changes,
    saved_filter,
    staged_changes,
)
from tests.ui.html import form_to, parse

LIST = {"L": [{"S": "uno"}, {"S": "dos"}]}
PAGES = ["", "?show=changes", "review/", "try/", "export/", "versions/", "versions/1/", "versions/2/", "versions/3/"]


def put(**attributes: Any) -> None:
    """Write the config in DynamoDB's own types."""
    connected().put_item(*keys.CONFIG.key(name="profanity"), attributes=attributes)


@every_engine
def test_a_set_of_words_is_read_and_saved_as_a_list(table: str, as_staff: Client) -> None:
    put(blacklist={"SS": ["dos", "uno"]})
    assert listed_words(as_staff) == ["dos", "uno"]
    post_form(as_staff, "", word="tres", severity="high")
    assert save_changes(as_staff).status_code == 303
    assert raw_filter()["blacklist"] == {"L": [{"S": "dos"}, {"S": "uno"}, {"S": "tres"}]}


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("blacklist", {"S": "uno,dos"}, "uno,dos"),
        ("blacklist", {"M": {"uno": {"S": "high"}}}, {"uno": "high"}),
        ("severity", {"L": [{"S": "high"}]}, ["high"]),
    ],
)
def test_a_value_of_another_type_is_kept_in_the_previous_version(
    table: str, as_staff: Client, name: str, value: dict[str, Any], kept: Any
) -> None:
    put(**{"blacklist": LIST, name: value})
    post_form(as_staff, "", word="tres", severity="high")
    assert save_changes(as_staff).status_code == 303
    assert queries.find_versions(PROFANITY, 1)[1].body[name] == kept


def test_an_unchanged_value_keeps_its_type(table: str, as_staff: Client) -> None:
    put(blacklist=LIST, autoModerationThreshold={"S": "0.8"})
    post_form(as_staff, "", word="tres", severity="high")
    assert save_changes(as_staff).status_code == 303
    assert raw_filter()["autoModerationThreshold"] == {"S": "0.8"}


@pytest.mark.parametrize(
    "odd",
    [
        {"autoModerationThreshold": {"N": "0.12345678901234567890123456789"}},
        {"blacklist": {"L": [{"S": "uno"}, {"N": "0.12345678901234567890123456789"}]}},
        {"blacklist": {"L": [{"S": "uno"}, {"SS": ["a", "b"]}]}},
        {"blacklist": {"L": [{"S": "uno"}, {"NULL": True}, {"L": [{"S": "a"}]}]}},
        {"version": {"N": "1E+40"}},
        {"version": {"N": str(VERSION_LIMIT - 1)}},
        {"version": {"N": "-5"}},
    ],
)
def test_a_config_with_odd_values_can_be_saved(table: str, as_staff: Client, odd: dict[str, Any]) -> None:
    put(**{"blacklist": LIST, **odd})
    post_form(as_staff, "", word="tres", severity="high")
    assert save_changes(as_staff).status_code == 303
    assert saved_filter().version == 2
    assert [as_staff.get(f"{FILTER}{page}").status_code for page in PAGES[:-1]] == [200] * 8


def test_saving_after_the_highest_version_number_shows_an_error(table: str, as_staff: Client) -> None:
    put(blacklist=LIST)
    connected().put_item(*keys.CONFIG_VERSION.key(name="profanity", version=VERSION_LIMIT - 1))
    post_form(as_staff, "", word="tres", severity="high")
    answer = save_changes(as_staff)
    assert answer.status_code == 422
    assert "highest version number" in parse(answer).text


@pytest.mark.parametrize("packed", [b"garbage", b"\x1f\x8b\x08\x00garbage", b""])
def test_a_version_with_an_unreadable_body_is_not_found(table: str, as_staff: Client, packed: bytes) -> None:
    put(blacklist=LIST)
    post_form(as_staff, "", word="tres", severity="high")
    save_changes(as_staff)
    connected().put_item(
        *keys.CONFIG_BODY.key(name="profanity", version=1), attributes={"packed": {"B": packed}} if packed else {}
    )
    found = [as_staff.get(f"{FILTER}{page}").status_code for page in PAGES]
    assert found == [200, 200, 200, 200, 200, 200, 404, 200, 404]
    assert post_form(as_staff, "versions/1/restore/", revision=saved_filter().revision).status_code == 404
    assert post_form(as_staff, "versions/2/revert/").status_code == 404


@pytest.mark.parametrize("packed", [b"garbage", b"\x1f\x8b\x08\x00garbage"])
def test_an_unreadable_draft_counts_as_empty(table: str, as_staff: Client, packed: bytes) -> None:
    put(blacklist=LIST)
    draft = {"packed": {"B": packed}, "before": {"B": packed}, "revision": {"N": "4"}}
    connected().put_item(*keys.CONFIG_DRAFT.key(name="profanity", email=SOFIA), attributes=draft)
    assert as_staff.get(FILTER).status_code == 200
    assert post_form(as_staff, "step-back/", revision=4).status_code == 303
    post_form(as_staff, "", word="tres", severity="high")
    assert list(staged_changes()) == ["word:tres"]


def test_attributes_of_outside_writers_count_toward_the_size_limit(table: str, as_staff: Client) -> None:
    put(blacklist={"L": [{"S": f"{n:05}" + "x" * 70} for n in range(2_000)]}, theirs={"S": "z" * 240_000})
    post_form(as_staff, "", word="tres" + "x" * 70, severity="high")
    before = raw_filter()
    drafts.stage(
        PROFANITY,
        {word_entry(f"{n:05}" + "y" * 70): ["high", "whole"] for n in range(200)},
        command=new_command(Actor(SOFIA, "Sofía")),
    )
    answer = save_changes(as_staff)
    assert (answer.status_code, raw_filter()) == (422, before)
    assert "Remove some entries" in parse(answer).text


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_250_conflicts_can_be_resolved_in_one_form(table: str, as_staff: Client) -> None:
    put(blacklist=LIST)
    names = [word_entry(f"palabra{n}") for n in range(250)]
    mine = {name: ["low", "whole"] for name in names}
    drafts.stage(PROFANITY, mine, command=new_command(Actor(SOFIA, "Sofía")))
    theirs = {name: EntryChange(None, ["high", "whole"]) for name in names}
    save_config(PROFANITY, theirs, revision=None, command=new_command(AN_ADMIN))
    form = form_to(as_staff.get(f"{FILTER}review/"), f"{FILTER}review/")
    answers = {name: "mine" if name.startswith("keep:") else value for name, value in form.data().items()}
    assert as_staff.post(form.action, answers).status_code == 303
    assert {PROFANITY.entries_of(saved_filter())[name][0] for name in names} == {"low"}
