"""The two items that tell the public site that something has changed. They belong to no business."""

from __future__ import annotations

from dashboard.table import keys
from dashboard.table.items import Item


class CdnMarker(Item):
    """When a page, a product or a setting of any site was changed last. Outside writers put it too."""

    key_pattern = keys.CDN_MARKER
    editable = False
