"""Domains as people write them, and how a page shows one. The rule is in `dashboard.platform.event.domains`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from django.utils.translation import gettext as _

from dashboard.platform.event.domains import LONGEST, SEPARATORS, Whitelist, domain_of, same_as

# Where anybody gets an address, in whatever country.
_PROVIDERS = (
    "aol gmail gmx googlemail hotmail icloud live mail msn outlook proton protonmail rocketmail yahoo yandex ymail zoho"
)
_PUBLIC = re.compile(rf"(?:{'|'.join(_PROVIDERS.split())})\.(?:com|net|org|me|[a-z]{{2}}|com?\.[a-z]{{2}})")
# «Ana Soto <ana@sura.com.co>», as a mail program copies it. Neither looks at any letter twice.
_ONE = re.compile(r"[,;\r\n]")
_COPIED = re.compile(r"<([^<>]*)>")
# So many domains of the list are compared for a slip of the pen.
_COMPARED = 2_000


class BadDomain(ValueError):
    """A text that is no domain; the message says why."""


def split(text: str) -> list[str]:
    """What somebody has written one after the other, or pasted."""
    found: list[str] = []
    for piece in _ONE.split(text):
        copied = [each.strip() for each in _COPIED.findall(piece) if "@" in each]
        found += copied or SEPARATORS.split(piece)
    return [each for each in found if each]


def tidy(text: str) -> str:
    """A domain as it stands in the list, from whatever of it somebody has: `@sura.com.co`, `ana@sura.com.co`."""
    name = domain_of(text)
    told = {"text": text.strip()[:60]}
    if not name:
        raise BadDomain(_("There is no domain in it."))
    if len(name) > LONGEST:
        raise BadDomain(_("“%(text)s…” is longer than a domain can be.") % told)
    if "*" in name:
        raise BadDomain(_("“%(text)s” has a star. Each domain is listed by itself, like mail.sura.com.co.") % told)
    if "/" in name or ":" in name:
        raise BadDomain(_("“%(text)s” is a web address. Write the domain alone, like sura.com.co.") % told)
    if "." not in name:
        raise BadDomain(_("“%(text)s” has no dot. Write the whole domain, like sura.com.co.") % told)
    if not is_domain(name):
        raise BadDomain(_("“%(text)s” is no domain. It has letters, digits and hyphens, with dots between.") % told)
    return name


def is_domain(name: str) -> bool:
    """Whether it could be looked up."""
    plain = same_as(name)
    labels = plain.split(".")
    fit = all(re.fullmatch(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", label) for label in labels)
    # Numbers alone are an address of the network.
    named_so = fit and len(labels) > 1 and len(plain) <= LONGEST and not labels[-1].isdecimal()
    return named_so and all(_is_letter(char) or char in ".-" for char in name)


def _is_letter(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char) in {"Mn", "Mc"}


def other_spelling(name: str) -> str:
    """How a domain with letters of its own language is written for machines, or the other way round."""
    if not name.isascii():
        other = same_as(name)
    elif "xn--" in name and len(name) <= LONGEST:
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
class Trial:
    """What the list says of one address, and why."""

    domain: str
    let_in: bool
    # The domain of the list that lets it in; empty where everybody is, or nobody by that.
    by: str = ""
    # A domain of the list that may be meant.
    near: str = ""


def tried(text: str, whitelist: Whitelist) -> Trial:
    """By the rule that the forum asks; what is no address is said so."""
    domain = tidy(text)
    let_in = whitelist.lets_in(domain)
    if let_in:
        return Trial(domain, True, whitelist.by(domain) or "")
    return Trial(domain, False, near=_near(domain, whitelist))


def _near(domain: str, whitelist: Whitelist) -> str:
    """The domain above it, one below it, one of the same company elsewhere, or one that a slip of the pen makes it."""
    plain = same_as(domain)
    above = [each for each in whitelist.names if plain.endswith(f".{each}")]
    if above:
        return whitelist.names[max(above, key=len)]
    below = [each for each in whitelist.names if each.endswith(f".{plain}")]
    if below:
        return whitelist.names[min(below, key=len)]
    first = plain.partition(".")[0]
    akin = [each for each in whitelist.names if each.partition(".")[0] == first]
    alike = akin or get_close_matches(plain, _of_its_length(plain, whitelist.names), n=1, cutoff=0.85)
    return whitelist.names[alike[0]] if alike else ""


def _of_its_length(plain: str, names: Iterable[str]) -> list[str]:
    return [each for each in names if abs(len(each) - len(plain)) <= 2][:_COMPARED]
