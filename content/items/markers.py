"""The two items that tell the public sites that something has changed. They belong to no business."""

from __future__ import annotations

from pynamodb.attributes import NumberAttribute

from dashboard.table import keys
from dashboard.table.items import Item


class CdnMarker(Item):
    """When a page, a product or a setting of any site was changed last. Outside writers put it too."""

    key_pattern = keys.CDN_MARKER
    editable = False

    # In milliseconds, as the website service writes it: other items have a timestamp of this name.
    updated_at = NumberAttribute(null=True, attr_name="updatedAt")  # type: ignore[assignment]
