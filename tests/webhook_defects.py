"""Defects of webhooks: who receives messages, when, in which order, and how they are signed."""

from __future__ import annotations

from tests.defect import Defect

WEBHOOK_DEFECTS = [
    Defect(
        "Webhooks: the certificate of a receiver may be of another name",
        "dashboard/web/outside_connections.py",
        "    return ssl.create_default_context()\n",
        "    context = ssl.create_default_context()\n    context.check_hostname = False\n    return context\n",
        "tests/webhooks/test_tls.py::test_a_receiver_with_a_wrong_certificate_gets_nothing",
    ),
    Defect(
        "Webhooks: the certificate of a receiver may be of any authority",
        "dashboard/web/outside_connections.py",
        "    return ssl.create_default_context()\n",
        "    context = ssl.create_default_context()\n"
        "    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE\n"
        "    return context\n",
        "tests/webhooks/test_tls.py::test_an_unknown_authority_is_refused",
    ),
    Defect(
        "Webhooks: the name of a receiver is looked up again for the connection",
        "dashboard/web/outside_connections.py",
        "    sock = _open_any(addresses, location.port, deadline)\n",
        "    found = outside_addresses.look_up(location.host, location.port)\n"
        "    sock = _open_any(found, location.port, deadline)\n",
        "tests/webhooks/test_tls.py::test_the_connection_is_to_the_address_that_was_checked",
    ),
    Defect(
        "Webhooks: a private address can be saved",
        "dashboard/platform/webhooks/receiver.py",
        "    return is_public(host)\n",
        "    return True\n",
        "tests/webhooks/test_hostile_receivers.py::test_a_url_that_cannot_be_a_receiver_is_refused_when_it_is_saved",
    ),
    Defect(
        "Webhooks: a redirect counts as accepted",
        "dashboard/platform/webhooks/receiver.py",
        "    if 200 <= response.status < 300:\n",
        "    if 200 <= response.status < 400:\n",
        "tests/webhooks/test_hostile_receivers.py::test_a_redirect_is_not_followed",
    ),
    Defect(
        "Webhooks: the time is not signed",
        "dashboard/platform/webhooks/signatures.py",
        '    signed = f"{message_id}.{timestamp}.".encode() + body\n',
        '    signed = f"{message_id}.".encode() + body\n',
        "tests/webhooks/test_delivery.py::test_a_message_has_a_standard_signature",
    ),
    Defect(
        "Webhooks: the previous secret signs for ever",
        "dashboard/platform/webhooks/items/webhooks.py",
        " and self.previous_until > now()\n",
        "\n",
        "tests/webhooks/test_delivery.py::test_both_secrets_sign_for_a_day_after_a_rotation",
    ),
    Defect(
        "Webhooks: a later event does not wait for an earlier one",
        "dashboard/platform/webhooks/services/delivery.py",
        "    if first is not None and first.order < delivery.order:\n",
        "    if False:\n",
        "tests/webhooks/test_delivery.py::test_a_later_event_about_the_same_booking_waits_for_the_earlier_one",
    ),
    Defect(
        "Webhooks: an event that comes too late is not marked",
        "dashboard/platform/webhooks/services/delivery.py",
        "    delivery.is_out_of_order = (not _is_next(delivery)) or None\n",
        "    _is_next(delivery)\n",
        "tests/webhooks/test_delivery.py::test_an_event_that_comes_after_a_later_one_is_marked",
    ),
    Defect(
        "Webhooks: a receiver that does not answer is asked for each of its messages",
        "dashboard/platform/webhooks/services/delivery.py",
        "    if paused_until is not None and paused_until > now() and not is_forced:\n",
        "    if False:\n",
        "tests/webhooks/test_delivery.py::test_a_receiver_that_does_not_answer_is_asked_once_per_pause",
    ),
    Defect(
        "Webhooks: one that is switched off gets events",
        "dashboard/platform/webhooks/services/queue.py",
        "if each.is_on and event.type in",
        "if event.type in",
        "tests/webhooks/test_events.py::test_only_webhooks_with_the_event_that_are_on_get_it",
    ),
    Defect(
        "Webhooks: a deletion restores another webhook",
        "dashboard/platform/webhooks/services/webhooks.py",
        "is_same = bool(raw) and key_of(raw) == webhook_key(business, webhook_id)",
        "is_same = bool(raw)",
        "tests/webhooks/test_delivery.py::test_only_the_deletion_of_this_webhook_restores_it",
    ),
]
