"""Audit labels of the forum."""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.labels import register_labels
from dashboard.platform.configs.labels import config_fields
from dashboard.platform.table_health.history import register_log
from dashboard.table.keypattern import Parts
from forum.targets import ForumTarget

register_labels(
    "forum",
    title=_("Forum"),
    actions={
        "announce": _("published the announcement %(target)s"),
        "withdraw": _("deleted the announcement %(target)s"),
    },
    fields={"content": _("text")},
)

register_labels(
    "profanity",
    title=_("Profanity filter"),
    actions={
        "save": _("saved the profanity filter as %(target)s"),
        "restore": _("restored an earlier profanity filter as %(target)s"),
        "revert": _("reverted a change of the profanity filter with %(target)s"),
    },
    fields=config_fields({"words": _("words"), "allowed": _("allowed words"), "threshold": _("threshold")}),
)

register_labels(
    "reasons",
    title=_("Reasons"),
    actions={
        "save": _("saved the reasons as %(target)s"),
        "restore": _("restored earlier reasons as %(target)s"),
        "revert": _("reverted a change of the reasons with %(target)s"),
    },
    fields=config_fields({"reasons": _("reasons")}),
)


@register_log("post")
@register_log("comment")
def _log_url(parts: Parts) -> str:
    """The moderation log of a post or a comment."""
    target = ForumTarget(str(parts["post"]), str(parts.get("comment", "")))
    return f"{reverse('forum_log')}?{urlencode({'target': target.path})}"
