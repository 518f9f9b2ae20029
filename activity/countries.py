"""The countries whose events a query over all countries must read.

The index has a partition for each country. A process knows those of the event service from the start, and learns
others from the counters, so that a query over all countries needs no read beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable

from activity.items import NO_COUNTRY

_known: set[str] = {NO_COUNTRY, "Chile", "Colombia", "El Salvador", "México", "Perú", "Uruguay"}


def known_countries() -> list[str]:
    return sorted(_known)


def learn_countries(countries: Iterable[str]) -> list[str]:
    """Remember countries; returns those that were unknown."""
    new = set(countries) - _known
    _known.update(new)
    return sorted(new)
