"""The forms that change stock, and the filters of movements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts import emails
from dashboard.table.items import Item
from dashboard.web.forms import Form, LineField
from dashboard.web.ranges import DayField, RangeForm
from franchises.fields import MAX_SKU, MAX_STOCK
from franchises.items import Branch, StockItem
from franchises.ledger import countable_stock
from franchises.reasons import REASON_LABELS, MovementReason

MAX_NOTE, MAX_ID = 200, 250
OUT, IN, AUTO = "out", "in", "auto"
# Reasons that a person can give; an outside change has no person.
_REASONS = [reason for reason in MovementReason if reason != MovementReason.OUTSIDE]
_OFFERED_FOR_SET = (
    MovementReason.CORRECTION,
    MovementReason.COUNT,
    MovementReason.LOSS,
    MovementReason.DELIVERY,
    MovementReason.SALE,
)


class _ReasonField(forms.ChoiceField):
    """A reason. Some are accepted but not offered."""

    def valid_value(self, value: str) -> bool:
        return super().valid_value(value) or value in _REASONS


def _note_field() -> LineField:
    attrs = {"autocomplete": "off"}
    return LineField(label=_("Note"), max_length=MAX_NOTE, required=False, widget=forms.TextInput(attrs=attrs))


class ChangeForm(Form):
    """Units that are added or removed: `change` with a sign, or `units` with a direction."""

    units = forms.IntegerField(label=_("Units"), min_value=1, max_value=MAX_STOCK, initial=1)
    reason = _ReasonField(
        label=_("Reason"),
        choices=[
            (AUTO, _("Sale or delivery")),
            (MovementReason.LOSS.value, REASON_LABELS[MovementReason.LOSS]),
            (MovementReason.CORRECTION.value, REASON_LABELS[MovementReason.CORRECTION]),
        ],
    )
    note = _note_field()
    direction = forms.ChoiceField(choices=((OUT, OUT), (IN, IN)), required=False)
    change = forms.IntegerField(min_value=-MAX_STOCK, max_value=MAX_STOCK, required=False)

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **{"auto_id": "change-%s"} | options)
        if data is not None and data.get("change"):
            self.fields["units"].required = False

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if self.errors:
            return cleaned
        change, units = cleaned.get("change"), cleaned.get("units")
        if change is None and units is not None and cleaned.get("direction"):
            change = units if cleaned["direction"] == IN else -units
        if not change:
            self.add_error("units", ValidationError(_("Enter how many units, at least 1.")))
        cleaned["change"] = change
        return cleaned

    @property
    def reason_given(self) -> MovementReason:
        """The reason that was chosen, or else: a removal is a sale and an addition a delivery."""
        chosen = self.cleaned_data["reason"]
        if chosen != AUTO:
            return MovementReason(chosen)
        return MovementReason.SALE if self.cleaned_data["change"] < 0 else MovementReason.DELIVERY


class SetForm(Form):
    """The stock that is really there. `seen` is the stock that the page showed; empty if it is not a number."""

    item_names = {"set": "stock"}

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **{"auto_id": "set-%s"} | options)

    set = forms.IntegerField(label=_("New stock"), min_value=-MAX_STOCK, max_value=MAX_STOCK)
    reason = _ReasonField(label=_("Reason"), choices=[(each.value, REASON_LABELS[each]) for each in _OFFERED_FOR_SET])
    note = _note_field()
    # An outside writer may store fractions.
    seen = forms.FloatField(required=False, widget=forms.HiddenInput)

    def clean_seen(self) -> int | float | None:
        seen: float | None = self.cleaned_data["seen"]
        return int(seen) if seen is not None and seen == int(seen) else seen

    @property
    def reason_given(self) -> MovementReason:
        return MovementReason(self.cleaned_data["reason"])

    def value_in(self, item: Item, name: str) -> Any:
        return item.stock if name == "set" and isinstance(item, StockItem) else None

    def renewed_fields(self, item: Item) -> dict[str, str]:
        stock = countable_stock(item) if isinstance(item, StockItem) else None
        return {"seen": "" if stock is None else str(stock)}


class ScanForm(Form):
    """A code from a scanner. Each scan sells or delivers one unit."""

    code = LineField(
        label=_("Scan or type a code"),
        max_length=max(MAX_SKU, MAX_ID),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none", "enterkeyhint": "done"}
        ),
    )
    mode = forms.ChoiceField(
        choices=[(each.value, REASON_LABELS[each]) for each in (MovementReason.SALE, MovementReason.DELIVERY)],
        required=False,
    )

    @property
    def reason(self) -> MovementReason:
        return MovementReason(self.cleaned_data["mode"] or MovementReason.SALE)


class SoldSinceForm(Form):
    """The first day of the sales to add up."""

    since = DayField(_("Sold since"))

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.fields["since"].required = True
        self.fields["since"].widget.attrs |= {"autocomplete": "off", "class": "input"}


class MovementFilterForm(RangeForm):
    """The filters of movements."""

    branch = LineField(label=_("Branch"), max_length=MAX_ID, required=False, widget=forms.Select)
    reason = forms.ChoiceField(
        label=_("Reason"),
        choices=[("", _("All reasons")), *((each.value, REASON_LABELS[each]) for each in MovementReason)],
        required=False,
    )
    person = LineField(label=_("Person (e-mail)"), max_length=emails.MAX_LENGTH, required=False, widget=forms.TextInput)
    cause = LineField(label=_("Cause"), max_length=MAX_ID, required=False, widget=forms.HiddenInput)

    def set_branches(self, branches: Sequence[Branch]) -> None:
        """Offer the branches. They are read together with the movements, after the form is checked."""
        widget: Any = self.fields["branch"].widget
        chosen = str(self.data.get("branch", ""))
        known = [("", _("All branches")), *((each.id, each.title) for each in branches)]
        widget.choices = known if chosen in dict(known) else [*known, (chosen, chosen)]
