"""The shell of every page: navigation, account menu, language, time zone, palette and home."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from dashboard.core.clock import frozen
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import profile
from dashboard.platform.businesses.items import Member
from dashboard.platform.navigation import HOME_GROUP, PLATFORM_GROUP, entries_of, register_navigation
from dashboard.table.commands import new_command
from dashboard.table.transactions import Transaction
from dashboard.web.templatetags.ui import when
from tests.conftest import ACTOR, sign_in
from tests.ui.html import Element, form_to, parse, toasts
from tests.ui.walk import calls_of, new_browser
from tests.ui.world import World

FORUM = ["/forum/announce/", "/forum/profanity/", "/forum/reasons/"]
MODERATION = ["/forum/", "/forum/log/", "/forum/numbers/"]
PLATFORM = ["/people/", "/businesses/", "/stores/", "/audit/", "/security/", "/mail/", "/keys/"]
TECHNICAL = ["/ui/", "/table/", "/webhooks/", "/usage/"]
PEOPLE_PAGES = ["/rooms/people/", "/rooms/domains/"]
EVENT = ["/activity/", "/rooms/", *PEOPLE_PAGES]
NAVIGATION = {
    "admin": ["/", *MODERATION, *FORUM, *EVENT, *PLATFORM, *TECHNICAL],
    "moderator": ["/", *MODERATION],
    "staff": ["/", "/forum/", *FORUM, *EVENT],
    "owner": ["/"],
}


def links(page: Element) -> list[str]:
    return [link.attrs["href"] for each in page.by_class("nav-links") for link in each.all("a")]


@pytest.mark.parametrize("role", NAVIGATION)
def test_the_sidebar_lists_the_pages_that_a_role_may_open(world: World, role: str) -> None:
    browser = world.browser(role)
    offered = links(parse(browser.get("/")))
    assert offered == NAVIGATION[role]
    assert [browser.get(url).status_code for url in offered] == [200] * len(offered)


def test_a_shortcut_key_belongs_to_one_entry() -> None:
    (home,) = entries_of(HOME_GROUP)
    with pytest.raises(ImproperlyConfigured, match="Both home and audit have the shortcut key h"):
        register_navigation(PLATFORM_GROUP, replace(home, route="audit"))
    assert home in entries_of(HOME_GROUP) and "h" not in [entry.key for entry in entries_of(PLATFORM_GROUP)]


def test_the_sidebar_marks_the_current_page(world: World) -> None:
    for url, current in {"/": "/", "/people/": "/people/", "/people/new/": "/people/", "/account/": None}.items():
        page = parse(world.browser("admin").get(url))
        marked = [link.attrs["href"] for link in page.one("nav", id="sidebar").all("a", aria_current="page")]
        assert marked == ([current] if current else []), url


def test_the_account_menu_names_who_is_signed_in(world: World) -> None:
    menu = parse(world.browser("moderator").get("/")).by_class("account")[0]
    assert "Marco Peña" in menu.text and "Moderator" in menu.text and "marco@example.com" in menu.text
    assert form_to(menu, "/logout/")


def test_only_admins_see_the_cost_of_a_page(world: World) -> None:
    response = world.browser("admin").get("/people/")
    footer = parse(response).one("footer", class_="footer").text
    log = calls_of(response)
    assert footer.startswith(f"{len(log.calls)} calls · {round(log.units, 1)} units")
    assert f"{log.trips} round trips" in footer
    assert response.headers["X-Request-ID"] in footer
    for role in ("moderator", "staff", "owner"):
        assert not parse(world.browser(role).get("/")).all("footer", class_="footer"), role


@pytest.mark.parametrize(
    ("url", "trail"),
    [
        ("/people/", [("People", None)]),
        ("/people/new/", [("People", "/people/"), ("Invite", None)]),
        ("/people/marco@example.com/", [("People", "/people/"), ("Marco Peña", None)]),
        ("/account/", [("Your account", None)]),
    ],
)
def test_the_breadcrumb_links_to_the_parent_pages(world: World, url: str, trail: list[tuple[str, str | None]]) -> None:
    page = parse(world.browser("admin").get(url))
    steps = page.by_class("breadcrumb")[0].all("li")
    found = [(step.text, step.one("a").attrs["href"] if step.all("a") else None) for step in steps]
    assert found == trail
    assert steps[-1].attrs["aria-current"] == "page"
    assert page.one("h1").text and page.one("title").text.endswith(" · Trastienda")


def test_a_chosen_language_is_saved_for_the_person_and_the_browser(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    page = parse(browser.get("/account/"))
    assert page.one("html").attrs["lang"] == "en"
    form = form_to(page, "/language/")
    (spanish,) = [button for button in form.buttons if button.attrs["value"] == "es"]
    response = form.send(browser, spanish)
    assert (response.status_code, response.headers["Location"]) == (303, "/account/")
    after = browser.get("/account/", headers={"Accept-Language": "en"})
    assert parse(after).one("html").attrs["lang"] == "es"
    assert after.headers["Content-Language"] == "es"
    assert parse(after).one("h1").text != page.one("h1").text
    # The language is saved with the person, so another browser has it too.
    assert parse(sign_in(person).get("/")).one("html").attrs["lang"] == "es"
    # It is also saved in the browser, so it stays after signing out.
    browser.post("/logout/")
    assert parse(browser.get("/login/")).one("html").attrs["lang"] == "es"


def test_an_unsupported_language_changes_nothing(world: World) -> None:
    browser = world.browser("staff")
    for language in ("fr", "", "es'; --", "../es", "x" * 10_000):
        assert browser.post("/language/", {"language": language}).status_code == 303
        assert parse(browser.get("/")).one("html").attrs["lang"] == "en"
        browser.cookies[settings.LANGUAGE_COOKIE_NAME] = language[:500].replace(";", "")
        assert parse(browser.get("/")).one("html").attrs["lang"] == "en"
        del browser.cookies[settings.LANGUAGE_COOKIE_NAME]


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("es-CL,es;q=0.9", "es"),
        ("es-419", "es"),
        ("fr,es;q=0.5", "es"),
        ("fr", "en"),
        ("", "en"),
        ("en-GB", "en"),
        ("*", "en"),
    ],
)
def test_without_a_chosen_language_the_browser_decides(accepted: str, language: str) -> None:
    response = new_browser().get("/login/", headers={"Accept-Language": accepted})
    assert parse(response).one("html").attrs["lang"] == language
    assert response.headers["Content-Language"] == language


def test_a_language_with_a_region_is_accepted(world: World) -> None:
    person = world.add()
    profile.prefer(person, language="es-CL")
    page = parse(sign_in(person).get("/account/"))
    assert page.one("html").attrs["lang"] == "es"
    assert form_to(page, "/account/edit/").data()["language"] == "es"


def in_zone(person: Person, zone: str) -> Client:
    profile.suggest_zone(person, zone)
    return sign_in(person)


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("America/Santiago", "16 Jun 2031, 22:30 GMT-4"),
        ("Europe/Madrid", "17 Jun 2031, 04:30 CEST"),
        ("Asia/Kolkata", "17 Jun 2031, 08:00 IST"),
        ("Asia/Kathmandu", "17 Jun 2031, 08:15 GMT+5:45"),
        ("Mars/Phobos", "17 Jun 2031, 02:30 UTC"),
    ],
)
def test_times_are_shown_in_the_persons_zone_with_its_name(world: World, zone: str, shown: str) -> None:
    moment = datetime(2031, 6, 17, 2, 30, tzinfo=UTC)
    with frozen(moment):
        person = world.add(Role.ADMIN)
        browser = in_zone(person, zone)
        page = parse(browser.get(f"/people/{person.email}/"))
    added = page.one("dl", class_="details").all("time")[-1]
    assert added.text == shown
    assert datetime.fromisoformat(added.attrs["datetime"]) == moment
    assert ("(UTC)" if zone.startswith("Mars") else f"({zone})") in added.attrs["title"]


def test_relative_times_are_shown_as_text() -> None:
    moment = datetime(2031, 6, 17, 12, 0, tzinfo=UTC)
    texts = {10: "just now", 180: "3 min ago", 3600: "1 h ago", -7200: "in 2 h", 2 * 86400: "2 days ago"}
    with frozen(moment):
        for seconds, text in texts.items():
            assert parse(when(moment - timedelta(seconds=seconds), format="relative")).text == text
        assert parse(when(moment - timedelta(days=30), format="relative")).text == "18 May 2031"
    assert when(None) == ""


def results(page: Element) -> dict[str, list[str]]:
    groups = page.by_class("result-group")
    return {group.one("h2").text: [link.attrs["href"] for link in group.all("a")] for group in groups}


def test_the_palette_finds_pages_by_permission_and_people_for_admins(world: World) -> None:
    admin, staff = world.browser("admin"), world.browser("staff")
    for browser, role in ((admin, "admin"), (staff, "staff")):
        assert results(parse(browser.get("/go/?q="))) == {"Pages": [*NAVIGATION[role], "/account/"]}
    assert results(parse(admin.get("/go/?q=PEOP"))) == {"Pages": [*PEOPLE_PAGES, "/people/", "/people/import/"]}
    assert results(parse(staff.get("/go/?q=peop"))) == {"Pages": PEOPLE_PAGES}
    found = results(parse(admin.get("/go/?q=Marco")))
    assert found == {"People": ["/people/marco@example.com/"]}
    for role in ("staff", "moderator", "owner"):
        response = world.browser(role).get("/go/?q=marco@")
        assert not [url for group in results(parse(response)).values() for url in group if url.startswith("/people/")]
        patterns = [call.pattern for call in calls_of(response).calls if call.operation == "Query"]
        assert patterns == (["dashboard.platform.businesses.queries.businesses_of"] if role == "owner" else [])
    assert "No results for" in parse(admin.get("/go/?q=zzzz")).text


def test_inside_a_business_the_palette_finds_its_pages_by_the_role_there(world: World) -> None:
    def found(who: str, query: str, business: str = "andina") -> list[str]:
        answer = world.browser(who).get(f"/go/?q={query}&business={business}")
        assert answer.status_code == 200 and calls_of(answer).trips <= 2
        return [url for url in results(parse(answer)).get("Pages", []) if url.startswith("/b/")]

    page = parse(world.browser("owner").get("/b/andina/bookings/"))
    assert page.by_class("palette-link")[0].attrs["href"] == "/go/?business=andina"
    inside = [url for url in links(page) if url.startswith("/b/")]
    for who in ("owner", "admin"):
        assert found(who, "") == inside
    # Also by the hint of a page: mail and webhooks are about bookings.
    assert found("receptionist", "book") == ["/b/andina/bookings/", "/b/andina/mail/"]
    assert found("owner", "BOOK") == [*found("receptionist", "book"), "/b/andina/webhooks/"]
    assert found("receptionist", "brand") == [] and found("designer", "brand") == ["/b/andina/branding/"]
    # Other people find no page there, and an id that is not valid finds none.
    for who, business in (("neighbour", "andina"), ("staff", "andina"), ("owner", "harbour"), ("owner", "..%2F")):
        assert found(who, "", business) == []


def test_the_palette_as_a_fragment_is_a_listbox(world: World) -> None:
    page = parse(world.browser("admin").get("/go/?q=ma", headers={"HX-Request": "true"}))
    assert not page.all("html")
    options = page.one("div", role="listbox").all("a", role="option")
    assert options and len({option.attrs["id"] for option in options}) == len(options)


def test_the_palette_shows_at_most_eight_people(world: World) -> None:
    for _ in range(10):
        world.add(Role.MODERATOR)
    assert len(results(parse(world.browser("admin").get("/go/?q=moderator-")))["People"]) == 8


def test_home_shows_the_sections_and_links_of_each_role(world: World) -> None:
    homes = {role: parse(world.browser(role).get("/")) for role in NAVIGATION}
    for role, home in homes.items():
        assert world.people[role].name in home.one("h1").text
        titles = [each.one("h2").text for each in home.by_class("section-head")]
        assert ("Recent activity" in titles) == (role == "admin")
        assert ("Your businesses" in titles) == (role == "owner")
        assert not home.by_class("places"), "home does not repeat the menu"


def test_an_owner_sees_only_their_businesses(world: World) -> None:
    mine, other = world.add(Role.OWNER), world.add(Role.OWNER)
    for number, person in enumerate((mine, mine, other)):
        member = Member.new(tenant=f"shop-{number}", email=person.email)
        member.business_id, member.email, member.business_name = f"shop-{number}", person.email, f"Shop <{number}>"
        transaction = Transaction(new_command(ACTOR))
        transaction.create(member)
        transaction.commit(member)
    text = parse(sign_in(mine).get("/")).text
    assert "Shop <0>" in text and "Shop <1>" in text and "Shop <2>" not in text
    assert "No businesses yet" in parse(sign_in(world.add(Role.OWNER)).get("/")).text


def test_only_admins_see_recent_activity(world: World) -> None:
    person = world.add(Role.STAFF, "Just Added")
    assert "Just Added" in parse(world.browser("admin").get("/")).by_class("history")[0].text
    assert "Just Added" not in world.browser("staff").get("/").content.decode()
    assert toasts(sign_in(person).get("/")) == []
