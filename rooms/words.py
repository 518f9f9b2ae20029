"""What is done at the event, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.audit.vocabulary import speak

# --- Its people ----------------------------------------------------------------------------------
speak(
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
