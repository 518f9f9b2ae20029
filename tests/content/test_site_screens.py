"""The screens of pages and addresses: forms, toasts with Undo, conflicts and errors."""

from __future__ import annotations

import json
from datetime import timedelta

from django.test import Client

from content.items import Content
from content.queries.pages import load_page, pages
from content.queries.routes import find_route
from content.queries.schedules import find_schedule
from content.services import routes as route_services
from dashboard.core.clock import now
from dashboard.table.commands import new_command
from tests.bookings.catalog import press_undo
from tests.conftest import ACTOR
from tests.content.site import (
    BUSINESS,
    SITE,
    a_page,
    leads_to,
    page_url,
    publish,
    put_outside_page,
    raw_page,
    save_page,
)
from tests.ui.html import form_to, parse, toasts

NEW, ROUTES = f"{SITE}pages/new/", f"{SITE}routes/"


def only_page() -> Content:
    (card,) = pages(BUSINESS).items
    return load_page(BUSINESS, card.node)


# --- New pages ---
def test_a_page_is_added_from_a_template_and_undone(table: str, as_owner: Client) -> None:
    form = form_to(as_owner.get(NEW), NEW)
    answer = as_owner.post(NEW, form.data(title="Preguntas y Ñandúes", template="landing"))
    page = only_page()
    assert answer.headers["Location"] == page_url(page)
    assert (page.title, page.slug, page.template, page.state) == (
        "Preguntas y Ñandúes",
        "/preguntas-y-nandues",
        "landing",
        "Draft",
    )
    assert [block["type"] for block in page.blocks or []] == ["hero", "pricing", "contact"]
    assert leads_to("/preguntas-y-nandues").startswith(page.node)
    assert press_undo(as_owner, page_url(page)).status_code == 303
    assert load_page(BUSINESS, page.node).state == "Archived"


def test_invalid_input_for_a_new_page_is_kept(table: str, as_owner: Client) -> None:
    a_page("About", slug="/about")
    for sent, text in (
        ({"title": "", "slug": "/x"}, "required"),
        ({"title": "¿?", "slug": ""}, "cannot be made from this title"),
        ({"title": "About", "slug": "/about"}, "is the address of"),
        ({"title": "Shop", "slug": "/shop/pan"}, "/shop"),
        ({"title": "x", "slug": "/a b"}, "lowercase"),
    ):
        answer = as_owner.post(NEW, sent)
        assert answer.status_code == 422 and text in answer.content.decode(), sent
        assert parse(answer).one("input", name="slug").attrs.get("value", "") == sent["slug"]


def test_a_page_is_copied(table: str, as_owner: Client) -> None:
    origin = a_page("Menu", slug="/menu", blocks=[{"type": "markdown", "attrs": {"content": "x"}}])
    form = form_to(as_owner.get(f"{NEW}?from={origin.node}"), NEW)
    assert form.data()["title"] == "Copy of Menu"
    answer = as_owner.post(NEW, form.data(slug="/menu-2"))
    assert answer.status_code == 303
    (copy,) = [card for card in pages(BUSINESS).items if card.slug == "/menu-2"]
    assert load_page(BUSINESS, copy.node).blocks == origin.blocks


# --- Settings ---
def test_settings_are_saved_and_undone(table: str, as_owner: Client) -> None:
    policy = {"type": "Public", "currency": "CLP"}
    put_outside_page("node-1", slug="/about", title=" About ", tags=["old"], accessPolicy=policy)
    url = f"{SITE}pages/node-1/"
    form = form_to(as_owner.get(url), url)
    answer = as_owner.post(url, form.data(tags="menú, carta", hide_nav="True", access_type="EmailGate", note="Verano"))
    assert answer.headers["Location"] == url
    raw = raw_page("node-1")
    assert raw["tags"] == {"L": [{"S": "menú"}, {"S": "carta"}]}
    assert raw["hideNav"] == {"BOOL": True} and raw["versionNote"] == {"S": "Verano"}
    assert raw["accessPolicy"] == {"M": {"type": {"S": "EmailGate"}, "currency": {"S": "CLP"}}}
    # What nobody changed is as it was, with its spaces.
    assert raw["title"] == {"S": " About "} and "seoTitle" not in raw
    assert press_undo(as_owner, url).status_code == 303
    restored = load_page(BUSINESS, "node-1")
    assert (restored.tags, restored.access_type, restored.number) == (["old"], "Public", 3)
    assert not restored.hide_nav


def test_a_rename_is_saved_and_its_undo_takes_the_address_back(table: str, as_owner: Client) -> None:
    page = a_page(slug="/about")
    form = form_to(as_owner.get(page_url(page)), page_url(page))
    as_owner.post(page_url(page), form.data(slug="/team"))
    assert leads_to("/about") == f"{page.node} /team"
    press_undo(as_owner, page_url(page))
    assert leads_to("/team") == leads_to("/about") == f"{page.node} /about"


def test_blocks_are_saved_with_the_settings(table: str, as_owner: Client) -> None:
    page = a_page()
    blocks = [{"type": "hero", "attrs": {"overlayOpacity": 0.3}}]
    sent = {"revision": "1", "title": "With blocks", "blocks": json.dumps(blocks)}
    assert as_owner.post(page_url(page), sent).status_code == 303
    assert raw_page(page.node)["blocks"]["L"][0]["M"]["attrs"]["M"] == {"overlayOpacity": {"N": "0.3"}}
    for broken in ("{", "3", "[3]", "[NaN]", "[" * 5000):
        answer = as_owner.post(page_url(page), {**sent, "revision": "2", "blocks": broken})
        assert answer.status_code == 422, broken


def test_a_conflict_shows_both_versions_and_can_be_sent_again(table: str, as_owner: Client) -> None:
    page = a_page("About", slug="/about")
    form = form_to(as_owner.get(page_url(page)), page_url(page))
    save_page(page, title="Theirs")
    answer = as_owner.post(page_url(page), form.data(title="Mine"))
    text = parse(answer).text
    assert answer.status_code == 409 and "Theirs" in text and "Mine" in text
    again = form_to(answer, page_url(page))
    assert as_owner.post(page_url(page), again.data()).status_code == 303
    assert load_page(BUSINESS, page.node).title == "Mine"


def test_the_search_preview_shows_what_is_saved(table: str, as_owner: Client) -> None:
    page = a_page("About", slug="/about", featured_image="/team.jpg")
    shown = parse(as_owner.get(page_url(page)))
    assert "No description" in shown.text and "/team.jpg" in shown.text
    save_page(page, seo_title="Who we are", seo_description="Since 1946")
    first, second = parse(as_owner.get(page_url(page))).by_class("site-result")
    for figure in (first, second):
        assert "Who we are" in figure.text and "Since 1946" in figure.text and "About" not in figure.text


# --- Status and schedule ---
def test_a_page_is_published_unpublished_and_archived_with_undo(table: str, as_owner: Client) -> None:
    page = a_page()
    for status, undone in (("Published", "Draft"), ("Archived", "Draft")):
        current = load_page(BUSINESS, page.node)
        sent = {"status": status, "revision": current.revision}
        assert as_owner.post(f"{page_url(page)}status/", sent).status_code == 303
        assert load_page(BUSINESS, page.node).state == status
        press_undo(as_owner, page_url(page))
        assert toasts(as_owner.get(page_url(page)))
        assert load_page(BUSINESS, page.node).state == undone
    assert as_owner.post(f"{page_url(page)}status/", {"status": "x"}).status_code == 422
    assert as_owner.post(f"{page_url(page)}status/", {"status": "Published", "revision": "1"}).status_code == 409


def test_the_home_page_has_no_button_that_archives_it(table: str, as_owner: Client) -> None:
    page = publish(a_page("Home", slug="/"))
    shown = parse(as_owner.get(page_url(page)))
    assert "Archived" not in [each.attrs.get("value") for each in shown.all("button", name="status")]
    assert "are fixed" in shown.text
    answer = as_owner.post(f"{page_url(page)}status/", {"status": "Archived", "revision": page.revision})
    assert answer.status_code == 422


def test_a_page_is_scheduled_and_the_schedule_is_cancelled(table: str, as_owner: Client) -> None:
    page = a_page()
    url = f"{page_url(page)}schedule/"
    form = form_to(as_owner.get(url), url)
    day = (now() + timedelta(days=3)).date().isoformat()
    sent = form.data(date=day, time="09:30", zone="America/Santiago")
    assert as_owner.post(url, sent).headers["Location"] == page_url(page)
    found = find_schedule(BUSINESS, page.node)
    assert found is not None and found.timezone == "America/Santiago"
    assert "Will be published" in parse(as_owner.get(page_url(page))).text
    answer = as_owner.post(url, form.data(date="2020-01-01", time="09:30", zone="America/Santiago"))
    assert answer.status_code == 422 and "past" in answer.content.decode()
    cancel = form_to(as_owner.get(page_url(page)), f"{url}cancel/")
    assert as_owner.post(f"{url}cancel/", cancel.data()).status_code == 303
    assert find_schedule(BUSINESS, page.node) is None


# --- Versions ---
def test_versions_are_listed_by_number_without_their_bodies(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[{"type": "paragraph", "content": [{"type": "text", "text": "secret body"}]}])
    for number in range(2, 25):
        page = save_page(page, title=f"Title {number}")
    url = f"{page_url(page)}versions/"
    assert as_owner.get(url).headers["Location"] == f"{url}?below=25"
    answer = as_owner.get(f"{url}?below=25")
    shown = [each.text.strip().split()[0] for each in parse(answer).all("span", class_="row-title")]
    assert shown == [f"v{number}" for number in range(24, 4, -1)]
    following = parse(as_owner.get(f"{url}?below=5"))
    assert [each.text.split()[0] for each in following.all("span", class_="row-title")] == ["v4", "v3", "v2", "v1"]


def test_a_version_is_restored_as_a_new_one_and_undone(table: str, as_owner: Client) -> None:
    page = save_page(a_page("First", slug="/first"), title="Second", slug="/second")
    form = form_to(as_owner.get(f"{page_url(page)}versions/?below=3"), f"{page_url(page)}versions/1/restore/")
    answer = as_owner.post(f"{page_url(page)}versions/1/restore/", form.data())
    assert answer.headers["Location"] == page_url(page)
    restored = load_page(BUSINESS, page.node)
    assert (restored.title, restored.slug, restored.number) == ("First", "/first", 3)
    assert int(restored.restored_from or 0) == 1
    press_undo(as_owner, page_url(page))
    again = load_page(BUSINESS, page.node)
    assert (again.title, again.slug, again.number) == ("Second", "/second", 4)


def test_an_address_that_another_page_has_by_now_is_not_restored(table: str, as_owner: Client) -> None:
    page = save_page(a_page("First", slug="/first"), slug="/second")
    route_services.remove_redirect(BUSINESS, "/first", command=new_command(ACTOR))
    a_page("Other", slug="/first")
    as_owner.post(f"{page_url(page)}versions/1/restore/", {"revision": page.revision})
    assert load_page(BUSINESS, page.node).slug == "/second"
    assert "/first" in " ".join(toasts(as_owner.get(page_url(page))))


# --- Addresses ---
def test_addresses_are_listed_and_looked_up(table: str, as_owner: Client) -> None:
    page = save_page(a_page("About", slug="/about"), slug="/team")
    listed = [each.text.strip() for each in parse(as_owner.get(ROUTES)).all("a", class_="row-link")]
    assert listed == ["/about", "/team"]
    for show, expected in (("redirects", ["/about"]), ("pages", ["/team"])):
        shown = parse(as_owner.get(f"{ROUTES}?show={show}"))
        assert [each.text.strip() for each in shown.all("a", class_="row-link")] == expected
    # Also as it is copied from the address bar of a browser.
    for written in ("about/", "HTTPS://www.andina.example/%61bout/?utm=1#top"):
        found = parse(as_owner.get(ROUTES, {"lookup": written})).one("div", id="destination")
        assert "/about → /team" in " ".join(found.text.split()) and found.one("a").attrs["href"] == page_url(page)
    assert "Leads nowhere" in parse(as_owner.get(f"{ROUTES}?lookup=/x")).text


def test_a_redirect_is_added_changed_and_removed_with_undo(table: str, as_owner: Client) -> None:
    first, second = a_page("First", slug="/first"), a_page("Second", slug="/second")
    form = form_to(as_owner.get(f"{ROUTES}new/"), f"{ROUTES}new/")
    shown = as_owner.post(f"{ROUTES}new/", form.data(slug="/go", target="/first")).headers["Location"]
    assert leads_to("/go") == f"{first.node} /first"
    press_undo(as_owner, shown)
    assert find_route(BUSINESS, "/go") is None
    as_owner.post(f"{ROUTES}new/", {"slug": "/go", "target": "/first"})
    assert len(toasts(as_owner.get(ROUTES))) == 2
    url = f"{ROUTES}change/"
    change = form_to(as_owner.get(f"{url}?slug=/go"), url)
    shown = as_owner.post(url, change.data(target="/second")).headers["Location"]
    assert leads_to("/go") == f"{second.node} /second"
    press_undo(as_owner, shown)
    assert leads_to("/go") == f"{first.node} /first"
    assert toasts(as_owner.get(ROUTES))
    as_owner.post(f"{ROUTES}remove/", {"slug": "/go"})
    assert find_route(BUSINESS, "/go") is None
    press_undo(as_owner, ROUTES)
    assert leads_to("/go") == f"{first.node} /first"
    assert as_owner.post(f"{ROUTES}new/", {"slug": "/go", "target": "/second"}).status_code == 422
    assert as_owner.get(f"{url}?slug=/nothing").status_code == 404
