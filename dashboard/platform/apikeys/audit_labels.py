"""What is done to API keys, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.apikeys.permissions import Permission
from dashboard.platform.audit.labels import register_labels, register_target_page

register_labels(
    inside=True,
    outside=False,
    about={
        "apikey": _("API keys"),
    },
    sentences={
        "apikey.issue": _("issued the API key %(target)s"),
        "apikey.edit": _("edited the API key %(target)s"),
        "apikey.revoke": _("revoked the API key %(target)s"),
        "apikey.restore": _("made the API key %(target)s active again"),
    },
    fields={
        "origins": _("allowed origins"),
        "rate_limit": _("requests a minute"),
    },
    values={
        "state": {"revoked": _("revoked")},
        "origins": {"none": _("none")},
    },
)

register_target_page("apikey", "api_key", Permission.BUSINESS_KEYS, in_business=True)
