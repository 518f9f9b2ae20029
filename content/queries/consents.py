"""Queries for consents."""

from __future__ import annotations

from datetime import date
from typing import Any

from content.items import Consent, ConsentDay
from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

PAGE = 50


@access_pattern("Which consents were given, the newest first?", keys.SITE_ITEMS_BY_TYPE)
def consents(business: str, start_key: Any = None, limit: int = PAGE) -> read.Page[Consent]:
    collection = keys.SITE_ITEMS_BY_TYPE.collection(tenant=business, type="CONSENT")
    return read.page(collection, Consent, newest_first=True, start_key=start_key, limit=limit)


@access_pattern("Which consents have this choice, the newest first?", keys.CONSENTS_BY_CHOICE)
def consents_by_choice(business: str, choice: str, start_key: Any = None) -> read.Page[Consent]:
    collection = keys.CONSENTS_BY_CHOICE.collection(tenant=business, choice=choice)
    return read.page(collection, Consent, newest_first=True, start_key=start_key, limit=PAGE)


@access_pattern("Which visitors have an id that begins like this, and what did they choose?", keys.CONSENT)
def consents_by_visitor_id(
    business: str, beginning: str = "", start_key: Any = None, limit: int = PAGE
) -> read.Page[Consent]:
    """By visitor, each from their first choice on."""
    collection = keys.CONSENT.collection(tenant=business)
    return read.page(collection, Consent, starts_with=beginning, start_key=start_key, limit=limit)


@access_pattern("What did this visitor choose, the newest first?", keys.CONSENT)
def consents_of(business: str, visitor: str, start_key: Any = None) -> read.Page[Consent]:
    try:
        collection = keys.CONSENT.collection(tenant=business, visitor=visitor)
    except BadKey:
        raise NotFound from None
    return read.page(collection, Consent, newest_first=True, start_key=start_key, limit=PAGE)


@access_pattern("Which consents of this visitor have an IP address or a browser?", keys.CONSENT)
def identifiable_consents_of(business: str, visitor: str) -> list[Consent]:
    """A part of them. The next call finds the others, when these have none any more."""
    collection = keys.CONSENT.collection(tenant=business, visitor=visitor)
    has_device = Consent.ip.exists() | Consent.user_agent.exists()
    return read.filter_page(collection, Consent, has_device, consistent=True).items


@access_pattern("How many visitors made each choice on these days?", keys.CONSENT_DAY)
def consent_days(business: str, since: date, until: date) -> list[ConsentDay]:
    """From the counters of the days, the newest first."""
    return read.page(
        keys.CONSENT_DAY.collection(tenant=business),
        ConsentDay,
        since=since.isoformat(),
        until=until.isoformat(),
        newest_first=True,
        limit=(until - since).days + 1,
    ).items
