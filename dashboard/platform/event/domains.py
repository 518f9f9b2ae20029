"""Which e-mail domains are allowed (`CONFIG#domains`). This module uses no table and no page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.table.nested import texts_in, words_of

DOMAINS = "domains"
# The maximum length of a domain name.
MAX_DOMAIN_LENGTH = 253
SEPARATORS = re.compile(r"[\s,;]+")


def normalise_domain(text: str) -> str:
    """A domain in lower case, without an `@` in front and without a dot at the end."""
    return text.strip().lower().removeprefix("@").rstrip(".")


def domain_of(address: str) -> str:
    """The part of an address after the `@`; the whole text if it has none."""
    return normalise_domain(address.rpartition("@")[2])


def to_ascii(name: str) -> str:
    """The ASCII form (IDNA), equal for all spellings of a domain: `bücher.de` is `xn--bcher-kva.de`."""
    if name.isascii() or len(name) > MAX_DOMAIN_LENGTH:
        return name
    try:
        return name.encode("idna").decode().lower()
    except UnicodeError:
        return name


@dataclass(frozen=True)
class Whitelist:
    """The allowed domains."""

    # Domains as stored, by their ASCII form.
    names: Mapping[str, str]
    # Entries that are no domain. They allow no address, but with one of them the list is not empty.
    invalid_entries: int = 0

    @classmethod
    def from_stored(cls, stored: Any) -> Whitelist:
        members = words_of(stored)
        texts = [name for each in texts_in(members) if (name := normalise_domain(each))]
        blank = sum(not each.strip() for each in texts_in(members))
        # Of several spellings the first is used.
        names = {to_ascii(name): name for name in reversed(texts)}
        return cls(dict(reversed(names.items())), len(members) - blank - len(texts))

    @property
    def allows_everyone(self) -> bool:
        """Whether the list is empty, so that every address is allowed."""
        return not self.names and not self.invalid_entries

    def find_match(self, domain: str) -> str | None:
        """The domain of the list that allows this domain, if any."""
        return self.names.get(to_ascii(normalise_domain(domain)))

    def allows(self, domain: str) -> bool:
        return self.allows_everyone or self.find_match(domain) is not None


def may_write(email: str, whitelist: Any) -> bool:
    """Whether the domain of an address is allowed."""
    return Whitelist.from_stored(whitelist).allows(domain_of(email))
