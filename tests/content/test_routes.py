"""Addresses: renames leave redirects, in any order, without chains and circles; fixed and reserved ones."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pynamodb.expressions.operand import Path

from content.items import Content
from content.queries.pages import load_page
from content.queries.routes import find_destination, find_route
from content.services import routes, versions
from content.services.page_routes import RoutePlan, plan_routes
from dashboard.core.errors import NotFound, Refused
from dashboard.table import keys, write
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import new_command
from tests.adoption.outside import follow, put_raw
from tests.conftest import ACTOR, add_business, every_engine
from tests.content.site import BUSINESS, SITE, a_page, leads_to, publish, put_outside_page, save_page
from tests.ui.html import parse
from tests.ui.walk import calls_of


def put_route(slug: str, node: str = "", **attributes: Any) -> None:
    """As the service writes it: without its page if it is a redirect."""
    target = {"TargetNode": f"NODE#{node}"} if node else {}
    put_raw(keys.ROUTE.key(tenant=BUSINESS, slug=slug), Type="Route", Domain="localhost", **target, **attributes)


def put_redirect(slug: str, to: str) -> None:
    put_route(slug, IsRedirect=True, RedirectTo=to, CreatedAt="2026-02-03T08:11:42.905Z")


def route_at(slug: str) -> tuple[bool, str | None]:
    found = find_route(BUSINESS, slug)
    assert found is not None, slug
    return found.leads_elsewhere, found.redirect_to


def rename(page: Content, slug: str) -> Content:
    return save_page(page, slug=slug)


@every_engine
def test_a_rename_leaves_a_redirect_as_the_service_reads_it(table: str) -> None:
    page = a_page(slug="/about")
    raw = find_route(BUSINESS, "/about").raw  # type: ignore[union-attr]
    assert raw["TargetNode"] == {"S": f"NODE#{page.node}"}
    assert (raw["Type"], raw["Domain"], "IsRedirect" in raw) == ({"S": "Route"}, {"S": "localhost"}, False)
    rename(page, "/team")
    raw = find_route(BUSINESS, "/about").raw  # type: ignore[union-attr]
    assert (raw["IsRedirect"], raw["RedirectTo"]) == ({"BOOL": True}, {"S": "/team"})
    assert leads_to("/about") == leads_to("/team") == f"{page.node} /team"


@every_engine
def test_a_page_that_is_renamed_in_a_circle_has_no_chain(table: str) -> None:
    page = a_page(slug="/a")
    for slug in ("/b", "/c", "/a", "/d", "/b", "/a"):
        page = rename(page, slug)
    assert route_at("/a") == (False, None)
    assert {slug: route_at(slug) for slug in ("/b", "/c", "/d")} == {
        "/b": (True, "/a"),
        "/c": (True, "/a"),
        "/d": (True, "/a"),
    }


def test_an_address_of_another_page_is_refused_also_one_that_leads_to_it(table: str) -> None:
    page, other = a_page("Home", slug="/start"), a_page("Other", slug="/other")
    rename(other, "/moved")
    for slug in ("/moved", "/other"):
        with pytest.raises(Refused) as caught:
            rename(page, slug)
        assert caught.value.field == "slug" and "Other" in str(caught.value.text)
    assert load_page(BUSINESS, page.node).slug == "/start"


@pytest.mark.parametrize("slug", ["/", "/contact"])
def test_fixed_addresses_are_edited_but_never_renamed(table: str, slug: str) -> None:
    page = a_page("Fixed", slug=slug)
    page = save_page(page, title="New title")
    with pytest.raises(Refused) as caught:
        rename(page, "/elsewhere")
    assert "/contact" in str(caught.value.text)
    assert leads_to(slug) == f"{page.node} {slug}"
    with pytest.raises(Refused):
        routes.remove_redirect(BUSINESS, slug, command=new_command(ACTOR))
    with pytest.raises(Refused):
        routes.add_redirect(BUSINESS, slug, "/about", command=new_command(ACTOR))


def test_reserved_prefixes_are_refused_and_named(table: str) -> None:
    add_business(BUSINESS, "Andina", "olivia@example.com")
    tenant = keys.TENANT.key(tenant=BUSINESS)
    write.update(tenant, [Path(["urlPrefixes"]).set(to_attribute({"product": "/tienda", "cart": "/carro"}))])
    for slug, prefix in (
        ("/shop", "/shop"),
        ("/product/x", "/product"),
        ("/tienda/pan", "/tienda"),
        ("/carro", "/carro"),
    ):
        with pytest.raises(Refused) as caught:
            a_page("Shop", slug=slug)
        assert f"below {prefix} " in str(caught.value.text)
    assert a_page("Shops", slug="/shopping").slug == "/shopping"


@pytest.mark.parametrize("slug", ["/a b", "/ñ", "/a#b", "/../a", "//x y", "/" + "a" * 300])
def test_addresses_in_another_form_are_refused(table: str, slug: str) -> None:
    with pytest.raises(Refused):
        a_page("Page", slug=slug)


def test_redirects_of_the_service_are_followed_up_to_a_limit(table: str) -> None:
    page = a_page(slug="/end")
    for number in range(5):
        put_redirect(f"/r{number}", "/end" if number == 0 else f"/r{number - 1}")
    assert leads_to("/r4") == f"{page.node} /end"
    assert find_destination(BUSINESS, "/r4").hops == ["/r3", "/r2", "/r1", "/r0", "/end"]
    put_redirect("/x", "/y")
    put_redirect("/y", "/x")
    assert find_destination(BUSINESS, "/x").is_endless and leads_to("/x") == ""
    for number in range(5, 20):
        put_redirect(f"/r{number}", f"/r{number - 1}")
    assert find_destination(BUSINESS, "/r19").is_endless
    assert leads_to("/nowhere") == ""


def test_a_page_takes_back_an_address_that_a_redirect_of_the_service_has(table: str) -> None:
    """The service cannot do this: its redirect row exists."""
    put_outside_page("node-1", slug="/new")
    put_route("/new", "node-1")
    put_redirect("/old", "/new")
    page = rename(load_page(BUSINESS, "node-1"), "/old")
    assert (route_at("/old"), route_at("/new")) == ((False, None), (True, "/old"))
    assert leads_to("/new") == f"{page.node} /old"


def test_publishing_repairs_the_address_after_a_restore_of_the_service(table: str) -> None:
    """The service restores an old address and leaves its route a redirect."""
    put_outside_page("node-1", slug="/old", status="Draft")
    put_route("/new", "node-1")
    put_redirect("/old", "/new")
    publish(load_page(BUSINESS, "node-1"))
    assert (route_at("/old"), route_at("/new")) == ((False, None), (True, "/old"))


def test_a_page_without_a_route_gets_one_when_it_is_published(table: str) -> None:
    put_outside_page("seeded", slug="/", status="Draft")
    publish(load_page(BUSINESS, "seeded"))
    assert leads_to("/") == "seeded /"


def test_manual_redirects_stay_with_their_page(table: str) -> None:
    page = a_page(slug="/offer")
    made = routes.add_redirect(BUSINESS, "Summer", "/offer", command=new_command(ACTOR))
    assert (made.slug, made.redirect_to, made.is_manual) == ("/summer", "/offer", True)
    page = rename(page, "/winter-offer")
    assert leads_to("/summer") == f"{page.node} /winter-offer"
    assert route_at("/summer") == (True, "/winter-offer")
    other = a_page("Other", slug="/other")
    routes.change_redirect(BUSINESS, "/summer", "/other", command=new_command(ACTOR))
    assert leads_to("/summer") == f"{other.node} /other"
    routes.remove_redirect(BUSINESS, "/summer", command=new_command(ACTOR))
    assert find_route(BUSINESS, "/summer") is None


def test_a_redirect_cannot_replace_an_address_in_use_or_lead_nowhere(table: str) -> None:
    a_page(slug="/offer")
    for slug, target, field in (
        ("/offer", "/offer", "slug"),
        ("/x", "/nowhere", "target"),
        ("/cart", "/offer", "slug"),
    ):
        with pytest.raises(Refused) as caught:
            routes.add_redirect(BUSINESS, slug, target, command=new_command(ACTOR))
        assert caught.value.field == field
    with pytest.raises(Refused):
        routes.remove_redirect(BUSINESS, "/offer", command=new_command(ACTOR))
    with pytest.raises(NotFound):
        routes.remove_redirect(BUSINESS, "/nowhere", command=new_command(ACTOR))


def test_more_redirects_than_a_transaction_can_change_still_lead_to_the_page(table: str) -> None:
    page = a_page(slug="/s0")
    for number in range(1, 15):
        page = rename(page, f"/s{number}")
    page = rename(page, "/s3")
    for number in range(15):
        assert leads_to(f"/s{number}") == f"{page.node} /s3"
    assert [route_at(f"/s{number}")[0] for number in range(15)].count(False) == 1
    assert plan_routes(BUSINESS, page.node, "/s3", "/s3", new_command(ACTOR)).outdated == []


def test_a_redirect_that_is_removed_while_its_page_is_renamed_stays_removed(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, planned = a_page(slug="/offer"), list[str]()
    routes.add_redirect(BUSINESS, "/summer", "/offer", command=new_command(ACTOR))

    def plan_and_remove(*arguments: Any, **options: Any) -> RoutePlan:
        plan = plan_routes(*arguments, **options)
        planned.append("plan")
        write.remove(keys.ROUTE.key(tenant=BUSINESS, slug="/summer"))
        return plan

    monkeypatch.setattr("content.services.pages.plan_routes", plan_and_remove)
    rename(page, "/winter")
    assert find_route(BUSINESS, "/summer") is None
    assert planned == ["plan", "plan"] and leads_to("/offer") == f"{page.node} /winter"


# --- The title of the page at its address ---
def title_at(slug: str) -> str | None:
    route = find_route(BUSINESS, slug)
    return route.title if route is not None else None


@every_engine
def test_the_live_address_has_the_title_of_its_page(table: str) -> None:
    page = a_page("About", slug="/about")
    assert title_at("/about") == "About"
    page = save_page(page, title="About us")
    assert title_at("/about") == "About us"
    page = save_page(page, slug="/team")
    assert (title_at("/about"), title_at("/team")) == (None, "About us")
    page = save_page(page, title="The team", slug="/people")
    assert title_at("/people") == "The team"
    restored = versions.restore(BUSINESS, page.node, 1, revision=page.revision, command=new_command(ACTOR))
    assert (restored.slug, title_at("/about")) == ("/about", "About")
    save_page(restored, title="x")
    versions.restore(BUSINESS, page.node, restored.number, revision=restored.number + 1, command=new_command(ACTOR))
    assert title_at("/about") == "About"


def test_a_title_is_not_noted_at_an_address_of_another_page(table: str) -> None:
    page = a_page("About", slug="/about")
    write.remove(keys.ROUTE.key(tenant=BUSINESS, slug="/about"))
    a_page("Other", slug="/about")
    save_page(page, title="New title")
    assert title_at("/about") == "Other"


def test_the_follower_notes_the_titles_of_the_service(table: str) -> None:
    raw = put_outside_page("team", title="Team", slug="/team")
    route = put_raw(keys.ROUTE.key(tenant=BUSINESS, slug="/team"), TargetNode="NODE#team", Type="Route")
    follow(route)
    assert title_at("/team") == "Team"
    assert raw["title"] == {"S": "Team"}
    put_outside_page("team", title="The team", slug="/team", version=2)
    assert title_at("/team") == "The team"


def test_the_list_shows_titles_in_two_round_trips(table: str, as_owner: Client) -> None:
    a_page("About us", slug="/about")
    put_raw(keys.ROUTE.key(tenant=BUSINESS, slug="/new"), TargetNode="NODE#nobody", Type="Route")
    answer = as_owner.get(f"{SITE}routes/")
    found = [row for row in parse(answer).all("tr") if "data-row" in row.attrs]
    rows = {row.all("a")[0].text: row.all("td")[1].text.strip() for row in found}
    assert rows == {"/about": "About us", "/new": "a page"}
    assert calls_of(answer).trips == 2
