"""The form of a staff member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bookings.fields import PROVIDER_FIELDS
from bookings.forms.inputs import ServicesField
from bookings.items import Provider, Service
from dashboard.web.fields import ItemForm

# A hidden input next to the checkboxes: with it, a form without a ticked box still sends the field.
SERVICES_SENT = "services_shown"


class ProviderForm(ItemForm):
    item_fields = PROVIDER_FIELDS

    def __init__(
        self, data: Any = None, *, item: Provider | None = None, offered: Sequence[Service] = (), **options: Any
    ) -> None:
        super().__init__(data, item=item, **options)
        field = self.fields["services"]
        assert isinstance(field, ServicesField)
        titles = {each.id: each.title for each in offered}
        # Services that are no longer offered may stay.
        current = item.service_ids if item is not None else []
        field.choices = list(titles.items()) + [(each, each) for each in current if each not in titles]

    def is_sent(self, data: Any, name: str) -> bool:
        return name in data or (name == "services" and SERVICES_SENT in data)
