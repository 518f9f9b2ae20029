"""The event: its rooms, what plays in them, its people, and who is let in."""

from django.urls import path

from rooms.views import people, rooms

urlpatterns = [
    path("", rooms.rooms, name="rooms"),
    path("people/", people.people, name="event_people"),
    path("people/export/", people.export_csv, name="event_people_export"),
    path("people/<str:email>/", people.person, name="event_person"),
    path("people/<str:email>/progress/", people.progress, name="event_progress"),
]
