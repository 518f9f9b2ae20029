"""Audit labels of brand versions and files."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from branding.items import Role, Status
from branding.services.schedules import MISSED
from branding.tokens import TOKENS
from dashboard.platform.audit.labels import register_labels

register_labels(
    "theme",
    title=_("Brand versions"),
    actions={
        "create": _("made the brand version %(target)s"),
        "save": _("changed the draft %(target)s"),
        "keep": _("kept the draft %(target)s"),
        "let_go": _("let the draft %(target)s archive itself again"),
        "discard": _("discarded the draft %(target)s"),
        "restore": _("brought back the draft %(target)s"),
        "publish": _("published %(target)s"),
        "rollback": _("published the earlier version %(target)s again"),
        "withdraw": _("withdrew %(target)s: no version is live"),
        "schedule": _("scheduled %(target)s to publish"),
        "unschedule": _("cancelled the schedule of %(target)s"),
        "miss": _("could not publish %(target)s when it was to go live"),
        "lapse": _("did not have to publish %(target)s: it was already live"),
        "clear": _("took %(target)s, which did not go live, off the list"),
        "share": _("made a link that shows %(target)s"),
        "unshare": _("revoked a link that showed %(target)s"),
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
        "below_aa": _("hard to read"),
        "archives": _("deleted automatically"),
        "due": _("goes live"),
        "missed": _("why not"),
        "until": _("works until"),
        "views": _("views"),
    },
    values={
        "status": {
            Status.DRAFT: _("draft"),
            Status.PUBLISHED: _("live"),
            Status.SUPERSEDED: _("earlier"),
            Status.DISCARDED: _("discarded"),
        },
        "in_force": {"none": _("no version")},
        "archives": {"never": _("never")},
        "missed": MISSED,
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
        "restore": _("brought back the file %(target)s"),
        "purge": _("removed the deleted file %(target)s for good"),
    },
    fields={
        "file": _("file"),
        "asset_type": _("is for"),
        "dimensions": _("pixels"),
    },
    values={"asset_type": {Role.LOGO: _("Logo"), Role.BANNER: _("Banner"), Role.ICON: _("Icon")}},
    in_business=True,
    on_platform=False,
)
