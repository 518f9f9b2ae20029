"""Defects of the calendar, one for each behaviour of its ways of working."""

from __future__ import annotations

from tests.defect import Defect

_CLICKS = "tests/browser/test_calendar_clicks.py"
_FORM = "tests/bookings/test_booking_form.py"
_BOOK = f"{_CLICKS}::test_a_receptionist_books_from_the_grid_in_five_clicks_without_typing_a_time"
_ESCAPE = f"{_CLICKS}::test_escape_cancels_a_drag_and_the_release_changes_nothing"
_NOT_OFFERED = f"{_CLICKS}::test_a_drop_on_someone_who_does_not_offer_the_service_gives_three_options"
_CURRENCY = (
    "tests/bookings/test_rules.py::test_new_services_and_staff_members_have_the_currency_and_time_zone_of_the_business"
)
_CONTACT = f"{_FORM}::test_a_second_customer_with_the_same_contact_is_reported_by_name"
_EXCLUDED = "tests/bookings/test_availability.py::test_no_start_is_offered_that_the_same_check_excludes"
_SKIPPED = "tests/bookings/test_availability.py::test_an_hour_that_a_clock_change_skips_is_named"
_UNCONFIRMED = "tests/bookings/test_unconfirmed.py"

CALENDAR_DEFECTS = [
    # A click on the grid.
    Defect(
        "Calendar: the form does not have the clicked time",
        "static/js/calendar-slot.js",
        "&start=${encodeURIComponent(isoTimeAt(slot.column, slot.minute))}",
        "",
        _BOOK,
    ),
    Defect(
        "Calendar: the clicked time is lost if the filter shows another service",
        "bookings/views/booking_form.py",
        '"requested_start": _start_for_input(requested_start, availability, business_zone),',
        '"requested_start": "",',
        _BOOK,
    ),
    Defect(
        "Calendar: the form has a service that the clicked staff member does not offer",
        "bookings/day_columns.py",
        'params.service if provider is not None and params.service in provider.service_ids else ""',
        "params.service",
        _BOOK,
    ),
    Defect(
        "Calendar: the only service of a staff member is not chosen",
        "bookings/views/booking_form.py",
        'return found[0] if len(found) == 1 else ""',
        'return ""',
        f"{_CLICKS}::test_a_tap_on_the_grid_keeps_the_time_and_the_only_service",
    ),
    Defect(
        "Calendar: there is no preview under the pointer",
        "static/js/calendar-slot.js",
        "  if (slot) showPreview(slot);\n  else preview.remove();",
        "  preview.remove();",
        _BOOK,
    ),
    Defect(
        "Calendar: the preview does not have the length of the service",
        "static/js/calendar-slot.js",
        "Number(getGrid().dataset.length) || stepMinutes()",
        "stepMinutes()",
        _BOOK,
    ),
    Defect(
        "Calendar: the preview does not say that a time is taken",
        "static/js/calendar-slot.js",
        "const conflict = findConflict({ ...slot, length });",
        'const conflict = "";',
        _BOOK,
    ),
    # A drop on somebody who does not offer the service.
    Defect(
        "Calendar: a drop on somebody who does not offer the service has no options",
        "bookings/views/reschedule.py",
        "    except ServiceNotOffered as error:\n"
        "        return _not_offered_page(request, business, booking, provider_id, form, status=error.status)\n",
        "",
        _NOT_OFFERED,
    ),
    Defect(
        "Calendar: another service is booked at another time",
        "bookings/views/reschedule.py",
        'new_booking = target | {"provider": provider_id',
        'new_booking = {"provider": provider_id',
        _NOT_OFFERED,
    ),
    Defect(
        "Calendar: another service is booked for nobody",
        "bookings/views/reschedule.py",
        '"customer": found.customer_id or ""}',
        '"customer": ""}',
        _NOT_OFFERED,
    ),
    Defect(
        "Calendar: staff members who do not offer the service are suggested",
        "bookings/views/reschedule.py",
        'return [each for each in active if (booking.service_id or "") in each.service_ids]',
        "return active",
        _NOT_OFFERED,
    ),
    Defect(
        "Calendar: the original slot is not shown again",
        "bookings/views/reschedule.py",
        '"back_url": back_to(request, business, found),',
        '"back_url": move_url,',
        _NOT_OFFERED,
    ),
    # Escape during a drag.
    Defect(
        "Calendar: Escape does not cancel a drag",
        "static/js/calendar-move.js",
        'if (move && !move.byKey && event.key === "Escape") {',
        "if (false) {",
        _ESCAPE,
    ),
    Defect(
        "Calendar: a cancelled drag begins again when the pointer moves on",
        "static/js/calendar-move.js",
        "      pressed = null;\n      announce(",
        "      announce(",
        _ESCAPE,
    ),
    Defect(
        "Calendar: the release after a cancelled drag opens the booking",
        "static/js/calendar-move.js",
        "    hasDragged = true;\n",
        "",
        _ESCAPE,
    ),
    Defect(
        "Calendar: Escape does not cancel a move by keyboard",
        "static/js/calendar-move.js",
        'if (event.key === "Escape" || event.key === "Tab") return cancelMove();',
        'if (event.key === "Tab") return cancelMove();',
        "tests/browser/test_calendar.py::test_navigate_move_and_create_by_keyboard",
    ),
    # Amounts, currency and time zone.
    Defect(
        "Calendar: 15.000 is refused in a currency without cents",
        "bookings/money.py",
        "if not digits_of(currency) and _THOUSANDS.fullmatch(text):",
        "if False:",
        "tests/bookings/test_money.py::test_amounts_are_parsed_by_currency",
    ),
    Defect(
        "Calendar: 15.000 is fifteen thousand in a currency with cents",
        "bookings/money.py",
        "if not digits_of(currency) and _THOUSANDS.fullmatch(text):",
        "if _THOUSANDS.fullmatch(text):",
        "tests/bookings/test_money.py::test_invalid_and_ambiguous_amounts_are_refused",
    ),
    Defect(
        "Calendar: the form of a new service does not have the currency of the business",
        "bookings/forms/services.py",
        'self.fields["currency"].initial = default_currency',
        'self.fields["currency"].initial = ""',
        _CURRENCY,
    ),
    Defect(
        "Calendar: a new service without a currency does not have that of the business",
        "bookings/forms/services.py",
        'return currency or (self.default_currency if self.item is None else "")',
        "return currency",
        _CURRENCY,
    ),
    Defect(
        "Calendar: a changed price without a currency is not in the currency of the business",
        "bookings/forms/services.py",
        "read_amount(text, currency or self.default_currency)",
        "read_amount(text, currency)",
        _CURRENCY,
    ),
    Defect(
        "Calendar: a new staff member does not have the time zone of the business",
        "bookings/views/providers.py",
        "zone = Provider().zone(request.business.timezone).key",
        'zone = "UTC"',
        _CURRENCY,
    ),
    # Possible duplicates.
    Defect(
        "Calendar: a second booking of a customer at one time is not reported",
        "bookings/services/duplicates.py",
        "    ensure_no_other_booking(business, customer.id, span, accepts=accepts)\n",
        "",
        f"{_FORM}::test_a_second_booking_of_a_customer_at_one_time_is_reported_by_name",
    ),
    Defect(
        "Calendar: a move to a time at which the customer has another booking is not reported",
        "bookings/services/reschedule.py",
        "if accepts is not None and booking.customer_id and start != booking.start_time:",
        "if False:",
        "tests/bookings/test_reschedule.py"
        "::test_a_move_to_a_time_at_which_the_customer_has_another_booking_is_reported_by_name",
    ),
    Defect(
        "Calendar: a second customer with the same phone is not reported",
        "bookings/queries/customers.py",
        "if has_email(each, email) or has_phone(each, phone)]",
        "if has_email(each, email)]",
        _CONTACT,
    ),
    Defect(
        "Calendar: a second customer with the same e-mail is not reported",
        "bookings/queries/customers.py",
        "if has_email(each, email) or has_phone(each, phone)]",
        "if has_phone(each, phone)]",
        _CONTACT,
    ),
    Defect(
        "Calendar: the page for a new customer does not report the same contact",
        "bookings/services/customers.py",
        "    if accepts is not None:\n        ensure_new_contact",
        "    if False:\n        ensure_new_contact",
        "tests/bookings/test_customers.py::test_a_customer_with_the_phone_of_another_is_reported_by_name",
    ),
    Defect(
        "Calendar: a changed contact that another customer has is not reported",
        "bookings/services/customers.py",
        "if accepts is not None and (customer.email, customer.phone) != contact_before:",
        "if False:",
        "tests/bookings/test_customers.py::test_a_customer_with_the_phone_of_another_is_reported_by_name",
    ),
    Defect(
        "Calendar: who accepts one duplicate accepts every other one",
        "bookings/services/duplicates.py",
        "if found and accepts != found.token:",
        "if found and not accepts:",
        f"{_FORM}::test_a_duplicate_that_the_person_has_not_seen_is_reported_too",
    ),
    Defect(
        "Calendar: a booking that fails creates its customer",
        "bookings/services/bookings.py",
        "        customer = new_customer_item(business, booking_request.customer_id, booking_request.new_customer)\n",
        "        customer = new_customer_item(business, booking_request.customer_id, booking_request.new_customer)\n"
        "        own = Transaction(command.part('customer'))\n"
        "        own.create(customer)\n"
        "        own.commit(customer)\n",
        f"{_FORM}::test_a_booking_that_fails_creates_no_customer",
    ),
    # Check availability.
    Defect(
        "Calendar: after a past time nothing is offered",
        "bookings/slots.py",
        "    after = max(after, rules.earliest)\n",
        "",
        _EXCLUDED,
    ),
    Defect(
        "Calendar: a start that a booking takes is offered after a past time",
        "bookings/queries/calendar.py",
        "days = [day] if day >= earliest.date() else [day, earliest.date()]",
        "days = [day]",
        _EXCLUDED,
    ),
    Defect(
        "Calendar: starts are offered with somebody who cannot be booked",
        "templates/bookings/availability.html",
        "        {% if exclusion %}\n          <dt>",
        "        {% if exclusion and False %}\n          <dt>",
        "tests/bookings/test_availability.py::test_nothing_is_offered_with_someone_who_cannot_be_booked",
    ),
    Defect(
        "Calendar: an hour that a clock change skips is called invalid",
        "bookings/views/availability.py",
        '"skipped": " ".join(options.skipped.messages) if options.skipped else "",',
        '"skipped": "",',
        _SKIPPED,
    ),
    Defect(
        "Calendar: the search for a free start does not begin after the skipped hour",
        "bookings/start_options.py",
        "since = self.moment or self._after_skipped_start or clock_at",
        "since = self.moment or clock_at",
        _SKIPPED,
    ),
    # Past bookings that were never confirmed.
    Defect(
        "Calendar: bookings to come are among the past ones",
        "bookings/queries/bookings.py",
        ', "until": to_wire(moment - timedelta(seconds=1))}',
        "}",
        _UNCONFIRMED,
    ),
    Defect(
        "Calendar: lapsed bookings are among those to confirm",
        "bookings/queries/bookings.py",
        "found.with_rows([each for each in found.items if not each.has_lapsed(moment)])",
        "found",
        _UNCONFIRMED,
    ),
    Defect(
        "Calendar: only one of several selected bookings is confirmed",
        "bookings/services/bulk.py",
        "    for each in selected:\n",
        "    for each in selected[:1]:\n",
        _UNCONFIRMED,
    ),
    Defect(
        "Calendar: a booking that a colleague changed stops the confirmation of the others",
        "bookings/services/bulk.py",
        "            result.failed.append((booking.title if booking is not None else each.id, str(error.text)))\n",
        "            result.failed.append((booking.title if booking is not None else each.id, str(error.text)))\n"
        "            break\n",
        _UNCONFIRMED,
    ),
    Defect(
        "Calendar: undo reverts only one of several confirmations",
        "bookings/views/unconfirmed.py",
        'SEPARATOR.join(f"{each.revision}:{each.id}" for each in result.done)',
        'SEPARATOR.join(f"{each.revision}:{each.id}" for each in result.done[:1])',
        f"{_UNCONFIRMED}::test_several_are_undone_together_and_a_form_sent_twice_acts_once",
    ),
    Defect(
        "Calendar: of too many selected bookings only the first are confirmed",
        "static/js/row-selection.js",
        "button.disabled = tooMany;",
        "button.disabled = tooMany && button.matches('[formaction]');",
        f"{_CLICKS}::test_more_past_bookings_than_one_request_confirms_cannot_be_confirmed",
    ),
    Defect(
        "Calendar: the calendar has no link to past bookings to confirm",
        "templates/bookings/calendar.html",
        '<a href="{% url "bookings_unconfirmed" shell.business.id %}">{% trans "Past bookings to confirm" %}</a> ·',
        "",
        f"{_CLICKS}::test_several_past_bookings_are_confirmed_by_touch_and_undone",
    ),
]
