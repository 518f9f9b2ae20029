"""URLs of mail. Under `make run`, /outbox/ shows the files."""

from django.conf import settings
from django.urls import path

from dashboard.platform.mail import text_views, views

urlpatterns = [
    path("mail/", views.outbox, name="mail"),
    path("mail/<entry:place>/cancel/", views.cancel, name="mail_cancel"),
    path("mail/<entry:place>/resend/", views.resend, name="mail_resend"),
    path("mail/<entry:place>/restore/", views.restore, name="mail_restore"),
    # After its actions: the id of an outside writer's booking may contain a slash.
    path("mail/<entry:place>/", views.mail, name="mail_page"),
    path("b/<business:business>/mail/", views.business_outbox, name="business_mail"),
    path("b/<business:business>/mail/texts/", text_views.texts, name="mail_texts"),
    path("b/<business:business>/mail/texts/<str:mail_kind>/", text_views.text, name="mail_text"),
    path("b/<business:business>/mail/texts/<str:mail_kind>/preview/", text_views.preview, name="mail_text_preview"),
    path("b/<business:business>/mail/texts/<str:mail_kind>/reset/", text_views.reset, name="mail_text_reset"),
    path("b/<business:business>/mail/<entry:place>/cancel/", views.business_cancel, name="business_mail_cancel"),
    path("b/<business:business>/mail/<entry:place>/resend/", views.business_resend, name="business_mail_resend"),
    path("b/<business:business>/mail/<entry:place>/restore/", views.business_restore, name="business_mail_restore"),
    path("b/<business:business>/mail/<entry:place>/", views.business_mail, name="business_mail_page"),
    *([path("outbox/", views.mail_files, name="mail_files")] if settings.MAIL_FOLDER else []),
]
