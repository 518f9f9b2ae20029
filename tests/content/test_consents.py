"""Consents: the lists, the proof of a visitor's choices, the totals by day, and the export."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from content.items import Consent, ConsentDay
from dashboard.core.clock import now
from dashboard.table import keys, read
from tests.adoption.outside import follow, put_raw
from tests.conftest import every_engine
from tests.content.site import BUSINESS, NEIGHBOURS
from tests.content.visitors import CONSENTS, put_consent, trips_of, visitor_url
from tests.stream.helpers import wrong_keys
from tests.ui.html import parse

VISITOR = "visitor_1779190000123_k3j9x0q2a"


def visitors(page: Any) -> list[str]:
    return [row.all("a")[0].text for row in parse(page).all("tr", data_row="")]


def epoch(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def test_without_consents_the_pages_say_so(table: str, as_owner: Client) -> None:
    assert "No consents yet" in parse(as_owner.get(CONSENTS)).text
    assert "Nobody made this choice" in parse(as_owner.get(CONSENTS, {"show": "denied"})).text
    assert "No consents in this period" in parse(as_owner.get(f"{CONSENTS}totals/")).text
    assert as_owner.get(CONSENTS, {"show": "x"}).status_code == 404


@every_engine
def test_consents_are_listed_by_time_and_by_choice(table: str, as_owner: Client) -> None:
    put_consent("v-1", "all", at=1779190004571)
    put_consent("v-2", "denied", at=1779190005571)
    put_consent("v-3", "custom", at=1779190006571)
    put_consent("v-4", None, at=1779190007571)
    # The shape of the platform's document: a time as text in the key, and no attribute with it.
    key = keys.CONSENT.key(tenant=BUSINESS, visitor="v-5", at="2025-09-21T10:00:00Z", id="c1")
    follow(put_raw(key, choice="necessary"))
    put_consent("theirs", business=NEIGHBOURS)
    assert visitors(as_owner.get(CONSENTS)) == ["v-4", "v-3", "v-2", "v-1", "v-5"]
    by_choice = {show: visitors(as_owner.get(CONSENTS, {"show": show})) for show in ("all", "necessary", "other")}
    assert by_choice == {"all": ["v-1"], "necessary": ["v-5"], "other": ["v-4", "v-3"]}
    page = parse(as_owner.get(CONSENTS, {"show": "other"})).text
    assert "custom" in page and "Not recorded" in page
    consent = read.get(Consent, key)
    assert consent is not None and not wrong_keys(dict(consent.raw))


def test_a_visitor_is_found_and_their_choices_are_proved(table: str, as_owner: Client) -> None:
    put_consent(VISITOR, "all", at=1779190004571, ip="203.0.113.9", policyVersion="2026-01", policyText="Usamos…")
    put_consent(VISITOR, "denied", at=1779190104571)
    put_consent("visitor_2", at=1779190204571)
    assert visitors(as_owner.get(CONSENTS, {"q": "visitor_17"})) == [VISITOR, VISITOR]
    assert visitors(as_owner.get(CONSENTS, {"q": "nobody"})) == []
    rows = [row.text for row in parse(as_owner.get(visitor_url(VISITOR))).all("tr", data_row="")]
    assert "Denied" in rows[0] and "Not recorded" in rows[0] and "Unknown" in rows[0], "the newest first"
    assert all(each in rows[1] for each in ("All accepted", "203.0.113.9", "iPhone", "2026-01 · Usamos…"))
    assert as_owner.get(visitor_url("nobody")).status_code == 404
    put_consent("theirs", business=NEIGHBOURS)
    assert as_owner.get(visitor_url("theirs")).status_code == 404


@every_engine
def test_each_consent_is_counted_once_on_its_day(table: str, as_owner: Client) -> None:
    today = now().replace(hour=12)
    for number in range(3):
        put_consent(f"v-{number}", "all", at=epoch(today) + number)
    put_consent("v-9", "denied", at=epoch(today - timedelta(days=1)))
    put_consent("v-8", "odd", at=epoch(today - timedelta(days=40)))
    # The record of the stream arrives a second time.
    consent = put_consent("v-7", "necessary", at=epoch(today))
    first = {name: value for name, value in consent.raw.items() if name != "countedOn"}
    follow({name: value for name, value in first.items() if not name.startswith("GSI")})
    rows = [row.text.split() for row in parse(as_owner.get(f"{CONSENTS}totals/")).all("tr", data_row="")]
    assert [row[-5:] for row in rows] == [["3", "1", "0", "0", "4"], ["0", "0", "1", "0", "1"]]
    total = parse(as_owner.get(f"{CONSENTS}totals/", {"days": "90"})).one("tfoot")
    assert [cell.text for cell in total.all("td")] == ["3", "1", "1", "1", "6"]
    assert as_owner.get(f"{CONSENTS}totals/", {"days": "x"}).status_code == 200


def test_a_consent_without_a_time_is_listed_but_not_counted(table: str, as_owner: Client) -> None:
    key = keys.CONSENT.key(tenant=BUSINESS, visitor="v-1", at="soon")
    follow(put_raw(key, choice="all", timestamp="never"))
    assert visitors(as_owner.get(CONSENTS, {"q": "v-1"})) == ["v-1"]
    assert as_owner.get(visitor_url("v-1")).status_code == 200
    assert read.page(keys.CONSENT_DAY.collection(tenant=BUSINESS), ConsentDay).items == []


def test_many_consents_are_read_page_by_page(table: str, as_owner: Client) -> None:
    for number in range(120):
        put_consent(f"v-{number:03}", at=1779190004571 + number * 1000)
    seen: list[str] = []
    url = CONSENTS
    while url:
        answer = as_owner.get(url)
        assert trips_of(answer) <= 2
        seen += visitors(answer)
        more = [each for each in parse(answer).all("a") if "cursor=" in each.attrs.get("href", "")]
        url = more[0].attrs["href"] if more else ""
    assert seen == [f"v-{number:03}" for number in reversed(range(120))]
    assert trips_of(as_owner.get(f"{CONSENTS}totals/")) <= 2


def test_the_export_has_every_consent_and_no_formulas(table: str, as_owner: Client) -> None:
    put_consent(VISITOR, "all", userAgent="=cmd|' /C calc'!A0", ip="203.0.113.9")
    put_consent("theirs", business=NEIGHBOURS)
    answer = as_owner.get(f"{CONSENTS}export/")
    text = b"".join(answer.streaming_content).decode().removeprefix("\ufeff")  # type: ignore[attr-defined]
    [row] = csv.DictReader(io.StringIO(text))
    assert (row["visitor"], row["choice"], row["ip"]) == (VISITOR, "all", "203.0.113.9")
    assert row["time"] == "2026-05-19T11:26:44Z" and row["browser"].startswith("'=cmd")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"timestamp": {"N": "1779190004571"}}, datetime(2026, 5, 19, 11, 26, 44, 571000, UTC)),
        ({"timestamp": {"N": "-5"}}, datetime(2026, 5, 19, 11, 26, 44, 0, UTC)),
        ({"timestamp": {"N": "1e30"}}, datetime(2026, 5, 19, 11, 26, 44, 0, UTC)),
        ({}, datetime(2026, 5, 19, 11, 26, 44, 0, UTC)),
    ],
)
def test_the_time_of_a_consent(values: dict[str, Any], expected: datetime) -> None:
    key = keys.CONSENT.key(tenant=BUSINESS, visitor="v", at="1779190004000")
    assert Consent.of({"PK": {"S": key.pk}, "SK": {"S": key.sk}} | values).moment == expected
