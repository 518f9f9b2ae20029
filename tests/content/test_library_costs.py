"""A page of a list costs the same with 60 and with 600 items, and reads no body. Who may open it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from content.library.kinds import LIBRARY
from content.queries.library import items_of
from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.businesses.services import members
from dashboard.table import write
from dashboard.table.commands import new_command
from tests.conftest import ACTOR, add_business, add_person, sign_in
from tests.content.library_items import library_item_url, library_url, put_outside
from tests.content.site import BUSINESS
from tests.ui.html import parse
from tests.ui.walk import calls_of

BODY = "x" * 3000
BODIES = {"signals": "content_snapshot", "products": "description"}


def put_items(kind: str, numbers: range) -> None:
    """Items with their keys in the list, one a minute."""
    for number in numbers:
        item: Any = LIBRARY[kind].item_class.new(tenant=BUSINESS, id=f"item-{number}")
        setattr(item, LIBRARY[kind].title, f"Item {number}")
        if kind in BODIES:
            setattr(item, BODIES[kind], BODY)
        item.created_at = _moment(number)
        item.set_index_keys()
        write.put(item)


def _moment(number: int) -> datetime:
    return datetime(2026, 5, 1, tzinfo=UTC) + timedelta(minutes=number)


def cost(browser: Client, url: str) -> tuple[int, int, float]:
    answer = browser.get(url)
    assert answer.status_code == 200
    log = calls_of(answer)
    return len(log.calls), log.trips, round(log.units, 1)


@pytest.mark.parametrize("kind", LIBRARY)
@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_a_page_of_a_list_costs_the_same_with_many_items(table: str, as_owner: Client, kind: str) -> None:
    assert cost(as_owner, library_url(kind))[1] <= 2
    put_items(kind, range(60))
    few = cost(as_owner, library_url(kind))
    put_items(kind, range(60, 300))
    many = cost(as_owner, library_url(kind))
    assert few == many
    assert many[1] <= 2
    (newest,) = items_of(LIBRARY[kind], BUSINESS, limit=1).items
    assert newest.partial and not [value for value in newest.raw.values() if value == {"S": BODY}]
    assert cost(as_owner, f"{library_url(kind)}?q=item")[1] <= 2
    assert cost(as_owner, library_item_url(kind, "item-7"))[1] <= 2


def test_more_items_are_loaded_and_a_search_goes_on(table: str, as_owner: Client) -> None:
    put_items("contexts", range(120))
    url = library_url("contexts")
    seen: list[str] = []
    for start in (url, f"{url}?q=item"):
        seen, following = [], start
        for _page in range(10):
            page = parse(as_owner.get(following))
            seen += [each.text for each in page.all("a", class_="row-link")]
            more = [each.attrs["href"] for each in page.all("a", data_more="")]
            if not more:
                break
            (following,) = more
        assert seen == [f"Item {number}" for number in reversed(range(120))]
    assert as_owner.get(f"{library_url('signals')}?{following.partition('?')[2]}").status_code == 400
    text = parse(as_owner.get(f"{url}?q=item+7")).text
    assert "120 searched" in text and "end of list" in text


@pytest.mark.parametrize("role", BusinessRole)
def test_managers_and_designers_edit_the_library(table: str, people_by_role: Any, role: BusinessRole) -> None:
    add_business(BUSINESS, "Coca-Cola Andina", "olivia@example.com")
    person = add_person(f"{role}@example.com", Role.OWNER, "Rosa")
    members.add(BUSINESS, person.email, role=role, command=new_command(ACTOR))
    put_outside("contexts")
    browser = sign_in(person)
    may = role in {BusinessRole.OWNER, BusinessRole.MANAGER, BusinessRole.DESIGNER}
    for url in (library_url("contexts"), library_item_url("contexts"), f"{library_url('products')}new/"):
        assert browser.get(url).status_code == (200 if may else 403)
    answer = browser.post(f"{library_item_url('contexts')}delete/", {"revision": "0"})
    assert answer.status_code == (409 if may else 403), "without what the person saw, nothing is deleted"
