"""Audit labels of the event."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from dashboard.platform.audit.labels import register_labels, register_target_page
from dashboard.platform.configs.labels import config_fields
from rooms.permissions import Permission
from rooms.presenters.content import TYPES
from rooms.state import CLOSED, OPEN

register_labels(
    "room",
    title=_("Rooms"),
    actions={
        "create": _("added the room %(target)s"),
        "rename": _("named a room %(target)s"),
        "remove": _("removed the room %(target)s"),
        "restore": _("brought the room %(target)s back"),
        "schedule": _("set when %(target)s opens"),
        "shift": _("moved the opening of %(target)s with others"),
        "override": _("took %(target)s off its schedule"),
        "release": _("put %(target)s back on its schedule"),
        "lapse": _("put %(target)s back on its schedule, as it was to end by then"),
        "content.create": _("added version %(version)s to %(target)s"),
        "content.activate": _("activated version %(version)s in %(target)s"),
        "content.deactivate": _("took version %(version)s off: nothing plays in %(target)s"),
    },
    fields={
        "name": _("name"),
        "made_from": _("made from"),
        "version": _("version"),
        "openAt": _("opens at"),
        "openZone": _("time zone"),
        "override": _("held"),
        "heldUntil": _("held until"),
        "title": _("title"),
        "type": _("type"),
        "video": _("video"),
        "opening": _("opening"),
    },
    values={
        "override": {OPEN: pgettext_lazy("room", "open"), CLOSED: pgettext_lazy("room", "closed")},
        "type": TYPES,
    },
    moments=("openAt", "heldUntil"),
    show_new_values=("openAt", "override", "heldUntil"),
)

register_labels(
    "progress",
    title=_("Progress of people"),
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
    title=_("Event people"),
    actions={"export": _("exported the people of the event")},
    fields={"country": _("country")},
)

register_labels(
    "domains",
    title=_("Domains"),
    actions={
        "save": _("saved the domains as %(target)s"),
        "restore": _("brought earlier domains back as %(target)s"),
        "revert": _("took back a change of the domains with %(target)s"),
        "recount": _("asked to count the people of each domain again"),
    },
    fields=config_fields({"domains": _("domains")}),
)

register_target_page("room", "room", Permission.ROOMS)
register_target_page("progress", "event_person", Permission.ATTENDEES)
