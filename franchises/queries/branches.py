"""Queries for branches."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.core.errors import NotFound
from dashboard.core.names import unaccented
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern
from franchises.fields import BRANCH_FIELDS
from franchises.items import Branch

# A franchise has some dozens of branches: one page holds them, and they are sorted here.
PAGE = 500
IN_LISTS = BRANCH_FIELDS.list_attributes("closedAt", "createdAt")


@access_pattern("Which branches does this franchise have?", keys.BRANCH, partition=True)
def branches_of(business: str, limit: int = PAGE) -> list[Branch]:
    """From the table: includes branches that an outside writer stored without index keys. Open ones first."""
    found = read.page(
        keys.BRANCH.collection(tenant=business), Branch, limit=limit, attributes=IN_LISTS, consistent=True
    ).items
    return sorted((each for each in found if each.key_parts), key=_by_state_and_name)


def _by_state_and_name(branch: Branch) -> tuple[bool, str]:
    return branch.is_closed, unaccented(branch.title)


@access_pattern("Which branch has this id?", keys.BRANCH)
def find_branch(business: str, branch_id: str) -> Branch | None:
    try:
        return read.get(Branch, branch_key(business, branch_id))
    except BadKey:
        return None


def load_branch(business: str, branch_id: str) -> Branch:
    found = find_branch(business, branch_id)
    if found is None:
        raise NotFound
    return found


def branch_key(business: str, branch_id: str) -> Key:
    """The id of a branch is its whole sort key."""
    return keys.BRANCH.key(tenant=business, branch=branch_id.removeprefix("branch-"))


def titles_of(branches: Sequence[Branch]) -> dict[str, str]:
    return {each.id: each.title for each in branches}
