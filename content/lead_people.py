"""The people of a business who may follow up on leads."""

from __future__ import annotations

from collections.abc import Iterable

from content.permissions import Permission
from dashboard.platform.accounts.permissions import BUSINESS_GRANTS
from dashboard.platform.businesses.items import Member


def may_follow_up(member: Member | None) -> bool:
    return member is not None and not member.locked_at and member.business_role in BUSINESS_GRANTS[Permission.VISITORS]


def people_choices(members: Iterable[Member]) -> list[tuple[str, str]]:
    """Their addresses and names, for a form."""
    return [(each.email, each.name or each.email) for each in members if may_follow_up(each)]
