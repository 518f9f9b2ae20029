"""The layout of lists, logs and bars on wide screens, tablets and phones."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.axe import SIZES, too_wide
from tests.browser.conftest import Open
from tests.browser.layout import layout_problems
from tests.browser.test_moderation_desk import create_queue
from tests.forum.config_versions import save_filter_version

PAGES = (
    "/forum/log/",
    "/forum/numbers/?days=30",
    "/people/",
    "/audit/",
    "/security/",
    "/rooms/people/",
    "/b/andina/audit/",
    "/b/andina/branding/",
    "/b/andina/people/",
    "/b/andina/bookings/customers/",
    "/ui/",
)


def test_no_field_table_or_address_is_cut_off_or_broken(open_as: Open) -> None:
    page = open_as("admin", "/", viewport=SIZES["wide"])
    found = []
    for path in PAGES:
        page.goto(path)
        page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")
        for width in (1280, 768, 390):
            found += layout_problems(page, width)
    assert found == []


def test_nothing_is_cut_off_or_broken_on_a_phone_in_spanish(open_as: Open) -> None:
    """Spanish texts are longer: states beside e-mail addresses, and buttons."""
    version = save_filter_version("zascandil")
    page = open_as("admin", "/", viewport=SIZES["phone"], locale="es-CO")
    found = []
    for path in (*PAGES, f"/forum/profanity/versions/{version}/"):
        page.goto(path)
        found += [*layout_problems(page, 390), *too_wide(page)]
    assert found == []


def test_no_tab_is_outside_a_phone_in_spanish(open_as: Open) -> None:
    create_queue(12)
    page = open_as("admin", "/", viewport={"width": 390, "height": 844}, locale="es-CO")
    for path in ("/forum/", "/b/andina/branding/"):
        page.goto(path)
        boxes = [each.bounding_box() for each in page.locator(".tabs a").all()]
        assert boxes and all(box and box["x"] < 320 for box in boxes), path


def test_the_fields_that_check_availability_are_as_wide_as_a_phone(open_as: Open) -> None:
    page = open_as("owner", "/b/andina/bookings/why/", viewport=SIZES["phone"])
    widths = page.evaluate(
        "[...document.querySelectorAll('.cal-lookup, .cal-lookup > *')].map(each => each.getBoundingClientRect().width)"
    )
    assert len(widths) == 5 and len(set(widths)) == 1, widths


def test_the_buttons_of_a_version_leave_space_for_its_name(open_as: Open) -> None:
    page = open_as("owner", "/b/andina/branding/", viewport=SIZES["wide"])
    expect(page.get_by_role("button", name="Don't auto-delete").first).to_be_visible()
    for width in (1280, 1000, 768, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(100)
        boxes = [each.bounding_box() for each in page.locator(".version-text").all()]
        assert boxes and all(box and box["width"] >= 160 for box in boxes), width


def overlap(one: Locator, other: Locator) -> bool:
    first, second = one.bounding_box(), other.bounding_box()
    assert first and second
    return not (
        first["x"] + first["width"] <= second["x"]
        or second["x"] + second["width"] <= first["x"]
        or first["y"] + first["height"] <= second["y"]
        or second["y"] + second["height"] <= first["y"]
    )


def test_the_bulk_bar_has_its_clear_button_in_the_corner(open_as: Open) -> None:
    page = open_as("moderator", "/forum/", viewport=SIZES["wide"])
    page.locator("[data-row] .pick input").first.check()
    for width in (1280, 900, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(100)
        bar, clear = page.locator(".bulk").bounding_box(), page.locator(".bulk [data-clear]").bounding_box()
        assert bar and clear
        assert clear["y"] - bar["y"] < 16 and bar["x"] + bar["width"] - clear["x"] - clear["width"] < 16, width
    page.locator(".bulk [data-clear]").click()
    expect(page.locator(".bulk")).to_be_hidden()


def test_the_notice_about_new_posts_covers_neither_the_hints_nor_the_tabs(open_as: Open) -> None:
    page = open_as("moderator", "/forum/", viewport=SIZES["wide"])
    page.wait_for_load_state("networkidle")
    # The next answer would replace the notice.
    page.route("**/forum/pulse/", lambda route: route.abort())
    page.evaluate("""() => {
        const link = document.createElement("a");
        Object.assign(link, { className: "button", href: "#", textContent: "12 new posts · Show" });
        document.getElementById("news").append(link);
    }""")
    notice = page.locator("#news .button")
    for width in (1280, 900):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(100)
        assert not overlap(notice, page.locator(".desk-keys")), width
        assert not any(overlap(notice, tab) for tab in page.locator(".tabs a").all()), width
