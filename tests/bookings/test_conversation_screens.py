"""The pages of conversations: list, funnel, one conversation, and its actions, without JavaScript."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from bookings.conversation_states import Author, ConversationState, VoiceState
from bookings.queries.conversations import load_thread, messages_of
from bookings.queries.history import history_of
from bookings.services import conversations as services
from dashboard.core.clock import frozen, now
from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.businesses.services import members
from dashboard.table.commands import Actor, new_command
from tests.bookings.bookable_business import BUSINESS, at, customer, provider, put, reloaded, service, working_hours
from tests.bookings.catalog import press_undo
from tests.bookings.conversations import CONVERSATIONS, TO_SLOT, begin, put_outside, say, take_over
from tests.conftest import ACTOR, add_person, sign_in
from tests.ui.html import Element, form_to, parse
from tests.ui.walk import calls_of

URL = f"{CONVERSATIONS}conv-1/"


def rows(client: Client, query: str = "") -> list[str]:
    found = parse(client.get(CONVERSATIONS + query)).all("tr", data_row="")
    return [" ".join(each.text.split()) for each in found]


def send(client: Client, act: str, url: str = URL, **values: Any) -> Any:
    """Press the button of an action on the page."""
    form = form_to(client.get(url), f"{url}{act}/")
    return client.post(f"{url}{act}/", form.data(**values))


def now_shown(page: Any) -> str:
    return " ".join(parse(page).by_class("conversation-now")[0].text.split())


# --- The list ------------------------------------------------------------------------------------
def test_an_empty_list_says_what_will_appear(as_owner: Client) -> None:
    assert "No conversations yet" in as_owner.get(CONVERSATIONS).text


def test_the_tabs_show_who_replies_with_counts(as_owner: Client) -> None:
    for number in range(3):
        begin(f"conv-{number}", user_context={"name": f"Ana {number}"})
    take_over("conv-1")
    say("Hola", conversation="conv-1")
    assert [each[:5] for each in rows(as_owner)] == ["Ana 1"]
    assert {each[:5] for each in rows(as_owner, "?show=BOT")} == {"Ana 0", "Ana 2"}
    assert not rows(as_owner, "?show=CLOSED") and len(rows(as_owner, "?show=nonsense")) == 1
    tabs = parse(as_owner.get(CONVERSATIONS)).by_class("tabs")[0]
    assert [" ".join(each.text.split()) for each in tabs.all("a")] == [
        "Waiting for a person 1",
        "A person replies 0",
        "The bot replies 2",
        "Closed 0",
    ]


def test_who_has_waited_longest_comes_first(as_owner: Client) -> None:
    for number, minutes in enumerate((5, 20, 10)):
        with frozen(now() - timedelta(minutes=minutes)):
            begin(f"conv-{number}", user_context={"name": f"Ana {number}"})
            take_over(f"conv-{number}")
    assert [each[:5] for each in rows(as_owner)] == ["Ana 1", "Ana 2", "Ana 0"]


def test_the_funnel_counts_who_came_at_least_as_far(as_owner: Client) -> None:
    begin("conv-1")
    begin("conv-2", ConversationState.SERVICE_PENDING)
    begin("conv-3", *TO_SLOT)
    put_outside(
        "conv-4",
        state="INIT",
        currentStepId="select_timeslot",
        updatedAt="2026-05-10T12:00:00Z",
        GSIStatusPK=f"TENANT#{BUSINESS}#CONVERSATION#SLOT_PENDING",
        GSIStatusSK="2026-05-10T12:00:00Z",
    )
    table = parse(as_owner.get(CONVERSATIONS)).by_class("funnel")[0]
    numbers = [[each.text.strip() for each in row.by_class("number")] for row in table.all("tr")[1:]]
    assert numbers[:3] == [["4", "1"], ["3", "1"], ["2", "0"]]
    assert numbers[5:] == [["2", "2"], ["0", "0"], ["0", "0"]]
    assert len(rows(as_owner, "?state=SLOT_PENDING")) == 2


def test_a_state_of_an_outside_writer_is_shown_as_stored(as_owner: Client) -> None:
    put_outside(
        "conv-1",
        state="WAITING_PAYMENT",
        updatedAt="2026-05-10T12:00:00Z",
        GSIStatusPK=f"TENANT#{BUSINESS}#CONVERSATION#WAITING_PAYMENT",
        GSIStatusSK="2026-05-10T12:00:00Z",
    )
    assert len(rows(as_owner, "?state=WAITING_PAYMENT")) == 1
    assert "WAITING_PAYMENT" in now_shown(as_owner.get(URL))


@pytest.mark.parametrize("query", ["?state=a%23b", "?state=" + "x" * 5000, "?cursor=x", "?show=%00"])
def test_invalid_parameters_are_no_errors(as_owner: Client, query: str) -> None:
    begin()
    assert as_owner.get(CONVERSATIONS + query).status_code < 500


def test_a_dialogue_that_stopped_is_marked(as_owner: Client) -> None:
    with frozen(now() - timedelta(hours=2)):
        begin("conv-1", ConversationState.SERVICE_PENDING)
    begin("conv-2", ConversationState.SERVICE_PENDING)
    assert ["Stuck" in each for each in rows(as_owner, "?show=BOT")] == [False, True]
    assert "Stuck" in now_shown(as_owner.get(URL))


def test_the_list_costs_the_same_with_many_conversations(as_owner: Client) -> None:
    begin("conv-0")
    few = calls_of(as_owner.get(f"{CONVERSATIONS}?show=BOT"))
    for number in range(1, 60):
        begin(f"conv-{number}")
    many = calls_of(as_owner.get(f"{CONVERSATIONS}?show=BOT"))
    assert (len(many.calls), many.trips) == (len(few.calls), 2)
    assert calls_of(as_owner.get(f"{CONVERSATIONS}conv-0/")).trips == 2
    assert len(rows(as_owner, "?show=BOT")) == 25


# --- One conversation ----------------------------------------------------------------------------
def test_the_page_shows_messages_choices_and_expiry_and_masks_secrets(as_owner: Client) -> None:
    put(service(), provider())
    context = {"clientPhone": "+56 9 1234 5678", "twilioToken": "s3cret", "channel": "<b>web</b>"}
    begin(service_id="masaje", provider_id="maria", slot_start=at(10), user_context={"name": "Ana"}, context=context)
    say("Hola <script>")
    say("¿Qué servicio?", Author.BOT)
    html = as_owner.get(URL).text
    assert "Hola &lt;script&gt;" in html and "&lt;b&gt;web&lt;/b&gt;" in html
    assert "s3cret" not in html and "••••" in html
    facts = " ".join(parse(html).one(id="conversation-facts").text.split())
    assert "Service Masaje Staff member Maria" in facts and "+56 9 1234 5678" in facts
    assert "never" not in facts


def test_an_outside_conversation_without_messages_never_expires(as_owner: Client) -> None:
    put_outside("conv-1", state="INIT", currentStepId="my_own_step", userContext="not a map", context=None, ttl="x")
    page = as_owner.get(URL)
    assert page.status_code == 200 and "No messages are stored" in page.text and "my_own_step" in page.text


def test_an_unknown_conversation_is_not_found(as_owner: Client) -> None:
    begin("conv-1", business="harbour")
    for url in (URL, f"{CONVERSATIONS}a%23b/"):
        assert as_owner.get(url).status_code == 404
    for act in ("take-over", "hand-back", "close", "reopen", "reply", "book"):
        assert as_owner.post(f"{URL}{act}/", {"turn": "0", "text": "Hola"}).status_code == 404
    assert as_owner.get("/b/harbour/conversations/conv-1/").status_code == 404


# --- Actions -------------------------------------------------------------------------------------
def test_take_over_reply_hand_back_and_close_without_javascript(as_owner: Client) -> None:
    begin()
    say("Hola")
    assert send(as_owner, "take-over").status_code == 303
    assert "Waiting for a person" in now_shown(as_owner.get(URL))
    assert send(as_owner, "reply", text="  Te ayudo yo\nahora ").status_code == 303
    newest = messages_of(BUSINESS, "conv-1").items[0]
    assert (newest.author, newest.text, newest.by) == ("PERSON", "Te ayudo yo\nahora", "olivia@example.com")
    send(as_owner, "hand-back")
    send(as_owner, "close")
    assert load_thread(BUSINESS, "conv-1").voice.state == VoiceState.CLOSED
    as_owner.get(CONVERSATIONS)  # It shows the toast, whose Undo is another form for the same.
    send(as_owner, "reopen")
    entries = [each.action.removeprefix("conversation.") for each in history_of(BUSINESS, "conversation", "conv-1")]
    assert entries == ["reopen", "close", "hand_back", "reply", "take_over"]


@pytest.mark.parametrize(("act", "after"), [("take-over", "BOT"), ("close", "BOT")])
def test_undo_gives_the_conversation_back(as_owner: Client, act: str, after: str) -> None:
    begin()
    send(as_owner, act)
    press_undo(as_owner, URL)
    assert load_thread(BUSINESS, "conv-1").voice.state == after


def test_a_form_that_is_sent_twice_acts_once(as_owner: Client) -> None:
    begin()
    take_over("conv-1", Actor("olivia@example.com"))
    form = form_to(as_owner.get(URL), f"{URL}reply/")
    for _ in range(2):
        assert as_owner.post(f"{URL}reply/", form.data(text="Hola")).status_code == 303
    assert len(messages_of(BUSINESS, "conv-1").items) == 1


def test_a_turn_that_has_passed_shows_the_new_message(as_owner: Client) -> None:
    begin()
    form = form_to(as_owner.get(URL), f"{URL}take-over/")
    say("¿Qué servicio?", Author.BOT)
    page = as_owner.post(f"{URL}take-over/", form.data())
    assert page.status_code == 409
    assert "The conversation has gone on" in page.text and "¿Qué servicio?" in page.text
    assert load_thread(BUSINESS, "conv-1").voice.state == VoiceState.BOT


def test_a_reply_that_a_colleague_prevents_is_kept(as_owner: Client) -> None:
    begin()
    take_over("conv-1", Actor("olivia@example.com"))
    form = form_to(as_owner.get(URL), f"{URL}reply/")
    take_over("conv-1")
    page = as_owner.post(f"{URL}reply/", form.data(text="Mi respuesta larga"))
    assert page.status_code == 409
    assert "Mi respuesta larga" in page.text and "Alma Ríos replies in this conversation" in page.text


@pytest.mark.parametrize("text", ["", "   ", "a" * 4001])
def test_an_invalid_reply_is_explained_and_kept(as_owner: Client, text: str) -> None:
    begin()
    take_over("conv-1", Actor("olivia@example.com"))
    page = as_owner.post(f"{URL}reply/", {"text": text})
    assert page.status_code == 422 and text[:50] in page.text
    assert not messages_of(BUSINESS, "conv-1").items


@pytest.mark.parametrize("turn", ["", "x", "-1", "9" * 40])
def test_an_invalid_turn_is_refused(as_owner: Client, turn: str) -> None:
    begin()
    assert as_owner.post(f"{URL}take-over/", {"turn": turn}).status_code == 422


def test_an_open_page_gets_nothing_until_something_changes(as_owner: Client) -> None:
    begin()
    mark = parse(as_owner.get(URL)).one(id="conversation-thread").attrs["data-fingerprint"]
    headers = {"HX-Request": "true", "X-Seen": mark}
    assert as_owner.get(URL, headers=headers).status_code == 204
    say("Hola")
    page = as_owner.get(URL, headers=headers)
    assert page.status_code == 200 and "Hola" in page.text and "<html" not in page.text


# --- Booking -------------------------------------------------------------------------------------
def start_at(hour: int) -> str:
    return f"{at(hour):%Y-%m-%dT%H:%M}"


def test_book_for_the_customer_on_the_same_page(as_owner: Client) -> None:
    put(service(), provider(), *working_hours())
    context = {"clientEmail": "ana@example.com"}
    begin(service_id="masaje", provider_id="maria", slot_start=at(10), user_context={"name": "Ana"}, context=context)
    assert send(as_owner, "book").status_code == 303
    found = load_thread(BUSINESS, "conv-1").conversation
    booking = reloaded(found.booking_id or "")
    assert (found.state, booking.start_time, booking.customer_name) == ("BOOKING_CONFIRMED", at(10), "Ana")
    assert f"/bookings/{booking.id}/" in as_owner.get(URL).text
    page = send(as_owner, "book", start_at=start_at(12))
    assert page.status_code == 422 and "already has a booking" in page.text


def test_a_known_contact_is_booked_as_that_customer(as_owner: Client) -> None:
    known = customer()
    known.email = "juan@example.com"
    put(service(), provider(), known, *working_hours())
    begin(service_id="masaje", provider_id="maria", user_context={"name": "J", "email": "JUAN@example.com"})
    send(as_owner, "book", start_at=start_at(9))
    assert reloaded(load_thread(BUSINESS, "conv-1").conversation.booking_id or "").customer_id == "juan"


def test_a_taken_time_offers_the_next_ones(as_owner: Client) -> None:
    put(service(), provider(), customer(), *working_hours())
    values = {"service": "masaje", "provider": "maria", "customer_name": "Ana", "start_at": start_at(10)}
    begin("conv-1")
    begin("conv-2")
    assert send(as_owner, "book", **values).status_code == 303
    page = as_owner.post(f"{CONVERSATIONS}conv-2/book/", values)
    assert page.status_code == 409 and "This time is taken" in page.text
    root: Element = parse(page)
    starts = [each.attrs["value"] for each in root.all("button", name="start")]
    again = as_owner.post(f"{CONVERSATIONS}conv-2/book/", values | {"start": starts[0], "start_at": ""})
    assert again.status_code == 303
    assert load_thread(BUSINESS, "conv-2").conversation.booking_id


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"service": ""}, "Choose a service."),
        ({"provider": "nobody"}, "provider"),
        ({"start_at": "yesterday"}, "yesterday"),
        ({"customer_name": "", "customer_email": "", "customer_phone": ""}, "Choose a customer"),
        ({"customer_email": "no e-mail"}, "no e-mail"),
    ],
)
def test_an_invalid_booking_is_explained(as_owner: Client, values: dict[str, str], text: str) -> None:
    put(service(), provider(), *working_hours())
    begin()
    good = {"service": "masaje", "provider": "maria", "customer_name": "Ana", "start_at": start_at(10)}
    page = as_owner.post(f"{URL}book/", good | values)
    assert page.status_code == 422 and text in page.text
    assert load_thread(BUSINESS, "conv-1").conversation.booking_id is None


# --- Around it -----------------------------------------------------------------------------------
def test_the_home_page_counts_who_waits_for_a_person(as_owner: Client) -> None:
    begin(user_context={"name": "Ana Torres"})
    assert "waits for a person" not in as_owner.get(f"/b/{BUSINESS}/").text
    take_over()
    html = as_owner.get(f"/b/{BUSINESS}/").text
    assert "1 conversation waits for a person" in html and "First: Ana Torres" in html
    services.reply(BUSINESS, "conv-1", "Hola", command=new_command(Actor("alma@example.com", "Alma Ríos")))
    assert "waits for a person" not in as_owner.get(f"/b/{BUSINESS}/").text


@pytest.mark.parametrize(
    ("role", "status"),
    [(BusinessRole.MANAGER, 200), (BusinessRole.RECEPTIONIST, 200), (BusinessRole.DESIGNER, 403)],
)
def test_only_people_at_the_desk_read_conversations(as_owner: Client, role: BusinessRole, status: int) -> None:
    begin()
    person = add_person(f"{role}@example.com", Role.OWNER)
    members.add(BUSINESS, person.email, role=role, command=new_command(ACTOR))
    client = sign_in(person)
    assert [client.get(each).status_code for each in (CONVERSATIONS, URL)] == [status, status]
    answer = client.post(f"{URL}take-over/", {"turn": "0"})
    assert answer.status_code == (303 if status == 200 else 403)
