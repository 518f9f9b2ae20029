"""Everything works as plain pages: each form says where it goes, and going there works."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, ResolverMatch, resolve

from dashboard.platform.accounts.permissions import Role
from tests.ui.html import Element, Form, forms
from tests.ui.walk import new_browser
from tests.ui.world import World

VISITORS = ("anonymous", *Role)
# What these do needs no record that it was done: nothing is audited, and doing it twice changes nothing.
WITHOUT_OPERATION = {"login", "logout", "set_language", "set_theme", "profanity_try", "forum_images"}


def leads_to(url: str) -> ResolverMatch | None:
    try:
        return resolve(urlsplit(url).path)
    except Resolver404:
        return None


def acts(form: Form) -> bool:
    """Whether sending it changes something that people would not want changed twice."""
    match = leads_to(form.target())
    name = match.url_name or "" if match else ""
    return name not in WITHOUT_OPERATION and not name.startswith("ui_")


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_form_says_where_it_goes(world: World, visitor: str) -> None:
    seen = set()
    for url, page in world.html(visitor).items():
        for form in forms(page):
            about = f"{url}: {form.element}"
            assert form.method in {"get", "post"}, about
            assert form.action, about
            assert form.buttons or form.element.inside("dialog"), f"no button sends {about}"
            for button in [None, *form.buttons]:
                assert leads_to(form.target(button)), about
            names = [name for name, _ in form.fields]
            assert ("csrfmiddlewaretoken" in names) == (form.method == "post"), about
            if form.method == "post" and acts(form):
                assert "operation" in names, about
            seen.add(leads_to(form.target()))
    assert len(seen) >= 2


@pytest.mark.parametrize("visitor", VISITORS)
def test_whatever_htmx_does_has_a_plain_way(world: World, visitor: str) -> None:
    for url, page in world.html(visitor).items():
        if url.startswith("/ui/"):
            continue  # Shows htmx itself at work.
        linked = {each.attrs.get("href") for each in page.all("a")}
        for each in page.walk():
            wanted = each.attrs.get("hx-get") or each.attrs.get("hx-post")
            if wanted is None:
                continue
            if each.tag == "a":
                assert each.attrs.get("href") == wanted, f"{url}: {each}"
            elif each.tag == "form":
                assert each.attrs.get("action") == wanted, f"{url}: {each}"
            elif each.attrs.get("hx-target") == "this" and wanted.partition("?")[0] == url.partition("?")[0]:
                continue  # It looks again at the page it is on: loading that does the same.
            elif "load" in each.attrs.get("hx-trigger", "") and wanted in linked:
                continue  # It brings along what stands behind a link of the page.
            else:
                assert each.inside("form"), f"{url}: {each}"


@pytest.mark.parametrize("visitor", VISITORS)
def test_a_button_that_only_a_script_can_serve_is_hidden_without_one(world: World, visitor: str) -> None:
    """A `type=button` does something without a script only if it opens a popover."""
    for url, page in world.html(visitor).items():
        if url.startswith("/ui/") or page.by_class("sample"):
            continue  # In a sample of a shop nothing can be bought, with a script or without.
        for each in page.all("button", type="button"):
            classes = each.attrs.get("class", "").split()
            hidden = "js-only" in classes or each.inside("dialog") or "hidden" in (each.parent or each).attrs
            assert hidden or "popovertarget" in each.attrs or in_reveal(each), f"{url}: {each}"


def in_reveal(button: Element) -> bool:
    return "data-reveal" in (button.parent.attrs if button.parent else {})


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_form_can_be_sent_as_it_stands(world: World, visitor: str) -> None:
    """All buttons of all forms of all pages, with what the fields hold: an answer each time, never a failure."""
    sent = set()
    for url, page in world.html(visitor).items():
        for form in forms(page):
            for button in form.buttons or [None]:  # type: ignore[list-item]
                what = (form.target(button), button.attrs.get("value") if button else None)
                if what in sent:
                    continue
                sent.add(what)
                # From a browser of its own: some of them sign out.
                response = form.send(world.browser(visitor, fresh=True), button)
                assert response.status_code < 500, f"{url}: {form.element}"
                # A link that another of these forms has replaced or withdrawn is spent; so is the way into a business
                # for an owner whom an admin's form has taken out of it, and a word that one of them has removed.
                spent = {404} if url.startswith(("/join/", "/b/", "/forum/profanity/word/")) else set()
                fine = {200, 303, 405, 409, 422} | spent
                assert response.status_code in fine, f"{url}: {what}: {response.status_code}"
                if response.status_code == 303:
                    assert leads_to(response.headers["Location"])
    assert sent


def test_a_search_without_a_script_is_a_page_of_its_own(world: World) -> None:
    browser = world.browser("admin")
    (form,) = [each for each in forms(browser.get("/people/")) if each.action == "/people/" and each.method == "get"]
    found = form.send(browser, values={"q": "marco"})
    assert found.request["QUERY_STRING"].startswith("q=marco")
    assert "marco@example.com" in found.content.decode()
    (go,) = [each for each in forms(browser.get("/go/")) if each.element.attrs["class"] == "filters"]
    assert "marco@example.com" in go.send(browser, values={"q": "marco"}).content.decode()


def test_what_htmx_answers_works_as_a_page_too(world: World) -> None:
    """An error page of a form that was sent plainly holds that form again, with what was typed."""
    response = new_browser().post("/login/", {"email": "a@example.com", "password": ""})
    (form,) = [each for each in forms(response) if each.action == "/login/"]
    assert form.data()["email"] == "a@example.com"
