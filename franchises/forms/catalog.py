"""The forms of franchises, branches and products."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dashboard.core.names import folded
from dashboard.web.fields import ItemForm
from dashboard.web.forms import Form, LineField, RevisionForm
from dashboard.web.money import read_amount
from franchises.fields import BRANCH_FIELDS, FRANCHISE_FIELDS, MAX_STOCK, PRODUCT_FIELDS
from franchises.items import Branch

EVERY_BRANCH = "all"


class _NamedForm(ItemForm):
    """A form with a name that has a letter or a digit, so that it can be found."""

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not folded(name):
            raise ValidationError(_("Enter a name with a letter or a digit."))
        return name


class FranchiseForm(_NamedForm):
    item_fields = FRANCHISE_FIELDS

    def clean_allows_negative_stock(self) -> bool | None:
        """A missing value means no."""
        return self.cleaned_data["allows_negative_stock"] == "True" or None


class NewFranchiseForm(FranchiseForm):
    """The form of admins, who choose the business."""

    item_fields = FRANCHISE_FIELDS
    business = LineField(
        label=_("Business id"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_("The id in the address of its pages: /b/…/"),
    )
    field_order = ("business", "name", "allows_negative_stock")


class BranchForm(_NamedForm):
    item_fields = BRANCH_FIELDS


class ProductForm(_NamedForm):
    item_fields = PRODUCT_FIELDS

    def __init__(self, data: Any = None, *, currency: str = "", **options: Any) -> None:
        """Prices are in the currency of the business."""
        super().__init__(data, **options)
        self.currency = currency

    def clean_price(self) -> Decimal | None:
        text: str = self.cleaned_data["price"]
        if self.item is not None and text == self.stored["price"]:
            # An unchanged price keeps every digit that an outside writer gave it.
            price: Decimal | None = self.item.price
            return price
        return read_amount(text, self.currency)


class NewProductForm(ProductForm):
    """A product for one branch or for several, with the same first stock in each."""

    item_fields = PRODUCT_FIELDS
    stock = forms.IntegerField(
        label=_("Stock in each branch"),
        min_value=0,
        max_value=MAX_STOCK,
        required=False,
        help_text=_("It is recorded as the first movement."),
    )
    branches = forms.MultipleChoiceField(
        label=_("Branches"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one branch.")},
    )

    def __init__(self, data: Any = None, *, branches: list[Branch], **options: Any) -> None:
        super().__init__(data, **options)
        self.open_branches = [(each.id, each.title) for each in branches if not each.is_closed]
        choices: Any = self.fields["branches"]
        every = [(EVERY_BRANCH, _("All open branches"))] if len(self.open_branches) > 1 else []
        choices.choices = [*every, *self.open_branches]

    def clean_branches(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["branches"]
        return [branch_id for branch_id, _title in self.open_branches] if EVERY_BRANCH in chosen else chosen


class MoveProductForm(RevisionForm):
    """The branch to which a product moves."""

    branch = LineField(label=_("Branch"), max_length=250)


class RetireForm(Form):
    """Several products to retire: Undo of a product that was added to several branches."""

    products = LineField(max_length=4000)
