"""Pages of a site in the search of the whole product."""

from __future__ import annotations

import pytest

from tests.content.site import NEIGHBOURS, a_page, page_url, put_cards, put_outside_page, save_page
from tests.ui.html import parse
from tests.ui.walk import calls_of
from tests.ui.world import World, world

__all__ = ["world"]
GROUP = "Pages of the site"


def found(world: World, who: str, query: str, business: str = "andina") -> list[str]:
    """What the search finds, in one round trip after the sign-in."""
    answer = world.browser(who).get(f"/go/?q={query}&business={business}")
    assert answer.status_code == 200 and calls_of(answer).trips <= 2
    groups = {each.one("h2").text: each.all("a") for each in parse(answer).by_class("result-group")}
    return [link.attrs["href"] for link in groups.get(GROUP, [])]


@pytest.mark.parametrize("query", ["añil", "ANIL tenir", "azules", "%2Ftonos-azul"])
def test_a_page_is_found_by_its_title_and_its_address(world: World, query: str) -> None:
    page = a_page("Cómo teñir con añil", slug="/tonos-azules")
    for who in ("owner", "designer", "admin"):
        assert found(world, who, query) == [page_url(page)], who


def test_the_result_names_the_address_and_the_status(world: World) -> None:
    a_page("Quiénes somos", slug="/nosotros")
    answer = world.browser("owner").get("/go/?q=nosotros&business=andina")
    assert "/nosotros · Draft" in parse(answer).text


def test_a_renamed_page_and_one_of_the_service_are_found_as_they_are_now(world: World) -> None:
    page = save_page(a_page("Zurcidos", slug="/zurcidos"), title="Remiendos", slug="/remiendos")
    put_outside_page("svc-1", title="Remiendos del servicio")
    assert found(world, "owner", "zurcido") == []
    assert set(found(world, "owner", "remiendo")) == {page_url(page), "/b/andina/site/pages/svc-1/"}


def test_pages_are_found_only_by_those_who_may_see_them(world: World) -> None:
    theirs = a_page("Zurcidos ajenos", business=NEIGHBOURS)
    a_page("Zurcidos propios")
    for who in ("receptionist", "neighbour", "staff", "moderator"):
        assert found(world, who, "zurcidos") == [], who
    assert found(world, "neighbour", "zurcidos", NEIGHBOURS) == [page_url(theirs, NEIGHBOURS)]
    assert found(world, "owner", "zurcidos", NEIGHBOURS) == found(world, "owner", "zurcidos", "") == []


def test_among_many_pages_the_search_leads_to_the_list(world: World) -> None:
    put_cards(300)
    links = found(world, "owner", "page-")
    assert len(links) == 8 and links[-1] == "/b/andina/site/?q=page-"
    # No page has it among those that one request reads.
    assert found(world, "owner", "zurcidos") == ["/b/andina/site/?q=zurcidos"]
