"""The event: its rooms, what plays in them, its people, and who is let in."""

from django.urls import path

from rooms.views import rooms

urlpatterns = [
    path("", rooms.rooms, name="rooms"),
]
