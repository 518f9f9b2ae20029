"""Audit labels of sites."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from content.comment_refs import COMMENT
from content.comment_statuses import BADGES
from content.fields import ACCESS_LABELS, COMMENTS_LABELS, PAGE_FIELDS
from content.items.consents import CONSENT
from content.items.leads import LEAD
from content.lead_fields import LEAD_FIELDS
from content.lead_stages import STAGE_LABELS
from content.library import audit_labels as library
from content.permissions import Permission
from content.statuses import PAGE_STATUS_LABELS, SCHEMA_TYPE_LABELS
from dashboard.platform.audit.labels import register_labels, register_target_page

# The labels of its library are in a module of their own.
__all__ = ["library"]

register_labels(
    "page",
    title=_("Pages of the site"),
    actions={
        "create": _("created the page %(target)s"),
        "edit": _("saved the page %(target)s as v%(version)s"),
        "restore": _("restored v%(restored_from)s of the page %(target)s as v%(version)s"),
        "publish": _("published the page %(target)s"),
        "unpublish": _("unpublished the page %(target)s"),
        "archive": _("archived the page %(target)s"),
        "unarchive": _("brought back the page %(target)s as a draft"),
        "schedule": _("scheduled the page %(target)s"),
        "unschedule": _("cancelled the schedule of the page %(target)s"),
        "share": _("shared a preview of the page %(target)s"),
        "unshare": _("revoked a link to the page %(target)s"),
        "reshare": _("restored a link to the page %(target)s"),
    },
    fields=PAGE_FIELDS.audit_labels
    | {
        "status": _("status"),
        "due_at": _("time of publication"),
        "timezone": _("time zone"),
        "restored_from": _("restored version"),
        "expires_at": _("valid until"),
        "link_note": _("for"),
        "version": _("version"),
    },
    values={
        "status": PAGE_STATUS_LABELS,
        "schema_type": SCHEMA_TYPE_LABELS,
        "access_type": ACCESS_LABELS,
        "comments_mode": COMMENTS_LABELS,
    },
    moments=("due_at", "expires_at"),
    show_new_values=("due_at", "expires_at"),
    in_business=True,
    on_platform=False,
)

register_labels(
    "site_route",
    title=_("Addresses of the site"),
    actions={
        "create": _("added the redirect %(target)s"),
        "remove": _("removed the redirect %(target)s"),
        "change": _("changed the redirect %(target)s"),
    },
    fields={"page": _("page"), "redirect_to": _("leads to")},
    in_business=True,
    on_platform=False,
)

register_target_page("page", "page", Permission.SITE, in_business=True)

register_labels(
    COMMENT,
    title=_("Comments on pages"),
    actions={
        "approve": _("approved the comment %(target)s"),
        "spam": _("marked the comment %(target)s as spam"),
        "hide": _("hid the comment %(target)s"),
        "undo": _("undid the decision about the comment %(target)s"),
    },
    fields={"status": _("status"), "revision": _("revision"), "undoes": _("undone revision"), "job": _("bulk action")},
    values={"status": {status.value: badge.label for status, badge in BADGES.items()}},
    in_business=True,
    on_platform=False,
)
register_labels(
    LEAD,
    title=_("Leads"),
    actions={
        "stage": _("changed the stage of the lead %(target)s"),
        "edit": _("changed the next step of the lead %(target)s"),
        "step_done": _("did the next step of the lead %(target)s"),
        "step_due": _("reminded of the next step of the lead %(target)s"),
        "erase": _("erased a lead"),
        "note": _("added a note about the lead %(target)s"),
        "note_remove": _("removed a note about the lead %(target)s"),
        "note_restore": _("restored a note about the lead %(target)s"),
    },
    fields=LEAD_FIELDS.audit_labels
    | {
        "stage": _("stage"),
        "note": _("note"),
        "rows": _("rows of the website"),
        "notes": _("notes"),
        "contacts": _("earlier contacts"),
        "mails": _("mails"),
        "comments": _("comments without author"),
    },
    values={"stage": {stage.value: label for stage, label in STAGE_LABELS.items()}},
    show_new_values=("next_step", "next_step_on", "step_for", "note"),
    in_business=True,
    on_platform=False,
)
register_labels(
    CONSENT,
    title=_("Consents"),
    actions={"erase": _("erased the data of a visitor in their consents")},
    fields={"consents": _("consents")},
    in_business=True,
    on_platform=False,
)
register_target_page(COMMENT, COMMENT, Permission.VISITORS, in_business=True)
register_target_page(LEAD, "lead", Permission.VISITORS, in_business=True)
