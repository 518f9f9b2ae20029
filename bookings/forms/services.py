"""The form of a service."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from bookings.fields import SERVICE_FIELDS
from dashboard.web.fields import ItemForm
from dashboard.web.money import read_amount


class ServiceForm(ItemForm):
    item_fields = SERVICE_FIELDS

    def __init__(self, data: Any = None, *, default_currency: str = "", **options: Any) -> None:
        """`default_currency` is that of the business: a new service has it, and a price without one is in it."""
        super().__init__(data, **options)
        self.default_currency = default_currency
        if self.item is None:
            self.fields["currency"].initial = default_currency

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"]
        return currency or (self.default_currency if self.item is None else "")

    def clean_category(self) -> str:
        category: str = self.cleaned_data["category"]
        if "#" in category and not self.is_unchanged("category"):
            raise ValidationError(_("A category can't contain #."))
        return category

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if "price" in cleaned:
            try:
                cleaned["price"] = self._price(cleaned["price"], cleaned.get("currency"))
            except ValidationError as error:
                self.add_error("price", error)
        return cleaned

    def _price(self, text: str, currency: str | None) -> Decimal | None:
        """The amount. An unchanged price keeps every digit that an outside writer gave it."""
        unchanged = currency == self.stored.get("currency") and text == self.stored.get("price")
        return self.item.price if unchanged else read_amount(text, currency or self.default_currency)
