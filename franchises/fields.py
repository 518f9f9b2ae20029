"""The fields of franchises, branches and products (dashboard/web/fields.py)."""

from __future__ import annotations

from decimal import Decimal

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.web.fields import Field, Fields, LenientNumberField
from dashboard.web.forms import LineField
from dashboard.web.money import USUAL_DIGITS, amount_for_input
from franchises.items import Branch, Franchise, StockItem

MAX_NAME, MAX_SKU, MAX_STOCK = 100, 60, 9_999_999_999
_NO_AUTOCOMPLETE = {"autocomplete": "off"}


def _name_field() -> Field:
    return Field(
        "name",
        LineField(label=_("Name"), max_length=MAX_NAME, widget=forms.TextInput(attrs=_NO_AUTOCOMPLETE)),
        audit_label=_("name"),
    )


FRANCHISE_FIELDS = Fields(
    Franchise,
    _name_field(),
    Field(
        "allows_negative_stock",
        forms.ChoiceField(
            label=_("Stock below zero"),
            choices=(("", _("Refuse a sale of more than is in stock")), ("True", _("Allow"))),
            required=False,
            help_text=_("With “Allow”, a sale is recorded even if the recorded stock is too low."),
        ),
        audit_label=_("stock below zero allowed"),
        form_value=lambda franchise: "True" if franchise.allows_negative_stock else "",
    ),
)

BRANCH_FIELDS = Fields(Branch, _name_field())

PRODUCT_FIELDS = Fields(
    StockItem,
    _name_field(),
    Field(
        "sku",
        LineField(
            label=_("SKU or barcode"),
            max_length=MAX_SKU,
            required=False,
            widget=forms.TextInput(attrs=_NO_AUTOCOMPLETE | {"spellcheck": "false"}),
            help_text=_("The scanner finds a product by this code. In several branches, the same code is one product."),
        ),
        audit_label=_("SKU"),
    ),
    Field(
        "min_stock",
        LenientNumberField(
            label=_("Minimum stock"),
            min_value=0,
            max_value=MAX_STOCK,
            required=False,
            help_text=_("At this number or below, the product is listed as low stock."),
        ),
        audit_label=_("minimum stock"),
    ),
    Field(
        "price",
        LineField(
            label=_("Price of one unit"),
            max_length=40,
            required=False,
            widget=forms.TextInput(attrs=_NO_AUTOCOMPLETE | {"inputmode": "decimal"}),
            help_text=_("Used for the value of differences in counts."),
        ),
        audit_label=_("price"),
        form_value=lambda product: price_for_input(product.price),
    ),
)


def price_for_input(price: object) -> str:
    """The price without a currency: with two decimal places, or with none where it has none."""
    if not isinstance(price, Decimal):
        return ""
    text = amount_for_input(price, None)
    whole, _point, decimals = text.partition(".")
    return whole if not decimals.strip("0") else f"{whole}.{decimals.ljust(USUAL_DIGITS, '0')}"
