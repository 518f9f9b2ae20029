"""What a business asks of those who book."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from bookings.forms.partial_update import PartialUpdateForm, StoredNumber
from bookings.rules import MOST_DAYS, MOST_NOTICE, STEPS, step_of
from dashboard.platform.businesses.forms import StoredChoice
from dashboard.platform.businesses.items import Business
from dashboard.table.items import Item
from dashboard.web.forms import RevisionField


def _steps() -> list[tuple[str, Any]]:
    return [(str(step), _("%(minutes)s minutes") % {"minutes": step}) for step in STEPS]


class RulesForm(PartialUpdateForm):
    notice_minutes = StoredNumber(
        label=_("Minimum notice (minutes)"),
        min_value=0,
        max_value=MOST_NOTICE,
        required=False,
        help_text=_("How long before the start a booking can still be made. Empty: until it begins."),
    )
    horizon_days = StoredNumber(
        label=_("Book up to (days ahead)"),
        min_value=1,
        max_value=MOST_DAYS,
        required=False,
        help_text=_("How far ahead a booking can be made. Empty: without a limit."),
    )
    step_minutes = StoredChoice(
        label=_("Start times every"),
        choices=_steps,
        required=False,
        help_text=_("Free times are offered in these steps, by the clock."),
    )
    revision = RevisionField()

    def __init__(self, data: Any = None, *, business: Business, **options: Any) -> None:
        options |= {"stored": fields_of(business), "revision": business.revision}
        super().__init__(data, **options)

    def clean_step_minutes(self) -> int | None:
        step: str = self.cleaned_data["step_minutes"]
        return int(step) if step else None

    def stands(self, item: Item, name: str) -> Any:
        return fields_of(item).get(name) if isinstance(item, Business) else None


def fields_of(business: Business) -> dict[str, Any]:
    return {
        "notice_minutes": business.notice_minutes,
        "horizon_days": business.horizon_days,
        "step_minutes": str(step_of(business)),
    }
