"""How entries are shown: the changes as text, and entries of outside writers."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.audit.diff import MAX_LINES, changes
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.services import MAX_SNAPSHOT, record
from dashboard.table.commands import new_command
from dashboard.table.transactions import Transaction
from tests.audit.entries import exported_rows, put, raw_entry, rows, utc
from tests.conftest import ACTOR
from tests.ui.html import Element, parse

AT = utc("2025-09-21T10:00:00")


def entry_of(before: dict[str, Any] | None, after: dict[str, Any] | None) -> AuditEntry:
    return AuditEntry.of(raw_entry(AT, "one", before=before, after=after))


def change_texts(before: dict[str, Any] | None, after: dict[str, Any] | None) -> list[tuple[str, str, str]]:
    return [(each.label, each.before.text, each.after.text) for each in changes(entry_of(before, after))]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, None, []),
        ({"role": "staff"}, {"role": "staff"}, []),
        ({"role": "staff"}, {"role": "owner"}, [("role", "Event staff", "Business member")]),
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
def test_changes_are_shown_with_labels_and_texts(before: Any, after: Any, expected: list[tuple[str, str, str]]) -> None:
    assert change_texts(before, after) == expected


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


def test_texts_with_too_many_lines_are_shortened_instead_of_compared() -> None:
    text = "\n".join("x" for _ in range(MAX_LINES + 1))
    (change,) = changes(entry_of({"text": text}, {"text": text + "\ny"}))
    assert change.lines == [] and change.before.short == "x"


def test_a_long_line_is_shortened_and_can_be_expanded(as_admin: Client) -> None:
    put(raw_entry(AT, "one", before={"bio": "short"}, after={"bio": "word " * 200}))
    cell = parse(as_admin.get("/audit/2025-09-21T10:00:00Z_one/")).one("td", data_label="After")
    details = cell.one("details")
    assert len(details.one("summary").text) < 170 and details.one("summary").text.endswith("…")
    assert details.text.endswith("word " * 199 + "word")


def test_a_value_that_was_too_large_to_store_says_so(as_admin: Client, table: str) -> None:
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


# Entries of outside writers: one of the website service, and invalid ones. They have no index keys.
OUTSIDE_ENTRIES: dict[str, dict[str, Any]] = {
    "seed": {
        "action": {"S": "content.publish"},
        "actor": {"M": {"email": {"S": "eva@example.com"}}},
        "target": {"M": {"type": {"S": "content"}, "id": {"S": "n1"}, "title": {"S": "Welcome"}}},
        "timestamp": {"S": "2025-09-21T10:00:00.123Z"},
    },
    "no attributes": {},
    "no actor": {"action": {"S": "person.edit"}, "target": {"M": {"id": {"S": "ana"}}}},
    "actor is a string": {"action": {"S": "person.edit"}, "actor": {"S": "eva"}, "target": {"S": "ana"}},
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


def raw_item(sk: str, attributes: dict[str, Any]) -> dict[str, Any]:
    return {"PK": {"S": "TENANT#andina"}, "SK": {"S": sk}} | attributes


@pytest.mark.parametrize("name", OUTSIDE_ENTRIES)
def test_entries_of_outside_writers_are_shown(as_owner: Client, name: str) -> None:
    put(raw_item("AUDIT#2025-09-21T10:00:00Z#x/y?&_%41", OUTSIDE_ENTRIES[name]))
    page = parse(as_owner.get("/b/andina/audit/"))
    (row,) = rows(page)
    assert not row.all("script", "img", "b", "i")
    assert "21 Sep 2025" in row.by_class("entry-when")[0].text
    (address,) = [link.attrs["href"] for link in row.all("a") if link.text == "Link to this entry"]
    assert as_owner.get(address).status_code == 200
    assert len(exported_rows(as_owner, "/b/andina/audit/export.csv")) == 1
    assert as_owner.get("/b/andina/").status_code == 200


def test_an_entry_of_an_unknown_kind_is_shown_with_its_action_name(as_owner: Client) -> None:
    put(raw_item("AUDIT#2025-09-21T10:00:00Z#x", OUTSIDE_ENTRIES["seed"]))
    (row,) = rows(parse(as_owner.get("/b/andina/audit/")))
    assert row.by_class("entry-what")[0].text == "eva@example.com content.publish Welcome"


def test_an_entry_without_an_id_is_shown_without_a_link(as_owner: Client) -> None:
    put(raw_item("AUDIT#someday", OUTSIDE_ENTRIES["no actor"]))
    (row,) = rows(parse(as_owner.get("/b/andina/audit/")))
    assert "no time recorded" in row.text and "Link to this entry" not in row.text
    assert exported_rows(as_owner, "/b/andina/audit/export.csv")[0]["time"] == ""


def links_of(row: Element) -> list[str]:
    return [link.attrs["href"] for link in row.all("a") if link.text == "Open"]


def test_entries_about_bookings_link_to_their_pages(as_owner: Client) -> None:
    for number, (kind, id) in enumerate(
        [("booking", "booking:b1"), ("hours", "provider:p1"), ("customer", "customer:c:1"), ("service", "s1")]
    ):
        put(raw_entry(AT, f"n{number}", business="andina", target={"type": kind, "id": id, "title": "?"}))
    base = "/b/andina/bookings/"
    links = [links_of(row) for row in rows(parse(as_owner.get("/b/andina/audit/")))]
    assert links == [[base + end] for end in ("services/s1/", "customers/c:1/", "providers/p1/hours/", "b1/")]


def test_an_entry_links_to_its_target_only_for_people_who_may_open_it(as_admin: Client, as_owner: Client) -> None:
    person = {"type": "person", "id": "marco@example.com", "title": "Marco"}
    business = {"type": "business", "id": "andina", "title": "Andina"}
    odd = {"type": "business", "id": "no such / id", "title": "?"}
    for number, target in enumerate((person, business, odd, {"type": "content", "id": "n1", "title": "x"})):
        put(raw_entry(AT, f"n{number}", business="andina", target=target))
    url = "/b/andina/audit/"
    assert [links_of(row) for row in rows(parse(as_owner.get(url)))] == [[], [], ["/b/andina/"], []]
    links_for_admin = [links_of(row) for row in rows(parse(as_admin.get(url)))]
    assert links_for_admin == [[], [], ["/b/andina/"], ["/people/marco@example.com/"]]
    assert as_admin.get(links_for_admin[3][0]).status_code == 200
