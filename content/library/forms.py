"""The forms of each kind of the library, and those of its buttons."""

from __future__ import annotations

from typing import Any, cast

from django import forms

from content.library.digests import digest_of
from content.library.fields import SIGNAL_STATUSES, YES
from content.library.item_form import LibraryItemForm
from content.library.kind import LibraryKind
from content.library.kinds import CONTEXTS, FILES, PRODUCTS, RESOURCES, SIGNALS
from content.library.shop_kinds import SHOP
from dashboard.table.items import Item
from dashboard.web.forms import LineField, RevisionForm


class SeenForm(RevisionForm):
    """A button that acts on the revision and the content that the person saw."""

    digest = LineField(max_length=64, required=False, widget=forms.HiddenInput)

    @property
    def seen_digest(self) -> str:
        return str(self.cleaned_data.get("digest") or "") if self.is_valid() else ""

    def renewed_fields(self, item: Item) -> dict[str, str]:
        return {"digest": digest_of(item)}


class MarkForm(SeenForm):
    """The status that a button gives a signal."""

    status = forms.ChoiceField(choices=list(SIGNAL_STATUSES.items()), widget=forms.HiddenInput)


class SiteProductForm(LibraryItemForm):
    item_fields, kind = PRODUCTS.fields, PRODUCTS


class SiteResourceForm(LibraryItemForm):
    item_fields, kind = RESOURCES.fields, RESOURCES


class SiteContextForm(LibraryItemForm):
    item_fields, kind = CONTEXTS.fields, CONTEXTS


class SiteFileForm(LibraryItemForm):
    item_fields, kind = FILES.fields, FILES


class SiteSignalForm(LibraryItemForm):
    item_fields, kind = SIGNALS.fields, SIGNALS

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        if self.item is None:
            self._drop_field("status")

    def clean_wallet_signal(self) -> bool | None:
        chosen = self.cleaned_data["wallet_signal"]
        return chosen == YES if chosen else None


def _plain_form(kind: LibraryKind) -> type[LibraryItemForm]:
    """The form of a kind without documented fields."""
    name = f"{kind.item_class.__name__}Form"
    made = type(name, (LibraryItemForm,), {"item_fields": kind.fields, "kind": kind})
    return cast(type[LibraryItemForm], made)


FORMS: dict[str, type[LibraryItemForm]] = {
    form.kind.key: form for form in (SiteProductForm, SiteResourceForm, SiteContextForm, SiteSignalForm, SiteFileForm)
} | {kind.key: _plain_form(kind) for kind in SHOP.values()}
