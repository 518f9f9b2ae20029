"""URLs of the activity pages."""

from django.urls import path

from activity.views import calculation, days, exports, lists, moments, now, people

urlpatterns = [
    path("", now.now, name="activity"),
    path("day/", days.day, name="activity_day"),
    path("rooms/", days.room_visits, name="activity_rooms"),
    path("countries/", days.countries, name="activity_countries"),
    path("calculate/", calculation.calculate, name="activity_calculate"),
    path("moment/", moments.moment, name="activity_moment"),
    path("moment/export/", exports.moment, name="activity_moment_export"),
    path("events/", lists.events, name="activity_events"),
    path("events/export/", exports.events, name="activity_export"),
    path("people/", lists.people, name="activity_people"),
    path("people/<str:email>/", people.person, name="activity_person"),
]
