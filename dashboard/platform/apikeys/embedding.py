"""Public keys in the address of a page, for the frames of a widget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.throttle import ThrottleCount
from dashboard.platform.apikeys import queries
from dashboard.platform.apikeys.authentication import find_key, verify_key
from dashboard.platform.apikeys.items import ApiKey
from dashboard.platform.apikeys.services import hashes_of, is_own_format, plain_hash_of
from dashboard.platform.businesses.items import Business
from dashboard.table import tenancy
from dashboard.table.read import gather_all


def load_public_key(
    secret: str, source: str, count: Callable[[], ThrottleCount]
) -> tuple[ApiKey, Business, ThrottleCount]:
    """The public key, its business, and what `count` counts beside, in two trips. `source` is the visitor's network.

    Raises NotFound for a secret key: it must never be in the source of a website.
    """
    hashes, plain = hashes_of(secret), "" if is_own_format(secret) else plain_hash_of(secret)
    found = find_key(hashes, plain, source)
    with tenancy.bind(tenancy.Binding(found.business, found.actor.email, api_key=found.id)):
        reads: list[Callable[[], Any]] = [lambda: queries.find_key_and_business(found.business, found.id), count]
        (stored, business), tally = gather_all(reads)
    key = verify_key(stored, [*hashes, plain] if plain else hashes)
    if not key.is_public or business is None or business.is_closed:
        raise NotFound
    return key, business, tally
