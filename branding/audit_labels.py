"""Audit labels of brand versions and files."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from branding.items import AssetRole, ThemeStatus
from branding.services.schedules import MISSED_REASONS
from branding.tokens import TOKENS
from dashboard.platform.audit.labels import register_labels

register_labels(
    "theme",
    title=_("Brand versions"),
    actions={
        "create": _("created the brand version %(target)s"),
        "save": _("changed the draft %(target)s"),
        "keep": _("turned off auto-delete for the draft %(target)s"),
        "let_go": _("turned auto-delete back on for the draft %(target)s"),
        "discard": _("discarded the draft %(target)s"),
        "restore": _("restored the draft %(target)s"),
        "publish": _("published %(target)s"),
        "rollback": _("made the earlier version %(target)s live again"),
        "withdraw": _("withdrew %(target)s: no version is live"),
        "schedule": _("scheduled %(target)s to publish"),
        "unschedule": _("cancelled the schedule of %(target)s"),
        "miss": _("could not publish %(target)s as scheduled"),
        "lapse": _("skipped the scheduled publication of %(target)s: it was already live"),
        "clear": _("dismissed %(target)s, which was not published"),
        "share": _("created a share link for %(target)s"),
        "unshare": _("revoked a share link for %(target)s"),
    },
    fields={
        "name": _("name"),
        "timezone": _("time zone"),
        "status": _("status"),
        **{token.name: token.label for token in TOKENS},
        "logo": _("logo"),
        "banner": _("banner"),
        "icon": _("icon"),
        "made_from": _("made from"),
        "in_force": _("live"),
        "note": _("note"),
        "below_aa": _("too little contrast"),
        "archives": _("deleted automatically"),
        "due": _("publication time"),
        "missed": _("reason"),
        "schedules_cancelled": _("schedules cancelled"),
        "schedules_restored": _("schedules restored"),
        "until": _("expires on"),
        "views": _("views"),
    },
    values={
        "status": {
            ThemeStatus.DRAFT: _("draft"),
            ThemeStatus.PUBLISHED: _("live"),
            ThemeStatus.SUPERSEDED: _("previously live"),
            ThemeStatus.DISCARDED: _("discarded"),
        },
        "in_force": {"none": _("no version")},
        **{token.name: {option.value: option.label for option in token.options} for token in TOKENS if token.options},
        "archives": {"never": _("never")},
        "missed": MISSED_REASONS,
    },
    moments=("due", "until"),
    in_business=True,
    on_platform=False,
)

register_labels(
    "asset",
    title=_("Files"),
    actions={
        "upload": _("uploaded the file %(target)s"),
        "delete": _("deleted the file %(target)s"),
        "restore": _("restored the file %(target)s"),
        "purge": _("permanently deleted the file %(target)s"),
    },
    fields={
        "file": _("file"),
        "asset_type": _("used as"),
        "dimensions": _("pixels"),
    },
    values={"asset_type": {AssetRole.LOGO: _("Logo"), AssetRole.BANNER: _("Banner"), AssetRole.ICON: _("Icon")}},
    in_business=True,
    on_platform=False,
)
