"""Defects of online booking: whom a link lets act, who shows the pages, and what visitors and programs may do."""

from __future__ import annotations

from tests.defect import Defect

_LINKS, _VISITS = "bookings/online/links.py", "bookings/online/visits.py"
_BOOKING_PAGE, _OWN_BOOKING = "bookings/online/views/booking.py", "bookings/online/views/own_booking.py"
_TEST_PAGE, _TEST_OWN = "tests/bookings/online/test_booking_page.py", "tests/bookings/online/test_own_booking.py"
_TEST_WIDGET, _TEST_RACES = "tests/bookings/online/test_widget.py", "tests/bookings/online/test_races.py"
_TEST_CROWD = "tests/browser/test_crowd.py::test_each_reported_success_is_applied_exactly_once"

ONLINE_DEFECTS = [
    Defect(
        "Online booking: a link of another business is accepted",
        _LINKS,
        "    if owner != business:\n        raise NotFound\n",
        "",
        f"{_TEST_OWN}::test_a_forged_link_opens_nothing",
    ),
    Defect(
        "Online booking: the link after booking confirms",
        _OWN_BOOKING,
        "    if not own.is_from_mail:\n        raise NotFound\n",
        "",
        f"{_TEST_OWN}::test_only_the_link_in_the_mail_confirms",
    ),
    Defect(
        "Online booking: opening a link confirms",
        _OWN_BOOKING,
        "    return show(request, visit, own_booking_of(visit, booking_link))\n",
        "    own = own_booking_of(visit, booking_link)\n"
        "    from dashboard.table.commands import new_command\n\n"
        "    if own.can_be_confirmed:\n"
        "        command = new_command(visit.actor)\n"
        "        services.confirm(visit.business.id, own.booking.id, revision=own.booking.revision, command=command)\n"
        "    return show(request, visit, own)\n",
        f"{_TEST_OWN}::test_opening_the_link_confirms_nothing",
    ),
    Defect(
        "Online booking: a visitor may have many bookings to confirm",
        "bookings/services/holds.py",
        "    if hold is not None and _takes_time(business, hold):\n",
        "    if False:\n",
        f"{_TEST_OWN}::test_a_visitor_has_one_booking_to_confirm",
    ),
    Defect(
        "Online booking: two bookings at once do not see each other's hold",
        "bookings/services/holds.py",
        "        transaction.save(current, revision=hold.revision, on_failure=StaleRevision)\n",
        "        transaction.update(current.key, [VisitorHold.booking_id.set(booking.id)])\n",
        f"{_TEST_RACES}::test_a_visitor_who_books_twice_at_once_has_one_booking_to_confirm",
    ),
    Defect(
        "Online booking: every website may show the pages in a frame",
        _VISITS,
        '        sites = ["*"] if key.allows_every_origin else key.origins\n',
        '        sites = ["*"]\n',
        f"{_TEST_WIDGET}::test_a_page_in_the_frame_books",
    ),
    Defect(
        "Online booking: a revoked key still opens the pages",
        _VISITS,
        "key is not None and key.is_active and key.is_public",
        "key is not None and key.is_public",
        f"{_TEST_WIDGET}::test_keys_that_open_nothing",
    ),
    Defect(
        "Online booking: a secret key works in the source of a website",
        "dashboard/platform/apikeys/embedding.py",
        "    if not key.is_public or business is None",
        "    if business is None",
        f"{_TEST_WIDGET}::test_keys_that_open_nothing",
    ),
    Defect(
        "Online booking: a closed booking page can be booked",
        _VISITS,
        "    if needs_open_page and visit.key is None and not visit.has_open_page:\n        raise NotFound\n",
        "",
        f"{_TEST_PAGE}::test_a_closed_page_does_not_tell_whether_the_business_exists",
    ),
    Defect(
        "Online booking: a form that a program sends at once is accepted",
        "bookings/online/forms.py",
        " or (self.opened is not None and self.opened.is_too_fast)",
        "",
        f"{_TEST_PAGE}::test_a_form_that_comes_back_at_once_does_not_book",
    ),
    Defect(
        "Online booking: the form of another business is accepted",
        _LINKS,
        " if owner == business else None",
        "",
        f"{_TEST_PAGE}::test_the_time_of_a_form_cannot_be_forged",
    ),
    Defect(
        "Online booking: one network books without a limit",
        "bookings/online/limits.py",
        "limit=MAX_BOOKINGS, seconds=HOUR",
        "limit=MAX_BOOKINGS * 1000, seconds=HOUR",
        f"{_TEST_PAGE}::test_one_network_books_a_limited_number_of_times",
    ),
    Defect(
        "Online booking: a taken time shows who has it",
        _BOOKING_PAGE,
        '        "is_taken": taken is not None,\n',
        '        "is_taken": taken is not None,\n        "staff_name": str(taken.text) if taken else "",\n',
        f"{_TEST_PAGE}::test_a_taken_time_keeps_the_input_and_offers_others",
    ),
    Defect(
        "Online booking: a form sent twice books twice",
        "bookings/online/forms.py",
        "Command(self.opened.command_id, self.visit.actor).part(digest)",
        "Command(new_form_token(path)[-26:], self.visit.actor).part(digest)",
        f"{_TEST_PAGE}::test_a_form_sent_twice_books_once",
    ),
    Defect(
        "Online booking: a colour of an outside writer is inserted as it is",
        "bookings/online/views/widget.py",
        "    if _COLOR.fullmatch(color):\n",
        "    if color:\n",
        f"{_TEST_WIDGET}::test_only_a_color_reaches_the_stylesheet",
    ),
    Defect(
        "Online booking: the code for a website has the host of the request",
        "bookings/key_sections.py",
        'settings.SITE_URL + reverse("widget_loader")',
        'request.build_absolute_uri(reverse("widget_loader"))',
        f"{_TEST_WIDGET}::test_addresses_do_not_come_from_the_request",
    ),
    Defect(
        "Online booking: a form whose answer was lost cannot be sent again",
        "static/widget/page.js",
        "  setTimeout(() => delete form.dataset.sent, moment);\n",
        "",
        _TEST_CROWD,
    ),
    Defect(
        "Online booking: a form whose answer was lost books another time",
        "bookings/online/forms.py",
        "Command(self.opened.command_id, self.visit.actor).part(digest)",
        "Command(new_form_token(path)[-26:], self.visit.actor).part(digest)",
        _TEST_CROWD,
    ),
]
