"""The booking state machine: one declaration for each action.

Views, services, URLs, templates, toasts and audit labels read these declarations. An action whose effect is more than
its target status has a function in `bookings/services/decisions.py`; one with its own inputs has a form in
`bookings/forms/bookings.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from bookings.items import Booking
from bookings.states import LAPSED, UNKNOWN, Payment, Status

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise

Inputs = Mapping[str, Any]
IsDone = Callable[[Booking, datetime, Inputs], bool]

ANY_STATE = (*Status, LAPSED, UNKNOWN)


@dataclass(frozen=True, eq=False)
class BookingAction:
    # The verb of the audit action `booking.<name>`, of the URL and of its name `booking_<name>`.
    name: str
    # What the audit log says; `%(target)s` is the customer.
    audit_label: _StrPromise
    # The states in which pages offer the action. `sources` decides nothing else: a request from an old page or from
    # Undo is still carried out.
    sources: Collection[str] = ANY_STATE
    # The status afterwards. None: the action does not change the status, or it restores an earlier one.
    target: Status | None = None
    # The states in which the service refuses a request, each with the text of the refusal. In any other state the
    # service carries it out.
    refusals: Mapping[str, Text] = field(default_factory=dict)
    # The text of the refusal before the booking's start. Empty: the action is possible at any time.
    too_early: Text = ""
    # Whether pages offer the action only if the booking's start can be read.
    needs_start: bool = False
    # Whether there is nothing to change. None: there is nothing to change if the booking has the target status.
    is_done: IsDone | None = None

    # The text of the button. Empty: the action has no button.
    label: Text = ""
    icon: str = ""
    # The key that presses the button.
    shortcut: str = ""
    # The button's CSS class: `primary`, `danger`, or empty.
    button_level: str = ""
    # The text next to the button.
    hint: Text = ""
    # The hint in states that need another one.
    hints: Mapping[str, Text] = field(default_factory=dict)

    # The toast after the action; `%(who)s` is the customer.
    toast: Text = ""
    # The name of the action that Undo performs. Empty: there is no Undo.
    inverse: str = ""
    # The inverse for earlier statuses that need another one.
    inverse_by_status: Mapping[str, str] = field(default_factory=dict)
    # The earlier values that Undo sends, each with the values that are allowed. None: any value is allowed.
    inverse_inputs: Mapping[str, Collection[str] | None] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The last part of its URL."""
        return f"{self.name.replace('_', '-')}/"

    @property
    def url_name(self) -> str:
        return f"booking_{self.name}"

    @property
    def audit_action(self) -> str:
        return f"booking.{self.name}"

    def is_offered(self, booking: Booking, now: datetime) -> bool:
        """Whether the booking's page shows it."""
        if booking.state(now) not in self.sources or self.changes_nothing(booking, now, {}):
            return False
        if self.needs_start and not booking.start_time:
            return False
        return not (self.too_early and booking.start_time and booking.start_time > now)

    def changes_nothing(self, booking: Booking, now: datetime, inputs: Inputs) -> bool:
        if self.is_done is not None:
            return self.is_done(booking, now, inputs)
        return self.target is not None and booking.status == self.target

    def refusal(self, booking: Booking, now: datetime) -> Text:
        """Why the action is refused; empty if it is possible."""
        text = self.refusals.get(booking.state(now), "")
        if not text and booking.start_time and booking.start_time > now:
            return self.too_early
        return text

    def hint_in(self, state: str) -> Text:
        return self.hints.get(state, self.hint)

    def undo(self, previous: Mapping[str, Any]) -> tuple[BookingAction, dict[str, Any]] | None:
        """The action that restores the previous values and its inputs; None if there is none."""
        name = self.inverse_by_status.get(str(previous.get("status")), self.inverse)
        inputs = {each: previous.get(each, "") for each in self.inverse_inputs}
        allowed = all(values is None or inputs[each] in values for each, values in self.inverse_inputs.items())
        return (BY_NAME[name], inputs) if name and allowed else None


CONFIRM = BookingAction(
    "confirm",
    audit_label=_("confirmed the booking of %(target)s"),
    sources=(Status.PENDING, Status.NO_SHOW, LAPSED),
    target=Status.CONFIRMED,
    refusals={Status.CANCELLED: _("This booking is cancelled. Restore it first.")},
    label=_("Confirm"),
    icon="check",
    shortcut="c",
    button_level="primary",
    hint=_("The customer keeps this time."),
    hints={
        LAPSED: _("Restores the booking if its time is still free."),
        Status.NO_SHOW: _("If the customer came after all."),
    },
    toast=_("Booking of %(who)s confirmed."),
    inverse="unconfirm",
    inverse_by_status={Status.NO_SHOW: "no_show", Status.CANCELLED: "cancel"},
)
UNCONFIRM = BookingAction(
    "unconfirm",
    audit_label=_("set the booking of %(target)s back to be confirmed"),
    sources=(Status.CONFIRMED,),
    target=Status.PENDING,
    refusals=dict.fromkeys(
        (Status.CANCELLED, Status.NO_SHOW, LAPSED, UNKNOWN),
        _("Only a confirmed booking can be set back to be confirmed."),
    ),
    is_done=lambda booking, now, inputs: booking.state(now) == Status.PENDING,
    toast=_("Booking of %(who)s is to be confirmed again."),
    inverse="confirm",
)
RESTORE = BookingAction(
    "restore",
    audit_label=_("restored the booking of %(target)s"),
    sources=(Status.CANCELLED,),
    is_done=lambda booking, now, inputs: booking.status != Status.CANCELLED,
    label=_("Restore"),
    icon="rotate-ccw",
    hint=_("Restores the booking if its time is still free."),
    toast=_("Booking of %(who)s restored."),
    inverse="cancel",
)
PAY = BookingAction(
    "pay",
    audit_label=_("changed the payment of %(target)s"),
    is_done=lambda booking, now, inputs: (booking.payment_status or Payment.NONE) == inputs.get("payment"),
    label=_("Payment"),
    hint=_("Just a record, no card is charged."),
    toast=_("Payment of %(who)s: %(payment)s."),
    inverse="pay",
    inverse_inputs={"payment": tuple(Payment)},
)
NO_SHOW = BookingAction(
    "no_show",
    audit_label=_("marked %(target)s as a no-show"),
    sources=(Status.PENDING, Status.CONFIRMED),
    target=Status.NO_SHOW,
    refusals=dict.fromkeys((Status.CANCELLED, LAPSED), _("This booking is cancelled and cannot be a no-show.")),
    too_early=_("This booking has not started yet. Cancel it if the customer will not come."),
    needs_start=True,
    label=_("No-show"),
    icon="user-x",
    hint=_("The time stays taken."),
    toast=_("%(who)s marked as a no-show."),
    inverse="confirm",
)
CANCEL = BookingAction(
    "cancel",
    audit_label=_("cancelled the booking of %(target)s"),
    target=Status.CANCELLED,
    label=_("Cancel the booking"),
    icon="x",
    button_level="danger",
    hint=_("Its time becomes free. You can undo this."),
    toast=_("Booking of %(who)s cancelled."),
    inverse="restore",
)
LAPSE = BookingAction(
    "lapse",
    audit_label=_("cancelled the booking of %(target)s: it was not confirmed in time"),
    sources=(LAPSED,),
    target=Status.CANCELLED,
    is_done=lambda booking, now, inputs: booking.status != Status.PENDING or not booking.has_lapsed(now),
)
RESCHEDULE = BookingAction(
    "reschedule",
    audit_label=_("moved the booking of %(target)s"),
    sources=(Status.PENDING, Status.CONFIRMED),
    refusals={
        LAPSED: _("This booking was not confirmed in time. Confirm it first."),
        Status.CANCELLED: _("This booking is cancelled. Restore it first."),
        Status.NO_SHOW: _("This booking was a no-show. Make a new one."),
    },
    needs_start=True,
    label=_("Move"),
    icon="calendar",
    shortcut="m",
    button_level="primary",
    toast=_("Moved to %(when)s."),
    inverse="reschedule",
    inverse_inputs={"provider": None, "start": None},
)

# In the order of the buttons on the booking's page. Each has a URL that takes a POST.
DECISIONS = (CONFIRM, UNCONFIRM, RESTORE, PAY, NO_SHOW, CANCEL)
ACTIONS = (*DECISIONS, LAPSE, RESCHEDULE)
BY_NAME = {action.name: action for action in ACTIONS}


def offered_decisions(booking: Booking, now: datetime) -> list[BookingAction]:
    """The decisions that the booking's page shows as buttons."""
    return [action for action in DECISIONS if action.label and action.is_offered(booking, now)]
