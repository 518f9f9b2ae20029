"""The conflict page: someone else saved first. It shows both versions, and the person decides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.forms import BoundField
from django.http import HttpResponse
from django.utils import timezone

from dashboard.core.errors import Conflict
from dashboard.table.items import Item
from dashboard.web.forms import OPENED_PREFIX, Form, display_value
from dashboard.web.locale import zone
from dashboard.web.pages import page, referring_page


@dataclass(frozen=True)
class Difference:
    label: str
    yours: str
    theirs: str
    changed: bool
    name: str = ""
    # The values that the form sends for either choice; None if the person cannot choose.
    your_value: str | None = None
    their_value: str | None = None
    # The colours, where the values are colours.
    your_color: str | None = None
    their_color: str | None = None

    @property
    def can_be_chosen(self) -> bool:
        return self.changed and self.your_value is not None and self.their_value is not None


@dataclass(frozen=True)
class Clash:
    """Both versions, for the person to choose."""

    # The text of the rule that refused the change; None where only the revision differs.
    text: str | None
    who: str
    # The item; empty where the page of the form names it.
    name: str
    # The same person saved it, in another tab.
    own: bool
    when: datetime | None
    rows: list[Difference]
    action: str
    # The form with the current revision, to send again on purpose; None where that would be refused again.
    fields: dict[str, str] | None
    back: str

    @property
    def has_choices(self) -> bool:
        """Whether several fields differ, so that the person decides about each of them."""
        return self.fields is not None and sum(row.can_be_chosen for row in self.rows) > 1

    @property
    def hidden_fields(self) -> dict[str, str]:
        """The fields to send again that are not among the choices."""
        chosen = {row.name for row in self.rows if row.can_be_chosen} if self.has_choices else set()
        return {name: value for name, value in (self.fields or {}).items() if name not in chosen}


def conflict(request: Any, error: Conflict) -> HttpResponse:
    item: Item | None = error.item
    form: Form | None = getattr(request, "form", None)
    # A rule refused the change: sending it again would not help.
    refused = error.text is not Conflict.text
    clash = Clash(
        text=str(error.text) if refused else None,
        who=(item.updated_by_name or item.updated_by or "") if item else "",
        name=form.item_title(item) if form and item else "",
        own=item is not None and request.person is not None and item.updated_by == request.person.email,
        when=item.updated_at if item else None,
        rows=_differences(form, item) if form and item else [],
        action=request.path,
        fields=_fields_to_resend(form, item) if form and item and not refused else None,
        back=referring_page(request),
    )
    time_zone = form.conflict_zone(item) if form and item else ""
    with timezone.override(zone(time_zone) if time_zone else timezone.get_current_timezone()):
        return page(request, "409.html", {"conflict": clash}, partial="conflict", status=409)


def _differences(form: Form, item: Item) -> list[Difference]:
    """Each visible field: what the person sent and what is saved now. Those that differ come first."""
    rows = []
    for bound in form:
        if bound.is_hidden:
            continue
        text = form.display(bound.name, item)
        theirs = display_value(bound, form.value_in(item, bound.name)) if text is None else text
        yours = _sent_text(form, bound) if _is_changed(form, bound) else theirs
        if yours or theirs or text is None:
            rows.append(_difference(form, item, bound, yours, theirs))
    return sorted(rows, key=lambda row: not row.changed)


def _difference(form: Form, item: Item, bound: BoundField, yours: str, theirs: str) -> Difference:
    sent, saved = bound.data or "", form.value_in(item, bound.name)
    are_texts = isinstance(sent, str) and isinstance(saved, str | int) and not isinstance(saved, bool)
    return Difference(
        str(bound.label),
        yours,
        theirs,
        yours != theirs,
        bound.name,
        str(sent) if are_texts else None,
        str(saved) if are_texts else None,
        form.color_of(bound.name, sent),
        form.color_of(bound.name, saved),
    )


def _sent_text(form: Form, bound: BoundField) -> str:
    text = form.display(bound.name, None)
    return display_value(bound, bound.data) if text is None else text


def _is_changed(form: Form, bound: BoundField) -> bool:
    """Whether the person changed a field. A field that was only on the screen must not undo a colleague's change."""
    opened = form.data.get(f"{OPENED_PREFIX}{bound.name}")
    return opened is None or _lines(opened) != _lines(bound.data or "")


def _lines(text: str) -> list[str]:
    """Browsers normalise line endings in what they send."""
    return str(text).splitlines()


def _fields_to_resend(form: Form, item: Item) -> dict[str, str]:
    """The form to send again: the fields that the person changed as sent, the others as they are saved now."""
    fields = {}
    for bound in form:
        current = None if _is_changed(form, bound) else form.value_in(item, bound.name)
        # A field without a stored value shows its default, which was sent. An unticked box sends nothing.
        fields[bound.name] = str((bound.data or "") if current is None else "" if current is False else current)
    return fields | form.renewed_fields(item) | {"revision": str(item.revision)}
