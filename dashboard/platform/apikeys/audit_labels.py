"""Audit labels of API keys."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.apikeys.permissions import Permission
from dashboard.platform.audit.labels import register_labels, register_target_page

register_labels(
    "apikey",
    title=_("API keys"),
    actions={
        "issue": _("created the API key %(target)s"),
        "edit": _("edited the API key %(target)s"),
        "revoke": _("revoked the API key %(target)s"),
        "restore": _("restored the API key %(target)s"),
    },
    fields={
        "name": _("name"),
        "state": _("state"),
        "origins": _("allowed origins"),
        "rate_limit": _("requests per minute"),
    },
    values={
        "state": {"active": _("active"), "revoked": _("revoked")},
        "origins": {"none": _("none")},
    },
    in_business=True,
    on_platform=False,
)

register_target_page("apikey", "api_key", Permission.BUSINESS_KEYS, in_business=True)
