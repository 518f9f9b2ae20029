"""Entries in words: what changed, and what other services left out."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.audit.diff import MAX_LINES, changes
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.services import MAX_SNAPSHOT, record
from dashboard.table.commands import new_command
from dashboard.table.transactions import Transaction
from tests.audit.entries import exported, put, raw_entry, rows, utc
from tests.conftest import ACTOR
from tests.ui.html import Element, parse

AT = utc("2025-09-21T10:00:00")


def entry_of(before: dict[str, Any] | None, after: dict[str, Any] | None) -> AuditEntry:
    return AuditEntry.of(raw_entry(AT, "one", before=before, after=after))


def told(before: dict[str, Any] | None, after: dict[str, Any] | None) -> list[tuple[str, str, str]]:
    return [(each.label, each.before.text, each.after.text) for each in changes(entry_of(before, after))]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (None, None, []),
        ({"role": "staff"}, {"role": "staff"}, []),
        ({"role": "staff"}, {"role": "owner"}, [("role", "Event staff", "Owner")]),
        ({"state": "invited"}, {"state": "active"}, [("state", "invited", "active")]),
        ({"timezone": None}, {"timezone": "UTC"}, [("time zone", "", "UTC")]),
        (None, {"name": "Ana"}, [("name", "", "Ana")]),
        ({"name": "Ana"}, None, [("name", "Ana", "")]),
        ({"open": True}, {"open": False}, [("open", "yes", "no")]),
        ({"count": 0}, {"count": 1.5}, [("count", "0", "1.5")]),
        ({"tags": ["a", "b"]}, {"tags": []}, [("tags", "a, b", "")]),
        ({"roles": [{"x": 1}]}, {"roles": [{"x": 2}]}, [("roles", '{"x": 1}', '{"x": 2}')]),
        (
            {"widget": {"primaryColor": "#aa0000", "text": {"es": "Hola"}}},
            {"widget": {"primaryColor": "#00aa00", "text": {"es": "Hola"}}},
            [("widget.primaryColor", "#aa0000", "#00aa00")],
        ),
        ({"a": {"b": 1}}, {"a": {}}, [("a.b", "1", "")]),
        ({"note": "…"}, {"note": "…"}, [("note", "…", "…")]),
        (
            {"zeta": 1, "role": "staff", "alpha": 1},
            {"zeta": 2, "role": "admin", "alpha": 2},
            [("role", "Event staff", "Admin"), ("alpha", "1", "2"), ("zeta", "1", "2")],
        ),
    ],
)
def test_what_changed_reads_in_words(before: Any, after: Any, said: list[tuple[str, str, str]]) -> None:
    assert told(before, after) == said


def test_long_texts_are_compared_line_by_line() -> None:
    text = "\n".join(f"line {n}" for n in range(9))
    (change,) = changes(entry_of({"text": text}, {"text": text.replace("line 4", "row 4\nand more")}))
    assert [(line.sign, line.text) for line in change.lines] == [
        ("", "line 3"),
        ("-", "line 4"),
        ("+", "row 4"),
        ("+", "and more"),
        ("", "line 5"),
    ]


def test_texts_beyond_comparing_are_cut_with_the_whole_at_hand() -> None:
    text = "\n".join("x" for _ in range(MAX_LINES + 1))
    (change,) = changes(entry_of({"text": text}, {"text": text + "\ny"}))
    assert change.lines == [] and change.before.short == "x"


def test_a_long_line_is_cut_on_the_page_with_the_whole_behind_it(as_admin: Client) -> None:
    put(raw_entry(AT, "one", before={"bio": "short"}, after={"bio": "word " * 200}))
    cell = parse(as_admin.get("/audit/2025-09-21T10:00:00Z_one/")).one("td", data_label="After")
    whole = cell.one("details")
    assert len(whole.one("summary").text) < 170 and whole.one("summary").text.endswith("…")
    assert whole.text.endswith("word " * 199 + "word")


def test_what_was_too_big_says_so(as_admin: Client, table: str) -> None:
    transaction = Transaction(new_command(ACTOR))
    big = {"text": "x" * (MAX_SNAPSHOT + 1), "name": "Ana"}
    subject = AuditEntry.of(raw_entry(AT, "subject"))
    subject.sk = "ELSEWHERE"
    transaction.create(subject)
    record(transaction, "person.edit", target="ana", kind="person", title="Ana", before={"text": ""}, after=big)
    transaction.commit(subject)
    page = parse(as_admin.get("/audit/?target=ana"))
    cells = rows(page)[0].all("td", data_label="After")
    assert [cell.text for cell in cells] == ["…", "…"]
    assert cells[0].one("span").attrs["title"] == "Too large to store"


# As the worker of seed 003 would write them, and worse. No index keys: they are found by their time.
OTHERS: dict[str, dict[str, Any]] = {
    "seed": {
        "action": {"S": "content.publish"},
        "actor": {"M": {"email": {"S": "eva@example.com"}}},
        "target": {"M": {"type": {"S": "content"}, "id": {"S": "n1"}, "title": {"S": "Welcome"}}},
        "timestamp": {"S": "2025-09-21T10:00:00.123Z"},
    },
    "nothing at all": {},
    "no actor": {"action": {"S": "person.edit"}, "target": {"M": {"id": {"S": "ana"}}}},
    "an actor that is a text": {"action": {"S": "person.edit"}, "actor": {"S": "eva"}, "target": {"S": "ana"}},
    "odd types": {
        "action": {"N": "3"},
        "actor": {"M": {"email": {"N": "7"}, "name": {"B": b"x"}}},
        "target": {"M": {"id": {"BOOL": True}, "title": {"M": {}}}},
        "before": {
            "M": {
                "a": {"SS": ["x", "y"]},
                "b": {"B": b"x"},
                "c": {"NULL": True},
                "d": {"L": [{"M": {"e": {"BS": [b"y"]}}}]},
            }
        },
        "after": {"S": "gone"},
        "timestamp": {"S": "yesterday"},
    },
    "markup": {
        "action": {"S": "<script>alert(1)</script>"},
        "actor": {"M": {"name": {"S": "<img src=x onerror=alert(1)>"}}},
        "after": {"M": {"<b>": {"S": "<i>"}}},
    },
}


def raw(sk: str, attributes: dict[str, Any]) -> dict[str, Any]:
    return {"PK": {"S": "TENANT#andina"}, "SK": {"S": sk}} | attributes


@pytest.mark.parametrize("name", OTHERS)
def test_entries_of_other_services_show_too(as_owner: Client, name: str) -> None:
    put(raw("AUDIT#2025-09-21T10:00:00Z#x/y?&_%41", OTHERS[name]))
    page = parse(as_owner.get("/b/andina/audit/"))
    (row,) = rows(page)
    assert not row.all("script", "img", "b", "i")
    assert "21 Sep 2025" in row.by_class("entry-when")[0].text
    (address,) = [link.attrs["href"] for link in row.all("a") if link.text == "Link to this entry"]
    assert as_owner.get(address).status_code == 200
    assert len(exported(as_owner, "/b/andina/audit/export.csv")) == 1
    assert as_owner.get("/b/andina/").status_code == 200


def test_the_seeds_own_is_told_by_its_names(as_owner: Client) -> None:
    put(raw("AUDIT#2025-09-21T10:00:00Z#x", OTHERS["seed"]))
    (row,) = rows(parse(as_owner.get("/b/andina/audit/")))
    assert row.by_class("entry-what")[0].text == "eva@example.com content.publish Welcome"


def test_an_entry_without_an_id_has_no_address_and_shows(as_owner: Client) -> None:
    put(raw("AUDIT#someday", OTHERS["no actor"]))
    (row,) = rows(parse(as_owner.get("/b/andina/audit/")))
    assert "no time recorded" in row.text and "Link to this entry" not in row.text
    assert exported(as_owner, "/b/andina/audit/export.csv")[0]["time"] == ""


def links_of(row: Element) -> list[str]:
    return [link.attrs["href"] for link in row.all("a") if link.text == "Open"]


def test_what_is_booked_leads_to_its_page(as_owner: Client) -> None:
    for number, (kind, id) in enumerate(
        [("booking", "booking:b1"), ("hours", "provider:p1"), ("customer", "customer:c:1"), ("service", "s1")]
    ):
        put(raw_entry(AT, f"n{number}", business="andina", target={"type": kind, "id": id, "title": "?"}))
    base = "/b/andina/bookings/"
    found = [links_of(row) for row in rows(parse(as_owner.get("/b/andina/audit/")))]
    assert found == [[base + end] for end in ("services/s1/", "customers/c:1/", "providers/p1/hours/", "b1/")]


def test_what_has_a_page_leads_there_for_those_who_may_open_it(as_admin: Client, as_owner: Client) -> None:
    person = {"type": "person", "id": "marco@example.com", "title": "Marco"}
    business = {"type": "business", "id": "andina", "title": "Andina"}
    odd = {"type": "business", "id": "no such / id", "title": "?"}
    for number, target in enumerate((person, business, odd, {"type": "content", "id": "n1", "title": "x"})):
        put(raw_entry(AT, f"n{number}", business="andina", target=target))
    url = "/b/andina/audit/"
    assert [links_of(row) for row in rows(parse(as_owner.get(url)))] == [[], [], ["/b/andina/"], []]
    by_admin = [links_of(row) for row in rows(parse(as_admin.get(url)))]
    assert by_admin == [[], [], ["/b/andina/"], ["/people/marco@example.com/"]]
    assert as_admin.get(by_admin[3][0]).status_code == 200
