"""Parsing and checking of domains that people enter. The rule is in `dashboard.platform.event.domains`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from django.utils.translation import gettext as _

from dashboard.platform.event.domains import MAX_DOMAIN_LENGTH, SEPARATORS, Whitelist, domain_of, to_ascii

# Providers where anyone can get an address, in any country.
_PROVIDERS = (
    "aol gmail gmx googlemail hotmail icloud live mail msn outlook proton protonmail rocketmail yahoo yandex ymail zoho"
)
_PUBLIC = re.compile(rf"(?:{'|'.join(_PROVIDERS.split())})\.(?:com|net|org|me|[a-z]{{2}}|com?\.[a-z]{{2}})")
# «Ana Soto <ana@sura.com.co>», as mail programs copy it. Both patterns run in linear time.
_ENTRY_END = re.compile(r"[,;\r\n]")
_IN_BRACKETS = re.compile(r"<([^<>]*)>")
# Domains of the list that are compared to find a typing error.
_MAX_COMPARED = 2_000


class BadDomain(ValueError):
    """A text that is no domain; the message explains why."""


def split_domains(text: str) -> list[str]:
    """Domains and addresses in a text that was typed or pasted."""
    found: list[str] = []
    for piece in _ENTRY_END.split(text):
        copied = [each.strip() for each in _IN_BRACKETS.findall(piece) if "@" in each]
        found += copied or SEPARATORS.split(piece)
    return [each for each in found if each]


def parse_domain(text: str) -> str:
    """The domain in `@sura.com.co` or `ana@sura.com.co`, as the list stores it. Raises BadDomain."""
    name = domain_of(text)
    params = {"text": text.strip()[:60]}
    if not name:
        raise BadDomain(_("No domain found."))
    if len(name) > MAX_DOMAIN_LENGTH:
        raise BadDomain(_("“%(text)s…” is too long for a domain.") % params)
    if "*" in name:
        raise BadDomain(_("“%(text)s” has a wildcard. Add each domain separately, like mail.sura.com.co.") % params)
    if "/" in name or ":" in name:
        raise BadDomain(_("“%(text)s” is a web address. Enter only the domain, like sura.com.co.") % params)
    if "." not in name:
        raise BadDomain(_("“%(text)s” has no dot. Enter the full domain, like sura.com.co.") % params)
    if not is_domain(name):
        raise BadDomain(_("“%(text)s” is not a domain. Use letters, digits, hyphens and dots.") % params)
    return name


def is_domain(name: str) -> bool:
    """Whether it is a valid domain name."""
    plain = to_ascii(name)
    labels = plain.split(".")
    labels_valid = all(re.fullmatch(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", label) for label in labels)
    # With a number at the end it is an IP address.
    has_valid_form = labels_valid and len(labels) > 1 and len(plain) <= MAX_DOMAIN_LENGTH and not labels[-1].isdecimal()
    return has_valid_form and all(_is_letter(char) or char in ".-" for char in name)


def _is_letter(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char) in {"Mn", "Mc"}


def other_spelling(name: str) -> str:
    """The ASCII spelling of a domain with other letters, or the reverse; empty if there is no other spelling."""
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
    """Whether anyone can get an address of this domain."""
    return _PUBLIC.fullmatch(name) is not None


@dataclass(frozen=True)
class AddressCheck:
    """The result of checking one address against the list."""

    domain: str
    is_allowed: bool
    # The domain of the list that allows it; empty if the list is empty or allows it not.
    allowed_by: str = ""
    # A domain of the list that the person may have meant.
    similar: str = ""


def check_address(text: str, whitelist: Whitelist) -> AddressCheck:
    """Check an address with the rule that the forum uses. Raises BadDomain."""
    domain = parse_domain(text)
    is_allowed = whitelist.allows(domain)
    if is_allowed:
        return AddressCheck(domain, True, whitelist.find_match(domain) or "")
    return AddressCheck(domain, False, similar=_find_similar(domain, whitelist))


def _find_similar(domain: str, whitelist: Whitelist) -> str:
    """A parent domain, a subdomain, the same name with another ending, or a name with a typing error."""
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
