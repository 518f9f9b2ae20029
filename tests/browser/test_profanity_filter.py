"""The profanity filter in a real browser: try a text, change words, save, undo; two people at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import CDPSession, Page, expect

from dashboard.platform.configs import queries
from dashboard.platform.configs.services import drafts
from dashboard.table.commands import Actor, new_command
from forum.configs.profanity import PROFANITY
from forum.profanity import starter
from tests.browser.axe import SIZES, complaints
from tests.browser.conftest import Open
from tests.forum.filter_pages import ACTOR, SOFIA, put_filter
from tests.ui.world import World

URL = "/forum/profanity/"


@pytest.fixture(autouse=True)
def starter_list_without_drafts(world: World) -> None:
    """Sets the word list that comes with the product, and discards drafts: the world has two words."""
    put_filter(**starter().to_body())
    for email in (SOFIA, ACTOR):
        drafts.discard(PROFANITY, command=new_command(Actor(email)))


def saved_word(word: str) -> object:
    return PROFANITY.entries_of(queries.current(PROFANITY)).get(f"word:{word}")


def add_word(page: Page, word: str, severity: str = "High") -> None:
    page.locator(".add-word").get_by_label("Severity").select_option(severity)
    page.get_by_label("Word or phrase").first.fill(word)
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text(f"“{word}” added")


def slow_down(page: Page) -> CDPSession:
    """Add 400 ms to every request, as on a slow network."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    set_network(session, offline=False)
    return session


def set_network(session: CDPSession, *, offline: bool) -> None:
    conditions = {"offline": offline, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", conditions)


def open_review(page: Page) -> None:
    page.get_by_role("link", name="Review and save").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review and save")


def test_try_a_text_add_and_change_a_word_save_and_undo(open_as: Open) -> None:
    page = open_as("staff", "/")
    page.keyboard.press("g")
    page.keyboard.press("f")
    expect(page.get_by_role("heading", level=1)).to_have_text("Profanity filter")
    box = page.get_by_label("Try a text")
    box.fill("eres un gaznápiro")
    expect(page.locator("#try-result")).to_contain_text("No matches")
    box.press_sequentially(" y un g.4.z.n.a.p.i.r.o")
    expect(page.locator("#try-result")).to_contain_text("g.4.z.n.a.p.i.r.o")
    add_word(page, "gaznápiro")
    assert saved_word("gaznápiro") is None, "a draft must not change the filter"
    # The text is kept, and the new word is found in it twice.
    expect(page.locator("#try-result mark")).to_have_text(["gaznápiro", "g.4.z.n.a.p.i.r.o"])
    page.get_by_label("Try a text").fill("eres un GAZNAPIROOO")
    expect(page.locator("#try-result mark")).to_have_text(["GAZNAPIROOO"])
    expect(page.locator("#try-result")).to_contain_text("Score 0.8 (limit 0.8)")
    assert complaints(page) == []
    # Find the word by a part of it, open its dialog and lower its severity.
    page.get_by_role("searchbox").fill("aznap")
    expect(page.locator("tr[data-row]")).to_have_count(1)
    page.get_by_role("link", name="gaznápiro", exact=True).click()
    dialog = page.locator("dialog#word")
    expect(dialog.get_by_label("Word or phrase")).to_have_value("gaznápiro")
    assert complaints(page) == []
    dialog.get_by_label("Severity").select_option("Low")
    dialog.get_by_role("button", name="Change", exact=True).click()
    expect(page.locator("dialog#word")).to_be_hidden()
    expect(page.locator("tr", has_text="gaznápiro")).to_contain_text("Low")
    open_review(page)
    expect(page.locator(".changes")).to_contain_text("gaznápiro")
    assert complaints(page) == []
    page.get_by_label("Note").fill("As seen on opening night")
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("Saved as version")
    assert saved_word("gaznápiro") == ["low", "whole"]
    page.get_by_role("button", name="Undo").last.click()
    expect(page.locator("[data-toast]").last).to_contain_text("undone in version")
    assert saved_word("gaznápiro") is None


def test_two_people_add_the_same_word_with_different_severities(open_as: Open) -> None:
    mine, theirs = open_as("staff", URL), open_as("admin", URL)
    add_word(mine, "gaznápiro", "High")
    add_word(mine, "zascandil", "Low")
    add_word(theirs, "gaznápiro", "Low")
    open_review(mine)
    open_review(theirs)
    theirs.get_by_role("button", name="Save").click()
    expect(theirs.locator("[data-toast]").last).to_contain_text("Saved as version")
    mine.get_by_label("Note").fill("Ours")
    mine.get_by_role("button", name="Save").click()
    expect(mine.locator(".merge-conflict")).to_contain_text("Alma Ríos saved a different value")
    expect(mine.get_by_label("Note")).to_have_value("Ours")
    assert complaints(mine) == []
    mine.get_by_label("Replace with mine").check()
    mine.get_by_role("button", name="Save").click()
    expect(mine.locator("[data-toast]").last).to_contain_text("Saved as version")
    assert saved_word("gaznápiro") == ["high", "whole"]
    assert saved_word("zascandil") == ["low", "whole"]


def test_focus_returns_to_the_word_field_and_to_the_edited_row(open_as: Open) -> None:
    page = open_as("staff", URL)
    page.get_by_label("Try a text").fill("un gaznápiro")
    expect(page.locator("#try-result")).to_contain_text("No matches")
    add_word(page, "gaznápiro", "High")
    field = page.locator(".add-word").get_by_label("Word or phrase")
    expect(field).to_be_focused()
    expect(page.locator(".add-word").get_by_label("Severity")).to_have_value("high")
    expect(page.get_by_label("Try a text")).to_have_value("un gaznápiro")
    expect(page.locator("#try-result mark")).to_have_text("gaznápiro")
    page.keyboard.type("gaznapiro")
    page.keyboard.press("Enter")
    expect(page.locator(".add-word .error")).to_contain_text("already in the list")
    expect(field).to_be_focused()
    page.get_by_role("link", name="Change “gaznápiro”").press("Enter")
    dialog = page.locator("dialog#word")
    expect(dialog.get_by_label("Word or phrase")).to_be_focused()
    dialog.get_by_label("Word or phrase").fill("mierda")
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("“mierda” is already in the list.")
    page.keyboard.press("Escape")
    page.goto(f"{URL}?q=gaznapiro")
    page.locator("a.row-link").press("Enter")
    dialog.get_by_label("Severity").select_option("Low")
    dialog.get_by_label("Word or phrase").press("Enter")
    expect(page.locator("tr[data-row]")).to_contain_text("Low")
    expect(page.locator("a.row-link")).to_be_focused()


def test_add_a_word_on_a_phone(open_as: Open) -> None:
    page = open_as("staff", URL, viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    page.get_by_label("Try a text").fill("una t4rambana")
    expect(page.locator("#try-result mark")).to_have_text("t4rambana")
    page.get_by_label("Word or phrase").first.fill("gaznápiro")
    page.get_by_role("button", name="Add").click()
    page.get_by_role("link", name="Review and save").click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Saved as version")
    assert saved_word("gaznápiro") == ["medium", "whole"]


def test_add_and_change_a_word_without_scripts(open_as: Open) -> None:
    page = open_as("staff", URL, java_script_enabled=False)
    page.get_by_label("Try a text").fill("una t4rambana")
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.locator("mark")).to_have_text("t4rambana")
    page.goto(URL)
    page.get_by_label("Word or phrase").first.fill("gaznápiro")
    page.get_by_role("button", name="Add").click()
    page.get_by_role("searchbox").fill("gaznapiro")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="gaznápiro", exact=True).click()
    page.get_by_label("Severity").select_option("High")
    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_role("link", name="Review and save").click()
    page.get_by_role("button", name="Save").click()
    assert saved_word("gaznápiro") == ["high", "whole"]


def test_words_that_are_typed_quickly_on_a_slow_network_are_all_added(open_as: Open) -> None:
    page = open_as("staff", URL)
    network = slow_down(page)
    field = page.locator(".add-word").get_by_label("Word or phrase")
    page.locator(".add-word").get_by_label("Severity").select_option("High")
    field.focus()
    words = ["gaznápiro", "zascandil", "botarate", "tarambana", "badulaque"]
    for word in words:
        page.keyboard.type(word, delay=20)
        page.keyboard.press("Enter")
    page.keyboard.type("sin enviar", delay=60)
    expect(page.locator(".unsaved-changes")).to_contain_text("4 unsaved changes")
    staged = queries.load_state(PROFANITY, SOFIA).staged
    assert {name: change.now for name, change in staged.items()} == {
        f"word:{word}": ["high", "whole"] for word in words if word != "tarambana"
    }
    # The word that is in the list already is named; what is typed meanwhile stays.
    expect(page.locator(".add-word-failed")).to_contain_text("Not added: “tarambana”.")
    expect(page.locator(".add-word-failed")).to_contain_text("already in the list")
    expect(field).to_have_value("sin enviar")
    expect(field).to_be_focused()
    assert complaints(page) == []
    # A lost request keeps its word.
    field.fill("perdulario")
    set_network(network, offline=True)
    page.keyboard.press("Enter")
    expect(field).to_have_value("perdulario")
    set_network(network, offline=False)
    page.keyboard.press("Enter")
    expect(page.locator(".unsaved-changes")).to_contain_text("5 unsaved changes")
    # A list of words asks first; Enter accepts.
    expect(field).to_have_value("")
    field.fill("uno, dos, tres")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Add 3 words")).to_be_visible()
    assert complaints(page) == []
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("3 words added")
    expect(page.locator(".unsaved-changes")).to_contain_text("8 unsaved changes")
