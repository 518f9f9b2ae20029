"""What is done to the event, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from dashboard.platform.audit.labels import register_labels, register_target_page
from rooms.permissions import Permission
from rooms.state import CLOSED, OPEN
from rooms.versions import TYPES

register_labels(
    about={"room": _("Rooms")},
    sentences={
        "room.create": _("added the room %(target)s"),
        "room.rename": _("named a room %(target)s"),
        "room.remove": _("removed the room %(target)s"),
        "room.restore": _("brought the room %(target)s back"),
        "room.schedule": _("set when %(target)s opens"),
        "room.shift": _("moved the opening of %(target)s with others"),
        "room.override": _("took %(target)s off its schedule"),
        "room.release": _("put %(target)s back on its schedule"),
        "room.lapse": _("put %(target)s back on its schedule, as it was to end by then"),
    },
    fields={
        "openAt": _("opens at"),
        "openZone": _("time zone"),
        "override": _("held"),
        "heldUntil": _("held until"),
    },
    moments=("openAt", "heldUntil"),
    from_nothing=("openAt", "override", "heldUntil"),
    values={"override": {OPEN: pgettext_lazy("room", "open"), CLOSED: pgettext_lazy("room", "closed")}},
)

# --- Its people ----------------------------------------------------------------------------------
register_labels(
    about={
        "progress": _("Progress of people"),
        "event_people": _("Event people"),
    },
    sentences={
        "progress.complete": _("marked %(room)s as completed for %(target)s"),
        "progress.reopen": _("marked %(room)s as not completed for %(target)s"),
        "event_people.export": _("exported the people of the event"),
    },
    fields={
        "progress": _("completed rooms"),
        "room": _("room"),
        "country": _("country"),
    },
)

# --- What plays in them --------------------------------------------------------------------------
register_labels(
    about={},
    sentences={
        "room.content.create": _("added version %(version)s to %(target)s"),
        "room.content.activate": _("activated version %(version)s in %(target)s"),
        "room.content.deactivate": _("took version %(version)s off: nothing plays in %(target)s"),
    },
    fields={
        "title": _("title"),
        "type": _("type"),
        "video": _("video"),
        "opening": _("opening"),
    },
    values={"type": TYPES},
)

# --- Who is let in -------------------------------------------------------------------------------
register_labels(
    about={"domains": _("Domains")},
    sentences={
        "domains.save": _("saved the domains as %(target)s"),
        "domains.restore": _("brought earlier domains back as %(target)s"),
        "domains.revert": _("took back a change of the domains with %(target)s"),
        "domains.recount": _("asked to count the people of each domain again"),
    },
    fields={"domains": _("domains")},
)

register_target_page("room", "room", Permission.ROOMS)
register_target_page("progress", "event_person", Permission.EVENT_PEOPLE)
