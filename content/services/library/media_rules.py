"""A file that pages or products show is not deleted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from content.items import SiteAsset
from content.queries.media import pages_with, products_with
from dashboard.core.errors import Refused
from dashboard.table.read import Page, gather

MAX_NAMED = 3


def ensure_unused(business: str, asset: SiteAsset) -> None:
    """The file itself stays in the storage, so a page that begins to use it just now keeps its picture."""
    addresses = dict.fromkeys(filter(None, (asset.public_url, asset.imported_url)))
    reads: list[Callable[[], Page[Any]]] = [
        partial(read, business, address) for address in addresses for read in (pages_with, products_with)
    ]
    found = [each for answer in gather(*reads) for each in answer.items] if reads else []
    titles = list(dict.fromkeys(str(each.title or each.key_parts.get("id") or each.sk) for each in found))
    if titles:
        named = ", ".join(titles[:MAX_NAMED]) + (" …" if len(titles) > MAX_NAMED else "")
        raise Refused(_("This file is used by %(uses)s. Choose another one there first.") % {"uses": named})
