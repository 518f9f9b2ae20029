"""Domains as people write them, and how a page shows one. The rule is in `dashboard.platform.event.domains`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from django.utils.translation import gettext as _

from dashboard.platform.event.domains import MAX_DOMAIN_LENGTH, SEPARATORS, Whitelist, domain_of, to_ascii

# Where anybody gets an address, in whatever country.
_PROVIDERS = (
    "aol gmail gmx googlemail hotmail icloud live mail msn outlook proton protonmail rocketmail yahoo yandex ymail zoho"
)
_PUBLIC = re.compile(rf"(?:{'|'.join(_PROVIDERS.split())})\.(?:com|net|org|me|[a-z]{{2}}|com?\.[a-z]{{2}})")
# «Ana Soto <ana@sura.com.co>», as a mail program copies it. Neither looks at any letter twice.
_ENTRY_END = re.compile(r"[,;\r\n]")
_IN_BRACKETS = re.compile(r"<([^<>]*)>")
# So many domains of the list are compared for a slip of the pen.
_MAX_COMPARED = 2_000


class BadDomain(ValueError):
    """A text that is no domain; the message says why."""


def split_domains(text: str) -> list[str]:
    """What somebody has written one after the other, or pasted."""
    found: list[str] = []
    for piece in _ENTRY_END.split(text):
        copied = [each.strip() for each in _IN_BRACKETS.findall(piece) if "@" in each]
        found += copied or SEPARATORS.split(piece)
    return [each for each in found if each]


def parse_domain(text: str) -> str:
    """A domain as it stands in the list, from whatever of it somebody has: `@sura.com.co`, `ana@sura.com.co`."""
    name = domain_of(text)
    params = {"text": text.strip()[:60]}
    if not name:
        raise BadDomain(_("There is no domain in it."))
    if len(name) > MAX_DOMAIN_LENGTH:
        raise BadDomain(_("“%(text)s…” is longer than a domain can be.") % params)
    if "*" in name:
        raise BadDomain(_("“%(text)s” has a star. Each domain is listed by itself, like mail.sura.com.co.") % params)
    if "/" in name or ":" in name:
        raise BadDomain(_("“%(text)s” is a web address. Write the domain alone, like sura.com.co.") % params)
    if "." not in name:
        raise BadDomain(_("“%(text)s” has no dot. Write the whole domain, like sura.com.co.") % params)
    if not is_domain(name):
        raise BadDomain(_("“%(text)s” is no domain. It has letters, digits and hyphens, with dots between.") % params)
    return name


def is_domain(name: str) -> bool:
    """Whether it could be looked up."""
    plain = to_ascii(name)
    labels = plain.split(".")
    labels_valid = all(re.fullmatch(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", label) for label in labels)
    # Numbers alone are an address of the network.
    has_valid_form = labels_valid and len(labels) > 1 and len(plain) <= MAX_DOMAIN_LENGTH and not labels[-1].isdecimal()
    return has_valid_form and all(_is_letter(char) or char in ".-" for char in name)


def _is_letter(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char) in {"Mn", "Mc"}


def other_spelling(name: str) -> str:
    """How a domain with letters of its own language is written for machines, or the other way round."""
    if not name.isascii():
        other = to_ascii(name)
    elif "xn--" in name and len(name) <= MAX_DOMAIN_LENGTH:
        try:
            other = name.encode().decode("idna")
        except UnicodeError:
            return ""
    else:
        return ""
    return other if other != name and other.isprintable() else ""


def is_public(name: str) -> bool:
    """Whether anybody can have an address there: it says nothing of who they are."""
    return _PUBLIC.fullmatch(name) is not None


@dataclass(frozen=True)
class AddressCheck:
    """What the list says of one address, and why."""

    domain: str
    is_allowed: bool
    # The domain of the list that lets it in; empty where everybody is, or nobody by that.
    allowed_by: str = ""
    # A domain of the list that may be meant.
    similar: str = ""


def check_address(text: str, whitelist: Whitelist) -> AddressCheck:
    """By the rule that the forum asks; what is no address is said so."""
    domain = parse_domain(text)
    is_allowed = whitelist.allows(domain)
    if is_allowed:
        return AddressCheck(domain, True, whitelist.find_match(domain) or "")
    return AddressCheck(domain, False, similar=_find_similar(domain, whitelist))


def _find_similar(domain: str, whitelist: Whitelist) -> str:
    """The domain above it, one below it, one of the same company elsewhere, or one that a slip of the pen makes it."""
    plain = to_ascii(domain)
    above = [each for each in whitelist.names if plain.endswith(f".{each}")]
    if above:
        return whitelist.names[max(above, key=len)]
    below = [each for each in whitelist.names if each.endswith(f".{plain}")]
    if below:
        return whitelist.names[min(below, key=len)]
    first = plain.partition(".")[0]
    same_name = [each for each in whitelist.names if each.partition(".")[0] == first]
    candidates = same_name or get_close_matches(plain, _with_similar_length(plain, whitelist.names), n=1, cutoff=0.85)
    return whitelist.names[candidates[0]] if candidates else ""


def _with_similar_length(plain: str, names: Iterable[str]) -> list[str]:
    return [each for each in names if abs(len(each) - len(plain)) <= 2][:_MAX_COMPARED]
