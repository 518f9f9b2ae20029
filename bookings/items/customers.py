"""Customers."""

from __future__ import annotations

from dashboard.table import keys
from dashboard.table.attributes import UnicodeAttribute
from dashboard.table.items import Item


class Customer(Item):
    """A customer, who books."""

    key_pattern = keys.CUSTOMER

    business_id = UnicodeAttribute(null=True, attr_name="tenantId")
    customer_id = UnicodeAttribute(null=True, attr_name="customerId")
    name = UnicodeAttribute(null=True)
    email = UnicodeAttribute(null=True)
    phone = UnicodeAttribute(null=True)

    @property
    def id(self) -> str:
        return str(self.key_parts["customer"])

    @property
    def title(self) -> str:
        return self.name or self.email or self.phone or self.id
