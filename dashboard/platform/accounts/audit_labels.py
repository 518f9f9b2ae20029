"""What is done to people, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts.permissions import ROLE_LABELS, Permission
from dashboard.platform.audit.labels import register_labels, register_target_page

register_labels(
    about={
        "person": _("People"),
        "security": _("Security"),
        "people": _("Imports"),
    },
    sentences={
        "person.invite": _("invited %(target)s"),
        "person.invite_again": _("made a new invitation link for %(target)s"),
        "person.withdraw": _("withdrew the invitation of %(target)s"),
        "person.edit": _("edited %(target)s"),
        "person.disable": _("disabled %(target)s"),
        "person.enable": _("enabled %(target)s"),
        "person.reset": _("made a password link for %(target)s"),
        "person.end_sessions": _("signed %(target)s out everywhere"),
        "person.join": _("joined"),
        "person.new_password": _("changed the password of %(target)s"),
        "person.profile": _("changed the preferences of %(target)s"),
        "person.create": _("created the account of %(target)s"),
        "person.second_factor_on": _("switched on the second factor of %(target)s"),
        "person.second_factor_off": _("switched off the second factor of %(target)s"),
        "person.second_factor_reset": _("reset the second factor of %(target)s"),
        "person.recovery_codes": _("made new recovery codes for %(target)s"),
        "person.recovery_code": _("used a recovery code of %(target)s"),
        "security.second_factor": _("changed who needs a second factor"),
        "people.links": _("downloaded the invitation links of “%(target)s”"),
    },
    own={
        "person.new_password": _("chose a new password"),
        "person.profile": _("changed their preferences"),
        "person.end_sessions": _("signed out everywhere else"),
        "person.edit": _("edited their own account"),
        "person.second_factor_on": _("switched on their second factor"),
        "person.second_factor_off": _("switched off their second factor"),
        "person.recovery_codes": _("made new recovery codes"),
        "person.recovery_code": _("signed in with a recovery code"),
    },
    fields={
        "name": _("name"),
        "role": _("role"),
        "state": _("state"),
        "language": _("language"),
        "timezone": _("time zone"),
        "theme": _("appearance"),
        "roles": _("roles"),
    },
    values={
        "role": ROLE_LABELS,
        "roles": ROLE_LABELS,
        "state": {
            "active": _("active"),
            "invited": _("invited"),
            "disabled": _("disabled"),
        },
    },
)

register_target_page("person", "person", Permission.PEOPLE_MANAGE)
register_target_page("member", "person", Permission.PEOPLE_MANAGE)
