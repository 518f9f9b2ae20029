"""Page markers in URLs: ours, unchanged, and good for one person, tenant and view only."""

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

PLACE = {"PK": {"S": "USER#alma@example.com"}, "SK": {"S": "PROFILE"}, "GSI2PK": {"S": "ACCOUNTS"}}
SCOPE = ("alma@example.com", "people", "", "a")
scopes = st.lists(st.text(max_size=5) | st.sampled_from(["a|b", "|", "a", "b"]), max_size=4)


@given(st.dictionaries(st.text(max_size=5), st.dictionaries(st.just("S"), st.text(max_size=20))), scopes)
def test_a_marker_leads_back_to_its_place(place: dict[str, Any], scope: list[str]) -> None:
    assert cursors.decode(cursors.encode(place, *scope), *scope) == place


def test_no_marker_is_the_first_page() -> None:
    assert cursors.decode("", *SCOPE) is None


@given(scopes, scopes)
def test_a_marker_is_good_for_its_scope_only(scope: list[str], other: list[str]) -> None:
    assume(scope != other)
    with pytest.raises(BadCursor):
        cursors.decode(cursors.encode(PLACE, *scope), *other)


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
def test_another_persons_or_views_marker_is_refused(other: tuple[str, ...]) -> None:
    with pytest.raises(BadCursor):
        cursors.decode(cursors.encode(PLACE, *SCOPE), *other)


def test_a_marker_cut_short_or_changed_anywhere_is_refused() -> None:
    whole = cursors.encode(PLACE, *SCOPE)
    for at in range(1, len(whole)):
        with pytest.raises(BadCursor):
            cursors.decode(whole[:at], *SCOPE)
    for at in range(len(whole)):
        changed = whole[:at] + ("a" if whole[at] != "a" else "b") + whole[at + 1 :]
        with pytest.raises(BadCursor):
            cursors.decode(changed, *SCOPE)


@given(st.text(min_size=1, max_size=60))
def test_anything_else_is_refused_in_one_way(text: str) -> None:
    with pytest.raises(BadCursor):
        cursors.decode(text, *SCOPE)


def test_a_marker_that_someone_made_up_is_refused() -> None:
    body = base64.urlsafe_b64encode(json.dumps(PLACE).encode()).decode().rstrip("=")
    for made_up in (body, f"{body}:1uzzzz:abcdef", f".{body}:1uzzzz:abcdef", "☃", "\ud800", "a" * 10_000):
        with pytest.raises(BadCursor):
            cursors.decode(made_up, *SCOPE)


def test_a_marker_of_another_secret_is_refused(settings: Any) -> None:
    marker = cursors.encode(PLACE, *SCOPE)
    settings.SECRET_KEY = "another"
    with pytest.raises(BadCursor):
        cursors.decode(marker, *SCOPE)


# --- Through the browser -------------------------------------------------------------------------
def many_people(count: int) -> None:
    """Staff by the dozen, as `import_items` would write them."""
    client, name = connection.client(), connection.table().table_name
    for start in range(0, count, 25):
        client.batch_write_item(
            RequestItems={name: [{"PutRequest": {"Item": _staff(n)}} for n in range(start, min(start + 25, count))]}
        )


def _staff(number: int) -> Any:
    person = Person.new(email=f"p{number:03}@example.com")
    person.email, person.back_office_role, person.password_hash = f"p{number:03}@example.com", "staff", "x"
    person.set_index_keys()
    return person.serialize()


def next_page(response: Any) -> str:
    """Where «load more» leads."""
    url = response.context["listing"].next_url
    assert url, "there should be another page"
    return str(url)


def test_pages_of_people_follow_each_other_and_a_bad_marker_leads_back(people_by_role: dict[str, Person]) -> None:
    many_people(60)
    alma = sign_in(people_by_role["admin"])
    seen: list[str] = []
    url: str | None = "/people/?q=p"
    while url:
        response = alma.get(url)
        assert response.status_code == 200
        seen += [person.email for person in response.context["listing"].rows]
        url = response.context["listing"].next_url
    assert seen == [f"p{number:03}@example.com" for number in range(60)]

    marker = parse_qs(urlsplit(next_page(alma.get("/people/?q=p"))).query)["cursor"][0]
    refused(alma, f"/people/?q=p&cursor={marker[:-1]}", back="/people/?q=p")
    refused(alma, "/people/?q=p&cursor=made-up", back="/people/?q=p")
    refused(alma, f"/people/?q=p&state=staff&cursor={marker}", back="/people/?q=p&amp;state=staff")
    refused(alma, f"/people/?cursor={marker}", back="/people/")
    refused(sign_in(people_by_role["admin2"]), f"/people/?q=p&cursor={marker}", back="/people/?q=p")


def refused(client: Client, url: str, *, back: str) -> None:
    response = client.get(url)
    assert response.status_code == 400
    assert f'href="{back}"' in response.content.decode()
    fragment = client.get(url, headers={"HX-Request": "true"})
    assert fragment.status_code == 400
    assert f'href="{back}"' in fragment.content.decode()
