"""The forum: the filter that guards it, and what its moderators work with."""

from django.urls import include, path

from dashboard.accounts.permissions import Permission
from dashboard.configs.views import history_urls
from forum.configs.profanity import PROFANITY
from forum.configs.reasons import REASONS
from forum.views import bulk, importing, reasons, reviewing, trying, words

urlpatterns = [
    path("bulk/", bulk.bulk, name="forum_bulk"),
    path("bulk/<work:operation>/", bulk.preview, name="forum_bulk_preview"),
    path("bulk/<work:operation>/begin/", bulk.begin, name="forum_bulk_begin"),
    path("bulk/<work:operation>/undo/", bulk.undo, name="forum_bulk_undo"),
    path("profanity/", words.words, name="profanity"),
    path("profanity/word/", words.word, name="profanity_word"),
    path("profanity/bulk/", words.bulk, name="profanity_bulk"),
    path("profanity/threshold/", words.threshold, name="profanity_threshold"),
    path("profanity/try/", trying.attempt, name="profanity_try"),
    path("profanity/review/", reviewing.review, name="profanity_review"),
    path("profanity/discard/", reviewing.discard, name="profanity_discard"),
    path("profanity/step-back/", reviewing.step_back, name="profanity_step_back"),
    path("profanity/import/", importing.upload, name="profanity_import"),
    path("profanity/export/", importing.export, name="profanity_export"),
    path("profanity/versions/<int:number>/banned/", bulk.banned_by_version, name="profanity_banned"),
    path("profanity/", include(history_urls(PROFANITY, Permission.FILTER))),
    path("reasons/", reasons.reasons, name="reasons"),
    path("reasons/", include(history_urls(REASONS, Permission.FILTER))),
]
