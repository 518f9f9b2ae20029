"""Queries for the totals of branches."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern
from franchises.items import BranchTotal
from franchises.ledger import Units, add

# Totals of this many branches fit into one answer of DynamoDB, 1 MB.
PAGE = 4000


class Totals(NamedTuple):
    """The number of products in stock lists, and of their units."""

    products: int = 0
    units: Units = 0


@access_pattern("How many products and units has each branch?", keys.BRANCH_TOTAL, partition=True)
def totals(business: str) -> dict[str, Totals]:
    """By the id of the branch. A branch without products may be missing. Retired products do not count."""
    found: defaultdict[str, Totals] = defaultdict(Totals)
    start_key = None
    while True:
        collection = keys.BRANCH_TOTAL.collection(tenant=business)
        page = read.page(collection, BranchTotal, limit=PAGE, start_key=start_key, consistent=True)
        for share in page.items:
            known = found[share.branch_id]
            found[share.branch_id] = Totals(
                known.products + int(share.products or 0), add(known.units, share.units or 0)
            )
        start_key = page.next_start_key
        if start_key is None:
            return dict(found)


@access_pattern("How many products and units has this branch?", keys.BRANCH_TOTAL, partition=True)
def total_of_branch(business: str, branch_id: str) -> Totals:
    try:
        collection = keys.BRANCH_TOTAL.collection(tenant=business, branch=branch_id)
    except BadKey:
        return Totals()
    shares = read.page(collection, BranchTotal, consistent=True).items
    units: Units = 0
    for share in shares:
        units = add(units, share.units or 0)
    return Totals(sum(int(share.products or 0) for share in shares), units)
