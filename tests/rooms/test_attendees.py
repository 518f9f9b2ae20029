"""The list of attendees: newest first, filtered by country, found by address and by words."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from rooms.queries import attendees as queries
from tests.audit.entries import put, put_all
from tests.conftest import every_engine, sign_in
from tests.rooms.attendees import ANA, REGISTERED, create_attendee, raw_attendee, raw_attendees
from tests.rooms.rooms import create_room
from tests.transfer.helpers import HERE, run
from tests.ui.html import Element, form_to, parse
from tests.ui.walk import calls_of

URL = "/rooms/people/"


def rows(page: Element) -> list[Element]:
    return [each for each in page.all("tr") if "data-row" in each.attrs]


def emails(page: Element) -> list[str]:
    """The addresses in the links of the rows."""
    return [each.by_class("row-link")[0].attrs["href"].removeprefix(URL).removesuffix("/") for each in rows(page)]


def listed_emails_by_page(browser: Client, url: str, htmx: bool = False) -> list[list[str]]:
    """The addresses on each page, following the link to the next page until the end."""
    pages: list[list[str]] = []
    following: str | None = url
    while following:
        response = browser.get(following, headers={"HX-Request": "true"} if htmx and pages else {})
        assert response.status_code == 200 and calls_of(response).trips == 2
        page = parse(response)
        pages.append(emails(page))
        more = [link for link in page.all("a") if "data-more" in link.attrs]
        following = more[0].attrs["href"] if more else None
        assert len(pages) < 20, "the list has no end"
    return pages


def put_attendees(count: int) -> list[str]:
    """Write attendees, and return their addresses, newest first; the accounts are newer than all of them."""
    put_all(raw_attendees(range(count)))
    return [f"p{number:05}@example.org" for number in reversed(range(count))]


ACCOUNT_EMAILS = {
    "alma@example.com",
    "aldo@example.com",
    "marco@example.com",
    "sofia@example.com",
    "olivia@example.com",
}


@pytest.mark.parametrize("htmx", [False, True])
def test_everyone_is_listed_once_newest_first(as_staff: Client, htmx: bool) -> None:
    people = put_attendees(120)
    pages = listed_emails_by_page(as_staff, URL, htmx)
    assert [len(page) for page in pages] == [50, 50, 25]
    all_emails = [each for page in pages for each in page]
    assert set(all_emails[:5]) == ACCOUNT_EMAILS and all_emails[5:] == people


@pytest.mark.parametrize("typed", ["México", "méxico", " méxico ", "MÉXICO"])
def test_the_country_filter_ignores_case_and_spaces(as_staff: Client, typed: str) -> None:
    people = [each for each in put_attendees(160) if int(each[1:6]) % 3 == 1]
    pages = listed_emails_by_page(as_staff, f"{URL}?country={typed}")
    assert [each for page in pages for each in page] == people
    assert [len(page) for page in pages] == [50, 3]


def test_a_country_with_two_words_and_one_in_lowercase(as_staff: Client) -> None:
    put(raw_attendee(ANA, country="Estados Unidos"), raw_attendee("b@example.org", country="colombia"))
    put(raw_attendee("c@example.org", country="Colombia"))
    assert listed_emails_by_page(as_staff, f"{URL}?country=estados unidos") == [[ANA]]
    assert listed_emails_by_page(as_staff, f"{URL}?country=colombia") == [["b@example.org"]], (
        "the exact spelling is searched first"
    )
    assert listed_emails_by_page(as_staff, f"{URL}?country=Colombia") == [["c@example.org"]]
    page = parse(as_staff.get(f"{URL}?country=estados unidos"))
    assert form_to(page, f"{URL}export/").data()["country"] == "Estados Unidos"
    assert [each.attrs["value"] for each in page.one("datalist").all("option")] == ["Estados Unidos"]


def test_a_row_shows_country_role_progress_and_date(as_staff: Client) -> None:
    for room in ("sala1", "sala2", "sala3"):
        create_room(room)
    create_attendee(progress=["sala3", "sala1", "sala1", "gone"], role={"S": "admin"})
    (row,) = rows(parse(as_staff.get(f"{URL}?country=Colombia")))
    assert row.by_class("row-link")[0].text == "Ana Torres" and row.by_class("row-sub")[0].text == ANA
    assert [each.text for each in row.all("td")[1:]] == ["Colombia", "admin", "2 of 3", "18 Aug 2025"]
    assert not row.by_class("badge"), "the role in the item of an outside writer gives no account"
    with_account = {email: row for row in rows(parse(as_staff.get(URL))) for email in emails_of(row)}
    assert with_account["marco@example.com"].by_class("badge")[0].text == "Has an account"


def emails_of(row: Element) -> list[str]:
    return [each.text for each in row.by_class("row-sub")]


def test_a_complete_address_is_found_by_its_key(as_staff: Client) -> None:
    raw = raw_attendee(ANA, "Ana Torres")
    put({name: value for name, value in raw.items() if not name.startswith("GSI") and name != "createdAt"})
    put(raw_attendee("Upper@Example.org"))
    assert ANA not in [each for page in listed_emails_by_page(as_staff, URL) for each in page], (
        "her item has no index keys"
    )
    for typed in (ANA, " ANA@example.org ", f"{ANA}&country=Chile"):
        assert listed_emails_by_page(as_staff, f"{URL}?q={typed}") == [[ANA]]
    assert listed_emails_by_page(as_staff, f"{URL}?q=Upper@Example.org") == [["Upper@Example.org"]]
    assert as_staff.get(f"{URL}Upper@Example.org/").status_code == 200
    assert "no date" in parse(as_staff.get(f"{URL}?q={ANA}")).text


def test_a_partial_address_is_searched_like_words(as_staff: Client) -> None:
    create_attendee()
    assert listed_emails_by_page(as_staff, f"{URL}?q=ana@example.or") == [[ANA]]
    assert "No attendee has this address" in parse(as_staff.get(f"{URL}?q=nobody@example.org")).text


def test_words_are_searched_in_names_and_addresses(as_staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "SEARCH_SIZE", 60)
    put_attendees(100)
    create_attendee(name="Ána María TORRES", at=REGISTERED - timedelta(days=3))
    pages = listed_emails_by_page(as_staff, f"{URL}?q=torres+ana")
    assert pages == [[], [ANA]], "the first search ends at its limit, and the second continues from there"
    first = parse(as_staff.get(f"{URL}?q=torres+ana"))
    assert "60 searched, back to 18 Aug 2025 · No matches yet" in first.text
    assert [each.text for each in first.all("a") if "data-more" in each.attrs] == ["Search more"]
    assert listed_emails_by_page(as_staff, f"{URL}?q=p0004")[0][0] == "p00049@example.org"
    last = parse(as_staff.get(f"{URL}?q=torres&country=Colombia"))
    assert emails(last) == [ANA] and "end of list" in last.text


def test_a_cursor_is_valid_for_one_person_and_one_filter(as_staff: Client, people_by_role: dict[str, Person]) -> None:
    put_attendees(60)
    (more,) = [each.attrs["href"] for each in parse(as_staff.get(URL)).all("a") if "data-more" in each.attrs]
    assert as_staff.get(more).status_code == 200
    assert as_staff.get(f"{more}&country=Chile").status_code == 400
    assert sign_in(people_by_role["admin"]).get(more).status_code == 400


@pytest.mark.parametrize("query", [f"country={'x' * 101}", f"q={'x' * 255}", "q=a%00b"])
def test_invalid_filters_show_an_error_and_keep_the_input(as_staff: Client, query: str) -> None:
    for headers in ({}, {"HX-Request": "true"}):
        response = as_staff.get(f"{URL}?{query}", headers=headers)
        page = parse(response)
        assert response.status_code == 422 and page.by_class("error")
        name, _, value = query.partition("=")
        (field,) = [each for each in page.one("div", id="list").all("input") if each.attrs.get("name") == name]
        assert field.attrs["value"] == value.replace("%00", "\0")


@pytest.mark.parametrize("country", ["a#b", "Narnia", "#"])
def test_a_country_without_attendees_shows_an_empty_list(as_staff: Client, country: str) -> None:
    response = as_staff.get(URL, {"country": country})
    assert response.status_code == 200 and "No attendees from this country" in parse(response).text


def test_without_attendees_there_is_nothing_to_export(as_staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.platform.accounts.items.Person.key_parts", {})
    page = parse(as_staff.get(URL))
    assert "No attendees yet" in page.text
    assert not [each for each in page.all("form") if each.attrs.get("action") == f"{URL}export/"]


def test_the_attendee_of_the_seed_is_shown(as_staff: Client, tmp_path: Path) -> None:
    assert run("import_items", shutil.copy(HERE / "seed_items.jsonl", tmp_path)).ok
    for query in ("country=Colombia", "q=email@domain.com", "q=torres"):
        (row,) = rows(parse(as_staff.get(f"{URL}?{query}")))
        assert [each.text for each in row.all("td")[1:]] == ["Colombia", "attendee", "1 of 2", "18 Aug 2025"]
    page = parse(as_staff.get(f"{URL}email@domain.com/"))
    assert page.one("h1").text == "Ana Torres" and "sala3no longer a room" in page.text
    assert "Hola a todos" in page.text


MALFORMED = {
    "types": raw_attendee(ANA) | {"name": {"N": "7"}, "country": {"L": []}, "role": {"BOOL": True}},
    "a map of progress": raw_attendee(ANA, progress={"M": {"sala1": {"BOOL": True}}}),
    "a number of progress": raw_attendee(ANA, progress={"N": "3"}),
    "no moment": raw_attendee(ANA) | {"createdAt": {"S": "yesterday"}},
    "nothing": {name: value for name, value in raw_attendee(ANA).items() if name in {"PK", "SK"} or "GSI" in name},
    "no profile": raw_attendee(ANA) | {"PK": {"S": "USER#a#b"}},
    "a path": raw_attendee("a/../b@example.org"),
    "dots": raw_attendee(".."),
    "markup": raw_attendee("<b>@example.org", "<script>alert(1)</script>", progress=["<i>", "a\nb", " "]),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_malformed_attendees_of_outside_writers_are_listed_or_left_out(as_staff: Client, kind: str) -> None:
    put(MALFORMED[kind])
    response = as_staff.get(URL)
    page = parse(response)
    assert response.status_code == 200
    assert len(rows(page)) == 5 + (kind != "no profile")
    assert not page.one("main").all("script", "b", "i")
    for row in rows(page):
        for link in row.by_class("row-link"):
            assert as_staff.get(link.attrs["href"]).status_code == 200
    assert as_staff.post(f"{URL}export/").status_code == 200


def test_a_room_with_a_malformed_key_is_left_out(as_staff: Client) -> None:
    put({"PK": {"S": "ROOM#STATUS"}, "SK": {"S": "ROOM#a#b"}})
    create_attendee(progress=["a#b"])
    assert as_staff.get(URL).status_code == as_staff.get(f"{URL}{ANA}/").status_code == 200


@every_engine
def test_pagination_works_on_every_engine_without_password_hashes(table: str, as_staff: Client) -> None:
    put_all(raw_attendees(range(30)))
    emails_found: list[str] = []
    start_key = None
    while True:
        page = queries.attendees_page("Chile", start_key, 4)
        emails_found += [each.email for each in page.items]
        if (start_key := page.next_start_key) is None:
            break
    assert emails_found == [f"p{number:05}@example.org" for number in reversed(range(30)) if number % 3 == 2]
    accounts = [each for each in queries.newest_attendees().items if each.office_role]
    assert len(accounts) == 5 and all(each.password_hash is None for each in accounts)
