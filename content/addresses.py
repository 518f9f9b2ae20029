"""The addresses of a site: their form, and those that no page can have. Rules without I/O."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused

MAX_SLUG = 200
HOME, CONTACT = "/", "/contact"
# Pages of the site's service have links to these addresses, so they always exist.
FIXED = frozenset({HOME, CONTACT})
# The shop of the site answers below these addresses.
SHOP_PREFIXES = ("/product", "/category", "/cart", "/checkout", "/shop")
_WEBSITE = re.compile(r"https?://[^/?#]*", re.IGNORECASE)
_ALLOWED = re.compile(r"/|(/[a-z0-9]([a-z0-9._-]*[a-z0-9])?)+")
BAD_SLUG = _("Use lowercase letters, digits and hyphens, with “/” between parts: /about or /services/prices.")
FIXED_TEXT = _("The addresses / and /contact are fixed: pages of the site link to them.")


def normalized(slug: str) -> str:
    """An address as it is stored: with a slash at the start and none at the end, in lower case."""
    parts = [part for part in slug.strip().lower().split("/") if part]
    return "/" + "/".join(parts)


def path_of(address: str) -> str:
    """The path of an address that a person copied from a browser; another text stays as it is."""
    website = _WEBSITE.match(address.strip())
    if website is None:
        return address
    return unquote(re.split(r"[?#]", address.strip()[website.end() :], maxsplit=1)[0])


def is_valid(slug: str) -> bool:
    return len(slug) <= MAX_SLUG and bool(_ALLOWED.fullmatch(slug)) and ".." not in slug


def slug_of_title(title: str) -> str:
    """An address for a new page; empty if the title has no letter that an address can contain."""
    made = slugify(title)[:80].strip("-_")
    return f"/{made}" if made else ""


def is_fixed(slug: str | None) -> bool:
    """Whether a page with this address can be edited but never renamed or removed."""
    return bool(slug) and normalized(str(slug)) in FIXED


def reserved_prefix(slug: str, prefixes: Iterable[str]) -> str:
    """The reserved prefix that an address is below; empty if there is none."""
    for prefix in prefixes:
        reserved = normalized(prefix)
        if reserved != HOME and (slug == reserved or slug.startswith(f"{reserved}/")):
            return reserved
    return ""


def ensure_available(slug: str, prefixes: Iterable[str]) -> None:
    """Refuse an address in a wrong form, and one below a reserved prefix."""
    if not is_valid(slug):
        raise Refused(BAD_SLUG, "slug")
    if prefix := reserved_prefix(slug, (*SHOP_PREFIXES, *prefixes)):
        text = _("Addresses below %(prefix)s are reserved for the shop of the site.")
        raise Refused(text % {"prefix": prefix}, "slug")


def ensure_can_move(old: str | None, new: str) -> None:
    """Refuse another address for a page whose address is fixed."""
    if is_fixed(old) and normalized(str(old)) != new:
        raise Refused(FIXED_TEXT, "slug")
