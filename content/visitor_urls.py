"""URLs of what visitors leave on a site."""

from __future__ import annotations

from django.urls import path, register_converter

from content.views import (
    comment_bulk,
    comment_decisions,
    comment_pulse,
    comments,
    consents,
    erasure,
    lead_notes,
    leads,
    visitor_exports,
)
from content.visitor_paths import CommentConverter, EncodedConverter

register_converter(CommentConverter, "comment")
register_converter(EncodedConverter, "encoded")

_SITE = "b/<business:business>/site/"
_COMMENTS = f"{_SITE}comments/"
_COMMENT_JOB = f"{_COMMENTS}jobs/<job:job_id>/"
_COMMENT = f"{_COMMENTS}c/<comment:page_comment>/"
_LEADS = f"{_SITE}leads/"
_LEAD = f"{_LEADS}l/<encoded:lead>/"
_CONSENTS = f"{_SITE}consents/"
_NOTE = f"{_LEAD}notes/<encoded:at>/<encoded:note>/"

urlpatterns = [
    path(_COMMENTS, comments.comments, name="comments"),
    path(f"{_COMMENTS}log/", comments.log, name="comment_log"),
    path(f"{_COMMENTS}bulk/", comment_bulk.decide, name="comments_bulk"),
    path(_COMMENT_JOB, comment_bulk.preview, name="comments_bulk_preview"),
    path(f"{_COMMENT_JOB}begin/", comment_bulk.begin, name="comments_bulk_begin"),
    path(f"{_COMMENT_JOB}next/", comment_bulk.advance, name="comments_bulk_next"),
    path(f"{_COMMENT_JOB}undo/", comment_bulk.undo, name="comments_bulk_undo"),
    path(f"{_COMMENTS}pulse/", comment_pulse.pulse, name="comments_pulse"),
    path(f"{_COMMENTS}undo/", comment_decisions.undo_last, name="comments_undo_last"),
    path(f"{_COMMENTS}page/<encoded:page_id>/", comments.comments_of_page, name="comments_of_page"),
    path(f"{_COMMENTS}author/<encoded:author>/", comments.comments_of_author, name="comments_of_author"),
    path(_COMMENT, comments.comment, name="page_comment"),
    path(f"{_COMMENT}undo/<int:revision>/", comment_decisions.undo, name="page_comment_undo"),
    path(f"{_COMMENT}<slug:decision>/", comment_decisions.decide, name="page_comment_decide"),
    path(_LEADS, leads.leads, name="leads"),
    path(f"{_LEADS}export/", visitor_exports.leads, name="leads_export"),
    path(f"{_LEADS}bulk/", leads.bulk, name="leads_bulk"),
    path(f"{_LEADS}jobs/<job:job_id>/undo/", leads.undo_bulk, name="leads_bulk_undo"),
    path(_LEAD, leads.lead, name="lead"),
    path(f"{_LEAD}step/", leads.step, name="lead_step"),
    path(f"{_LEAD}erase/", erasure.erase_lead, name="lead_erase"),
    path(f"{_LEAD}stage/", leads.set_stage, name="lead_stage"),
    path(f"{_LEAD}notes/", lead_notes.add_note, name="lead_note_add"),
    path(f"{_NOTE}remove/", lead_notes.remove_note, name="lead_note_remove"),
    path(_CONSENTS, consents.consents, name="consents"),
    path(f"{_CONSENTS}totals/", consents.totals, name="consent_totals"),
    path(f"{_CONSENTS}export/", visitor_exports.consents, name="consents_export"),
    path(f"{_CONSENTS}v/<encoded:visitor>/", consents.consents_of, name="consents_of"),
    path(f"{_CONSENTS}v/<encoded:visitor>/erase/", erasure.erase_visitor, name="consents_erase"),
    path(f"{_NOTE}restore/", lead_notes.restore_note, name="lead_note_restore"),
]
