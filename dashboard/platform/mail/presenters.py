"""Mail as the pages show it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise

from dashboard.core.clock import now
from dashboard.platform.mail import queries
from dashboard.platform.mail.compose import compose
from dashboard.platform.mail.items import REASON_LABELS, MailState, OutgoingMail
from dashboard.platform.mail.kinds import MAIL_KINDS, NotNeeded
from dashboard.platform.mail.texts import paragraphs


@dataclass(frozen=True)
class MailRow:
    mail: OutgoingMail
    url: str

    @property
    def kind(self) -> str | Promise:
        return kind_label(self.mail.kind)

    @property
    def is_overdue(self) -> bool:
        return self.mail.state == MailState.QUEUED and self.mail.send_at <= now()


@dataclass(frozen=True)
class MailDetails:
    """The content of a mail: as it was sent, or as it would be sent now."""

    kind: str | Promise
    to: str = ""
    subject: str = ""
    paragraphs: tuple[tuple[str, ...], ...] = ()
    # Why it would not be sent now.
    obstacle: str | Promise = ""


def kind_label(kind: str) -> str | Promise:
    return MAIL_KINDS[kind].label if kind in MAIL_KINDS else kind


def mail_details(mail: OutgoingMail) -> MailDetails:
    label = kind_label(mail.kind)
    if mail.was_sent:
        return MailDetails(label, mail.to or "", mail.subject or "", as_paragraphs(mail.body or ""))
    if mail.kind not in MAIL_KINDS:
        return MailDetails(label)
    try:
        composed = compose(mail, queries.find_text(mail.business, mail.kind) if mail.business else None)
    except NotNeeded as error:
        return MailDetails(label, obstacle=REASON_LABELS[error.reason])
    return MailDetails(label, composed.to, composed.subject, as_paragraphs(composed.shown_body))


def as_paragraphs(body: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(lines) for lines in paragraphs(body))
