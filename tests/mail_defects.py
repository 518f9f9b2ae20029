"""Defects of mail: what is sent, to whom, how often, and what is stored."""

from __future__ import annotations

from tests.defect import Defect

MAIL_DEFECTS = [
    Defect(
        "Mail: visitors cause any number of mails to one address",
        "dashboard/platform/mail/services/delivery.py",
        "    if mail.cause != BY_VISITOR or mail.resends:\n",
        "    if True:\n",
        "tests/bookings/online/test_mail_limit.py::test_beyond_the_limit_a_booking_works_without_mail",
    ),
    Defect(
        "Mail: a public key is not limited",
        "bookings/mails.py",
        "removeprefix(KEY_ACTOR)).is_public\n",
        "removeprefix(KEY_ACTOR)).is_revoked\n",
        "tests/bookings/online/test_mail_limit.py::test_keys_of_websites_count_and_secret_keys_do_not",
    ),
    Defect(
        "Mail: each attempt counts for the limit",
        "dashboard/platform/mail/services/delivery.py",
        "is_among_first(name, mail.place,",
        "is_among_first(name, mail.place + repr(mail.revision),",
        "tests/bookings/online/test_mail_limit.py::test_an_attempt_that_failed_counts_once",
    ),
    Defect(
        "Mail: a line break in a name begins another header",
        "dashboard/platform/mail/texts.py",
        '    return _CONTROL.sub("", _LINE_BREAKS.sub(" ", text)).strip()\n',
        "    return text\n",
        "tests/mail/test_queue.py::test_line_breaks_in_names_do_not_become_headers",
    ),
    Defect(
        "Mail: each attempt is another message",
        "dashboard/platform/mail/compose.py",
        '    name = f"{mail.pk} {mail.sk} {int(mail.resends or 0)}"\n',
        '    name = f"{mail.pk} {mail.sk} {mail.revision}"\n',
        "tests/mail/test_queue.py::test_a_failed_attempt_is_repeated_with_the_same_id",
    ),
    Defect(
        "Mail: the reminder of a cancelled booking is sent",
        "bookings/mail_content.py",
        "    return check_confirmed(mail, booking) or (",
        "    return (",
        "tests/mail/test_queue.py::test_the_check_before_sending_stops_a_reminder_whose_cancellation_is_not_processed_yet",
    ),
    Defect(
        "Mail: the secret of a link is stored",
        "dashboard/platform/mail/compose.py",
        "HIDDEN if name in kind.secrets and value else value for",
        "value for",
        "tests/mail/test_outbox.py::test_an_invitation_is_sent_and_its_link_is_not_stored",
    ),
    Defect(
        "Mail: a kind that is switched off is sent",
        "dashboard/platform/mail/compose.py",
        "    if text is not None and text.is_off:\n",
        "    if False:\n",
        "tests/mail/test_texts.py::test_mail_that_is_switched_off_is_not_sent",
    ),
    Defect(
        "Mail: a confirmation is sent days later",
        "dashboard/platform/mail/services/queue.py",
        "if derive is not None and not is_late else",
        "if derive is not None else",
        "tests/mail/test_queue.py::test_mail_of_an_action_that_waited_for_a_day_is_not_sent",
    ),
    Defect(
        "Mail: a recipient whom the server refuses is tried again",
        "dashboard/platform/mail/services/delivery.py",
        "    if _is_permanent(error) or mail.attempts",
        "    if mail.attempts",
        "tests/mail/test_queue.py::test_mail_fails_at_once_or_after_many_attempts",
    ),
]
