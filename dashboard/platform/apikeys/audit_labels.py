"""Audit labels of API keys."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.apikeys.fields import KEY_FIELDS
from dashboard.platform.apikeys.permissions import Permission
from dashboard.platform.audit.labels import register_labels, register_target_page

FIELD_LABELS = KEY_FIELDS.audit_labels

register_labels(
    "apikey",
    title=_("API keys"),
    actions={
        "issue": _("created the API key %(target)s"),
        "edit": _("edited the API key %(target)s"),
        "revoke": _("revoked the API key %(target)s"),
        "restore": _("restored the API key %(target)s"),
    },
    # In the order of the page of an entry: the state follows the name.
    fields={"name": FIELD_LABELS["name"], "state": _("state")} | FIELD_LABELS,
    values={
        "state": {"active": _("active"), "revoked": _("revoked")},
        "origins": {"none": _("none")},
        "scopes": {"none": _("none")},
        "key_type": {"secret": _("secret"), "public": _("public")},
    },
    in_business=True,
)

register_target_page("apikey", "api_key", Permission.BUSINESS_KEYS, in_business=True)
register_target_page("platform_apikey", "platform_api_key", Permission.PLATFORM_KEYS)
