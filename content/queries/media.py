"""Queries for the uses of a file of a site. They read a bounded number of the newest items."""

from __future__ import annotations

from pynamodb.expressions.operand import Path

from content.items import ContentCard, Product
from content.media_uses import mark_of
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern

# So many uses are named.
MAX_USES = 20


@access_pattern("Which pages show this file, among those that were changed last?", keys.CONTENTS)
def pages_with(business: str, address: str) -> read.FilteredPage[ContentCard]:
    shows: Path = Path([ContentCard.address_marks.attr_name])
    collection = keys.CONTENTS.collection(tenant=business)
    return read.filter_page(
        collection, ContentCard, shows.contains(mark_of(address)), limit=MAX_USES, newest_first=True
    )


@access_pattern("Which products show this file, among the newest?", keys.SITE_ITEMS_BY_TYPE)
def products_with(business: str, address: str) -> read.FilteredPage[Product]:
    main, others = Path([Product.image_link.attr_name]), Path(["additionalImageLinks"])
    collection = keys.SITE_ITEMS_BY_TYPE.collection(tenant=business, type="PRODUCT")
    shows = (main == address) | others.contains(address)
    return read.filter_page(collection, Product, shows, limit=MAX_USES, newest_first=True)
