"""The URL of the security log."""

from django.urls import path

from dashboard.platform.security_log import views

urlpatterns = [
    path("security/", views.events, name="security_log"),
]
