"""The registry of kinds of mail, and of the actions that queue mail.

register_mail(MailKind("booking.confirmation", label=_("Confirmation"), …, load=load_confirmation))

@mail_after("booking.create")
def queue_confirmation(entry: AuditEntry) -> QueueChanges: …
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.utils import translation
from django.utils.functional import Promise

from dashboard.core.clock import now
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.mail.items import CancelReason, OutgoingMail
from dashboard.platform.outbox.records import MAIL
from dashboard.platform.outbox.registry import follow

# Time for Undo, before anything is sent.
DELAY = timedelta(minutes=1)


@dataclass(frozen=True)
class MailContent:
    """The recipient of a mail and the values of its placeholders, as they are at the time of sending."""

    to: str
    language: str
    values: Mapping[str, str]
    # The name of the sender that the recipient sees.
    sender: str = ""
    # The appointment as an ICS file.
    calendar: str = ""


class NotNeeded(Exception):
    """The mail must not be sent any more, such as the reminder of a cancelled booking."""

    def __init__(self, reason: CancelReason) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True)
class SampleValues:
    """Values for the preview of a text, by language; of a real item, or made up."""

    values: Mapping[str, Mapping[str, str]]
    # The name of the real item.
    title: str = ""


@dataclass(frozen=True)
class MailKind:
    name: str
    label: Promise
    # When it is sent.
    hint: Promise
    subject: Promise
    body: Promise
    # The placeholders that its texts may contain, with their meaning.
    placeholders: Mapping[str, Promise]
    # Reads the current state and returns the content. Raises NotNeeded.
    load: Callable[[OutgoingMail], MailContent]
    # Values for the preview in a business.
    load_sample: Callable[[str], SampleValues] | None = None
    # Placeholders whose values give access: pages do not show them.
    secrets: frozenset[str] = frozenset()
    # How long before the appointment it is sent; None for mail about something that has just happened.
    lead_time: timedelta | None = None

    @property
    def is_of_business(self) -> bool:
        """Whether businesses send it, with their own texts."""
        return self.load_sample is not None

    def default_text(self, part: str, language: str) -> str:
        """The subject or the body in a language, unless a business has its own."""
        with translation.override(language):
            return str(getattr(self, part))


@dataclass(frozen=True)
class QueueChanges:
    """The mail that an action queues, and queued mail that it makes obsolete."""

    new: list[OutgoingMail] = field(default_factory=list)
    cancelled: list[OutgoingMail] = field(default_factory=list)
    reason: CancelReason = CancelReason.MOVED


Derive = Callable[[AuditEntry], QueueChanges]
DeriveT = TypeVar("DeriveT", bound=Derive)

MAIL_KINDS: dict[str, MailKind] = {}
DERIVATIONS: dict[str, Derive] = {}


def register_mail(kind: MailKind) -> MailKind:
    if MAIL_KINDS.setdefault(kind.name, kind) is not kind:
        raise ImproperlyConfigured(f"The mail {kind.name} is registered twice.")
    return kind


def mail_after(*actions: str, delay: timedelta = DELAY) -> Callable[[DeriveT], DeriveT]:
    """Register a function that derives mail from the audit entries of these actions."""

    def register(derive: DeriveT) -> DeriveT:
        for action in actions:
            if DERIVATIONS.setdefault(action, derive) is not derive:
                raise ImproperlyConfigured(f"Two functions derive mail from {action}.")
            follow(action, MAIL, delay)
        return derive

    return register


def kinds_of_business() -> list[MailKind]:
    return [kind for kind in MAIL_KINDS.values() if kind.is_of_business]


def new_mail(entry: AuditEntry, kind: str, target: str, *, business: str = "") -> OutgoingMail:
    """A mail that an audit entry leads to. Its id follows from the entry, so that it is queued once."""
    at, entry_id = entry.place or ("", "")
    mail = OutgoingMail.at(business, at, f"{entry_id}-{kind}")
    mail.kind, mail.target, mail.title = kind, target, str(entry.target_data.get("title") or "")
    mail.operation = entry.operation
    mail.send_at = entry.due_at or now()
    return mail
