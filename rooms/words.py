"""What is done at the event, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.audit.vocabulary import speak

# The domains that are let in.
speak(
    about={"domains": _("Domains")},
    sentences={
        "domains.save": _("saved the domains as %(target)s"),
        "domains.restore": _("brought earlier domains back as %(target)s"),
        "domains.revert": _("took back a change of the domains with %(target)s"),
        "domains.recount": _("asked to count the people of each domain again"),
    },
    fields={"domains": _("domains")},
)
