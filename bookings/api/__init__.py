"""Endpoints of bookings (dashboard/web/api/endpoints.py)."""

from bookings.api import bookings, catalog, customers, slots

__all__ = ["bookings", "catalog", "customers", "slots"]
