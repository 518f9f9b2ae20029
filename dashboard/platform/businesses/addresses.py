"""Slugs and domains of businesses: rules and normal forms."""

from __future__ import annotations

import re
from contextlib import suppress
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from dashboard.platform.businesses.paths import BUSINESS
from dashboard.table import keys, tenancy

MAX_SLUG = 48
MAX_DOMAIN = 253
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
# Characters that IDNA 2003 and IDNA 2008 treat differently: ß, ς and the joiners.
_DISPUTED = re.compile("[\u00df\u1e9e\u03c2\u200c\u200d]")
# Words of our own URLs, and names that a business must not use. The partition of a stock item is the bare id of the
# business, so no id may equal the first word of another key pattern.
_RESERVED_WORDS = (
    "new switch bulk edit b api www app admin administrator root static assets media cdn mail smtp ftp ns1 ns2 "
    "login logout join account people businesses settings help support security billing trastienda localhost "
    "null undefined"
)
# Below /businesses/ these words are pages.
_PATHS_OF_BUSINESSES = frozenset({"new", "switch"})
RESERVED = frozenset(_RESERVED_WORDS.split()) | {pattern.pk.text.partition("#")[0].lower() for pattern in keys.PATTERNS}


def check_slug(slug: str) -> None:
    """Raise ValidationError for an invalid slug. The first slug of a business becomes its id."""
    if not _SLUG.fullmatch(slug) or len(slug) > MAX_SLUG:
        text = _("Use up to %(most)s letters from a to z, digits and hyphens, with no hyphen at either end.")
        raise ValidationError(text % {"most": MAX_SLUG})
    if slug in RESERVED:
        raise ValidationError(_("“%(slug)s” is reserved. Choose another.") % {"slug": slug})


def suggest_slug(name: str) -> str:
    """A slug derived from a name; empty if the name has no usable letters."""
    return slugify(name)[:MAX_SLUG].strip("-_").replace("_", "-")


def suggest_slug_for_id(business: str, name: str) -> str:
    """A slug for a business that already has an id: the id if it is a valid slug, else derived from the name."""
    for slug in (business, suggest_slug(name), suggest_slug(business.replace("_", "-").replace(".", "-"))):
        with suppress(ValidationError):
            check_slug(slug)
            return slug
    return f"business-{sha256(business.encode()).hexdigest()[:8]}"


def can_be_business(business: str) -> bool:
    """Whether a business can have this id: in our addresses, and without owning the partition of something else."""
    is_path = business in _PATHS_OF_BUSINESSES
    return re.fullmatch(BUSINESS, business) is not None and tenancy.can_be_bound(business) and not is_path


def to_domain(text: str) -> str:
    """A domain as the table stores it: lower case, punycode. Raises ValidationError."""
    bare = text.strip().rstrip(".")
    if re.search(r"[/:@?#\s\\]", bare):
        raise ValidationError(_("Enter only the domain, like shop.example.com, without https://, port or path."))
    try:
        if _DISPUTED.search(bare):
            raise UnicodeError
        name = bare.encode("idna").decode("ascii").lower()
        name.encode().decode("idna")
    except UnicodeError as error:
        raise ValidationError(_("This is not a valid domain. Enter it as your registrar shows it.")) from error
    labels = name.split(".")
    is_valid = all(_LABEL.fullmatch(label) for label in labels) and not labels[-1].isdigit()
    if not is_valid or len(labels) < 2 or len(name) > MAX_DOMAIN:
        raise ValidationError(_("This is not a valid domain. Use the form shop.example.com."))
    return name
