"""Conversations through the API: a bot leads one to a booking, and leaves it to a person who takes over."""

from __future__ import annotations

from typing import Any

import pytest

from bookings.conversation_states import ConversationState
from bookings.services import conversations as services
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from dashboard.web.api.messages import revision_in
from tests.api.shop import JUAN, SITE, code_of, get, public_key, secret_key, send
from tests.bookings.bookable_business import BUSINESS, at
from tests.bookings.conversations import put_outside, take_over, turn_of
from tests.conftest import ACTOR, add_business
from tests.ui.walk import calls_of

pytestmark = pytest.mark.usefixtures("shop")
PATH = "conversations/conv-1"
TEN = to_wire(at(10))


@pytest.fixture
def bot(shop: None) -> str:
    return secret_key("read", "book", "chat")


def put_state(bot: str, state: str, path: str = PATH, headers: dict[str, str] | None = None, **more: Any) -> Any:
    return send(bot, f"{path}/state", {"state": state, **more}, method="put", **(headers or {}))


def say(bot: str, text: str, author: str = "CUSTOMER", key: str = "", **more: Any) -> Any:
    return send(bot, f"{PATH}/messages", {"author": author, "text": text, **more}, key=key)


def test_a_bot_leads_a_conversation_to_a_booking(bot: str) -> None:
    begun = put_state(bot, "INIT", context={"channel": "web"}, userContext={"name": "Juan"})
    assert begun.status_code == 200 and revision_in(begun.headers["ETag"]) == 1
    assert (begun.json()["state"], begun.json()["voice"], begun.json()["turn"]) == ("INIT", "BOT", 0)
    heard = say(bot, "Hola").json()
    assert (heard["turn"], heard["message"]["author"], heard["message"]["text"]) == (0, "CUSTOMER", "Hola")
    replied = say(bot, "¿Qué servicio?", "BOT", turn=0).json()
    assert replied["turn"] == 1
    put_state(bot, "SERVICE_PENDING")
    chosen = put_state(bot, "SERVICE_SELECTED", serviceId="masaje", context={"asked": 2}).json()
    assert (chosen["serviceId"], chosen["context"]) == ("masaje", {"channel": "web", "asked": 2})
    wanted = {"service": "masaje", "start": TEN, "customer": JUAN, "conversation": "conv-1"}
    booked = send(bot, "bookings", wanted)
    assert booked.status_code == 201
    after = get(bot, PATH).json()
    assert (after["state"], after["bookingId"]) == ("BOOKING_CONFIRMED", booked.json()["id"])
    assert (after["providerId"], after["slotStart"], after["userContext"]) == ("maria", TEN, {"name": "Juan"})
    texts = [each["text"] for each in get(bot, f"{PATH}/messages").json()["messages"]]
    assert texts == ["¿Qué servicio?", "Hola"]


def test_a_bot_is_refused_while_a_person_replies(bot: str) -> None:
    put_state(bot, "INIT")
    say(bot, "Hola")
    take_over()
    refused = say(bot, "¿Qué servicio?", "BOT")
    assert code_of(refused) == (409, "person_replies")
    assert code_of(put_state(bot, "SERVICE_PENDING")) == (409, "person_replies")
    assert say(bot, "¿Hay alguien?").status_code == 201
    seen = get(bot, PATH).json()
    assert seen["voice"] == "WAITING" and seen["heldUntil"]
    services.reply(BUSINESS, "conv-1", "Soy Alma", command=new_command(ACTOR))
    newest = get(bot, f"{PATH}/messages?limit=1").json()["messages"][0]
    assert (newest["author"], newest["byName"]) == ("PERSON", ACTOR.name)
    assert ACTOR.email not in str(newest)
    services.hand_back(BUSINESS, "conv-1", turn=turn_of(), command=new_command(ACTOR))
    assert say(bot, "¿Qué servicio?", "BOT").status_code == 201
    services.close(BUSINESS, "conv-1", turn=turn_of(), command=new_command(ACTOR))
    assert code_of(say(bot, "¿Sigues ahí?", "BOT")) == (409, "conversation_closed")
    assert say(bot, "Sí").status_code == 201
    assert get(bot, PATH).json()["voice"] == "BOT"


def test_a_reply_to_a_passed_turn_is_refused(bot: str) -> None:
    put_state(bot, "INIT")
    turn = say(bot, "Hola").json()["turn"]
    assert say(bot, "uno", "BOT", turn=turn).status_code == 201
    assert code_of(say(bot, "dos", "BOT", turn=turn)) == (409, "turn_passed")


def test_a_message_sent_again_is_one_message(bot: str) -> None:
    put_state(bot, "INIT")
    first, second = (say(bot, "uno", "BOT", key="key-1", turn=0) for _ in range(2))
    assert first.json() == second.json() and second.status_code == 201
    assert len(get(bot, f"{PATH}/messages").json()["messages"]) == 1
    assert code_of(say(bot, "dos", "BOT", key="key-1", turn=0)) == (422, "idempotency_key_reused")


def test_states_follow_the_declared_transitions_and_the_revision_that_was_read(bot: str) -> None:
    first = put_state(bot, "INIT")
    refused = put_state(bot, "CONFIRM_PENDING")
    assert (code_of(refused), refused.json()["field"]) == ((422, "invalid"), "state")
    assert code_of(put_state(bot, "DANCING")) == (422, "invalid")
    tag = {"If-Match": first.headers["ETag"]}
    second = put_state(bot, "SERVICE_PENDING", headers=tag)
    assert revision_in(second.headers["ETag"]) == 2
    assert code_of(put_state(bot, "SERVICE_SELECTED", headers=tag)) == (412, "stale_revision")
    for wrong in ("*", "", "{}"):
        assert code_of(put_state(bot, "SERVICE_SELECTED", headers={"If-Match": wrong})) == (412, "stale_revision")
    assert get(bot, PATH).json()["state"] == "SERVICE_PENDING"


def test_a_conversation_that_was_read_and_has_expired_does_not_begin_again(bot: str) -> None:
    refused = put_state(bot, "INIT", headers={"If-Match": '"3"'})
    assert code_of(refused) == (412, "stale_revision")
    assert code_of(get(bot, PATH)) == (404, "not_found")


def test_the_etag_changes_with_every_message(bot: str) -> None:
    put_state(bot, "INIT")
    tag = get(bot, PATH).headers["ETag"]
    assert get(bot, PATH, **{"If-None-Match": tag}).status_code == 304
    say(bot, "uno", "BOT")
    assert get(bot, PATH, **{"If-None-Match": tag}).status_code == 200


def test_a_state_of_an_outside_writer_is_answered_as_stored_and_its_secrets_are_masked(bot: str) -> None:
    context = {"providerId": "pro_1", "accessToken": "abc", "tags": ["a", {"b": True}], "n": 3}
    put_outside("conv-1", state="PAYMENT_PENDING", context=context)
    body = get(bot, PATH).json()
    assert (body["state"], body["providerId"], body["context"]["tags"]) == (
        "PAYMENT_PENDING",
        "pro_1",
        ["a", {"b": True}],
    )
    assert "abc" not in str(body)
    assert put_state(bot, ConversationState.SLOT_PENDING.value).json()["state"] == "SLOT_PENDING"


@pytest.mark.parametrize(
    "given",
    [
        {"context": {"a b": "x"}},
        {"context": {"a": ""}},
        {"context": {"a": 10**40}},
        {"context": {"a": {"b": "c"}}},
        {"context": {f"a{number}": "x" for number in range(41)}},
        {"slotStart": "9999-12-31T23:59:59Z"},
        {"slotStart": "tomorrow"},
        {"bookingId": "b1"},
    ],
)
def test_what_a_bot_collects_has_bounds(bot: str, given: dict[str, Any]) -> None:
    assert code_of(put_state(bot, "INIT", **given)) == (422, "invalid")
    assert code_of(get(bot, PATH)) == (404, "not_found")


@pytest.mark.parametrize("text", ["", "   ", "x" * 4001])
def test_a_message_has_bounds(bot: str, text: str) -> None:
    put_state(bot, "INIT")
    assert code_of(say(bot, text)) == (422, "invalid")
    assert code_of(say(bot, "Hola", "PERSON")) == (422, "invalid")


def test_messages_come_in_pages(bot: str) -> None:
    put_state(bot, "INIT")
    for number in range(5):
        say(bot, str(number))
    first = get(bot, f"{PATH}/messages?limit=3").json()
    rest = get(bot, f"{PATH}/messages?limit=3&cursor={first['next']}").json()
    assert [each["text"] for each in (*first["messages"], *rest["messages"])] == ["4", "3", "2", "1", "0"]
    put_state(bot, "INIT", path="conversations/conv-2")
    assert code_of(get(bot, f"conversations/conv-2/messages?cursor={first['next']}")) == (400, "bad_cursor")


def test_conversations_are_listed_by_who_replies_and_by_state(bot: str) -> None:
    for number, state in enumerate(("INIT", "SERVICE_PENDING", "INIT"), 1):
        put_state(bot, state, path=f"conversations/conv-{number}", context={"token": "secret"})
    take_over("conv-2")

    def ids(query: str) -> list[str]:
        answer = get(bot, f"conversations?{query}")
        assert answer.status_code == 200 and "secret" not in answer.content.decode()
        return sorted(each["id"] for each in answer.json()["conversations"])

    assert ids("") == ids("voice=BOT") == ["conv-1", "conv-3"]
    assert ids("voice=WAITING") == ["conv-2"] and ids("voice=CLOSED") == []
    assert ids("state=INIT") == ["conv-1", "conv-3"] and ids("state=ALIEN") == []
    assert ids("state=INIT&voice=CLOSED") == ["conv-1", "conv-3"] and ids("state=a%23b") == []
    first = get(bot, "conversations?limit=1").json()
    rest = get(bot, f"conversations?limit=1&cursor={first['next']}").json()
    assert len({each["id"] for each in (*first["conversations"], *rest["conversations"])}) == 2
    assert code_of(get(bot, f"conversations?state=INIT&cursor={first['next']}")) == (400, "bad_cursor")
    assert code_of(get(bot, "conversations?voice=NOBODY")) == (422, "invalid")


def test_the_list_of_conversations_is_that_of_the_key(bot: str) -> None:
    put_state(bot, "INIT")
    add_business("harbour", "Harbour Coffee")
    foreign = secret_key("chat", business="harbour")
    assert get(foreign, "conversations").json() == {"conversations": [], "next": None}
    assert code_of(get(secret_key("read", "book"), "conversations")) == (403, "key_not_allowed")
    assert calls_of(get(bot, "conversations")).trips == 3


def test_conversations_of_another_business_are_not_found(bot: str) -> None:
    put_state(bot, "INIT")
    say(bot, "Hola")
    add_business("harbour", "Harbour Coffee")
    foreign = secret_key("read", "book", "chat", business="harbour")
    assert code_of(get(foreign, PATH)) == (404, "not_found")
    assert get(foreign, f"{PATH}/messages").json()["messages"] == []
    assert code_of(say(foreign, "Hola")) == (404, "not_found")
    # The same id is another conversation in another business.
    assert put_state(foreign, "SERVICE_PENDING").json()["state"] == "SERVICE_PENDING"
    assert get(bot, PATH).json()["state"] == "INIT"
    assert len(get(bot, f"{PATH}/messages").json()["messages"]) == 1


def test_only_a_key_that_chats_names_a_conversation_in_a_booking(bot: str) -> None:
    put_state(bot, "INIT")
    wanted = {"service": "masaje", "start": TEN, "customer": JUAN, "conversation": "conv-1"}
    for secret, headers in ((secret_key("read", "book"), {}), (public_key(), {"Origin": SITE})):
        assert code_of(send(secret, "bookings", wanted, **headers)) == (403, "key_not_allowed")
    unknown = send(bot, "bookings", wanted | {"conversation": "conv-2"})
    assert (code_of(unknown), unknown.json()["field"]) == ((422, "invalid"), "conversation")
    assert get(bot, PATH).json()["bookingId"] is None


def test_reading_a_conversation_costs_one_round_trip_beside_the_key(bot: str) -> None:
    put_state(bot, "INIT")
    assert calls_of(get(bot, PATH)).trips == 3
