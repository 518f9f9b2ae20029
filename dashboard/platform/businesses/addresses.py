"""Slugs and domains: what a business can be reached by."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from dashboard.table import keys

MAX_SLUG = 48
MAX_DOMAIN = 253
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
# Characters that the two versions of international domain names read differently: ß ς and the joiners.
_DISPUTED = re.compile("[\u00df\u1e9e\u03c2\u200c\u200d]")
# Words of our own addresses, and names that a business must not pose as. A stock item's partition is a bare id:
# no id may be the word that another kind of item begins with.
_OURS = (
    "new switch bulk edit b api www app admin administrator root static assets media cdn mail smtp ftp ns1 ns2 "
    "login logout join account people businesses settings help support security billing trastienda localhost "
    "null undefined"
)
RESERVED = frozenset(_OURS.split()) | {pattern.pk.text.partition("#")[0].lower() for pattern in keys.PATTERNS}


def check_slug(slug: str) -> None:
    """Raise ValidationError for what cannot be a slug, and so an id, here."""
    if not _SLUG.fullmatch(slug) or len(slug) > MAX_SLUG:
        text = _("Only a to z, digits and hyphens, %(most)s at the most, and no hyphen at either end.")
        raise ValidationError(text % {"most": MAX_SLUG})
    if slug in RESERVED:
        raise ValidationError(_("“%(slug)s” is reserved for the platform: choose another.") % {"slug": slug})


def suggest_slug(name: str) -> str:
    """A slug made of a name; empty where its letters give none."""
    return slugify(name)[:MAX_SLUG].strip("-_").replace("_", "-")


def to_domain(text: str) -> str:
    """A host name as the table has it: lower case, international letters as punycode. Raises ValidationError."""
    bare = text.strip().rstrip(".")
    if re.search(r"[/:@?#\s\\]", bare):
        raise ValidationError(_("Only the name, like shop.example.com: no https://, port, path or spaces."))
    try:
        if _DISPUTED.search(bare):
            raise UnicodeError
        name = bare.encode("idna").decode("ascii").lower()
        name.encode().decode("idna")
    except UnicodeError as error:
        raise ValidationError(_("This cannot be a domain name. Write it as your registrar shows it.")) from error
    labels = name.split(".")
    good = all(_LABEL.fullmatch(label) for label in labels) and not labels[-1].isdigit()
    if not good or len(labels) < 2 or len(name) > MAX_DOMAIN:
        raise ValidationError(_("This is no domain name. One looks like shop.example.com."))
    return name
