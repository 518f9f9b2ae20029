"""Permissions of jobs."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, BusinessRole, Role, grant, grant_in_business


class Permission(BasePermission):
    OPERATIONS = "operations"
    # The interrupted jobs of everybody.
    ALL_OPERATIONS = "operations.all"
    # The pages of a job inside its business. The job itself also needs the permission of its kind.
    BUSINESS_OPERATIONS = "business.operations"


grant(Permission.OPERATIONS, to=Role)
grant(Permission.ALL_OPERATIONS)
grant_in_business(Permission.BUSINESS_OPERATIONS, to=BusinessRole)
