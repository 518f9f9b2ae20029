"""Pictures of posts in a real browser: nothing is loaded until the person asks, and then only from this site."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.attacks.outside_host import NAME, OutsideHost, http, outside_host
from tests.branding.pictures import png
from tests.browser.axe import complaints
from tests.browser.conftest import Open
from tests.browser.test_moderation_desk import create_queue, focus_first
from tests.forum.factories import create_post

TEXT_TO_REVIEW = "palabra2 en la fila"


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[OutsideHost]:
    with outside_host(monkeypatch) as started:
        started.answers |= {"/a.png": http(png(1)), "/b.png": http(png(2))}
        yield started


def create_post_with(*paths: str) -> None:
    """The only post to review."""
    create_queue(0)
    create_post(TEXT_TO_REVIEW, images=[f"http://{NAME}{path}" for path in paths])


def record_requests(page: Page) -> list[str]:
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url))
    return found


def is_loaded(picture: Locator) -> bool:
    return bool(picture.evaluate("img => img.decode().then(() => img.naturalWidth > 0, () => false)"))


def test_a_picture_is_loaded_from_this_site_when_the_person_asks(open_as: Open, host: OutsideHost, site: str) -> None:
    create_post_with("/a.png")
    page = open_as("moderator", "/")
    requested = record_requests(page)
    page.goto("/forum/")
    place = page.locator("[data-picture]")
    expect(place).to_contain_text(NAME)
    expect(page.locator("[data-picture] img")).to_have_count(0)
    assert host.connections == [] and complaints(page) == []

    page.get_by_role("link", name="Show picture").click()
    picture = page.get_by_role("img", name="Picture 1 by Ana Soto")
    expect(picture).to_be_visible()
    assert is_loaded(picture)
    expect(picture).to_have_css("filter", "blur(24px)")
    # The focus stays at the picture: Space removes its blur.
    expect(page.locator("[data-reveal]")).to_be_focused()
    page.keyboard.press("Space")
    expect(picture).to_have_css("filter", "none")
    assert complaints(page) == []
    assert all(each.startswith(site) for each in requested), requested
    assert len(host.requests) == 1, "the picture is taken from the cache of the browser"


def test_the_key_loads_all_pictures_of_a_card_then_removes_their_blur(open_as: Open, host: OutsideHost) -> None:
    create_post_with("/a.png", "/b.png")
    page = open_as("moderator", "/forum/")
    focus_first(page)
    page.keyboard.press("i")
    pictures = page.locator("[data-picture] img")
    expect(pictures).to_have_count(2)
    assert [is_loaded(pictures.nth(number)) for number in (0, 1)] == [True, True]
    page.keyboard.press("i")
    for number in (0, 1):
        expect(pictures.nth(number)).to_have_css("filter", "none")


def test_a_person_who_prefers_no_blur_still_has_to_ask(open_as: Open, host: OutsideHost) -> None:
    create_post_with("/a.png")
    page = open_as("moderator", "/forum/")
    page.get_by_role("button", name="Show pictures without blur").click()
    expect(page.get_by_role("button", name="Blur pictures")).to_be_visible()
    assert host.connections == []
    page.get_by_role("link", name="Show picture").click()
    expect(page.locator("[data-picture] img")).to_have_css("filter", "none")


def test_a_failure_is_shown_in_the_card_and_can_be_tried_again(open_as: Open, host: OutsideHost) -> None:
    create_post_with("/late.png")
    page = open_as("moderator", "/forum/")
    page.get_by_role("link", name="Show picture").click()
    place = page.locator("[data-picture]")
    expect(place).to_contain_text("The picture is no longer at its address.")
    assert complaints(page) == []
    host.answers["/late.png"] = http(png(3))
    place.get_by_role("link", name="Try again").click()
    expect(place.locator("img")).to_be_visible()
    assert is_loaded(place.locator("img"))


def test_without_scripts_the_link_opens_the_picture(open_as: Open, host: OutsideHost) -> None:
    create_post_with("/a.png")
    page = open_as("moderator", "/forum/", java_script_enabled=False)
    link = page.get_by_role("link", name="Show picture")
    opened = page.request.get(link.get_attribute("href") or "")
    assert (opened.headers["content-type"], opened.body()) == ("image/png", png(1))
    host.answers["/a.png"] = http(b"", status="404 Not Found")
    link.click()
    expect(page.get_by_role("link", name="Try again")).to_be_visible()
    page.get_by_role("link", name="Back to the post").click()
    expect(page.locator("[data-card]")).to_be_visible()
