"""Who is let in, by the domain of their address (`CONFIG#domains`). It knows no table and no page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DOMAINS = "domains"
# What a domain name has at the most, in letters.
MAX_DOMAIN_LENGTH = 253
SEPARATORS = re.compile(r"[\s,;]+")


def normalise_domain(text: str) -> str:
    """A domain as the list calls it: no capitals, no sign before it, no dot behind."""
    return text.strip().lower().removeprefix("@").rstrip(".")


def domain_of(address: str) -> str:
    """What stands behind the sign; all of it where there is none."""
    return normalise_domain(address.rpartition("@")[2])


def to_ascii(name: str) -> str:
    """What two spellings of one domain have in common: `bücher.de` is `xn--bcher-kva.de`."""
    if name.isascii() or len(name) > MAX_DOMAIN_LENGTH:
        return name
    try:
        return name.encode("idna").decode().lower()
    except UnicodeError:
        return name


@dataclass(frozen=True)
class Whitelist:
    """The domains that are let in."""

    # As they are called, by what their spellings have in common.
    names: Mapping[str, str]
    # What stands in the list and names no domain: it lets nobody in, and the list is not empty for it.
    invalid_entries: int = 0

    @classmethod
    def from_stored(cls, stored: Any) -> Whitelist:
        """As another service may have written it, too: a list, a set, or a text."""
        members = members_of(stored)
        entries = [each for each in members if not isinstance(each, str) or each.strip()]
        texts = [name for each in entries if isinstance(each, str) and (name := normalise_domain(each))]
        # Of several spellings the first.
        names = {to_ascii(name): name for name in reversed(texts)}
        return cls(dict(reversed(names.items())), len(entries) - len(texts))

    @property
    def allows_everyone(self) -> bool:
        """Whether everybody is let in: nobody has said who."""
        return not self.names and not self.invalid_entries

    def find_match(self, domain: str) -> str | None:
        """The domain of the list that lets this one in; none where none does."""
        return self.names.get(to_ascii(normalise_domain(domain)))

    def allows(self, domain: str) -> bool:
        return self.allows_everyone or self.find_match(domain) is not None


def members_of(stored: Any) -> list[Any]:
    """What stands in the list; a set has no order, and a text may name several."""
    if isinstance(stored, str):
        return [each for each in SEPARATORS.split(stored) if each]
    return sorted(stored, key=repr) if isinstance(stored, set) else stored if isinstance(stored, list) else []


def may_write(email: str, whitelist: Any) -> bool:
    """Whether an address is of a domain that is let in; without a list everybody is."""
    return Whitelist.from_stored(whitelist).allows(domain_of(email))
