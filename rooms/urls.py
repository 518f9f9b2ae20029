"""The event: its rooms, what plays in them, its people, and who is let in."""

from django.urls import path

from rooms.views import content, rooms

urlpatterns = [
    path("", rooms.rooms, name="rooms"),
    # A room last: a fixed word is never one.
    path("<str:room>/content/new/", content.new, name="room_content_new"),
    path("<str:room>/content/deactivate/", content.deactivate, name="room_content_deactivate"),
    path("<str:room>/content/<int:version>/", content.version, name="room_content"),
    path("<str:room>/content/<int:version>/activate/", content.activate, name="room_content_activate"),
    path("<str:room>/", content.room, name="room"),
]
