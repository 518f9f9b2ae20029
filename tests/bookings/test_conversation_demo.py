"""The demo's conversations: added once, in every tab."""

from bookings.conversation_states import VoiceState
from bookings.demo import catalog
from bookings.demo import conversations as demo
from bookings.queries.conversations import conversations_with_voice
from tests.conftest import add_business


def test_the_demo_has_conversations_in_every_tab(table: str) -> None:
    assert demo.seed() == 0, "there is no business yet"
    add_business("andina", "Coca-Cola Andina", "owner@example.com")
    catalog.seed()
    assert demo.seed() > 0
    assert demo.seed() == 0
    for voice in VoiceState:
        assert conversations_with_voice("andina", voice).items, voice
