"""Count sheets (stocktakes) and their lines."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from dashboard.table import keys
from dashboard.table.attributes import DecimalAttribute, LenientNumberAttribute, LenientUnicodeAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class CountSheet(Item):
    """A count of a branch, or of some of its products."""

    key_pattern = keys.COUNT_SHEET

    title = LenientUnicodeAttribute(null=True)
    branch_id = LenientUnicodeAttribute(null=True, attr_name="branchId")
    branch_name = LenientUnicodeAttribute(null=True, attr_name="branchName")
    # The number of its lines.
    size = LenientNumberAttribute(null=True)
    started_at = TimestampAttribute(attr_name="startedAt")
    # When its differences were applied, and by whom; or when it was discarded.
    applied_by = LenientUnicodeAttribute(null=True, attr_name="appliedBy")
    applied_at = TimestampAttribute(null=True, attr_name="appliedAt")
    discarded_at = TimestampAttribute(null=True, attr_name="discardedAt")

    @property
    def id(self) -> str:
        return str(self.key_parts["count"])

    @property
    def is_open(self) -> bool:
        return not self.applied_at and not self.discarded_at

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.COUNT_SHEETS.optional_key(tenant=self.key_parts["tenant"], at=self.started_at)


class CountLine(Item):
    """The counted quantity of one product, with the ledger at the moment when it was counted."""

    key_pattern = keys.COUNT_LINE

    counted = LenientNumberAttribute(null=True)
    # The last movement before the count, and the stock after it.
    seq = LenientNumberAttribute(null=True)
    recorded = LenientNumberAttribute(null=True)
    counted_at = TimestampAttribute(null=True, attr_name="countedAt")
    name = LenientUnicodeAttribute(null=True)
    sku = LenientUnicodeAttribute(null=True)
    price = DecimalAttribute(null=True)

    @property
    def product_id(self) -> str:
        return str(self.key_parts["product"])

    @property
    def title(self) -> str:
        return self.name or self.product_id

    @property
    def is_counted(self) -> bool:
        return self.counted is not None

    @property
    def difference(self) -> int | float:
        """What counting found, compared with the recorded stock at the moment when this line was counted.

        Sales before and after that moment are not part of it.
        """
        # The recorded stock may be a fraction that an outside writer stored.
        recorded = self.recorded or 0
        difference = Decimal(str(recorded if self.counted is None else self.counted)) - Decimal(str(recorded))
        return int(difference) if difference == int(difference) else float(difference)

    @property
    def value(self) -> Decimal | None:
        """The value of the difference; None without a price."""
        return None if self.price is None else self.price * Decimal(str(self.difference))
