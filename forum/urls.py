"""The forum: the filter that guards it, and what its moderators work with."""

from django.urls import include, path

from dashboard.accounts.permissions import Permission
from dashboard.configs.views import history_urls
from forum.configs.profanity import PROFANITY
from forum.configs.reasons import REASONS
from forum.views import importing, log, reasons, reviewing, trying, words

urlpatterns = [
    path("log/", log.log, name="forum_log"),
    path("log/export/", log.export_csv, name="forum_log_export"),
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
    path("profanity/", include(history_urls(PROFANITY, Permission.FILTER))),
    path("reasons/", reasons.reasons, name="reasons"),
    path("reasons/", include(history_urls(REASONS, Permission.FILTER))),
]
