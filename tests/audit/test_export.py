"""The exported file contains the same entries as the page, and no spreadsheet formulas."""

from __future__ import annotations

import itertools
import json
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from dashboard.core.clock import frozen
from dashboard.platform.audit.export import COLUMNS
from dashboard.web.downloads import escape_formulas
from tests.audit.entries import exported_rows, listed_ids, put, put_all, raw_entry, text_of, utc
from tests.ui.walk import calls_of

ACTORS = [{"email": "marco@example.com", "name": "Marco Peña"}, {"email": "aldo@example.com", "name": "Aldo Paz"}]
ACTIONS = ["person.edit", "person.disable", "business.create", "forum.ban"]
TARGETS = [{"type": "person", "id": name, "title": name.title()} for name in ("ana", "luis#1", "b/c d")]

CHOICES: dict[str, list[str]] = {
    "person": ["", "marco@example.com", "nobody@example.com"],
    "target": ["", "ana", "luis#1"],
    "action": ["", "person.*", "forum.ban"],
    "since": ["", "2025-09-22"],
    "until": ["2025-12-31", "2025-09-23"],
}
FILTERS = [dict(zip(CHOICES, values, strict=True)) for values in itertools.product(*CHOICES.values())]


def add_entries(business: str = "", count: int = 120) -> None:
    start = utc("2025-09-21T00:00:00")
    put_all(
        raw_entry(
            start + timedelta(hours=number),
            f"n{number:03}",
            business=business,
            actor=ACTORS[number % 2],
            action=ACTIONS[number % 4],
            target=TARGETS[number % 3],
        )
        for number in range(count)
    )


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
@pytest.mark.parametrize("business", ["", "andina"])
def test_the_export_has_the_same_entries_as_the_list_for_every_filter(
    table: str, businesses: Any, as_admin: Client, business: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.platform.audit.export.AT_ONCE", 7)
    add_entries(business)
    add_entries("harbour", 10)
    base = f"/b/{business}/audit/" if business else "/audit/"
    sizes = set()
    for filters in FILTERS:
        query = urlencode({name: value for name, value in filters.items() if value})
        in_file = [row["operation"].removeprefix("op-") for row in exported_rows(as_admin, f"{base}export.csv?{query}")]
        assert in_file == listed_ids(as_admin, f"{base}?{query}"), filters
        sizes.add(len(in_file))
    assert {0, 120} <= sizes and len(sizes) > 6


def test_the_columns_of_the_export(as_admin: Client) -> None:
    put(
        raw_entry(
            utc("2025-09-21T10:00:00"),
            "one",
            target={"type": "person", "id": "ana@example.com", "title": 'Ana "La Jefa" Sol, hija\nde Luz'},
            before={"role": "staff", "tags": ["a"], "widget": {"open": True}},
            after={"role": "owner", "tags": ["a", "ñ"], "widget": {"open": False}},
        )
    )
    (row,) = exported_rows(as_admin, "/audit/export.csv?until=2025-12-31")
    assert tuple(row) == COLUMNS
    assert row["time"] == "2025-09-21T10:00:00Z"
    assert (row["scope"], row["actor_email"], row["actor_name"]) == ("SYSTEM", "marco@example.com", "Marco Peña")
    assert (row["action"], row["sentence"]) == ("person.edit", 'edited Ana "La Jefa" Sol, hija\nde Luz')
    assert (row["target_type"], row["target_id"]) == ("person", "ana@example.com")
    assert row["target_title"] == 'Ana "La Jefa" Sol, hija\nde Luz'
    assert row["changes"] == "role: Event staff → Business member; tags: a → a, ñ; widget.open: yes → no"
    assert json.loads(row["before"]) == {"role": "staff", "tags": ["a"], "widget": {"open": True}}
    assert json.loads(row["after"])["tags"] == ["a", "ñ"]
    assert (row["operation"], row["entry"]) == ("op-one", "2025-09-21T10:00:00Z_one")


FORMULAS = ['=HYPERLINK("http://x")', "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＠x"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(as_admin: Client, text: str) -> None:
    put(
        raw_entry(
            utc("2025-09-21T10:00:00"),
            "one",
            actor={"email": text, "name": text},
            action=text,
            target={"type": text, "id": text, "title": text},
            after={text: text},
        )
    )
    (row,) = exported_rows(as_admin, "/audit/export.csv?until=2025-12-31")
    assert row["actor_name"].startswith("'") and row["actor_name"].replace("'", "") == text
    assert [name for name, value in row.items() if value[:1] in set("=+-@\t\r\n＝＋－＠")] == []


@pytest.mark.parametrize("between", [";", ",", "; ", "\t", "\r\n", "|"])
def test_a_formula_after_a_separator_is_escaped(between: str) -> None:
    """In some countries a spreadsheet splits the file at semicolons."""
    assert escape_formulas(f"x{between}=HYPERLINK(A1)") in {
        f"x{between}'=HYPERLINK(A1)",
        f"x{between[0]}'\n'=HYPERLINK(A1)",
    }


@pytest.mark.parametrize("text", ["Ana", "a=b", "1-2", "", "'=1", "ñ@x"])
def test_text_without_a_formula_is_not_changed(text: str) -> None:
    assert escape_formulas(text) == text
    assert escape_formulas(None) == ""


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("/audit/export.csv", "audit-platform-to-2025-10-01.csv"),
        ("/audit/export.csv?since=2025-09-01", "audit-platform-2025-09-01-to-2025-10-01.csv"),
        (
            "/b/andina/audit/export.csv?since=2025-09-01&until=2025-09-30",
            "audit-andina-2025-09-01-to-2025-09-30.csv",
        ),
    ],
)
def test_the_file_name_contains_the_trail_and_the_dates(businesses: Any, as_admin: Client, url: str, name: str) -> None:
    with frozen(utc("2025-10-01T12:00:00")):
        response = as_admin.get(url)
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store, private"


def test_an_export_with_invalid_filters_redirects_to_the_page_with_the_errors(as_admin: Client) -> None:
    response = as_admin.get("/audit/export.csv?since=yesterday&person=x")
    assert (response.status_code, response.headers["Location"]) == (303, "/audit/?since=yesterday&person=x")


def test_a_head_request_reads_one_page_and_sends_no_content(as_admin: Client) -> None:
    response = as_admin.head("/audit/export.csv")
    assert response.status_code == 200 and response.headers["Content-Type"].startswith("text/csv")
    assert b"".join(response.streaming_content) == b""  # type: ignore[attr-defined]
    assert len(calls_of(response).calls) == 2


def test_the_page_links_to_the_export_with_its_filters(as_admin: Client) -> None:
    add_entries(count=60)
    page = as_admin.get("/audit/?person=marco@example.com&until=2025-12-31&target=")
    assert b'href="/audit/export.csv?person=marco%40example.com&amp;until=2025-12-31"' in page.content
    assert text_of(as_admin.get("/audit/export.csv?person=marco%40example.com&until=2025-12-31")).count("\r\n") == 31


def test_secrets_of_outside_writers_are_masked_on_the_page_and_in_the_file(as_admin: Client) -> None:
    after = {"integrations": {"google": {"clientSecret": "s3cr3t-1"}}, "links": [{"apiKey": "s3cr3t-2"}], "name": "B"}
    put(raw_entry(utc("2025-09-21T00:00:00"), "n1", before={"name": "A"}, after=after))
    (row,) = exported_rows(as_admin, "/audit/export.csv?until=2025-12-31")
    shown = as_admin.get("/audit/?until=2025-12-31").text + str(row)
    assert "s3cr3t" not in shown and "••••" in shown and "clientSecret" in row["after"]
