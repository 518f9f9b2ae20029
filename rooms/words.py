"""What is done to the event, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.audit.vocabulary import speak
from rooms.versions import TYPES

# What plays in a room.
speak(
    about={"room": _("Rooms")},
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
