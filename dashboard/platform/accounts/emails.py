"""E-mail addresses as keys: lower case, without characters that a key cannot contain."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _

MAX_LENGTH = 254


def normalise(text: str) -> str:
    return text.strip().lower()


def check(email: str) -> None:
    """Raise ValidationError for an address that cannot be used as a key."""
    if len(email) > MAX_LENGTH:
        raise ValidationError(_("This address is too long."))
    validate_email(email)
    if any(char in '#/?\\"' or char.isspace() or not char.isprintable() for char in email):
        raise ValidationError(_("The address cannot contain # / ? \\, quotes, spaces or control characters."))
