"""The items of bookings, which the booking service also writes."""

from bookings.items.bookings import Booking, BookingRef
from bookings.items.catalog import Availability, Provider, Service
from bookings.items.conversations import Conversation, ConversationMessage, Voice
from bookings.items.customers import Customer
from bookings.items.holds import VisitorHold
from bookings.items.ledger import ProviderDay

__all__ = [
    "Availability",
    "Booking",
    "BookingRef",
    "Conversation",
    "ConversationMessage",
    "Customer",
    "Provider",
    "ProviderDay",
    "Service",
    "VisitorHold",
    "Voice",
]
