"""Cursors in URLs: signed, and valid for one person, business and view only."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from hypothesis import assume, given
from hypothesis import strategies as st

from dashboard.core.errors import BadCursor
from dashboard.platform.accounts.items import Person
from dashboard.table import connection, cursors
from tests.conftest import sign_in

START_KEY = {"PK": {"S": "USER#alma@example.com"}, "SK": {"S": "PROFILE"}, "GSI2PK": {"S": "ACCOUNTS"}}
SCOPE = ("alma@example.com", "people", "", "a")
scopes = st.lists(st.text(max_size=5) | st.sampled_from(["a|b", "|", "a", "b"]), max_size=4)


@given(st.dictionaries(st.text(max_size=5), st.dictionaries(st.just("S"), st.text(max_size=20))), scopes)
def test_a_cursor_is_decoded_to_its_start_key(start_key: dict[str, Any], scope: list[str]) -> None:
    assert cursors.decode(cursors.encode(start_key, *scope), *scope) == start_key


def test_an_empty_cursor_means_the_first_page() -> None:
    assert cursors.decode("", *SCOPE) is None


@given(scopes, scopes)
def test_a_cursor_is_valid_for_its_scope_only(scope: list[str], other: list[str]) -> None:
    assume(scope != other)
    with pytest.raises(BadCursor):
        cursors.decode(cursors.encode(START_KEY, *scope), *other)


@pytest.mark.parametrize(
    "other",
    [
        ("eva@example.com", "people", "", "a"),
        ("alma@example.com", "posts", "", "a"),
        ("alma@example.com", "people", "admin", "a"),
        ("alma@example.com", "people", "", "b"),
        ("alma@example.com", "people", ""),
        ("alma@example.com|people", "", "a"),
        (),
    ],
)
def test_a_cursor_of_another_person_or_view_is_refused(other: tuple[str, ...]) -> None:
    with pytest.raises(BadCursor):
        cursors.decode(cursors.encode(START_KEY, *SCOPE), *other)


def test_a_shortened_or_changed_cursor_is_refused() -> None:
    cursor = cursors.encode(START_KEY, *SCOPE)
    for at in range(1, len(cursor)):
        with pytest.raises(BadCursor):
            cursors.decode(cursor[:at], *SCOPE)
    for at in range(len(cursor)):
        changed = cursor[:at] + ("a" if cursor[at] != "a" else "b") + cursor[at + 1 :]
        with pytest.raises(BadCursor):
            cursors.decode(changed, *SCOPE)


@given(st.text(min_size=1, max_size=60))
def test_any_other_text_is_refused_as_a_bad_cursor(text: str) -> None:
    with pytest.raises(BadCursor):
        cursors.decode(text, *SCOPE)


def test_a_forged_cursor_is_refused() -> None:
    body = base64.urlsafe_b64encode(json.dumps(START_KEY).encode()).decode().rstrip("=")
    for forged in (body, f"{body}:1uzzzz:abcdef", f".{body}:1uzzzz:abcdef", "☃", "\ud800", "a" * 10_000):
        with pytest.raises(BadCursor):
            cursors.decode(forged, *SCOPE)


def test_a_cursor_signed_with_another_secret_is_refused(settings: Any) -> None:
    cursor = cursors.encode(START_KEY, *SCOPE)
    settings.SECRET_KEY = "another"
    with pytest.raises(BadCursor):
        cursors.decode(cursor, *SCOPE)


# --- Through the browser -------------------------------------------------------------------------
def put_people(count: int) -> None:
    """Write many staff members, as `import_items` does."""
    client, name = connection.client(), connection.table().table_name
    for start in range(0, count, 25):
        client.batch_write_item(
            RequestItems={
                name: [{"PutRequest": {"Item": _raw_staff_member(n)}} for n in range(start, min(start + 25, count))]
            }
        )


def _raw_staff_member(number: int) -> Any:
    person = Person.new(email=f"p{number:03}@example.com")
    person.email, person.back_office_role, person.password_hash = f"p{number:03}@example.com", "staff", "x"
    person.set_index_keys()
    return person.serialize()


def next_page_url(response: Any) -> str:
    """The address of the link «load more»."""
    url = response.context["listing"].next_url
    assert url, "there should be another page"
    return str(url)


def test_pages_of_people_are_complete_and_a_bad_cursor_links_to_the_list(people_by_role: dict[str, Person]) -> None:
    put_people(60)
    alma = sign_in(people_by_role["admin"])
    listed: list[str] = []
    url: str | None = "/people/?q=p"
    while url:
        response = alma.get(url)
        assert response.status_code == 200
        listed += [person.email for person in response.context["listing"].rows]
        url = response.context["listing"].next_url
    assert listed == [f"p{number:03}@example.com" for number in range(60)]

    cursor = parse_qs(urlsplit(next_page_url(alma.get("/people/?q=p"))).query)["cursor"][0]
    assert_refused(alma, f"/people/?q=p&cursor={cursor[:-1]}", back="/people/?q=p")
    assert_refused(alma, "/people/?q=p&cursor=made-up", back="/people/?q=p")
    assert_refused(alma, f"/people/?q=p&state=staff&cursor={cursor}", back="/people/?q=p&amp;state=staff")
    assert_refused(alma, f"/people/?cursor={cursor}", back="/people/")
    assert_refused(sign_in(people_by_role["admin2"]), f"/people/?q=p&cursor={cursor}", back="/people/?q=p")


def assert_refused(client: Client, url: str, *, back: str) -> None:
    response = client.get(url)
    assert response.status_code == 400
    assert f'href="{back}"' in response.content.decode()
    fragment = client.get(url, headers={"HX-Request": "true"})
    assert fragment.status_code == 400
    assert f'href="{back}"' in fragment.content.decode()
