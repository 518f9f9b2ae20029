"""The forum: the filter that guards it, and what its moderators work with."""

from django.urls import include, path

from dashboard.platform.configs.views import history_urls
from forum.actions import Action
from forum.configs.profanity import PROFANITY
from forum.configs.reasons import REASONS
from forum.permissions import Permission
from forum.views import (
    announcements,
    bulk,
    bulk_panel,
    decisions,
    desk,
    log,
    matched_words,
    pictures,
    posts,
    pulse,
    reasons,
    review_changes,
    statistics,
    try_filter,
    wordlist,
    wordlist_import,
)

_POST, _COMMENT = "posts/<str:post>/", "posts/<str:post>/comments/<str:comment>/"
# `posts/<id>/ban/`, `posts/<id>/comments/<id>/ban/` and so on.
_DECISIONS = [
    path(f"{prefix}{action}/", decisions.decide, {"action": action}, name=f"{kind}_{action}")
    for kind, prefix in (("post", _POST), ("comment", _COMMENT))
    for action in Action
]

urlpatterns = [
    path("", desk.desk, name="forum"),
    path("pulse/", pulse.pulse, name="forum_pulse"),
    path("images/", desk.prefer_images, name="forum_images"),
    path("people/<str:user>/", posts.author, name="forum_author"),
    path("people/<str:user>/about/", posts.about, name="forum_about"),
    path("words/", matched_words.matched_words, name="forum_words"),
    path("log/", log.log, name="forum_log"),
    path("log/export/", log.export_csv, name="forum_log_export"),
    path("numbers/", statistics.statistics, name="forum_numbers"),
    path("undo/", decisions.undo_last, name="forum_undo_last"),
    path("log/<str:entry>/undo/", decisions.undo, name="forum_undo"),
    path(_POST, posts.post, name="post"),
    path(f"{_POST}pictures/<int:picture>/", pictures.picture, name="post_picture"),
    path(_COMMENT, posts.comment, name="comment"),
    path(f"{_COMMENT}context/", posts.context, name="comment_context"),
    *_DECISIONS,
    path("announce/", announcements.announce, name="forum_announce"),
    path("announce/<str:post>/withdraw/", announcements.withdraw, name="forum_withdraw"),
    path("bulk/", bulk.bulk, name="forum_bulk"),
    path("bulk/<job:job_id>/", bulk.preview, name="forum_bulk_preview"),
    path("bulk/<job:job_id>/begin/", bulk.begin, name="forum_bulk_begin"),
    path("bulk/<job:job_id>/next/", bulk_panel.advance, name="forum_bulk_next"),
    path("bulk/<job:job_id>/undo/", bulk.undo, name="forum_bulk_undo"),
    path("profanity/", wordlist.words, name="profanity"),
    path("profanity/word/", wordlist.word, name="profanity_word"),
    path("profanity/bulk/", wordlist.bulk, name="profanity_bulk"),
    path("profanity/threshold/", wordlist.threshold, name="profanity_threshold"),
    path("profanity/try/", try_filter.try_filter, name="profanity_try"),
    path("profanity/review/", review_changes.review, name="profanity_review"),
    path("profanity/impact/", review_changes.impact, name="profanity_impact"),
    path("profanity/discard/", review_changes.discard, name="profanity_discard"),
    path("profanity/step-back/", review_changes.step_back, name="profanity_step_back"),
    path("profanity/import/", wordlist_import.upload, name="profanity_import"),
    path("profanity/export/", wordlist_import.export, name="profanity_export"),
    path("profanity/versions/<int:number>/banned/", bulk.banned_by_version, name="profanity_banned"),
    path("profanity/", include(history_urls(PROFANITY, Permission.FILTER, read=Permission.FILTER_VERSIONS))),
    path("reasons/", reasons.reasons, name="reasons"),
    path("reasons/", include(history_urls(REASONS, Permission.FILTER))),
]
