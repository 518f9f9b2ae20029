"""Someone was faster: both versions on one page, and the person decides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _

from dashboard.core.errors import Conflict
from dashboard.table.items import Item
from dashboard.web.forms import WAS
from dashboard.web.pages import came_from, page


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
    # What it was done to; empty where the page says so.
    name: str
    # They did it themselves, in another tab.
    own: bool
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
        name=form.names(item) if form and item and hasattr(form, "names") else "",
        own=item is not None and request.person is not None and item.updated_by == request.person.email,
        when=item.updated_at if item else None,
        rows=_differences(form, item) if form and item else [],
        action=request.path,
        fields=_resent(form, item) if form and item and not ruled else None,
        back=came_from(request),
    )
    return page(request, "409.html", {"conflict": clash}, partial="conflict", status=409)


def _differences(form: forms.Form, item: Item) -> list[Difference]:
    """What the person changed beside what stands now, field by field."""
    rows = []
    for bound in form:
        if bound.is_hidden:
            continue
        theirs = _reads(form, bound, item)
        if theirs is None:
            theirs = shown(bound, _stands(form, bound.name, item))
        yours = _reads(form, bound, None) if _touched(form, bound) else theirs
        if yours is None:
            yours = shown(bound, bound.data)
        if yours or theirs or not hasattr(form, "reads"):
            rows.append(Difference(str(bound.label), yours, theirs, yours != theirs))
    return rows


def _reads(form: forms.Form, bound: forms.BoundField, item: Item | None) -> str | None:
    """What an item holds in a field, or without one what was sent, where the form has better words than the field."""
    return form.reads(bound.name, item) if hasattr(form, "reads") else None


def _stands(form: forms.Form, name: str, item: Item) -> Any:
    """What the item holds in this field; a form whose fields are no attributes says so itself."""
    if hasattr(form, "stands"):
        return form.stands(item, name)
    return getattr(item, getattr(form, "item_names", {}).get(name, name), None)


def _touched(form: forms.Form, bound: forms.BoundField) -> bool:
    """Whether the person changed a field: what they only had on the screen must not undo a colleague."""
    was = form.data.get(f"{WAS}{bound.name}")
    return was is None or _lines(was) != _lines(bound.data or "")


def _lines(text: str) -> list[str]:
    """A browser sends the ends of lines in its own way."""
    return str(text).splitlines()


def shown(bound: forms.BoundField, value: Any) -> str:
    """A value as its field would show it: the label of a choice, not its code; yes or no for a box."""
    if isinstance(bound.field, forms.BooleanField):
        return _("yes") if value else _("no")
    choices = {str(key): str(label) for key, label in getattr(bound.field, "choices", [])}
    if isinstance(value, list):
        return ", ".join(choices.get(str(each), str(each)) for each in value)
    text = "" if value is None else str(value)
    return choices.get(text, text)


def _resent(form: forms.Form, item: Item) -> dict[str, str]:
    """What was changed as it was sent, and the rest as it stands."""
    fields = {}
    for bound in form:
        stands = None if _touched(form, bound) else _stands(form, bound.name, item)
        # A field that nobody has set yet shows a default: that is what was sent. An empty box sends nothing.
        fields[bound.name] = str((bound.data or "") if stands is None else "" if stands is False else stands)
    # Besides its version a form may say what else the person knew: by now they know what stands there.
    renewed: dict[str, str] = form.renewed(item) if hasattr(form, "renewed") else {}
    return fields | renewed | {"revision": str(item.revision)}
