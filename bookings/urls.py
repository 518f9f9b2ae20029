"""URLs of bookings."""

from django.urls import path

from bookings.actions import DECISIONS, RESCHEDULE
from bookings.online.urls import urlpatterns as online_urls
from bookings.views import (
    availability,
    booking,
    calendar,
    conversation,
    conversation_actions,
    conversations,
    create,
    customers,
    hours,
    providers,
    reschedule,
    rules,
    services,
    unconfirmed,
)

_BOOKINGS = "b/<business:business>/bookings/"
_BOOKING = f"{_BOOKINGS}<str:booking>/"
_SERVICES = f"{_BOOKINGS}services/"
_SERVICE = f"{_SERVICES}<str:service>/"
_PROVIDERS = f"{_BOOKINGS}providers/"
_PROVIDER = f"{_PROVIDERS}<str:provider>/"
_CUSTOMERS = f"{_BOOKINGS}customers/"
_CUSTOMER = f"{_CUSTOMERS}<str:customer>/"
_CONVERSATIONS = "b/<business:business>/conversations/"
_CONVERSATION = f"{_CONVERSATIONS}<str:conversation>/"

urlpatterns = [
    # Visitors of businesses, and the preview of the widget.
    *online_urls,
    # The calendar.
    path(_BOOKINGS, calendar.bookings, name="bookings"),
    path(f"{_BOOKINGS}new/", create.new, name="booking_new"),
    path(f"{_BOOKINGS}unconfirmed/", unconfirmed.unconfirmed, name="bookings_unconfirmed"),
    path(f"{_BOOKINGS}unconfirmed/undo/", unconfirmed.unconfirm, name="bookings_unconfirm"),
    path(f"{_BOOKINGS}why/", availability.availability, name="booking_why"),
    # The catalog.
    path(_SERVICES, services.services, name="services"),
    path(f"{_SERVICES}new/", services.create, name="service_new"),
    path(_SERVICE, services.service, name="service"),
    path(f"{_SERVICE}deactivate/", services.deactivate, name="service_deactivate"),
    path(f"{_SERVICE}activate/", services.activate, name="service_activate"),
    path(f"{_SERVICE}delete/", services.remove, name="service_remove"),
    path(f"{_SERVICE}restore/", services.restore, name="service_restore"),
    path(_PROVIDERS, providers.providers, name="providers"),
    path(f"{_PROVIDERS}new/", providers.create, name="provider_new"),
    path(_PROVIDER, providers.provider, name="provider"),
    path(f"{_PROVIDER}deactivate/", providers.deactivate, name="provider_deactivate"),
    path(f"{_PROVIDER}activate/", providers.activate, name="provider_activate"),
    path(f"{_PROVIDER}delete/", providers.remove, name="provider_remove"),
    path(f"{_PROVIDER}restore/", providers.restore, name="provider_restore"),
    path(f"{_PROVIDER}hours/", hours.hours, name="provider_hours"),
    path(f"{_PROVIDER}hours/undo/", hours.undo, name="provider_hours_undo"),
    path(_CUSTOMERS, customers.customers, name="customers"),
    path(f"{_CUSTOMERS}new/", customers.create, name="customer_new"),
    path(_CUSTOMER, customers.customer, name="customer"),
    path(f"{_CUSTOMER}delete/", customers.remove, name="customer_remove"),
    path(f"{_CUSTOMER}restore/", customers.restore, name="customer_restore"),
    path(f"{_BOOKINGS}rules/", rules.rules, name="booking_rules"),
    # One booking. It comes last, because an id matches any path segment.
    path(_BOOKING, booking.booking, name="booking"),
    *(path(_BOOKING + action.path, booking.decision_view(action), name=action.url_name) for action in DECISIONS),
    path(_BOOKING + RESCHEDULE.path, reschedule.reschedule, name=RESCHEDULE.url_name),
    # Conversations.
    path(_CONVERSATIONS, conversations.conversations, name="conversations"),
    path(_CONVERSATION, conversation.conversation, name="conversation"),
    path(f"{_CONVERSATION}take-over/", conversation_actions.take_over, name="conversation_take_over"),
    path(f"{_CONVERSATION}reply/", conversation_actions.reply, name="conversation_reply"),
    path(f"{_CONVERSATION}hand-back/", conversation_actions.hand_back, name="conversation_hand_back"),
    path(f"{_CONVERSATION}close/", conversation_actions.close, name="conversation_close"),
    path(f"{_CONVERSATION}reopen/", conversation_actions.reopen, name="conversation_reopen"),
    path(f"{_CONVERSATION}book/", conversation_actions.book, name="conversation_book"),
]
