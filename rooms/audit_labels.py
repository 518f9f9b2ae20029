"""Audit labels of the event."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from dashboard.platform.audit.labels import register_labels, register_target_page
from dashboard.platform.configs.labels import config_fields
from rooms.fields import CONTENT_FIELDS, TYPES
from rooms.permissions import Permission
from rooms.state import CLOSED, OPEN

register_labels(
    "room",
    title=_("Rooms"),
    actions={
        "create": _("added the room %(target)s"),
        "rename": _("renamed a room to %(target)s"),
        "remove": _("removed the room %(target)s"),
        "restore": _("restored the room %(target)s"),
        "schedule": _("changed the times of %(target)s"),
        "close": _("closed %(target)s at its closing time"),
        "open": _("opened %(target)s at its opening time"),
        "shift": _("shifted the opening time of %(target)s"),
        "override": _("overrode the schedule of %(target)s"),
        "release": _("set %(target)s back to schedule"),
        "lapse": _("ended the override of %(target)s at its end time"),
        "content.create": _("added version %(version)s to %(target)s"),
        "content.activate": _("activated version %(version)s in %(target)s"),
        "content.deactivate": _("deactivated version %(version)s in %(target)s"),
    },
    fields={
        "name": _("name"),
        "made_from": _("copied from"),
        "version": _("version"),
        "openAt": _("opens at"),
        "closeAt": _("closes at"),
        "openZone": _("time zone"),
        "override": _("override"),
        "heldUntil": _("override until"),
    }
    | CONTENT_FIELDS.audit_labels,
    values={
        "override": {OPEN: pgettext_lazy("room", "open"), CLOSED: pgettext_lazy("room", "closed")},
        "type": TYPES,
    },
    moments=("openAt", "closeAt", "heldUntil", "opening"),
    show_new_values=("openAt", "closeAt", "override", "heldUntil"),
)

register_labels(
    "progress",
    title=_("Attendee progress"),
    actions={
        "complete": _("marked %(room)s as completed for %(target)s"),
        "reopen": _("marked %(room)s as not completed for %(target)s"),
    },
    fields={
        "progress": _("completed rooms"),
        "room": _("room"),
    },
)

register_labels(
    "event_people",
    title=_("Attendees"),
    actions={"export": _("exported the attendees")},
    fields={"country": _("country")},
)

register_labels(
    "domains",
    title=_("Domains"),
    actions={
        "save": _("saved the domains as %(target)s"),
        "restore": _("restored earlier domains as %(target)s"),
        "revert": _("reverted a change of the domains with %(target)s"),
        "recount": _("started a recount of people by domain"),
    },
    fields=config_fields({"domains": _("domains")}),
)

register_target_page("room", "room", Permission.ROOMS)
register_target_page("progress", "event_person", Permission.ATTENDEES)
