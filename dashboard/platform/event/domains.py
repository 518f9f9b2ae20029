"""Who is let in, by the domain of their address (`CONFIG#domains`). It knows no table and no page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DOMAINS = "domains"
# What a domain name has at the most, in letters.
LONGEST = 253
SEPARATORS = re.compile(r"[\s,;]+")


def named(text: str) -> str:
    """A domain as the list calls it: no capitals, no sign before it, no dot behind."""
    return text.strip().lower().removeprefix("@").rstrip(".")


def domain_of(address: str) -> str:
    """What stands behind the sign; all of it where there is none."""
    return named(address.rpartition("@")[2])


def same_as(name: str) -> str:
    """What two spellings of one domain have in common: `bücher.de` is `xn--bcher-kva.de`."""
    if name.isascii() or len(name) > LONGEST:
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
    odd: int = 0

    @classmethod
    def of(cls, stored: Any) -> Whitelist:
        """As another service may have written it, too: a list, a set, or a text."""
        members = members_of(stored)
        said = [each for each in members if not isinstance(each, str) or each.strip()]
        texts = [name for each in said if isinstance(each, str) and (name := named(each))]
        # Of several spellings the first.
        names = {same_as(name): name for name in reversed(texts)}
        return cls(dict(reversed(names.items())), len(said) - len(texts))

    @property
    def is_open(self) -> bool:
        """Whether everybody is let in: nobody has said who."""
        return not self.names and not self.odd

    def by(self, domain: str) -> str | None:
        """The domain of the list that lets this one in; none where none does."""
        return self.names.get(same_as(named(domain)))

    def lets_in(self, domain: str) -> bool:
        return self.is_open or self.by(domain) is not None


def members_of(stored: Any) -> list[Any]:
    """What stands in the list; a set has no order, and a text may name several."""
    if isinstance(stored, str):
        return [each for each in SEPARATORS.split(stored) if each]
    return sorted(stored, key=repr) if isinstance(stored, set) else stored if isinstance(stored, list) else []


def may_write(email: str, whitelist: Any) -> bool:
    """Whether an address is of a domain that is let in; without a list everybody is."""
    return Whitelist.of(whitelist).lets_in(domain_of(email))
