"""Signed texts that visitors send back: links to their booking, and the token of a form."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.core import signing
from django.urls import reverse

from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.table.commands import new_command_id

_LINK, _FORM = "online booking link", "online booking form"
# A form that comes back sooner was filled by a program, one that comes back later shows times of long ago.
SOONEST, LATEST = timedelta(seconds=2), timedelta(hours=12)


@dataclass(frozen=True)
class BookingLink:
    """The booking that a link opens. Only a link that was sent by e-mail confirms it."""

    booking: str
    is_from_mail: bool


def token_of(business: str, booking: str, *, is_from_mail: bool = False) -> str:
    """The same each time, so that a mail that is sent again has the same link."""
    return signing.Signer(salt=_LINK).sign_object([business, booking, is_from_mail])


def read_token(business: str, token: str) -> BookingLink:
    """Raise NotFound for a changed token, and for one of another business."""
    try:
        owner, booking, is_from_mail = signing.Signer(salt=_LINK).unsign_object(token)
    except (signing.BadSignature, ValueError, TypeError):
        raise NotFound from None
    if owner != business:
        raise NotFound
    return BookingLink(booking, is_from_mail)


def mail_link(business: str, booking: str) -> str:
    """The address in a mail."""
    token = token_of(business, booking, is_from_mail=True)
    return settings.SITE_URL + reverse("online_own_booking", args=[business, token])


@dataclass(frozen=True)
class FormToken:
    """What a form was opened for: the id of its command, and when."""

    command_id: str
    opened_at: datetime

    @property
    def is_too_fast(self) -> bool:
        return now() - self.opened_at < SOONEST

    @property
    def is_too_old(self) -> bool:
        return now() - self.opened_at > LATEST


def new_form_token(business: str) -> str:
    opened_at = int(now().timestamp() * 1000)
    return signing.Signer(salt=_FORM).sign_object([business, new_command_id(), opened_at])


def read_form_token(business: str, token: str) -> FormToken | None:
    """None for a token that we did not sign for this business."""
    try:
        owner, command_id, opened_at = signing.Signer(salt=_FORM).unsign_object(token)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return FormToken(command_id, datetime.fromtimestamp(opened_at / 1000, UTC)) if owner == business else None
