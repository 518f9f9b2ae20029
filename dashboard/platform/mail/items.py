"""Outgoing mail, and the texts of a business."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from dashboard.platform.outbox.entries import QueueEntry
from dashboard.table import keys
from dashboard.table.attributes import LenientUnicodeAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey, Key
from dashboard.table.timestamps import TimestampAttribute

# How long mail is listed after its time.
KEPT = timedelta(days=90)
# The value that switches a kind of mail off.
NOT_SENT = "off"
# The cause of mail that follows from what a visitor did, whom nobody knows.
BY_VISITOR = "visitor"


class MailState(StrEnum):
    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"
    CANCELLED = "cancelled"


STATE_LABELS: dict[str, Promise] = {
    MailState.QUEUED: pgettext_lazy("mail", "Queued"),
    MailState.SENT: pgettext_lazy("mail", "Sent"),
    MailState.FAILED: pgettext_lazy("mail", "Failed"),
    MailState.CANCELLED: pgettext_lazy("mail", "Not sent"),
}
STATE_LEVELS: dict[str, tuple[str, str]] = {
    MailState.QUEUED: ("plain", "clock"),
    MailState.SENT: ("good", "check"),
    MailState.FAILED: ("bad", "circle-alert"),
    MailState.CANCELLED: ("plain", "ban"),
}


class CancelReason(StrEnum):
    PERSON = "person"
    MOVED = "moved"
    BOOKING_CANCELLED = "booking_cancelled"
    NOT_CANCELLED = "not_cancelled"
    NOT_CONFIRMED = "not_confirmed"
    PAST = "past"
    NO_ADDRESS = "no_address"
    SWITCHED_OFF = "switched_off"
    CLOSED = "closed"
    GONE = "gone"
    LINK_REPLACED = "link_replaced"
    TOO_MANY = "too_many"


REASON_LABELS: dict[str, Promise] = {
    CancelReason.PERSON: _("Somebody cancelled it"),
    CancelReason.MOVED: _("The booking was moved"),
    CancelReason.BOOKING_CANCELLED: _("The booking was cancelled"),
    CancelReason.NOT_CANCELLED: _("The booking is no longer cancelled"),
    CancelReason.NOT_CONFIRMED: _("The booking is not confirmed"),
    CancelReason.PAST: _("The appointment is in the past"),
    CancelReason.NO_ADDRESS: _("There is no valid e-mail address"),
    CancelReason.SWITCHED_OFF: _("The business has switched off this kind of mail"),
    CancelReason.CLOSED: _("The business is closed"),
    CancelReason.GONE: _("What it is about no longer exists"),
    CancelReason.LINK_REPLACED: _("The link was used, replaced or has expired"),
    CancelReason.TOO_MANY: _("Too many to this address today"),
}


ERROR_LABELS: dict[str, Promise] = {
    "SMTPRecipientsRefused": _("The mail server refused the recipient"),
    "SMTPDataError": _("The mail server refused the content"),
    "SMTPAuthenticationError": _("The mail server refused our account"),
}


class OutgoingMail(QueueEntry, Item):
    """A mail in the queue, or one that was sent."""

    # That of the platform; mail of a business is in its own partition.
    key_pattern = keys.SYSTEM_MAIL
    business_pattern = keys.MAIL
    state_labels, state_levels, reason_labels = STATE_LABELS, STATE_LEVELS, REASON_LABELS

    kind = UnicodeAttribute()
    # The id of the booking, or the e-mail address of the person.
    target = UnicodeAttribute()
    title = LenientUnicodeAttribute(null=True)
    # When it is to be sent.
    send_at = TimestampAttribute(attr_name="sendAt")
    # The command behind it, from which the secret of a link is computed when it is sent.
    operation = UnicodeAttribute(null=True)
    # BY_VISITOR, or nothing.
    cause = UnicodeAttribute(null=True)
    # The start of the booking that it announces.
    start = TimestampAttribute(null=True)
    # As it was sent. Secrets of links are left out.
    to = UnicodeAttribute(null=True)
    subject = UnicodeAttribute(null=True)
    body = UnicodeAttribute(null=True)
    sent_at = TimestampAttribute(null=True, attr_name="sentAt")
    attempts = NumberAttribute(null=True)
    error = UnicodeAttribute(null=True)
    # How often people sent it again. Retries have the same Message-ID, a mail that is sent again has a new one.
    resends = NumberAttribute(null=True)

    @classmethod
    def at(cls, business: str, at: str | datetime, mail_id: str) -> OutgoingMail:
        return cls.new_at_key(mail_key(business, at, mail_id))

    @property
    def was_sent(self) -> bool:
        return self.state == MailState.SENT

    @property
    def error_label(self) -> str:
        """What the mail server answered, with its code."""
        name, _space, code = (self.error or "").partition(" ")
        text = ERROR_LABELS.get(name, _("The mail server could not be reached or did not accept it"))
        return f"{text} ({code or name})" if name else ""

    def queue(self, at: datetime) -> None:
        self.state, self.send_at, self.due_at = MailState.QUEUED, at, at
        self.reason = self.error = None
        self.attempts = None
        self.ttl = self.expiry()

    def expiry(self) -> int | None:
        return int((self.send_at + KEPT).timestamp()) if self.send_at else None

    def index_keys(self) -> Iterator[IndexKey]:
        parts = self.parts
        business = {"tenant": parts["tenant"]} if "tenant" in parts else {}
        place = {"at": parts.get("at"), "id": parts.get("id")} | business
        by_state = keys.MAILS_BY_STATE if business else keys.SYSTEM_MAILS_BY_STATE
        yield from (keys.MAILS if business else keys.SYSTEM_MAILS).optional_key(**place)
        yield from by_state.optional_key(**place, state=self.state)
        if business:
            yield from keys.MAILS_ABOUT.optional_key(**place, target=self.target)
        if self.due_at:
            yield keys.DUE_MAIL.key(due_at=self.due_at)


def mail_key(business: str, at: str | datetime, mail_id: str) -> Key:
    if business:
        return keys.MAIL.key(tenant=business, at=at, id=mail_id)
    return keys.SYSTEM_MAIL.key(at=at, id=mail_id)


class MailText(Item):
    """The texts of a business for one kind of mail. An empty text is the default one."""

    key_pattern = keys.MAIL_TEXT

    # NOT_SENT switches this kind of mail off.
    sending = UnicodeAttribute(null=True)
    lead_hours = NumberAttribute(null=True, attr_name="leadHours")
    subject_en = UnicodeAttribute(null=True, attr_name="subjectEn")
    body_en = UnicodeAttribute(null=True, attr_name="bodyEn")
    subject_es = UnicodeAttribute(null=True, attr_name="subjectEs")
    body_es = UnicodeAttribute(null=True, attr_name="bodyEs")

    @property
    def kind(self) -> str:
        return str(self.key_parts["mail_kind"])

    @property
    def is_off(self) -> bool:
        return self.sending == NOT_SENT

    @property
    def has_own_text(self) -> bool:
        return any((self.subject_en, self.body_en, self.subject_es, self.body_es))
