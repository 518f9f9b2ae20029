"""What is done to a business's look, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from branding.items import Role, Status
from branding.services.schedules import MISSED
from branding.tokens import TOKENS
from dashboard.platform.audit.labels import register_labels

register_labels(
    inside=True,
    outside=False,
    about={
        "theme": _("Brand versions"),
        "asset": _("Files"),
    },
    sentences={
        "theme.create": _("made the brand version %(target)s"),
        "theme.save": _("changed the draft %(target)s"),
        "theme.keep": _("kept the draft %(target)s"),
        "theme.let_go": _("let the draft %(target)s archive itself again"),
        "theme.discard": _("discarded the draft %(target)s"),
        "theme.restore": _("brought back the draft %(target)s"),
        "theme.publish": _("published %(target)s"),
        "theme.rollback": _("published the earlier version %(target)s again"),
        "theme.withdraw": _("withdrew %(target)s: no version is live"),
        "theme.schedule": _("scheduled %(target)s to publish"),
        "theme.unschedule": _("cancelled the schedule of %(target)s"),
        "theme.miss": _("could not publish %(target)s when it was to go live"),
        "theme.lapse": _("did not have to publish %(target)s: it was already live"),
        "theme.clear": _("took %(target)s, which did not go live, off the list"),
        "theme.share": _("made a link that shows %(target)s"),
        "theme.unshare": _("revoked a link that showed %(target)s"),
        "asset.upload": _("uploaded the file %(target)s"),
        "asset.delete": _("deleted the file %(target)s"),
        "asset.restore": _("brought back the file %(target)s"),
        "asset.purge": _("removed the deleted file %(target)s for good"),
    },
    fields={
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
        "file": _("file"),
        "asset_type": _("is for"),
        "dimensions": _("pixels"),
    },
    values={
        "status": {
            Status.DRAFT: _("draft"),
            Status.PUBLISHED: _("live"),
            Status.SUPERSEDED: _("earlier"),
            Status.DISCARDED: _("discarded"),
        },
        "in_force": {"none": _("no version")},
        "asset_type": {Role.LOGO: _("Logo"), Role.BANNER: _("Banner"), Role.ICON: _("Icon")},
        "archives": {"never": _("never")},
        "missed": MISSED,
    },
)
