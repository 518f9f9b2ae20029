"""Lists and counts in unexpected formats of outside writers: the pages show them, and they can be saved."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.configs import queries
from dashboard.table.connection import client
from rooms.configs.domains import DOMAINS
from tests.rooms.domains import URL, allow_domains, current_revision, listed_domains, put_whitelist, stored_whitelist
from tests.ui.html import form_to, parse


@pytest.mark.parametrize(
    "whitelist",
    [
        {"@sura.com.co", "b.com"},
        "@sura.com.co, @b.com",
        7,
        {"a": 1},
        True,
        [None, 7, ["@x.com"], {"domain": "@y.com"}, "@sura.com.co"],
        ["*.sura.com.co", "localhost", "@", "", "ä" * 300, "<script>", "a\u202eb.com", "x" * 3_000],
        ["xn--" + "a" * 70, "xn--a.com", "\x00.com", "a..b"],
    ],
)
def test_a_malformed_list_is_shown_and_can_be_saved(as_staff: Client, whitelist: Any) -> None:
    put_whitelist(whitelist, kept="theirs")
    before = as_staff.get(URL, {"try": "ana@sura.com.co", "q": "a"})
    assert before.status_code == 200
    names = list(listed_domains(as_staff.get(URL)))
    assert as_staff.get(f"{URL}export/").status_code == as_staff.get(f"{URL}export/?as=txt").status_code == 200
    answer = as_staff.post(URL, {"domains": "new.example"})
    if answer.status_code == 422:
        # The list was empty, so the first domain requires a confirmation.
        form = form_to(parse(answer).one("main"), URL)
        answer = as_staff.post(URL, form.data(confirm=parse(answer).one("input", name="confirm").attrs["value"]))
    assert answer.status_code == 303
    after = stored_whitelist()
    assert after[-1] == "@new.example"
    odd = [each for each in whitelist if not isinstance(each, str)] if isinstance(whitelist, list) else []
    assert [each for each in after if not isinstance(each, str)] == odd
    for name in names:
        assert as_staff.post(URL, {"remove": name, "revision": current_revision()}).status_code == 303
    assert [each for each in stored_whitelist() if isinstance(each, str) and each not in ("", "@")] == ["@new.example"]
    config = queries.current(DOMAINS)
    assert config is not None and config.raw["kept"] == {"S": "theirs"}
    for page in ("versions/", "versions/1/", "versions/2/?with=now"):
        assert as_staff.get(f"{URL}{page}").status_code == 200


@pytest.mark.parametrize(
    "odd",
    [
        {"counts": {"S": "x"}, "countedAt": {"S": "2025-09-21T10:00:00Z"}},
        {
            "counts": {"M": {"": {"N": "1"}}},
            "countedAt": {"S": "2025-09-21T10:00:00Z"},
            "freshSince": {"S": "2025-01-01"},
        },
        {"countedAt": {"N": "7"}, "fresh": {"S": "x"}, "freshSince": {"S": "2025-09-21T10:00:00Z"}},
        {
            "counts": {"M": {"<b>": {"N": "3"}, "xn--a.com": {"N": "2"}, "y" * 3_000: {"N": "1"}, "a b": {"N": "1.5"}}},
            "countedAt": {"S": "2025-09-21T10:00:00Z"},
        },
    ],
)
def test_a_malformed_count_does_not_break_the_pages(as_staff: Client, odd: dict[str, Any], settings: Any) -> None:
    item = {"PK": {"S": "CONFIG#domains"}, "SK": {"S": "PEOPLE"}, **odd}
    client().put_item(TableName=settings.DYNAMODB_TABLE, Item=item)
    allow_domains("sura.com.co")
    for query in ("", "?try=ana@sura.com.co", "?q=x"):
        assert as_staff.get(URL + query).status_code == 200
    assert as_staff.get(f"{URL}export/").status_code == 200
