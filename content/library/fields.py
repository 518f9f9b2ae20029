"""The fields of products, resources, contexts, signals and files that their schema documents."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from content.items import Context, Product, ProductCopy, Resource, Signal, SignalStatus, SiteAsset
from dashboard.web.fields import EMPTY_CHOICE, Field, Fields, LenientChoiceField, LenientNumberField
from dashboard.web.forms import LineField
from dashboard.web.money import format_amount

MAX_TITLE, MAX_ADDRESS, MAX_TEXT, MAX_CONTEXT = 300, 2000, 5000, 50_000
MAX_FILE_NAME, MAX_QUANTITY, MAX_PAIN = 200, 9_999_999_999, 10
_NO_AUTOCOMPLETE = {"autocomplete": "off"}
YES, NO = "True", "False"

SOURCES = ("Reddit", "Twitter", "LinkedIn", "Web")
PRODUCT_STATUSES = {"active": pgettext_lazy("product", "Active"), "draft": _("Draft"), "archived": _("Archived")}
AVAILABILITIES = {"in_stock": _("In stock"), "out_of_stock": _("Out of stock"), "preorder": _("Preorder")}
SIGNAL_STATUSES: dict[str, str | Promise] = {
    SignalStatus.NEW: pgettext_lazy("signal", "New"),
    SignalStatus.DRAFTED: pgettext_lazy("signal", "Drafted"),
    SignalStatus.REPLIED: pgettext_lazy("signal", "Replied"),
    SignalStatus.DISMISSED: pgettext_lazy("signal", "Dismissed"),
}


class PriceField(LineField):
    """A price in digits, which the website service keeps as text. A decimal comma becomes a point."""

    _PRICE = re.compile(r"[0-9]{1,12}([.,][0-9]{1,4})?")

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        if text and not self._PRICE.fullmatch(text):
            raise ValidationError(_("Enter an amount in digits, such as 1990 or 19.90."))
        return text.replace(",", ".")


class WebAddressField(LineField):
    """An address that begins with https:// or http://."""

    default_validators = [URLValidator(schemes=["https", "http"])]


class CurrencyField(LineField):
    """Three letters, such as EUR."""

    def clean(self, value: Any) -> str:
        text: str = super().clean(value).upper()
        if text and not re.fullmatch("[A-Z]{3}", text):
            raise ValidationError(_("Enter three letters, such as CLP or EUR."))
        return text


def _line(label: Any, most: int = MAX_TITLE, *, required: bool = False, help_text: Any = "") -> LineField:
    widget = forms.TextInput(attrs=_NO_AUTOCOMPLETE)
    return LineField(label=label, max_length=most, required=required, widget=widget, help_text=help_text)


def _text(label: Any, *, rows: int = 4, help_text: Any = "", most: int = MAX_TEXT) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(
        label=label, max_length=most, required=False, widget=widget, help_text=help_text, strip=False
    )


def _price(label: Any) -> PriceField:
    widget = forms.TextInput(attrs=_NO_AUTOCOMPLETE | {"inputmode": "decimal"})
    return PriceField(label=label, max_length=20, required=False, widget=widget)


def _address(label: Any, *, required: bool = False) -> WebAddressField:
    widget = forms.URLInput(attrs=_NO_AUTOCOMPLETE)
    return WebAddressField(label=label, max_length=MAX_ADDRESS, required=required, widget=widget)


def _choice(label: Any, choices: Any) -> LenientChoiceField:
    return LenientChoiceField(label=label, choices=[EMPTY_CHOICE, *choices], required=False)


PRODUCT_FIELDS = Fields(
    Product,
    Field("title", _line(_("Name"), required=True), audit_label=_("name")),
    Field("status", _choice(_("Status"), PRODUCT_STATUSES.items()), audit_label=_("status")),
    Field("price", _price(_("Price")), audit_label=_("price")),
    Field("sale_price", _price(_("Sale price")), audit_label=_("sale price")),
    Field(
        "currency",
        CurrencyField(
            label=_("Currency"), max_length=3, required=False, widget=forms.TextInput(attrs=_NO_AUTOCOMPLETE)
        ),
        audit_label=_("currency"),
    ),
    Field("availability", _choice(_("Availability"), AVAILABILITIES.items()), audit_label=_("availability")),
    Field(
        "inventory_quantity",
        LenientNumberField(label=_("Quantity"), min_value=0, max_value=MAX_QUANTITY, required=False),
        audit_label=_("quantity"),
    ),
    Field("sku", _line(_("SKU"), 100), audit_label=_("SKU")),
    Field("description", _text(_("Description"), rows=6), audit_label=_("description"), in_lists=False),
    Field("image_link", _address(_("Address of the picture")), audit_label=_("picture"), in_lists=False),
)

RESOURCE_FIELDS = Fields(
    Resource, Field("file_name", _line(_("File name"), MAX_FILE_NAME, required=True), audit_label=_("file name"))
)

ASSET_FIELDS = Fields(
    SiteAsset, Field("file_name", _line(_("File name"), MAX_FILE_NAME, required=True), audit_label=_("file name"))
)

CONTEXT_FIELDS = Fields(
    Context,
    Field("title", _line(_("Title"), required=True), audit_label=_("title")),
    Field(
        "text",
        _text(_("Text"), rows=12, most=MAX_CONTEXT, help_text=_("The site's agent reads it. One paragraph per line.")),
        audit_label=_("text"),
        in_lists=False,
    ),
)

SIGNAL_FIELDS = Fields(
    Signal,
    Field("title", _line(_("Title"), required=True), audit_label=_("title")),
    Field("content_snapshot", _text(_("What it says")), audit_label=_("content"), in_lists=False),
    Field("analysis", _text(_("Analysis")), audit_label=_("analysis"), in_lists=False),
    Field("draft_reply", _text(_("Reply"), rows=5), audit_label=_("reply"), in_lists=False),
    Field("status", _choice(_("Status"), SIGNAL_STATUSES.items()), audit_label=_("status")),
    Field("source", _choice(_("Source"), [(each, each) for each in SOURCES]), audit_label=_("source")),
    Field("url", _address(_("Address")), audit_label=_("address")),
    Field("author", _line(_("Author"), 200), audit_label=_("author")),
    Field(
        "pain_score",
        LenientNumberField(
            label=_("Pain score"),
            min_value=1,
            max_value=MAX_PAIN,
            required=False,
            help_text=_("From 1 to 10: how much this person needs help."),
        ),
        audit_label=_("pain score"),
    ),
    Field(
        "wallet_signal",
        forms.ChoiceField(
            label=_("Ready to buy"), choices=[EMPTY_CHOICE, (YES, _("Yes")), (NO, _("No"))], required=False
        ),
        audit_label=_("ready to buy"),
        form_value=lambda signal: "" if signal.wallet_signal is None else str(signal.wallet_signal),
    ),
)


def price_text(product: Product | ProductCopy) -> str:
    """The price as people read it: the sale price where there is one."""
    price = product.sale_price or product.price or ""
    try:
        return format_amount(Decimal(price), product.currency) if price else ""
    except ArithmeticError:
        # An outside writer's text.
        return f"{product.currency or ''} {price}".strip()
