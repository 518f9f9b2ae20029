"""Permissions of stores."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, BusinessRole, grant, grant_in_business


class Permission(BasePermission):
    # The list of all franchises, for admins.
    FRANCHISES = "franchises"
    # Stock and its movements.
    STOCK = "stores.stock"
    # Branches, products and the rules of the franchise.
    STORES = "stores"


grant(Permission.FRANCHISES)
grant_in_business(Permission.STOCK, to=(BusinessRole.MANAGER, BusinessRole.STOCK_KEEPER))
grant_in_business(Permission.STORES, to=(BusinessRole.MANAGER, BusinessRole.STOCK_KEEPER))
