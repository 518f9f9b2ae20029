"""Permissions of mail."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, BusinessRole, grant, grant_in_business


class Permission(BasePermission):
    # The mail of the platform, which contains one-time links.
    SYSTEM_MAIL = "mail"
    BUSINESS_MAIL = "business.mail"
    MAIL_TEXTS = "business.mail.texts"


grant(Permission.SYSTEM_MAIL)
grant_in_business(Permission.BUSINESS_MAIL, to=(BusinessRole.MANAGER, BusinessRole.RECEPTIONIST))
grant_in_business(Permission.MAIL_TEXTS, to=(BusinessRole.MANAGER,))
