"""Mail with one-time links: invitations and new passwords.

The secret of a link is not stored. It is computed from the id of the command when the mail is sent.
"""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.platform.accounts.items import DISABLED, Person
from dashboard.platform.accounts.queries import find_person
from dashboard.platform.accounts.services.links import token_of
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.mail.items import CancelReason, OutgoingMail
from dashboard.platform.mail.kinds import (
    MailContent,
    MailKind,
    NotNeeded,
    QueueChanges,
    mail_after,
    new_mail,
    register_mail,
)
from dashboard.platform.mail.texts import language_of
from dashboard.table.commands import SYSTEM, Command

INVITATION, NEW_PASSWORD = "account.invitation", "account.password"
PLACEHOLDERS = {"name": _("the person's name"), "link": _("the one-time link")}


def _load(mail: OutgoingMail) -> MailContent:
    person = find_person(mail.target)
    token = token_of(person, Command(mail.operation or "", SYSTEM)) if person is not None else None
    if person is None or token is None or not _is_valid(person):
        raise NotNeeded(CancelReason.LINK_REPLACED)
    link = settings.SITE_URL + reverse("join", args=[token])
    return MailContent(person.email, language_of(person.language), {"name": person.title, "link": link})


def _is_valid(person: Person) -> bool:
    return person.state != DISABLED and person.link_expires_at is not None and person.link_expires_at > now()


register_mail(
    MailKind(
        INVITATION,
        label=_("Invitation"),
        hint=_("When somebody is invited"),
        subject=_("Your invitation to Trastienda"),
        body=_(
            "Hello {name},\n\nYou have been invited to Trastienda. Open this link to choose a password:\n\n{link}\n\n"
            "It works once, for 7 days. If you did not expect this, ignore it."
        ),
        placeholders=PLACEHOLDERS,
        load=_load,
        secrets=frozenset({"link"}),
    )
)
register_mail(
    MailKind(
        NEW_PASSWORD,
        label=_("New password"),
        hint=_("When an admin makes a link for a new password"),
        subject=_("Choose a new password for Trastienda"),
        body=_(
            "Hello {name},\n\nOpen this link to choose a new password:\n\n{link}\n\n"
            "It works once, for 24 hours. If you did not expect this, tell an admin."
        ),
        placeholders=PLACEHOLDERS,
        load=_load,
        secrets=frozenset({"link"}),
    )
)


def _queue(kind: str, entry: AuditEntry) -> QueueChanges:
    return QueueChanges([new_mail(entry, kind, str(entry.target_data.get("id") or ""))])


mail_after("person.invite", "person.invite_again")(partial(_queue, INVITATION))
mail_after("person.reset")(partial(_queue, NEW_PASSWORD))
