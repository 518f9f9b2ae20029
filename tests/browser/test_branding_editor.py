"""The theme editor and its preview in a real browser, with scripts and without."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import FilePayload, FrameLocator, Locator, Page, expect

from branding import queries
from branding.contrast import pair_contrasts
from branding.items import AssetRole
from branding.preview import SCREENS
from branding.samples import PART_OF_FIELD
from branding.tokens import TOKENS, Style
from tests.branding.pictures import draw_logo, encode, upload_asset
from tests.branding.theme_factory import LOW_CONTRAST, create_draft, create_published
from tests.browser.axe import SIZES, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.browser.network import slow_down
from tests.browser.touch import drag_by_touch
from tests.ui.samples import BUSINESS
from tests.ui.world import World

RED, BLUE = "rgb(170, 0, 0)", "rgb(29, 78, 216)"
# All colours are different, so that each text and background can be identified.
DISTINCT = {
    "primaryColor": "#0a3d91",
    "secondaryColor": "#ffe9c7",
    "accentColor": "#c2185b",
    "backgroundColor": "#fefdfb",
    "surfaceColor": "#f1f5ee",
    "textColor": "#20242b",
    "mutedColor": "#5a6070",
}


def new_draft_url(name: str = "", look: dict[str, str] | None = None) -> str:
    return f"/b/{BUSINESS}/branding/themes/{create_draft(BUSINESS, name, look).number}/"


def preview(page: Page, pane: str = "draft") -> FrameLocator:
    return page.frame_locator(f"[data-{pane}] iframe")


def preview_header(page: Page, pane: str = "draft") -> Any:
    return preview(page, pane).locator(".s-head")


def wait_until(page: Page, condition: str) -> None:
    """Playwright's `wait_for_function` evaluates a string, which the content security policy refuses."""
    for _try in range(100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {condition}")


def test_the_preview_shows_unsaved_changes_and_only_save_stores_them(open_as: Open) -> None:
    page = open_as("owner", new_draft_url("Autumn"))
    version = int(page.url.rstrip("/").rpartition("/")[2])
    expect(preview_header(page)).to_have_css("background-color", BLUE)
    mark = "document.querySelector('[data-draft] iframe').contentWindow.mark"
    page.evaluate(f"{mark} = 'the same page'")
    page.get_by_label("Primary").fill("#aa0000")
    expect(preview_header(page)).to_have_css("background-color", RED)
    assert page.evaluate(mark) == "the same page", "the preview was loaded again instead of restyled"
    page.get_by_label("Primary").fill("#aa000")
    page.get_by_label("Typeface", exact=True).select_option("monospace")
    expect(preview(page).locator("body")).to_have_css("font-family", re.compile("monospace"))
    expect(preview_header(page)).to_have_css("background-color", RED)
    assert queries.load_theme(BUSINESS, version).style["primaryColor"] == "#1d4ed8"

    # Another screen, opened by its tab or by a link inside the preview, shows the unsaved colour too.
    page.get_by_label("Primary").fill("#aa0000")
    page.get_by_role("link", name="Booking", exact=True).click()
    expect(preview(page).get_by_role("heading", level=1)).to_have_text("Book a visit")
    expect(preview_header(page)).to_have_css("background-color", RED)
    preview(page).get_by_role("link", name="Community", exact=True).click()
    expect(page.get_by_role("link", name="Forum", exact=True)).to_have_attribute("aria-current", "true")
    expect(preview_header(page)).to_have_css("background-color", RED)

    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.get_by_label("Primary")).to_have_value("#1d4ed8")
    expect(preview(page).get_by_role("heading", level=1)).to_have_text("Can I take the stoneware mug camping?")
    expect(preview_header(page)).to_have_css("background-color", BLUE)

    page.get_by_label("Primary").fill("#aa0000")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-toast]")).to_contain_text("saved.")
    assert queries.load_theme(BUSINESS, version).style["primaryColor"] == "#aa0000"
    expect(preview_header(page)).to_have_css("background-color", RED)
    expect(page).to_have_url(re.compile("screen=forum"))
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Primary")).to_have_value("#1d4ed8")
    expect(preview_header(page)).to_have_css("background-color", BLUE)


def test_a_chosen_logo_appears_in_the_preview(open_as: Open) -> None:
    logo = upload_asset(BUSINESS, 11, name="Letters")
    page = open_as("owner", new_draft_url())
    expect(preview_header(page).locator("img")).to_have_count(0)
    page.get_by_role("radio", name="Letters").first.check()
    expect(preview_header(page).locator("img")).to_have_attribute("src", f"/files/{logo.id}/")
    page.get_by_label("Primary").fill("#aa0000")
    expect(preview_header(page)).to_have_css("background-color", RED)
    expect(preview_header(page).locator("img")).to_be_visible()


def test_low_contrast_is_fixed_by_one_click(open_as: Open) -> None:
    page = open_as("owner", new_draft_url())
    summary = page.locator("#contrast-said")
    expect(summary).to_have_text("All text has enough contrast")
    field = page.get_by_label("Text", exact=True)
    field.fill("#cccccc")
    expect(summary).to_have_text("2 pairs have too little contrast")
    expect(field).to_be_focused()
    page.locator("#fix-text-surface").click()
    expect(summary).to_have_text("All text has enough contrast")
    color = field.input_value()
    assert color != "#cccccc"
    expect(summary).to_be_focused()
    rgb = tuple(int(color[at : at + 2], 16) for at in (1, 3, 5))
    expect(preview(page).locator("body")).to_have_css("color", f"rgb{rgb}")


def test_the_before_after_slider_moves_by_keyboard_and_touch(open_as: Open) -> None:
    live = create_published(BUSINESS, "Live", {"primaryColor": "#111111"})
    page = slow_down(open_as("owner", new_draft_url("Next"), has_touch=True))
    page.get_by_label("Primary").fill("#aa0000")
    page.get_by_role("link", name="Before/after slider").click()
    expect(preview_header(page, "live")).to_have_css("background-color", "rgb(17, 17, 17)")
    expect(preview_header(page)).to_have_css("background-color", RED)
    upper, slider = page.locator("[data-draft]"), page.get_by_role("slider")
    expect(upper).to_have_css("clip-path", "inset(0px 0px 0px 50%)")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"^Live v{live.number} on the left 50%"))
    # The keyboard reaches the slider after the preview.
    slider.focus()
    page.keyboard.press("Shift+Tab")
    expect(slider).not_to_be_focused()
    page.keyboard.press("Tab")
    expect(slider).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(upper).to_have_css("clip-path", "inset(0px 0px 0px 55%)")
    # The handle is on the picture, where the versions meet; each label is on the side of its version.
    picture, box = page.locator(".panes").bounding_box(), slider.bounding_box()
    assert picture and box
    assert picture["y"] < box["y"] and box["y"] + box["height"] < picture["y"] + picture["height"]
    before, after = page.locator("[data-side=before] span"), page.locator("[data-side=after] span")
    expect(before).to_have_text(f"Live: v{live.number}")
    expect(after).to_have_text(f"v{live.number + 1}")
    boundary = picture["x"] + picture["width"] * 0.55
    left, right = before.bounding_box(), after.bounding_box()
    assert left and right and left["x"] + left["width"] <= boundary <= right["x"]
    middle = picture["y"] + picture["height"] / 2
    at_handle = page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", [boundary, middle])
    assert at_handle == slider.get_attribute("id"), "the preview lies over the handle"
    page.mouse.move(boundary, middle)
    page.mouse.down()
    page.mouse.move(picture["x"] + picture["width"] * 0.2, middle, steps=5)
    page.mouse.up()
    expect(slider).to_have_value("20")
    expect(upper).to_have_css("clip-path", "inset(0px 0px 0px 20%)")
    start, end = (picture["x"] + picture["width"] * share for share in (0.2, 0.7))
    drag_by_touch(page, start, middle, to_x=end)
    expect(slider).to_have_value("70")
    expect(upper).to_have_css("clip-path", "inset(0px 0px 0px 70%)")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    expect(upper).to_have_css("clip-path", re.compile(r"^inset\(0px( 0px 0px 0%)?\)$"))

    page.get_by_role("link", name="Side by side").click()
    expect(page.locator("[data-live] figcaption")).to_contain_text("Live: v")
    expect(upper).to_have_css("clip-path", "none")
    expect(page.get_by_label("Primary")).to_have_value("#aa0000")
    page.get_by_role("link", name="This version").click()
    expect(page.locator("[data-live]")).to_be_hidden()


def test_preview_frames_have_the_chosen_width_and_scroll_together(open_as: Open) -> None:
    page = open_as("owner", new_draft_url() + "?view=side")
    for name, width in (("Desktop", 1280), ("Tablet", 768), ("Phone", 375)):
        page.get_by_role("link", name=name).click()
        inner = "document.querySelector('[data-draft] iframe').contentWindow.innerWidth"
        wait_until(page, f"{inner} === {width}")
        box, frame = (
            page.locator("[data-draft] .frame").bounding_box(),
            page.locator("[data-draft] iframe").bounding_box(),
        )
        assert box and frame and frame["width"] <= box["width"] + 1
    expect(preview(page, "live").locator("h1")).to_be_attached()
    frames = "document.querySelector('[data-{}] iframe').contentWindow"
    wait_until(page, f"{frames.format('live')}.document.readyState === 'complete'")
    page.evaluate(f"{frames.format('draft')}.scrollTo({{ top: 300, behavior: 'instant' }})")
    wait_until(page, f"{frames.format('live')}.scrollY > 100")


def test_edit_preview_and_save_without_javascript(open_as: Open) -> None:
    logo = upload_asset(BUSINESS, 12, name="Letters")
    url = new_draft_url("Autumn", LOW_CONTRAST)
    version = int(url.rstrip("/").rpartition("/")[2])
    page = open_as("owner", url, java_script_enabled=False)
    page.get_by_label("Primary").fill("#aa0000")
    page.get_by_role("radio", name="Letters").first.check()
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Nothing is saved yet")).to_be_visible()
    expect(preview_header(page)).to_have_css("background-color", RED)
    expect(preview_header(page).locator("img")).to_have_attribute("src", f"/files/{logo.id}/")
    preview(page).get_by_role("link", name="Appointments").click()
    expect(preview(page).get_by_role("heading", level=1)).to_have_text("Book a visit")
    expect(preview_header(page)).to_have_css("background-color", RED)
    page.locator("#fix-text-background").click()
    expect(page.get_by_label("Text", exact=True)).not_to_have_value("#aaaaaa")
    assert queries.load_theme(BUSINESS, version).revision == 1
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("v" + str(version) + " Autumn saved.")).to_be_visible()
    after = queries.load_theme(BUSINESS, version)
    assert (after.style["primaryColor"], after.asset_for("logo")) == ("#aa0000", logo.id)

    page.get_by_role("link", name="Before/after slider").click()
    expect(page.locator("[data-draft]")).to_have_css("clip-path", "inset(0px 0px 0px 50%)")
    page.get_by_role("slider").fill("30")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("[data-draft]")).to_have_css("clip-path", "inset(0px 0px 0px 30%)")
    page.get_by_role("link", name="Phone").click()
    expect(page.locator("[data-draft] iframe")).to_have_attribute("width", "375")


PAIRS = """() => {
  const digits = (part) => Number(part).toString(16).padStart(2, "0");
  const hex = (color) => "#" + color.match(/[0-9.]+/g).slice(0, 3).map(digits).join("");
  const solid = (color) => !/^rgba\\(.*, 0\\)$|transparent/.test(color);
  const found = new Map();
  const note = (element, color) => {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (!solid(style.backgroundColor)) continue;
      found.set(hex(color) + " on " + hex(style.backgroundColor), element.className + element.textContent.slice(0, 30));
      return;
    }
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (walk.currentNode.data.trim() && !element.closest("svg")) note(element, getComputedStyle(element).color);
  }
  for (const field of document.querySelectorAll("input[type=text], textarea")) {
    note(field, getComputedStyle(field).color);
    note(field, getComputedStyle(field, "::placeholder").color);
  }
  return [...found];
}"""


@pytest.mark.parametrize("style", ["filled", "outlined"])
def test_every_text_on_the_screens_is_a_measured_contrast_pair(open_as: Open, style: str) -> None:
    look = DISTINCT | {"buttonStyle": style}
    url = new_draft_url("", look)
    measured = {
        f"{reading.text} on {reading.background}": reading.pair.id for reading in pair_contrasts(Style.of(look))
    }
    page, used = open_as("owner", url), set()
    for screen in SCREENS:
        page.goto(f"{url}preview/?screen={screen}")
        pairs = dict(page.evaluate(PAIRS))
        assert pairs.keys() <= measured.keys(), {pair: pairs[pair] for pair in pairs.keys() - measured.keys()}
        used |= {measured[pair] for pair in pairs}
    assert used == set(measured.values()), "every measured pair is used on some screen"


def test_axe_finds_nothing_serious(open_as: Open, world: World) -> None:
    upload_asset(BUSINESS, 13)
    create_published(BUSINESS, "Live")
    url = new_draft_url("Autumn", DISTINCT)
    look = {"viewport": SIZES["wide"], "reduced_motion": "reduce"}
    page = open_as("owner", f"{url}?view=overlay", **look)
    expect(preview_header(page)).to_be_visible()
    found = complaints_at_both_widths(page)
    page.get_by_label("Primary").fill("nothing")
    page.get_by_label("Text", exact=True).fill("#dddddd")
    page.locator("#fix-text-background").wait_for()
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("[data-errors]").wait_for()
    found += complaints_at_both_widths(page)
    for screen in SCREENS:
        page.goto(f"{url}preview/?screen={screen}")
        found += complaints_at_both_widths(page)
    assert found == []


def test_on_a_phone_the_preview_stays_visible_while_scrolling(open_as: Open) -> None:
    page = open_as("owner", new_draft_url(), viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    expect(page.locator("[data-draft] .frame")).to_have_attribute("data-width", "375")
    page.get_by_label("Secondary text").scroll_into_view_if_needed()
    page.get_by_label("Secondary text").fill("#999999")
    expect(page.locator("[data-draft] iframe")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_in_viewport()
    small = page.evaluate(
        """() => [...document.querySelectorAll(".editor :is(a.button, button, select, .segments a, .tabs a, .picture)")]
            .filter((element) => element.checkVisibility())
            .map((element) => [element.getBoundingClientRect().height, element.outerHTML.slice(0, 80)])
            .filter(([height]) => height < 35.5)"""
    )
    assert small == []


def test_on_a_phone_the_bar_of_a_published_version_leaves_space_for_the_fields(open_as: Open) -> None:
    live = create_published(BUSINESS, "Live")
    page = open_as("owner", f"/b/{BUSINESS}/branding/themes/{live.number}/", viewport=SIZES["phone"])
    expect(page.get_by_text("Your changes are saved as a new draft.")).to_be_visible()
    page.get_by_label("Corners").focus()
    page.get_by_label("Corners").evaluate("field => field.scrollIntoView({ block: 'end' })")
    bar = page.locator(".editor-bar").bounding_box()
    assert bar is not None and bar["y"] + bar["height"] < SIZES["phone"]["height"] * 0.6, bar


PART_IS_VISIBLE = """(selector) => {
  const page = document.querySelector("[data-draft] iframe").contentWindow;
  const part = page.document.querySelector(selector)?.getBoundingClientRect();
  return Boolean(part) && part.bottom > 0 && part.top >= -1 && part.top < page.innerHeight;
}"""
# The styles of the elements of a part, and the colour behind it.
STYLES_OF_PART = """(selector) => {
  const page = document.querySelector("[data-draft] iframe").contentDocument;
  const part = page.querySelector(selector);
  const names = ["color", "backgroundColor", "fontFamily", "fontSize", "borderRadius", "boxShadow", "gap"];
  const read = (each) => names.map((name) => getComputedStyle(each)[name]).join(" ");
  const behind = getComputedStyle(page.body).backgroundColor;
  return part ? [behind, ...[part, ...part.querySelectorAll("*")].map(read)].join("\\n") : "";
}"""


def new_value(field: Locator) -> str:
    """A value that the field does not have: a colour, or another option."""
    if field.evaluate("field => field.localName") == "input":
        return "#b5179e"
    values: list[str] = field.evaluate("field => [...field.options].map((each) => each.value)")
    return next(each for each in values if each != field.input_value())


def test_on_a_phone_the_preview_shows_the_part_that_the_field_changes(open_as: Open) -> None:
    upload_asset(BUSINESS, 31, AssetRole.ICON, name="Small.png")
    url = f"{new_draft_url()}?screen=forum"
    page = slow_down(open_as("owner", url, viewport=SIZES["phone"], has_touch=True, is_mobile=True))
    expect(preview(page).get_by_role("heading", level=1)).to_be_attached()
    # The forum has no offers: the home screen is opened.
    page.get_by_label("Accent", exact=True).tap()
    wait_until(page, f"({PART_IS_VISIBLE})('.s-offer')")
    for token in TOKENS:
        field, part = page.locator(f"[data-token][name={token.name}]"), PART_OF_FIELD[token.name]
        field.tap() if token.is_color else field.focus()
        wait_until(page, f"({PART_IS_VISIBLE})({part!r})")
        before = page.evaluate(STYLES_OF_PART, part)
        value = new_value(field)
        field.fill(value) if token.is_color else field.select_option(value)
        wait_until(page, f"({STYLES_OF_PART})({part!r}) !== {json.dumps(before)}")
        wait_until(page, f"({PART_IS_VISIBLE})({part!r})")
    page.locator("#id_icon .picture", has_text="Small.png").tap()
    wait_until(page, f"({PART_IS_VISIBLE})('.s-foot-brand')")
    expect(preview(page).locator(".s-foot-brand img")).to_be_visible()
    wait_until(page, f"({PART_IS_VISIBLE})('.s-foot-brand')")


def test_the_contrast_of_a_selected_logo_is_checked_on_the_header(open_as: Open) -> None:
    page = slow_down(open_as("owner", new_draft_url("", {"primaryColor": "#1d4ed8"})))
    row, summary = page.locator(".pairs li", has_text="Logo on the header"), page.locator("#contrast-said")
    expect(row).to_have_count(0)
    for name, color in (("White.png", "#ffffff"), ("Blue.png", "#1d4ed8")):
        file: FilePayload = {"name": name, "mimeType": "image/png", "buffer": encode(draw_logo(color))}
        page.locator("#upload_logo").set_input_files([file])
        expect(page.get_by_role("radio", name=name).first).to_be_checked()
    expect(row).to_contain_text("Too little contrast")
    expect(summary).to_have_text("1 pair has too little contrast")
    # The other logo, by keyboard; then the blue one on a light header.
    page.get_by_role("radio", name="Blue.png").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="White.png").first).to_be_checked()
    expect(summary).to_have_text("All text has enough contrast")
    expect(row).not_to_contain_text("Too little contrast")
    page.get_by_label("Primary").fill("#ffe9c7")
    expect(row).to_contain_text("Too little contrast")
