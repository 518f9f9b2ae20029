"""Where people follow their long work."""

from django.urls import path

from dashboard.platform.jobs import views

urlpatterns = [
    path("operations/", views.operations, name="operations"),
    path("operations/<work:operation>/", views.operation, name="operation"),
    path("operations/<work:operation>/next/", views.advance, name="operation_next"),
    path("operations/<work:operation>/stop/", views.stop, name="operation_stop"),
    path("operations/<work:operation>/continue/", views.resume, name="operation_continue"),
    path("operations/<work:operation>/retry/", views.retry, name="operation_retry"),
]
