"""Every page works without JavaScript: each form has a method and a target, and can be sent."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, ResolverMatch, resolve

from bookings.online import limits
from dashboard.platform.accounts.permissions import Role
from tests.ui.html import Element, Form, forms
from tests.ui.walk import new_browser
from tests.ui.world import World

VISITORS = ("anonymous", *Role)
# A form with a button for each free time has hundreds.
MOST_BUTTONS = 100
# These forms need no command id: they are not audited, and sending them twice changes nothing.
WITHOUT_COMMAND = {"login", "logout", "set_language", "set_theme", "profanity_try", "forum_images"}


def find_route(url: str) -> ResolverMatch | None:
    try:
        return resolve(urlsplit(url).path)
    except Resolver404:
        return None


def needs_command(form: Form) -> bool:
    """Whether the form must not be executed twice, so that it needs the id of its command."""
    match = find_route(form.target())
    name = match.url_name or "" if match else ""
    return name not in WITHOUT_COMMAND and not name.startswith("ui_")


def is_for_visitors(route: ResolverMatch) -> bool:
    """Whether a form needs no cookie: its signed token is its proof and the id of its command."""
    exempt = bool(getattr(route.func, "csrf_exempt", False))
    assert exempt == route.route.startswith("book/"), route
    return exempt


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_form_has_a_method_a_target_and_a_button(world: World, visitor: str) -> None:
    targets = set()
    for url, page in world.html(visitor).items():
        for form in forms(page):
            about = f"{url}: {form.element}"
            assert form.method in {"get", "post"}, about
            assert form.action, about
            assert form.buttons or form.element.inside("dialog"), f"no button sends {about}"
            for button in [None, *form.buttons]:
                assert find_route(form.target(button)), about
            names = [name for name, _ in form.fields]
            route = find_route(form.target())
            if form.method == "post" and route is not None and is_for_visitors(route):
                assert "token" in names and "csrfmiddlewaretoken" not in names, about
            else:
                assert ("csrfmiddlewaretoken" in names) == (form.method == "post"), about
                if form.method == "post" and needs_command(form):
                    assert "operation" in names, about
            targets.add(route)
    assert len(targets) >= 2


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_htmx_request_has_a_link_or_form_without_htmx(world: World, visitor: str) -> None:
    for url, page in world.html(visitor).items():
        if url.startswith("/ui/"):
            continue  # The gallery demonstrates htmx itself.
        linked = {each.attrs.get("href") for each in page.all("a")}
        for each in page.walk():
            target = each.attrs.get("hx-get") or each.attrs.get("hx-post")
            if target is None:
                continue
            if each.tag == "a":
                assert each.attrs.get("href") == target, f"{url}: {each}"
            elif each.tag == "form":
                assert each.attrs.get("action") == target, f"{url}: {each}"
            elif each.attrs.get("hx-target") == "this" and target.startswith(url.partition("?")[0]):
                continue  # It refreshes its page or a part of it: sending or reloading the page does the same.
            elif "load" in each.attrs.get("hx-trigger", "") and target in linked:
                continue  # It loads the target of a link on the page.
            else:
                assert each.inside("form"), f"{url}: {each}"


@pytest.mark.parametrize("visitor", VISITORS)
def test_a_button_that_needs_a_script_is_hidden_without_scripts(world: World, visitor: str) -> None:
    """Without scripts, a `type=button` only works if it opens a popover."""
    for url, page in world.html(visitor).items():
        if url.startswith("/ui/") or page.by_class("sample"):
            continue  # The buttons of a sample shop never work.
        for each in page.all("button", type="button"):
            classes = each.attrs.get("class", "").split()
            unseen = each.inside("dialog") or each.inside("template")
            hidden = "js-only" in classes or unseen or "hidden" in each.attrs or "hidden" in (each.parent or each).attrs
            assert hidden or "popovertarget" in each.attrs or in_reveal(each), f"{url}: {each}"


def in_reveal(button: Element) -> bool:
    return "data-reveal" in (button.parent.attrs if button.parent else {})


@pytest.fixture
def no_throttling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test presses the button of every free time, from one network."""
    for name in ("MAX_PAGES", "MAX_BOOKINGS", "MAX_BOOKINGS_OF_ALL"):
        monkeypatch.setattr(limits, name, 10**6)


@pytest.mark.usefixtures("no_throttling")
@pytest.mark.parametrize("visitor", VISITORS)
def test_every_form_can_be_sent_unchanged(world: World, visitor: str) -> None:
    """Presses every button of every form of every page with the given values: no server error."""
    sent = set()
    for url, page in world.html(visitor).items():
        for form in forms(page):
            for button in form.buttons[:MOST_BUTTONS] or [None]:  # type: ignore[list-item]
                what = (form.target(button), button.attrs.get("value") if button else None)
                if what in sent:
                    continue
                sent.add(what)
                # Each form is sent from its own session: some forms sign out.
                response = form.send(world.browser(visitor, fresh=True), button)
                assert response.status_code < 500, f"{url}: {form.element}"
                # An earlier form may have removed the target: an invitation link, the membership of an owner, or a word
                # of the filter.
                removed = {404} if url.startswith(("/join/", "/b/", "/forum/profanity/word/")) else set()
                fine = {200, 303, 405, 409, 422} | removed
                assert response.status_code in fine, f"{url}: {what}: {response.status_code}"
                if response.status_code == 303:
                    assert find_route(response.headers["Location"])
    assert sent


def test_a_search_works_without_scripts(world: World) -> None:
    browser = world.browser("admin")
    (form,) = [each for each in forms(browser.get("/people/")) if each.action == "/people/" and each.method == "get"]
    found = form.send(browser, values={"q": "marco"})
    assert found.request["QUERY_STRING"].startswith("q=marco")
    assert "marco@example.com" in found.content.decode()
    (go,) = [each for each in forms(browser.get("/go/")) if each.element.attrs["class"] == "filters"]
    assert "marco@example.com" in go.send(browser, values={"q": "marco"}).content.decode()


def test_an_invalid_form_is_shown_again_without_htmx(world: World) -> None:
    """The response to an invalid form that was sent without htmx has the form again, with the input."""
    response = new_browser().post("/login/", {"email": "a@example.com", "password": ""})
    (form,) = [each for each in forms(response) if each.action == "/login/"]
    assert form.data()["email"] == "a@example.com"
