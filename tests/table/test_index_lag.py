"""Indexes that lag behind the table: the page after an action shows it, and actions on outdated lists are safe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts.items import DISABLED, Person
from dashboard.platform.accounts.queries import load_person
from tests.conftest import sign_in
from tests.faults import Network, bad_network
from tests.table.notes import on_dynoxide

pytestmark = on_dynoxide
MARCO = "/people/marco@example.com/"


@pytest.fixture
def network(people_by_role: dict[str, Person]) -> Iterator[Network]:
    with bad_network() as network:
        yield network


@pytest.fixture
def alma(people_by_role: dict[str, Person], network: Network) -> Client:
    return sign_in(people_by_role["admin"])


def states_in_list(alma: Client, query: str = "") -> dict[str, str]:
    response = alma.get(f"/people/{query}")
    assert response.status_code == 200
    return {row.email: row.listed_as for row in response.context["listing"].rows}


def disable(alma: Client, revision: int) -> Any:
    return alma.post(f"{MARCO}disable/", {"revision": revision}, follow=True)


def test_the_page_of_a_person_shows_the_change_while_the_indexes_lag(alma: Client, network: Network) -> None:
    network.freeze_indexes()
    before = states_in_list(alma)
    assert before["marco@example.com"] == "active"
    assert states_in_list(alma, "?state=disabled") == {}
    assert alma.get(MARCO).context["person"].state == "moderator"

    after = disable(alma, revision=1)
    assert after.status_code == 200
    assert after.redirect_chain == [(MARCO, 303)]
    assert after.context["person"].state == DISABLED
    assert "Marco Peña disabled and signed out." in after.content.decode()

    # The lists are outdated, but they work.
    assert states_in_list(alma) == before
    assert states_in_list(alma, "?state=disabled") == {}

    network.thaw_indexes()
    assert states_in_list(alma)["marco@example.com"] == "disabled"
    assert states_in_list(alma, "?state=disabled") == {"marco@example.com": "disabled"}


def test_an_action_on_an_outdated_row_is_a_conflict(alma: Client, network: Network) -> None:
    network.freeze_indexes()
    (row,) = [each for each in alma.get("/people/").context["listing"].rows if each.email == "marco@example.com"]
    disable(alma, revision=row.revision)
    (again,) = [each for each in alma.get("/people/").context["listing"].rows if each.email == "marco@example.com"]
    assert again.revision == row.revision, "the list is outdated"
    response = disable(alma, revision=again.revision)
    assert response.status_code == 409
    assert load_person("marco@example.com").revision == row.revision + 1


def test_a_bulk_action_on_outdated_rows_names_the_people_it_failed_for(alma: Client, network: Network) -> None:
    network.freeze_indexes()
    rows = {each.email: each for each in alma.get("/people/").context["listing"].rows}
    disable(alma, revision=1)
    selected = [rows["marco@example.com"].selection_value, rows["sofia@example.com"].selection_value]
    response = alma.post("/people/bulk/", {"action": "disable", "selected": selected}, follow=True)
    assert response.status_code == 200
    assert "marco@example.com: " in response.content.decode()
    assert load_person("marco@example.com").revision == 2, "only the first action was executed"
    assert load_person("sofia@example.com").state == DISABLED


def test_the_page_of_an_invited_person_works_before_the_lists_show_them(alma: Client, network: Network) -> None:
    network.freeze_indexes()
    assert "ines@example.com" not in states_in_list(alma)
    form = {"email": "ines@example.com", "name": "Inés Mar", "role": "staff"}
    assert alma.post("/people/new/", form).status_code == 200
    assert "ines@example.com" not in states_in_list(alma)
    page = alma.get("/people/ines@example.com/")
    assert page.status_code == 200
    assert page.context["person"].state == "invited"


def test_the_frozen_indexes_of_these_tests_give_old_answers(alma: Client, network: Network) -> None:
    """Otherwise the other tests would check nothing."""
    network.freeze_indexes()
    calls_before = len(network.calls("Query"))
    assert states_in_list(alma) == states_in_list(alma)
    bodies = network.calls("Query")[calls_before:]
    assert len(bodies) == 2
    assert bodies[0] == bodies[1]
    assert "IndexName" in bodies[0]
