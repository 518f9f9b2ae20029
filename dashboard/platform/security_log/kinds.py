"""The kinds of security events, and their labels."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts.permissions import BUSINESS_ROLE_LABELS, ROLE_LABELS


class EventKind(StrEnum):
    SIGNED_IN = "sign_in"
    CODE_REQUESTED = "sign_in.code_asked"
    SIGN_IN_FAILED = "sign_in.failed"
    NEW_DEVICE = "sign_in.new_device"
    THROTTLED = "throttled"
    NEW_PASSWORD = "password.changed"  # noqa: S105
    WRONG_PASSWORD = "password.failed"  # noqa: S105
    FACTOR_ON = "factor.on"
    FACTOR_OFF = "factor.off"
    FACTOR_RESET = "factor.reset"
    FACTOR_USED = "factor.used"
    FACTOR_FAILED = "factor.failed"
    RECOVERY_CODE_USED = "factor.recovery_code_used"
    RECOVERY_CODES_RENEWED = "factor.recovery_codes_renewed"
    LINK_CREATED = "link.created"
    LINK_USED = "link.used"
    LINK_REJECTED = "link.rejected"
    LINK_WITHDRAWN = "link.withdrawn"
    ROLE_CHANGED = "account.role_changed"
    MEMBER_ADDED = "member.added"
    MEMBER_REMOVED = "member.removed"
    RULES_CHANGED = "sign_in.rules_changed"
    DISABLED = "account.disabled"
    ENABLED = "account.enabled"
    SESSIONS_ENDED = "account.sessions_ended"
    KEY_CREATED = "api_key.created"
    KEY_REVOKED = "api_key.revoked"
    KEY_RESTORED = "api_key.restored"
    KEY_REJECTED = "api_key.rejected"
    KEY_THROTTLED = "api_key.throttled"
    EXPORTED = "export"
    FOREIGN_BUSINESS = "business.foreign"


@dataclass(frozen=True)
class KindLabel:
    text: Promise | str
    # How much attention it needs: good, plain, warn or bad.
    level: str = "plain"


KIND_LABELS = {
    EventKind.SIGNED_IN: KindLabel(_("Signed in"), "good"),
    EventKind.CODE_REQUESTED: KindLabel(_("Correct password, code requested")),
    EventKind.SIGN_IN_FAILED: KindLabel(_("Wrong e-mail or password"), "bad"),
    EventKind.NEW_DEVICE: KindLabel(_("Admin signed in from a new network or browser"), "warn"),
    EventKind.THROTTLED: KindLabel(_("Too many attempts"), "bad"),
    EventKind.NEW_PASSWORD: KindLabel(_("Password changed")),
    EventKind.WRONG_PASSWORD: KindLabel(_("Wrong current password"), "bad"),
    EventKind.FACTOR_ON: KindLabel(_("Second factor turned on")),
    EventKind.FACTOR_OFF: KindLabel(_("Second factor turned off"), "warn"),
    EventKind.FACTOR_RESET: KindLabel(_("Second factor reset by an admin"), "warn"),
    EventKind.FACTOR_USED: KindLabel(_("Code accepted")),
    EventKind.FACTOR_FAILED: KindLabel(_("Wrong code"), "bad"),
    EventKind.RECOVERY_CODE_USED: KindLabel(_("Recovery code used"), "warn"),
    EventKind.RECOVERY_CODES_RENEWED: KindLabel(_("New recovery codes created")),
    EventKind.LINK_CREATED: KindLabel(_("Invitation or password link created")),
    EventKind.LINK_USED: KindLabel(_("Invitation or password link used")),
    EventKind.LINK_REJECTED: KindLabel(_("Invalid, used or expired link"), "bad"),
    EventKind.LINK_WITHDRAWN: KindLabel(_("Invitation withdrawn")),
    EventKind.ROLE_CHANGED: KindLabel(_("Role changed"), "warn"),
    EventKind.MEMBER_ADDED: KindLabel(_("Added to a business"), "warn"),
    EventKind.MEMBER_REMOVED: KindLabel(_("Removed from a business"), "warn"),
    EventKind.RULES_CHANGED: KindLabel(_("Sign-in rules changed"), "warn"),
    EventKind.DISABLED: KindLabel(_("Account disabled"), "warn"),
    EventKind.ENABLED: KindLabel(_("Account enabled")),
    EventKind.SESSIONS_ENDED: KindLabel(_("Signed out everywhere")),
    EventKind.KEY_CREATED: KindLabel(_("API key created")),
    EventKind.KEY_REVOKED: KindLabel(_("API key revoked")),
    EventKind.KEY_RESTORED: KindLabel(_("API key restored")),
    EventKind.KEY_REJECTED: KindLabel(_("API key rejected"), "bad"),
    EventKind.KEY_THROTTLED: KindLabel(_("Too many API requests"), "warn"),
    EventKind.EXPORTED: KindLabel(_("Data exported")),
    EventKind.FOREIGN_BUSINESS: KindLabel(_("Tried to open someone else’s business"), "bad"),
}

# Labels of the details that an event can have, by the stored name of the detail.
DETAIL_LABELS = {
    "business": _("Business"),
    "file": _("File"),
    "key": _("API key"),
    "new": _("New"),
    "reason": _("Reason"),
    "role": _("Role"),
    "business_role": _("Role in the business"),
    "previous_business_role": _("Previous role in the business"),
    "roles": _("Roles that need a second factor"),
    "previous_roles": _("Previously"),
    "step": _("Step"),
    # The previous role. The name is stored.
    "was": _("Previously"),
}

# Labels of their values. Other values are shown as they are: ids and the names of files.
DETAIL_VALUE_LABELS: dict[str, dict[str, Promise]] = {
    "new": {
        "network": _("network"),
        "browser": _("browser"),
        "network browser": _("network and browser"),
    },
    "reason": {
        "unknown_key": _("unknown key"),
        "revoked_key": _("revoked key"),
        "origin_not_allowed": _("site not allowed"),
    },
    "role": {role.value: label for role, label in ROLE_LABELS.items()},
    "business_role": {role.value: label for role, label in BUSINESS_ROLE_LABELS.items()},
    "previous_business_role": {role.value: label for role, label in BUSINESS_ROLE_LABELS.items()},
    "roles": {role.value: label for role, label in ROLE_LABELS.items()},
    "previous_roles": {role.value: label for role, label in ROLE_LABELS.items()},
    "was": {role.value: label for role, label in ROLE_LABELS.items()},
    "step": {
        "password": _("password"),
        "code": _("code"),
        "set-up": _("setting up the second factor"),
    },
}

# Details with several values, separated by spaces.
DETAILS_WITH_SEVERAL_VALUES = frozenset({"roles", "previous_roles"})

# Kinds that a stranger can cause without limit. One of the same account and address is stored per minute.
STORED_ONCE_A_MINUTE = frozenset(
    {
        EventKind.THROTTLED,
        EventKind.LINK_REJECTED,
        EventKind.KEY_REJECTED,
        EventKind.KEY_THROTTLED,
        EventKind.FOREIGN_BUSINESS,
    }
)
