"""Ban reasons in a real browser: add, move by keyboard, save, undo; and two people at once."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from dashboard.platform.configs import queries
from forum.configs.reasons import PRESETS, REASONS, reasons_of
from tests.browser.axe import complaints
from tests.browser.conftest import Open

URL = "/forum/reasons/"


def saved_reasons() -> list[str]:
    return [each["en"] for each in reasons_of(REASONS.body_of(queries.current(REASONS)))]


def texts(page: Page) -> list[str]:
    return [field.input_value() for field in page.locator(".reason [lang=en]").all()]


def save(page: Page) -> None:
    page.get_by_role("button", name="Save").last.click()


def test_add_move_by_keyboard_save_and_undo(open_as: Open) -> None:
    page = open_as("staff", "/")
    before = saved_reasons()
    page.keyboard.press("g")
    page.keyboard.press("r")
    expect(page.get_by_role("heading", level=1)).to_have_text("Reasons")
    page.get_by_role("button", name="Add a reason").click()
    page.get_by_label("Reason 9 in English").fill("Gambling")
    page.get_by_label("Reason 9 in Spanish").fill("Apuestas")
    page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_label("Reason 8 in Spanish")).to_have_value("Apuestas")
    expect(page.get_by_label("Reason 8 in Spanish")).to_be_focused()
    # Repeated presses of its button: the button keeps the focus.
    up = page.get_by_role("button", name="Move Gambling up")
    up.focus()
    for place in (7, 6):
        page.keyboard.press("Enter")
        expect(page.get_by_label(f"Reason {place} in English")).to_have_value("Gambling")
        expect(up).to_be_focused()
    assert saved_reasons() == before, "nothing is saved by moving"
    assert complaints(page) == []
    page.get_by_label("Note").fill("They asked for it")
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]")).to_contain_text("Saved as version 3.")
    assert saved_reasons() == [*before[:5], "Gambling", *before[5:]]
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Changes of version 3 undone in version 4.")
    expect(page.locator(".reason")).to_have_count(len(before))
    assert saved_reasons() == before


def test_leaving_with_an_unsaved_order_asks_first(open_as: Open) -> None:
    page = open_as("staff", URL)
    page.get_by_role("button", name="Move Insults someone down").click()
    expect(page.get_by_label("Reason 2 in English")).to_have_value("Insults someone")
    page.get_by_role("link", name="Versions").click()
    expect(page.locator("#unsaved")).to_be_visible()


def test_resolve_a_conflict_and_restore_an_earlier_version(open_as: Open) -> None:
    mine, theirs = open_as("staff", URL), open_as("admin", URL)
    theirs.locator("#en-spam").fill("Adverts")
    save(theirs)
    expect(theirs.locator("[data-toast]")).to_contain_text("Saved as version")
    mine.locator("#en-spam").fill("Ads")
    mine.locator("#es-hate").fill("Odio")
    save(mine)
    expect(mine.locator(".merge-conflict")).to_contain_text("Alma Ríos saved a different value")
    expect(mine.locator("#es-hate")).to_have_value("Odio")
    assert complaints(mine) == []
    mine.get_by_label("Replace with mine").check()
    save(mine)
    expect(mine.locator("[data-toast]")).to_contain_text("Saved as version")
    assert saved_reasons()[:6] == [*(each["en"] for each in PRESETS[:5]), "Ads"]
    mine.get_by_role("link", name="Versions").click()
    mine.get_by_role("link", name="v3", exact=True).click()
    expect(mine.locator(".version-actions")).to_contain_text("cannot be undone")
    assert complaints(mine) == []
    mine.get_by_role("button", name="Restore this version").click()
    expect(mine.locator("[data-toast]").last).to_contain_text("Version 3 restored as version 5.")
    assert saved_reasons()[5] == "Adverts"
    mine.get_by_role("button", name="Undo").last.click()
    expect(mine.locator("[data-toast]").last).to_contain_text("undone in version")
    assert saved_reasons()[5] == "Ads"


def test_a_press_right_after_a_swap_does_not_reload_the_page(open_as: Open) -> None:
    page = open_as("staff", URL)
    # Press again in the first task after htmx has inserted the new rows.
    page.evaluate(
        """window.same = true;
        const press = () => document.activeElement.click();
        addEventListener("htmx:afterSwap", () => setTimeout(press), { once: true });"""
    )
    up = page.get_by_role("button", name=f"Move {PRESETS[3]['en']} up")
    up.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Reason 2 in English")).to_have_value(PRESETS[3]["en"])
    expect(up).to_be_focused()
    assert page.evaluate("window.same"), "the page was reloaded"
