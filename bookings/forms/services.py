"""What is said of something that can be booked."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from bookings.forms.partial_update import PartialUpdateForm, StoredNumber
from bookings.items import Service
from bookings.money import CURRENCIES, as_typed, read_amount
from dashboard.platform.businesses.forms import NOT_SET, StoredChoice
from dashboard.table.items import Item
from dashboard.web.forms import LineField, LongSelect, RevisionField

SHORTEST, MAX_LENGTH, MOST_BUFFER = 5, 1440, 480
_TYPED = {"autocomplete": "off"}


def _currencies() -> list[tuple[str, Any]]:
    return [NOT_SET, *((code, code) for code in CURRENCIES)]


class ServiceForm(PartialUpdateForm):
    name = LineField(label=_("Name"), max_length=100, widget=forms.TextInput(attrs=_TYPED))
    category = LineField(
        label=_("Category"),
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs=_TYPED | {"list": "categories"}),
        help_text=_("Services of a category are listed together."),
    )
    description = forms.CharField(
        label=_("Description"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Whoever books reads it."),
    )
    duration_minutes = StoredNumber(label=_("Duration (minutes)"), min_value=SHORTEST, max_value=MAX_LENGTH)
    buffer_before = StoredNumber(label=_("Buffer before (minutes)"), min_value=0, max_value=MOST_BUFFER, required=False)
    buffer_after = StoredNumber(
        label=_("Buffer after (minutes)"),
        min_value=0,
        max_value=MOST_BUFFER,
        required=False,
        help_text=_("To get ready and to tidy up: nobody else can be booked then."),
    )
    price = LineField(
        label=_("Price"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs=_TYPED | {"inputmode": "decimal"}),
        help_text=_("In digits, without separators of thousands."),
    )
    currency = StoredChoice(label=_("Currency"), choices=_currencies, required=False, widget=LongSelect)
    revision = RevisionField()

    def __init__(self, data: Any = None, *, service: Service | None = None, **options: Any) -> None:
        self.amount = service.price if service else None
        if service is not None:
            options |= {"stored": fields_of(service), "revision": service.revision}
        super().__init__(data, **options)

    def clean_category(self) -> str:
        category: str = self.cleaned_data["category"]
        if "#" in category and not self.unchanged("category"):
            raise ValidationError(_("Leave out the # sign."))
        return category

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if "price" in given:
            try:
                given["price"] = self._price(given["price"], given.get("currency"))
            except ValidationError as wrong:
                self.add_error("price", wrong)
        return given

    def _price(self, text: str, currency: str | None) -> Decimal | None:
        """With every digit that another service gave it, where nobody has touched it."""
        same = currency == self.stored.get("currency", "") and text == self.stored.get("price", "")
        return self.amount if same else read_amount(text, currency)

    def stands(self, item: Item, name: str) -> Any:
        """What a service holds in a field, for whoever met a colleague's change."""
        return fields_of(item).get(name) if isinstance(item, Service) else None


class NewServiceForm(ServiceForm):
    revision = None  # type: ignore[assignment]


def fields_of(service: Service) -> dict[str, Any]:
    """A service as its form has it."""
    return {
        "name": service.name,
        "category": service.category,
        "description": service.description,
        "duration_minutes": service.duration_minutes,
        "buffer_before": service.buffer_before,
        "buffer_after": service.buffer_after,
        "price": as_typed(service.price, service.currency),
        "currency": service.currency,
    }
