"""Forms of API keys."""

from __future__ import annotations

from typing import Any, cast

from django.forms import ChoiceField
from django.utils.translation import gettext_lazy as _

from dashboard.platform.apikeys.fields import KEY_FIELDS, OriginsField
from dashboard.web.api.endpoints import SCOPE_LABELS, KeyOwner
from dashboard.web.fields import ItemForm
from dashboard.web.forms import RevisionField

# A hidden input next to the checkboxes: with it, a form without a ticked box still sends the field.
SCOPES_SENT = "scopes_shown"


def _offer_platform_scopes(form: ItemForm) -> None:
    """A key of the platform is always secret: it has no type to choose and no websites."""
    scopes = cast(ChoiceField, form.fields["scopes"])
    scopes.choices, scopes.label, scopes.help_text = (
        list(SCOPE_LABELS[KeyOwner.PLATFORM].items()),
        _("What the key may do"),
        "",
    )
    scopes.required = True
    del form.fields["origins"]


class NewKeyForm(ItemForm):
    item_fields = KEY_FIELDS

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        name = self.fields["name"]
        name.required = self.fields["key_type"].required = True
        name.help_text = _("For example, where you use it: “Booking page”.")
        name.widget.attrs["autofocus"] = True


class NewPlatformKeyForm(NewKeyForm):
    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.fields["name"].help_text = _("For example, where you use it: “App of the event”.")
        del self.fields["key_type"]
        _offer_platform_scopes(self)


class KeyForm(ItemForm):
    item_fields = KEY_FIELDS

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        # A sent form has no item, because `services.edit` reads the key. `ItemForm` then removes the revision.
        self.fields.setdefault("revision", RevisionField())
        cast(OriginsField, self.fields["origins"]).accepts_every = True
        # The type of a key never changes: programs and websites rely on it.
        del self.fields["key_type"]
        if self.item is not None and self.item.is_public:
            del self.fields["scopes"]

    def is_sent(self, data: Any, name: str) -> bool:
        return name in data or (name == "scopes" and SCOPES_SENT in data)


class PlatformKeyForm(KeyForm):
    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        _offer_platform_scopes(self)
