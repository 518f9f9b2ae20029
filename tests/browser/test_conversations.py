"""Conversations in a real browser: take over, reply, hand back and book; refreshes; on a phone; by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from bookings.conversation_states import Author, ConversationState
from bookings.queries.conversations import load_thread, messages_of
from tests.bookings.bookable_business import BUSINESS, at, provider, put, service, working_hours
from tests.bookings.conversations import CONVERSATIONS, begin, say
from tests.browser.axe import SIZES, complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.ui.world import World

URL = f"{CONVERSATIONS}conv-1/"


@pytest.fixture
def conversation(world: World) -> None:
    put(service(), provider(), *working_hours())
    begin(
        "conv-1",
        ConversationState.SERVICE_PENDING,
        service_id="masaje",
        provider_id="maria",
        slot_start=at(10),
        user_context={"name": "Ana Torres", "email": "ana@example.com"},
    )
    say("Hola")
    say("¿Qué servicio quieres?", Author.BOT)


def refresh(page: Page) -> None:
    """What the page does every ten seconds."""
    page.evaluate(
        """() => {
            for (const part of document.querySelectorAll("[data-conversation-part]")) {
                if (!part.querySelector("textarea")) htmx.trigger(part, "conversation:look");
            }
        }"""
    )


def test_take_over_reply_hand_back_and_book(open_as: Open, conversation: None) -> None:
    page = open_as("owner", f"{CONVERSATIONS}?show=BOT")
    assert complaints_at_both_widths(page) == []
    page.get_by_role("link", name="Ana Torres").click()
    page.get_by_role("button", name="Take over").click()
    reply = page.get_by_label("Your reply")
    expect(reply).to_be_visible()
    assert complaints_at_both_widths(page) == []
    reply.fill("Te ayudo yo")
    page.get_by_role("button", name="Send").click()
    log = page.get_by_role("log")
    expect(log.locator("li").last).to_contain_text("Te ayudo yo")
    expect(reply).to_have_value("")
    page.get_by_role("button", name="Hand back to the bot").click()
    expect(page.get_by_role("button", name="Take over")).to_be_visible()
    page.get_by_role("button", name="Book", exact=True).click()
    expect(page.get_by_role("link", name="Show the booking")).to_be_visible()
    expect(page.locator("#conversation-facts")).to_contain_text("Confirmed")
    assert load_thread(BUSINESS, "conv-1").conversation.state == ConversationState.BOOKING_CONFIRMED
    assert messages_of(BUSINESS, "conv-1").items[0].author == Author.PERSON


def test_new_messages_appear_and_a_typed_reply_stays(open_as: Open, conversation: None) -> None:
    page = open_as("owner", URL)
    page.get_by_role("button", name="Take over").click()
    page.get_by_label("Your reply").fill("Un momento")
    say("¿Hay alguien?")
    refresh(page)
    expect(page.get_by_role("log").locator("li").last).to_contain_text("¿Hay alguien?")
    expect(page.get_by_label("Your reply")).to_have_value("Un momento")


def test_take_over_and_reply_by_keyboard(open_as: Open, conversation: None) -> None:
    page = open_as("owner", URL)
    page.keyboard.press("t")
    expect(page.get_by_label("Your reply")).to_be_visible()
    page.get_by_label("Your reply").focus()
    page.keyboard.type("Hola")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log").locator("li").last).to_contain_text("Hola")


def test_on_a_phone(open_as: Open, conversation: None) -> None:
    page = open_as("owner", URL, viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    assert complaints(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Take over").tap()
    page.get_by_label("Your reply").fill("Hola")
    page.get_by_role("button", name="Send").tap()
    expect(page.get_by_role("log").locator("li").last).to_contain_text("Hola")
    page.goto(page.url.replace("conv-1/", ""))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
