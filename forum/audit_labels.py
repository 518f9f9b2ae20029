"""What is done to the forum's configs, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.labels import register_labels

register_labels(
    about={
        "forum": _("Forum"),
        "profanity": _("Profanity filter"),
        "reasons": _("Reasons"),
    },
    sentences={
        "forum.announce": _("announced %(target)s"),
        "forum.withdraw": _("took back the announcement %(target)s"),
        "profanity.save": _("saved the profanity filter as %(target)s"),
        "profanity.restore": _("brought an earlier profanity filter back as %(target)s"),
        "profanity.revert": _("took back a change of the profanity filter with %(target)s"),
        "reasons.save": _("saved the reasons as %(target)s"),
        "reasons.restore": _("brought earlier reasons back as %(target)s"),
        "reasons.revert": _("took back a change of the reasons with %(target)s"),
    },
    fields={
        "version": _("version"),
        "words": _("words"),
        "allowed": _("words let through"),
        "reasons": _("reasons"),
        "threshold": _("threshold"),
        "add": _("added"),
        "change": _("changed"),
        "remove": _("removed"),
        "more": _("and more"),
        "note": _("note"),
        "confirmed": _("confirmed"),
        "content": _("text"),
    },
)
