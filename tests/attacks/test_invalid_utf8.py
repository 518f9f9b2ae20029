"""Bytes that are not valid UTF-8 are answered with 400, and are not stored as question marks."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.web import sheets
from tests.conftest import sign_in
from tests.ui.walk import new_browser

FORM = "application/x-www-form-urlencoded"
# A byte that begins nothing, a character that is cut off, a letter of Latin-1, a surrogate, and a longer "/".
INVALID = [b"\xff", b"\xe2\x82", b"Mu\xf1oz", b"\xed\xa0\x80", b"\xc0\xaf"]
VALID = "Muñoz €😀 � %FF".encode()
every_invalid = pytest.mark.parametrize("content", INVALID, ids=repr)


def percent(content: bytes) -> str:
    return "".join(f"%{byte:02X}" for byte in content)


@pytest.fixture
def browser(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["admin"], raise_request_exception=False)


@pytest.fixture
def sofia(people_by_role: dict[str, Person]) -> Person:
    return people_by_role["staff"]


def multipart(*parts: tuple[bytes, bytes]) -> bytes:
    """The body of a form with files, from the headers and contents of its parts."""
    lines = [b"--limit\r\nContent-Disposition: form-data; " + head + b"\r\n\r\n" + text for head, text in parts]
    return b"\r\n".join([*lines, b"--limit--\r\n"])


def post(browser: Client, url: str, body: bytes | str, content_type: str = FORM) -> Any:
    return browser.generic("POST", url, body, content_type=content_type)


def post_parts(browser: Client, url: str, *parts: tuple[bytes, bytes]) -> Any:
    return post(browser, url, multipart(*parts), "multipart/form-data; boundary=limit")


def name_of(person: Person) -> str:
    return queries.load_person(person.email).name


def assert_refused(response: Any, person: Person) -> None:
    assert response.status_code == 400
    assert "cannot be read" in response.text
    assert queries.load_person(person.email).revision == person.revision


# --- Forms -----------------------------------------------------------------------------------------
@every_invalid
def test_a_form_with_invalid_bytes_is_refused(browser: Client, sofia: Person, content: bytes) -> None:
    url = f"/people/{sofia.email}/edit/"
    known = f"revision={sofia.revision}&role=staff".encode()
    for field in (b"name=" + content, b"name=" + percent(content).encode(), percent(content).encode() + b"=name"):
        assert_refused(post(browser, url, known + b"&" + field), sofia)


@every_invalid
def test_a_form_with_files_and_invalid_bytes_is_refused(browser: Client, sofia: Person, content: bytes) -> None:
    url = f"/people/{sofia.email}/edit/"
    known = [(b'name="revision"', str(sofia.revision).encode()), (b'name="role"', b"staff")]
    for part in (
        (b'name="name"', content),
        (b'name="' + content + b'"', b"x"),
        (b'name="file"; filename="' + content + b'.csv"', b"x"),
        (b"name=\"file\"; filename*=utf-8''" + percent(content).encode(), b"x"),
    ):
        assert_refused(post_parts(browser, url, *known, part), sofia)
        # Also behind a file that is read in several pieces.
        assert_refused(post_parts(browser, url, (b'name="f"; filename="f"', b"\xff" * 200_000), part), sofia)


def test_valid_bytes_are_stored_as_sent(browser: Client, sofia: Person) -> None:
    """Among them the replacement character itself, and a percent sign that is one."""
    url = f"/people/{sofia.email}/edit/"
    sent = f"revision={sofia.revision}&role=staff&name={percent(VALID)}"
    assert post(browser, url, sent).status_code == 303
    assert name_of(sofia) == VALID.decode()
    again = queries.load_person(sofia.email)
    parts = [
        (b'name="revision"', str(again.revision).encode()),
        (b'name="role"', b"staff"),
        (b'name="name"', b"2 " + VALID),
        ('name="file"; filename="ñ.png"'.encode(), bytes(range(256)) * 1000),
    ]
    assert post_parts(browser, url, *parts).status_code == 303
    assert name_of(sofia) == "2 " + VALID.decode()


def test_a_file_is_not_taken_for_text(browser: Client) -> None:
    """Spreadsheets save other encodings; the letters arrive as they were."""
    assert sheets.decode_text("name\nMuñoz €".encode("cp1252")) == "name\nMuñoz €"
    content = "email,name,role\nnew@example.com,Muñoz,staff\n".encode("cp1252")
    checked = post_parts(browser, "/people/import/", (b'name="file"; filename="people.csv"', content))
    assert checked.status_code == 303
    assert "Muñoz" in browser.get(checked.url).text


# --- Addresses -------------------------------------------------------------------------------------
@every_invalid
def test_an_address_with_invalid_bytes_is_refused(browser: Client, content: bytes) -> None:
    for url in (f"/people/{percent(content)}/", f"/{percent(content)}", f"/people/?q={percent(content)}"):
        response = browser.get(url)
        assert response.status_code == 400, url
    assert browser.get("/people/", QUERY_STRING="q=" + content.decode("latin-1")).status_code == 400


def test_a_valid_address_is_found(browser: Client) -> None:
    assert browser.get(f"/people/?q={percent(VALID)}").status_code == 200
    assert browser.get("/people/%25FF/").status_code == 404, "a percent sign in a name is valid"


# --- What a person sees ----------------------------------------------------------------------------
def test_the_answer_has_a_page_in_both_languages_a_fragment_and_json(browser: Client) -> None:
    spanish = browser.get("/people/?q=%FF", headers={"Accept-Language": "es"})
    assert spanish.status_code == 400
    assert "no se puede leer" in spanish.text
    fragment = browser.post("/people/new/?x=%FF", headers={"HX-Request": "true"})
    assert fragment.status_code == 400
    assert "<html" not in fragment.text
    api = browser.get("/api/v1/whoami?x=%FF")
    assert (api.status_code, api.json()["code"]) == (400, "bad_request")
    posted = post(browser, "/api/v1/whoami", b'{"name": "\xff"}', "application/json")
    assert (posted.status_code, posted.json()["code"]) == (400, "bad_request")


def test_people_who_are_not_signed_in_are_answered_too(table: str) -> None:
    browser = Client(raise_request_exception=False)
    assert post(browser, "/login/", b"email=%FF&password=x").status_code == 400
    assert browser.get("/%FF").status_code == 400


CHARSETS = ("zlib", "rot13", "undefined", "idna", "utf-7", "unicode_escape", "utf-16", "latin-1", "utf-8", '"UTF-8"')


@pytest.mark.parametrize("charset", CHARSETS)
def test_the_charset_that_a_client_names_is_ignored(charset: str) -> None:
    """Django would decode the query string with it before any middleware runs, and some of them cannot decode text."""
    for content_type in (f"text/plain; charset={charset}", f"text/plain;CHARSET = {charset}; x=1"):
        response = new_browser().get("/login/?next=%2Fa%2B2AA-", headers={"Content-Type": content_type})
        assert response.status_code == 200
