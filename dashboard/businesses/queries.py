"""What the product asks about businesses."""

from __future__ import annotations

from dashboard.businesses.items import Member
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern


@access_pattern("Which businesses does this person own?", keys.MEMBERS_OF_OWNER)
def businesses_of(email: str, limit: int = 50) -> list[Member]:
    return read.page(keys.MEMBERS_OF_OWNER.under(email=email), Member, limit=limit).items
