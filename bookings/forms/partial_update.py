"""Forms about what other services write too: what stands there may stay, whatever we would ask for ourselves."""

from __future__ import annotations

from typing import Any

from django import forms

from dashboard.platform.businesses.forms import StoredChoice
from dashboard.web.conflicts import shown
from dashboard.web.forms import Form, RevisionField


class StoredNumber(forms.IntegerField):
    """A whole number within bounds, or what stands there already."""

    stored: Any = None

    def clean(self, value: Any) -> Any:
        if self.stored is not None and str(value) == str(self.stored):
            return self.stored
        return super().clean(value)


class PartialUpdateForm(Form):
    """A field that is not sent stays as it is: so Undo sends few."""

    def __init__(
        self, data: Any = None, *, stored: dict[str, Any] | None = None, revision: int = 0, **options: Any
    ) -> None:
        self.stored = {name: "" if value is None else value for name, value in (stored or {}).items()}
        if data is not None:
            data = data.copy()
            for name in self.base_fields.keys() & self.stored.keys():
                if not self.is_sent(data, name):
                    self.leave(data, name)
        else:
            options["initial"] = self.stored | {"revision": revision} | options.get("initial", {})
        super().__init__(data, **options)
        for name, field in self.fields.items():
            if isinstance(field, StoredChoice):
                field.offer(str(self.stored.get(name) or ""))
            elif isinstance(field, StoredNumber):
                field.stored = (stored or {}).get(name)

    def is_sent(self, data: Any, name: str) -> bool:
        return name in data

    def leave(self, data: Any, name: str) -> None:
        """Send a field as it stands."""
        data[name] = str(self.stored[name])

    @property
    def values(self) -> dict[str, Any]:
        """What to save: without what is no property of it."""
        return {
            name: value for name, value in self.cleaned_data.items() if name in self.base_fields and name != "revision"
        }

    def unchanged(self, name: str) -> bool:
        """Whether a text is what stands there: nobody has to answer for what another service wrote."""
        given = str(self.cleaned_data.get(name) or "")
        return bool(given) and given == str(self.stored.get(name) or "").strip()

    def shown(self) -> list[tuple[str, str]]:
        """The fields in words, where nothing can be changed."""
        return [(str(bound.label), shown(bound, bound.value())) for bound in self.visible_fields()]


class UndoForm(Form):
    """The way back from a command."""

    of = forms.CharField(max_length=200, required=False, widget=forms.HiddenInput)
    revision = RevisionField()
