"""Audit labels that all configs share."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.labels import Labels


def config_fields(totals: Labels) -> Labels:
    """The labels of the fields that saving a config writes, with those of its own totals."""
    return {
        "version": _("version"),
        **totals,
        "add": _("added"),
        "change": _("changed"),
        "remove": _("removed"),
        "more": _("and more"),
        "confirmed": _("confirmed"),
        "note": _("note"),
    }
