"""What is said of someone who can be booked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from bookings.forms.partial_update import PartialUpdateForm
from bookings.items import Provider, Service
from dashboard.platform.businesses.forms import StoredChoice
from dashboard.table.items import Item
from dashboard.web.forms import LineField, LongSelect, RevisionField
from dashboard.web.moments import zones

# Beside the boxes: a form without any ticked has sent them all the same.
SHOWN = "services_shown"
MOST = 1000


class Chosen(list[str]):
    """Several choices that can stand in one hidden field, as Undo and a conflict send them."""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)


def chosen(text: str) -> Chosen | None:
    """What such a field says; none where it is one choice as it is."""
    try:
        found = json.loads(text) if text.startswith("[") else None
    except (ValueError, RecursionError):
        return None
    return Chosen(each for each in found if isinstance(each, str)) if isinstance(found, list) else None


class Boxes(forms.CheckboxSelectMultiple):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> Chosen:
        given = data.getlist(name) if hasattr(data, "getlist") else list(data.get(name, []))
        several = chosen(given[0]) if len(given) == 1 else None
        return Chosen(given) if several is None else several


class ServicesField(forms.MultipleChoiceField):
    """What someone does; also what they did and is not offered any more."""

    widget = Boxes

    def clean(self, value: Any) -> list[str]:
        picked: list[str] = super().clean(value)
        return list(dict.fromkeys(picked))[:MOST]


def _zones() -> list[tuple[str, Any]]:
    return [("", _("As the business")), *zones()]


class ProviderForm(PartialUpdateForm):
    name = LineField(label=_("Name"), max_length=100, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    bio = forms.CharField(
        label=_("About them"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Whoever books reads it."),
    )
    services = ServicesField(label=_("What they do"), required=False)
    timezone = StoredChoice(
        label=_("Time zone"),
        choices=_zones,
        required=False,
        widget=LongSelect,
        help_text=_("Their hours are by the clocks there."),
    )
    revision = RevisionField()

    def __init__(
        self,
        data: Any = None,
        *,
        provider: Provider | None = None,
        offered: Sequence[Service] = (),
        **options: Any,
    ) -> None:
        if provider is not None:
            options |= {"stored": fields_of(provider), "revision": provider.revision}
        super().__init__(data, **options)
        field = self.fields["services"]
        assert isinstance(field, ServicesField)
        known = {each.id: each.title for each in offered}
        field.choices = list(known.items()) + [
            (each, each) for each in (provider.service_ids if provider else []) if each not in known
        ]

    def is_sent(self, data: Any, name: str) -> bool:
        return name in data or (name == "services" and SHOWN in data)

    def stands(self, item: Item, name: str) -> Any:
        """What a provider holds in a field, for whoever met a colleague's change."""
        return fields_of(item).get(name) if isinstance(item, Provider) else None


class NewProviderForm(ProviderForm):
    revision = None  # type: ignore[assignment]


def fields_of(provider: Provider) -> dict[str, Any]:
    """A provider as their form has them."""
    return {
        "name": provider.name,
        "bio": provider.bio,
        "services": Chosen(provider.service_ids),
        "timezone": provider.timezone,
    }
