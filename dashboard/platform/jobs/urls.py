"""URLs of jobs."""

from django.urls import path

from dashboard.platform.jobs import interruption_views, views

_JOB = "operations/<job:job_id>/"
_BUSINESS_JOB = "b/<business:business>/jobs/<job:job_id>/"

urlpatterns = [
    path("operations/", views.jobs, name="operations"),
    path("operations/interrupted/", interruption_views.interrupted_jobs, name="operations_interrupted"),
    path(f"{_JOB}dismiss/", interruption_views.dismiss, name="operation_dismiss"),
    path(f"{_JOB}dismiss/undo/", interruption_views.undo_dismissal, name="operation_dismiss_undo"),
    path(_JOB, views.job_page, name="operation"),
    path(f"{_JOB}next/", views.advance, name="operation_next"),
    path(f"{_JOB}stop/", views.stop, name="operation_stop"),
    path(f"{_JOB}continue/", views.resume, name="operation_continue"),
    path(f"{_JOB}retry/", views.retry, name="operation_retry"),
    # A job of a business is executed inside that business.
    path(_BUSINESS_JOB, views.in_business(views.job_page), name="business_operation"),
    path(f"{_BUSINESS_JOB}next/", views.in_business(views.advance), name="business_operation_next"),
    path(f"{_BUSINESS_JOB}stop/", views.in_business(views.stop), name="business_operation_stop"),
    path(f"{_BUSINESS_JOB}continue/", views.in_business(views.resume), name="business_operation_continue"),
    path(f"{_BUSINESS_JOB}retry/", views.in_business(views.retry), name="business_operation_retry"),
]
