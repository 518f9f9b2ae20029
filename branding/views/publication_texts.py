"""The texts of toasts about publications."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from branding.services.schedule_changes import CANCELLED, RESTORED
from dashboard.table.timestamps import from_wire
from dashboard.web.local_times import moment_text

# The values of the field `undo`: the action that a form undoes.
UNDO_PUBLISH, UNDO_WITHDRAW = "publish", "withdraw"


def published_text(version: int, undo: str, replaced: int | None, result: dict[str, Any]) -> str:
    """What is live now, what was undone, and which schedules changed. `replaced` was live before."""
    names = {"number": version, "replaced": replaced}
    if undo == UNDO_PUBLISH and replaced is not None:
        text = _("Undone: v%(replaced)s is no longer live. v%(number)s is live again.")
    elif undo == UNDO_WITHDRAW:
        text = _("Undone: v%(number)s is live again.")
    else:
        text = _("v%(number)s is live.")
    return " ".join([text % names, *schedule_texts(result, version)])


def schedule_texts(result: dict[str, Any], version: int | None = None) -> list[str]:
    """A sentence for each schedule that a publication of `version` cancelled or restored."""
    cancelled, restored = result.get(CANCELLED, []), result.get(RESTORED, [])
    own_text, other_text = (
        _("Its schedule for %(when)s was cancelled."),
        _("v%(number)s: schedule for %(when)s cancelled."),
    )
    restored_text = _("v%(number)s: schedule for %(when)s restored.")
    return [
        *((own_text if each["version"] == version else other_text) % _schedule_names(each) for each in cancelled),
        *(restored_text % _schedule_names(each) for each in restored),
    ]


def _schedule_names(schedule: dict[str, Any]) -> dict[str, Any]:
    due = schedule["due"]
    return {"number": schedule["version"], "when": moment_text(from_wire(due), schedule["timezone"]) if due else "–"}
