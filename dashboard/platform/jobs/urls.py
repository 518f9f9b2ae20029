"""URLs of jobs."""

from django.urls import path

from dashboard.platform.jobs import views

urlpatterns = [
    path("operations/", views.jobs, name="operations"),
    path("operations/<job:job_id>/", views.job_page, name="operation"),
    path("operations/<job:job_id>/next/", views.advance, name="operation_next"),
    path("operations/<job:job_id>/stop/", views.stop, name="operation_stop"),
    path("operations/<job:job_id>/continue/", views.resume, name="operation_continue"),
    path("operations/<job:job_id>/retry/", views.retry, name="operation_retry"),
]
