"""Forms for creating, moving and deciding on bookings."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bookings.actions import BookingAction
from bookings.forms.customers import CustomerForm
from bookings.items import Booking
from bookings.params import MAX_ID
from bookings.services.bookings import MAX_NOTE_LENGTH
from bookings.services.decisions import MAX_REASON
from bookings.start_options import start_text
from bookings.states import Payment, Status
from dashboard.platform.accounts import emails
from dashboard.table.items import Item
from dashboard.web.forms import Form, LineField, RevisionField, RevisionForm
from dashboard.web.local_times import LOCAL, Moment, as_local, read_moment
from dashboard.web.locale import zone

_MOMENT = 40
MAX_QUERY = 100


class LocalField(forms.CharField):
    """A date and a time."""

    def __init__(self, label: Any, **options: Any) -> None:
        widget = forms.DateTimeInput(format=LOCAL, attrs={"type": "datetime-local"})
        super().__init__(label=label, max_length=_MOMENT, required=False, widget=widget, **options)


class ClockForm(Form):
    """A form with times in one provider's zone."""

    def __init__(self, *args: Any, provider_zone: ZoneInfo | None = None, **options: Any) -> None:
        self.provider_zone = provider_zone or zone(None)
        super().__init__(*args, **options)

    def read(self, name: str) -> Moment | None:
        """The moment that a field means; an invalid one becomes an error of the field."""
        text = str(self.cleaned_data.get(name) or "").strip()
        try:
            return read_moment(text, self.provider_zone) if text else None
        except ValidationError as wrong:
            self.add_error("start" if name == "start_at" else name, wrong)
            # A datetime-local input cannot show an invalid value.
            self.fields[name].widget.attrs["type"] = "text"
            return None

    def read_start(self) -> Moment | None:
        """The chosen start, or the typed one."""
        name = "start" if self.cleaned_data.get("start") else "start_at"
        found = self.read(name)
        if found is None and not self.has_error("start"):
            self.add_error("start", _("Choose or enter a time."))
        return found


class IdField(forms.CharField):
    def __init__(self, label: Any, **options: Any) -> None:
        super().__init__(label=label, max_length=MAX_ID, **options)


class BookingForm(ClockForm):
    """A new booking, for an existing or a new customer."""

    service = IdField(gettext_lazy("Service"), error_messages={"required": gettext_lazy("Choose a service.")})
    provider = IdField(
        gettext_lazy("Staff member"), error_messages={"required": gettext_lazy("Choose a staff member.")}
    )
    day = forms.CharField(label=gettext_lazy("Day"), max_length=_MOMENT, required=False)
    start = forms.CharField(label=gettext_lazy("Time"), max_length=_MOMENT, required=False)
    start_at = LocalField(gettext_lazy("Another time"))
    customer = IdField(gettext_lazy("Customer"), required=False)
    who = LineField(label=gettext_lazy("Find a customer"), max_length=MAX_QUERY, required=False)
    customer_name = LineField(label=gettext_lazy("Name"), max_length=100, required=False)
    customer_email = LineField(label=gettext_lazy("E-mail"), max_length=emails.MAX_LENGTH, required=False)
    customer_phone = LineField(label=gettext_lazy("Phone"), max_length=40, required=False)
    status = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[
            (Status.CONFIRMED.value, gettext_lazy("Confirmed")),
            (Status.PENDING.value, gettext_lazy("To confirm (the time is reserved)")),
        ],
        widget=forms.RadioSelect,
    )
    lapses_at = LocalField(gettext_lazy("Reserved until (cancelled if not confirmed)"))
    note = forms.CharField(
        label=gettext_lazy("Note"), max_length=MAX_NOTE_LENGTH, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )

    # The possible duplicates that the person accepts.
    accepts = forms.CharField(max_length=MAX_ID, required=False, widget=forms.HiddenInput)

    moment: Moment | None = None
    lapses: Moment | None = None
    new_customer: dict[str, str] | None = None

    def clean(self) -> dict[str, Any]:
        self.moment, self.lapses = self.read_start(), self.read("lapses_at")
        given = self.cleaned_data
        if not given.get("status"):
            given["status"] = Status.PENDING.value if self.lapses else Status.CONFIRMED.value
        if not given.get("customer"):
            self._read_new_customer()
        return given

    def _read_new_customer(self) -> None:
        """Validate a new customer with the customers' form."""
        names = ("name", "email", "phone")
        values = {name: self.cleaned_data.get(f"customer_{name}", "") for name in names}
        if not any(values.values()):
            if not any(self.has_error(f"customer_{name}") for name in names):
                self.add_error("customer", _("Choose a customer or enter the name of a new one."))
            return
        form = CustomerForm(_PostedData(values))
        if form.is_valid():
            self.new_customer = form.values
            return
        for name, errors in form.errors.items():
            for error in errors:
                self.add_error(f"customer_{name}" if name in names else "customer", error)


class _PostedData(dict[str, str]):
    """Posted data for a form that copies it."""

    def copy(self) -> _PostedData:
        return _PostedData(self)


class MoveForm(ClockForm):
    """Where a booking moves to."""

    provider = IdField(gettext_lazy("Staff member"), required=False)
    day = forms.CharField(label=gettext_lazy("Day"), max_length=_MOMENT, required=False, widget=forms.HiddenInput)
    start = forms.CharField(label=gettext_lazy("Time"), max_length=_MOMENT, required=False)
    start_at = LocalField(gettext_lazy("Another time"))
    revision = RevisionField()
    # The other bookings of the customer that the person accepts.
    accepts = forms.CharField(max_length=MAX_ID, required=False, widget=forms.HiddenInput)

    moment: Moment | None = None
    # Provider names for the conflict page.
    provider_names: dict[str, str] | None = None
    business_zone: ZoneInfo | None = None

    def clean(self) -> dict[str, Any]:
        self.moment = self.read_start()
        return self.cleaned_data

    def item_title(self, item: Item) -> str:
        return _conflict_title(item)

    def display(self, name: str, item: Item | None) -> str | None:
        """A value as text for the conflict page, with both times in one zone."""
        if self.provider_names is None or name not in {"provider", "start"}:
            return ""
        if name == "provider":
            provider = item.provider if isinstance(item, Booking) else self.data.get("provider", "")
            return self.provider_names.get(provider, provider)
        start = item.start_time if isinstance(item, Booking) else self.moment and self.moment.utc
        return start_text(start, self.provider_zone, self.business_zone or self.provider_zone) if start else ""

    def value_in(self, item: Item, name: str) -> Any:
        """The booking's current value of a field, for the conflict page."""
        if not isinstance(item, Booking):
            return None
        return {"provider": item.provider, "start": as_local(item.start_time, self.provider_zone.key)}.get(name)


class ActionForm(RevisionForm):
    """The form of an action without inputs."""

    def item_title(self, item: Item) -> str:
        return _conflict_title(item)


def _conflict_title(item: Item) -> str:
    return _("the booking of %(who)s") % {"who": item.title} if isinstance(item, Booking) else ""


class CancelForm(ActionForm):
    reason = LineField(label=gettext_lazy("Reason"), max_length=MAX_REASON, required=False)


class PaymentForm(ActionForm):
    payment = forms.ChoiceField(
        label=gettext_lazy("Payment"),
        choices=[(each.value, each.value) for each in Payment],
        widget=forms.HiddenInput,
    )


_FORMS: dict[str, type[ActionForm]] = {"cancel": CancelForm, "pay": PaymentForm}


def form_of(action: BookingAction) -> type[ActionForm]:
    return _FORMS.get(action.name, ActionForm)
