"""The form of the texts of one kind of mail."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from dashboard.platform.mail import texts
from dashboard.platform.mail.fields import TEXT_FIELDS, TEXTS
from dashboard.platform.mail.items import NOT_SENT
from dashboard.platform.mail.kinds import MAIL_KINDS
from dashboard.web.fields import ItemForm


class MailTextForm(ItemForm):
    """An empty text means the default one."""

    item_fields = TEXT_FIELDS

    def __init__(self, data: Any = None, *, item: Any = None, **options: Any) -> None:
        super().__init__(data, item=item, **options)
        self.kind = MAIL_KINDS[item.kind]
        if self.kind.lead_time is None:
            del self.fields["lead_hours"]

    def clean(self) -> dict[str, Any]:
        for name in TEXTS:
            unknown = texts.unknown_placeholders(self.cleaned_data.get(name) or "", self.kind.placeholders)
            if unknown:
                self.add_error(name, self._unknown_text(unknown))
        return self.cleaned_data

    def _unknown_text(self, unknown: list[str]) -> ValidationError:
        names = {
            "unknown": ", ".join(f"{{{name}}}" for name in unknown),
            "known": ", ".join(f"{{{name}}}" for name in self.kind.placeholders),
        }
        return ValidationError(_("Unknown placeholder: %(unknown)s. Possible are %(known)s.") % names)

    @property
    def values(self) -> dict[str, Any]:
        """A text that equals the default one is not stored: it follows the default when that changes."""
        values = super().values
        for name in TEXTS:
            typed = str(values.get(name) or "").replace("\r\n", "\n").strip()
            part, language = name.split("_")
            values[name] = "" if typed == self.kind.default_text(part, language).strip() else typed
        values["sending"] = NOT_SENT if values["sending"] == NOT_SENT else ""
        if "lead_hours" in values:
            values["lead_hours"] = int(values["lead_hours"]) if values["lead_hours"] else None
        return values
