"""Audit labels of people."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts.fields import PERSON_FIELDS, PROFILE_FIELDS
from dashboard.platform.accounts.permissions import ROLE_LABELS, Permission
from dashboard.platform.audit.labels import register_labels, register_target_page

register_labels(
    "person",
    title=_("People"),
    actions={
        "invite": _("invited %(target)s"),
        "invite_again": _("created a new invitation link for %(target)s"),
        "withdraw": _("withdrew the invitation of %(target)s"),
        "edit": _("edited %(target)s"),
        "disable": _("disabled %(target)s"),
        "enable": _("enabled %(target)s"),
        "reset": _("created a password link for %(target)s"),
        "end_sessions": _("signed %(target)s out everywhere"),
        "join": _("joined"),
        "new_password": _("changed the password of %(target)s"),
        "profile": _("changed the preferences of %(target)s"),
        "create": _("created the account of %(target)s"),
        "second_factor_on": _("turned on the second factor of %(target)s"),
        "second_factor_off": _("turned off the second factor of %(target)s"),
        "second_factor_reset": _("reset the second factor of %(target)s"),
        "recovery_codes": _("created new recovery codes for %(target)s"),
        "recovery_code": _("used a recovery code of %(target)s"),
    },
    own_actions={
        "new_password": _("changed their password"),
        "profile": _("changed their preferences"),
        "end_sessions": _("signed out everywhere else"),
        "edit": _("edited their own account"),
        "second_factor_on": _("turned on their second factor"),
        "second_factor_off": _("turned off their second factor"),
        "recovery_codes": _("created new recovery codes"),
        "recovery_code": _("signed in with a recovery code"),
    },
    fields=PERSON_FIELDS.audit_labels | {"state": _("state")} | PROFILE_FIELDS.audit_labels,
    values={
        "role": ROLE_LABELS,
        "state": {
            "active": _("active"),
            "invited": _("invited"),
            "disabled": _("disabled"),
        },
    },
)

register_labels(
    "security",
    title=_("Security"),
    actions={"second_factor": _("changed who needs a second factor")},
    fields={"roles": _("roles")},
    values={"roles": ROLE_LABELS},
)

register_labels(
    "people",
    title=_("Imports"),
    actions={"links": _("downloaded the invitation links of “%(target)s”")},
)

register_target_page("person", "person", Permission.PEOPLE_MANAGE)
register_target_page("member", "person", Permission.PEOPLE_MANAGE)
