"""Endpoints of bookings (dashboard/web/api/endpoints.py)."""

from bookings.api import bookings, catalog, conversations, customers, slots

__all__ = ["bookings", "catalog", "conversations", "customers", "slots"]
