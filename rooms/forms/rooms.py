"""Forms of a room: opening, override, name, new room."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.table.items import Item
from dashboard.table.timestamps import from_wire
from dashboard.web.forms import Form, LineField, RevisionField
from dashboard.web.local_times import LOCAL, Moment, as_local, moment_text, read_moment, zones
from dashboard.web.locale import ZONES, zone
from dashboard.web.time_zones import ZoneSelect
from rooms.items import Room
from rooms.services.overrides import OPENING, form_values
from rooms.services.rooms import MAX_ID, id_from_name
from rooms.services.schedule import moment_as_text
from rooms.state import CLOSED, OPEN
from rooms.zones import zone_of

MAX_NAME = 80
TIME = "time"
_MOMENT = 40


def format_moment(moment: datetime | None, time_zone: str) -> str:
    return moment_text(moment, time_zone) if moment is not None else "–"


class LocalTimeField(forms.CharField):
    """A date and time without a time zone."""

    def __init__(self, label: Any, **options: Any) -> None:
        widget = forms.DateTimeInput(format=LOCAL, attrs={"type": "datetime-local"})
        super().__init__(label=label, max_length=_MOMENT, required=False, widget=widget, **options)


class ZoneField(forms.ChoiceField):
    """A time zone; empty for the default of the form."""

    def __init__(self) -> None:
        super().__init__(label=gettext_lazy("Time zone"), choices=zones, widget=ZoneSelect)

    def clean(self, value: Any) -> Any:
        return super().clean(value) if value else ""


class RoomActionForm(Form):
    """A form about one room that can meet a conflict."""

    def item_title(self, item: Item) -> str:
        """The room's title for the conflict page: a list shows many rooms."""
        return item.title if isinstance(item, Room) else ""

    def conflict_zone(self, item: Item) -> str:
        return zone_of(item) if isinstance(item, Room) else ""


class ZonedForm(RoomActionForm):
    """A form whose times are in one time zone."""

    def __init__(self, *args: Any, default_zone: str = "", **options: Any) -> None:
        """`default_zone` applies if none is sent; without it, the person's own does."""
        self.default_zone = default_zone or timezone.get_current_timezone_name()
        super().__init__(*args, **options)

    @property
    def zone_name(self) -> str:
        given = str(self.cleaned_data.get("zone") or "")
        return given if given in ZONES else self.default_zone

    @property
    def page_zone(self) -> str:
        """The time zone of the page that sent the form: toasts and conflicts use it too."""
        return self.zone_name

    def conflict_zone(self, item: Item) -> str:
        return self.page_zone

    def read_time(self, name: str) -> Moment | None:
        """The moment of a field; an error is added to the field."""
        text = str(self.cleaned_data.get(name) or "").strip()
        try:
            return read_moment(text, zone(self.zone_name)) if text else None
        except ValidationError as error:
            self.add_error(name, error)
            # A datetime-local input cannot show an invalid value: a text input keeps what was typed.
            self.fields[name].widget.input_type = "text"
            self.fields[name].widget.attrs["type"] = "text"
            return None


class RoomScheduleForm(ZonedForm):
    """The opening of a room; empty for no opening."""

    open_at = LocalTimeField(gettext_lazy("Opens at"))
    close_at = LocalTimeField(gettext_lazy("Closes at"))
    zone = ZoneField()
    revision = RevisionField()
    # The opening that was shown, and the schedule entry if it differed.
    shown_opening = forms.CharField(max_length=_MOMENT, required=False, widget=forms.HiddenInput)
    entry = forms.CharField(max_length=200, required=False, widget=forms.HiddenInput, strip=False)
    # The time zone of the page that sent the form, if it is not the room's.
    shown_zone = forms.CharField(max_length=60, required=False, widget=forms.HiddenInput)

    moment: Moment | None = None
    closing: Moment | None = None

    def clean(self) -> dict[str, Any]:
        self.moment, self.closing = self.read_time("open_at"), self.read_time("close_at")
        unchanged = self._unchanged_opening() if self.moment else None
        if unchanged is not None:
            # The field has no seconds and cannot distinguish the two times of a clock change.
            self.moment = Moment(unchanged)
        return self.cleaned_data

    @property
    def page_zone(self) -> str:
        """The list shows openings in the event's time zone, which may differ from the room's."""
        shown = str(self.cleaned_data.get("shown_zone") or "")
        return shown if shown in ZONES else self.zone_name

    def _unchanged_opening(self) -> datetime | None:
        """The opening that was shown, if the person left the field as it was."""
        try:
            values = from_wire(str(self.cleaned_data.get("shown_opening") or ""))
            shown = as_local(values, self.zone_name)
        except (ValueError, OverflowError):
            return None
        return values if self.cleaned_data.get("open_at") == shown else None

    def value_in(self, item: Item, name: str) -> Any:
        """The room's value of a field, for the conflict page."""
        if not isinstance(item, Room):
            return None
        time_zone = zone_of(item)
        times = {"open_at": item.plan.open_at, "close_at": item.plan.close_at}
        values = {each: as_local(moment, time_zone) for each, moment in times.items()} | {"zone": time_zone}
        return values.get(name)

    def display(self, name: str, item: Item | None) -> str | None:
        """The opening as text: the slider and the form send it in different formats."""
        if name not in {"open_at", "close_at"}:
            return None
        if isinstance(item, Room):
            return format_moment(item.plan.open_at if name == "open_at" else item.plan.close_at, self.page_zone)
        moment = self.moment if name == "open_at" else self.closing
        return format_moment(moment.utc if moment else None, self.page_zone)

    def renewed_fields(self, item: Item) -> dict[str, str]:
        """Fields to renew after a conflict was shown."""
        return {"shown_opening": moment_as_text(item.plan.open_at)} if isinstance(item, Room) else {}


def schedule_form(room: Room, entry: str = "") -> RoomScheduleForm:
    """The form with the current values."""
    time_zone = zone_of(room)
    values = {"open_at": as_local(room.plan.open_at, time_zone), "zone": time_zone, "revision": room.revision}
    values["close_at"] = as_local(room.plan.close_at, time_zone)
    return RoomScheduleForm(
        initial={**values, "shown_opening": moment_as_text(room.plan.open_at), "entry": entry}, auto_id="schedule_%s"
    )


class OverrideForm(ZonedForm):
    """The override of a room and its end: no end, the opening, or a time."""

    value = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[
            ("", gettext_lazy("Follow schedule")),
            (OPEN, gettext_lazy("Force open")),
            (CLOSED, gettext_lazy("Force closed")),
        ],
        widget=forms.RadioSelect,
    )
    until = forms.CharField(label=gettext_lazy("Ends"), max_length=_MOMENT, required=False)
    until_at = LocalTimeField(gettext_lazy("Time"))
    zone = ZoneField()
    revision = RevisionField()

    end: datetime | str | None = None

    def add_error(self, field: str | None, error: Any) -> None:
        """Show an error of `until` at the time field if the time came from there."""
        written = field == "until" and self.data.get("until") == TIME
        super().add_error("until_at" if written else field, error)

    def clean(self) -> dict[str, Any]:
        until = str(self.cleaned_data.get("until") or "")
        if not self.cleaned_data.get("value") or not until:
            return self.cleaned_data
        if until == OPENING:
            self.end = OPENING
            return self.cleaned_data
        name = "until_at" if until == TIME else "until"
        found = self.read_time(name)
        if found is None and not self.has_error(name):
            self.add_error(name, _("Enter an end time."))
        self.end = found.utc if found else None
        return self.cleaned_data

    def value_in(self, item: Item, name: str) -> Any:
        if not isinstance(item, Room):
            return None
        end = item.plan.until
        values = {"value": item.override or "", "until": OPENING if item.until_opening else moment_as_text(end)}
        return values.get(name)

    def display(self, name: str, item: Item | None) -> str | None:
        """The end as text, whichever field it came from."""
        if name in {"until_at", "zone"}:
            return ""
        if name != "until":
            return None
        if isinstance(item, Room):
            is_overridden, end = bool(item.override), OPENING if item.until_opening else item.plan.until
        else:
            is_overridden, end = bool(self.cleaned_data.get("value")), self.end
        if not is_overridden:
            return "–"
        if end == OPENING:
            return _("when it opens")
        return format_moment(end, self.zone_name) if isinstance(end, datetime) else _("when changed")


def override_form(room: Room) -> OverrideForm:
    """The form with the current values."""
    values = form_values(room)
    if values["until"] not in {"", OPENING}:
        values |= {"until": TIME, "until_at": as_local(room.plan.override_end, zone_of(room))}
    return OverrideForm(initial=values | {"zone": zone_of(room)}, auto_id="override_%s")


class NameForm(RoomActionForm):
    name = LineField(label=gettext_lazy("Name"), max_length=MAX_NAME, required=False)
    revision = RevisionField()


class RoomForm(ZonedForm):
    """A new room."""

    name = LineField(label=gettext_lazy("Name"), max_length=MAX_NAME, required=False)
    room = forms.CharField(
        label=gettext_lazy("Id"),
        max_length=MAX_ID,
        required=False,
        help_text=gettext_lazy("Used by the apps, like sala4. Leave empty to create it from the name."),
    )
    open_at = LocalTimeField(gettext_lazy("Opens at"))
    zone = ZoneField()

    moment: Moment | None = None

    def clean_room(self) -> str:
        given = str(self.cleaned_data["room"]).strip()
        if given and not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", given):
            raise ValidationError(_("Use lowercase letters, digits and hyphens, like sala4."))
        return given

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if not given.get("room") and not self.has_error("room"):
            given["room"] = id_from_name(str(given.get("name") or ""))
            if not given["room"]:
                self.add_error("name", _("Enter a name or an ID."))
        self.moment = self.read_time("open_at")
        return given
