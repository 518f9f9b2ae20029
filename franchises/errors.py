"""Errors of stock changes."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Unavailable


class StockIsBusy(Unavailable):
    """Too many changes of one stock at the same time. Sending the same form again is safe."""

    text = _("The stock of this product is being changed by many people right now. Nothing was changed. Try again.")
