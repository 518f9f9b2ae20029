"""URLs of the event: rooms, their content, attendees and allowed domains."""

from django.urls import include, path

from dashboard.platform.configs.views import history_urls
from rooms.configs.domains import DOMAINS
from rooms.permissions import Permission
from rooms.views import attendees, content, domains, domains_import, room, rooms, shifts

urlpatterns = [
    path("", rooms.rooms, name="rooms"),
    path("new/", room.create, name="room_new"),
    path("shift/", shifts.shift, name="rooms_shift"),
    path("shift/<job:job_id>/", shifts.preview, name="rooms_shift_preview"),
    path("shift/<job:job_id>/begin/", shifts.begin, name="rooms_shift_begin"),
    path("shift/<job:job_id>/undo/", shifts.undo, name="rooms_shift_undo"),
    path("people/", attendees.attendees, name="event_people"),
    path("people/export/", attendees.export_csv, name="event_people_export"),
    path("people/<str:email>/", attendees.attendee, name="event_person"),
    path("people/<str:email>/progress/", attendees.progress, name="event_progress"),
    path("domains/", domains.domains, name="domains"),
    path("domains/recount/", domains.recount, name="domains_recount"),
    path("domains/import/", domains_import.upload, name="domains_import"),
    path("domains/export/", domains_import.export, name="domains_export"),
    path("domains/", include(history_urls(DOMAINS, Permission.DOMAINS))),
    # Rooms come last: the words above are no room ids.
    path("<str:room>/", room.room, name="room"),
    path("<str:room>/schedule/", room.schedule, name="room_schedule"),
    path("<str:room>/override/", room.override, name="room_override"),
    path("<str:room>/rename/", room.rename, name="room_rename"),
    path("<str:room>/remove/", room.remove, name="room_remove"),
    path("<str:room>/restore/", room.restore, name="room_restore"),
    path("<str:room>/content/new/", content.new, name="room_content_new"),
    path("<str:room>/content/deactivate/", content.deactivate, name="room_content_deactivate"),
    path("<str:room>/content/<int:version>/", content.version, name="room_content"),
    path("<str:room>/content/<int:version>/activate/", content.activate, name="room_content_activate"),
]
