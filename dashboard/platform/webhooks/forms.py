"""Forms of webhooks."""

from __future__ import annotations

from typing import Any, cast

from dashboard.platform.webhooks.fields import WEBHOOK_FIELDS, EventsField, choices
from dashboard.web.fields import ItemForm
from dashboard.web.forms import RevisionField

# A hidden input next to the checkboxes: with it, a form without a ticked box still sends the field.
EVENTS_SENT = "events_shown"


class WebhookForm(ItemForm):
    item_fields = WEBHOOK_FIELDS

    def __init__(self, data: Any = None, *, of_platform: bool = False, **options: Any) -> None:
        super().__init__(data, **options)
        offered = choices(of_platform=of_platform)
        cast(EventsField, self.fields["events"]).choices = offered
        if self.item is None and data is None:
            self.initial.setdefault("events", [name for name, _label in offered])

    def is_sent(self, data: Any, name: str) -> bool:
        return name in data or (name == "events" and EVENTS_SENT in data)


class EditWebhookForm(WebhookForm):
    item_fields = WEBHOOK_FIELDS

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        # A sent form has no item, because `services.edit` reads the webhook. `ItemForm` then removes the revision.
        self.fields.setdefault("revision", RevisionField())
        for name in self.item_fields.names:
            # Undo sends only what has changed.
            if self.is_bound and not self.is_sent(self.data, name):
                del self.fields[name]
