"""Composes a mail: its text in the recipient's language, as plain text and as HTML."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from email.headerregistry import Address
from email.utils import parseaddr

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation

from dashboard.platform.accounts import emails
from dashboard.platform.mail import texts
from dashboard.platform.mail.items import CancelReason, MailText, OutgoingMail
from dashboard.platform.mail.kinds import MAIL_KINDS, MailContent, MailKind, NotNeeded

HIDDEN = "••••••"


@dataclass(frozen=True)
class ComposedMail:
    to: str
    subject: str
    body: str
    html: str
    content: MailContent
    # As pages show it, without the secrets of links.
    shown_body: str


def compose(mail: OutgoingMail, text: MailText | None) -> ComposedMail:
    """The mail as it would be sent now. Raises NotNeeded if it must not be sent any more."""
    kind = MAIL_KINDS[mail.kind]
    if text is not None and text.is_off:
        raise NotNeeded(CancelReason.SWITCHED_OFF)
    content = kind.load(mail)
    to = emails.normalise(content.to)
    try:
        emails.check(to)
    except ValidationError:
        raise NotNeeded(CancelReason.NO_ADDRESS) from None
    subject, body = fill_text(kind, text, content.language, content.values)
    shown_values = {name: HIDDEN if name in kind.secrets and value else value for name, value in content.values.items()}
    _subject, shown_body = fill_text(kind, text, content.language, shown_values)
    return ComposedMail(to, subject, body, _as_html(subject, body, content), content, shown_body)


def fill_text(kind: MailKind, text: MailText | None, language: str, values: Mapping[str, str]) -> tuple[str, str]:
    """The subject and the body in a language."""
    subject, body = (
        (getattr(text, f"{part}_{language}") if text else None) or kind.default_text(part, language)
        for part in ("subject", "body")
    )
    return texts.as_line(texts.fill(subject, values))[:300], texts.as_body(texts.fill(body, values))


def build_message(mail: OutgoingMail, composed: ComposedMail) -> EmailMultiAlternatives:
    message = EmailMultiAlternatives(
        composed.subject,
        composed.body,
        _sender(composed.content.sender),
        [composed.to],
        headers={"Message-ID": message_id(mail), "Auto-Submitted": "auto-generated"},
    )
    message.attach_alternative(composed.html, "text/html")
    if composed.content.calendar:
        message.attach("booking.ics", composed.content.calendar, "text/calendar")
    return message


def message_id(mail: OutgoingMail) -> str:
    """The same for each attempt, so that a mail server can recognise a repetition."""
    name = f"{mail.pk} {mail.sk} {int(mail.resends or 0)}"
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    return f"<{hashlib.sha256(name.encode()).hexdigest()[:40]}@{domain}>"


def _sender(name: str) -> str:
    """Our address, with the name of the business."""
    default_name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    user, _at, domain = address.rpartition("@")
    return str(Address(texts.as_line(name or default_name)[:100], user, domain))


def _as_html(subject: str, body: str, content: MailContent) -> str:
    with translation.override(content.language):
        context = {"subject": subject, "paragraphs": texts.paragraphs(body), "sender": content.sender}
        return render_to_string("mail/message.html", context | {"language": content.language})
