"""Someone was faster: both versions on one page, and the person decides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpResponse

from dashboard.errors import Conflict
from dashboard.table.items import Item
from dashboard.ui.pages import came_from, page


@dataclass(frozen=True)
class Difference:
    label: str
    yours: str
    theirs: str
    changed: bool


@dataclass(frozen=True)
class Clash:
    """Both versions, for the person to choose."""

    # What a rule says about it; none where only the revision has moved on.
    text: str | None
    who: str
    when: datetime | None
    rows: list[Difference]
    action: str
    # The form again, now knowing the newest version, to be sent on purpose; none where that would change nothing.
    fields: dict[str, str] | None
    back: str


def conflict(request: Any, error: Conflict) -> HttpResponse:
    item, form = error.item, getattr(request, "form", None)
    ruled = error.text is not Conflict.text
    clash = Clash(
        text=str(error.text) if ruled else None,
        who=(item.updated_by_name or item.updated_by or "") if item else "",
        when=item.updated_at if item else None,
        rows=_differences(form, item) if form and item else [],
        action=request.path,
        fields=_resent(request, form, item) if form and item and not ruled else None,
        back=came_from(request),
    )
    return page(request, "409.html", {"conflict": clash}, partial="conflict", status=409)


def _differences(form: forms.Form, item: Item) -> list[Difference]:
    """What the person sent beside what stands now, field by field."""
    rows = []
    for bound in form:
        if bound.is_hidden:
            continue
        name = getattr(form, "item_names", {}).get(bound.name, bound.name)
        yours, theirs = _shown(bound, bound.data), _shown(bound, getattr(item, name, None))
        rows.append(Difference(str(bound.label), yours, theirs, yours != theirs))
    return rows


def _shown(bound: forms.BoundField, value: Any) -> str:
    """A value as its field would show it: the label of a choice, not its code."""
    choices = {str(key): str(label) for key, label in getattr(bound.field, "choices", [])}
    text = "" if value is None else str(value)
    return choices.get(text, text)


def _resent(request: Any, form: forms.Form, item: Item) -> dict[str, str]:
    sent = {name: request.POST[name] for name in form.fields if name in request.POST}
    return sent | {"version": str(item.seen)}
