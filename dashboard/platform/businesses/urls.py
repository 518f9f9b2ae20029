"""URLs of businesses."""

from django.urls import path, register_converter

from dashboard.platform.businesses.paths import BusinessConverter
from dashboard.platform.businesses.views import businesses, members, overview, people, switcher

register_converter(BusinessConverter, "business")

urlpatterns = [
    path("businesses/", businesses.businesses, name="businesses"),
    path("businesses/new/", businesses.create, name="business_new"),
    path("businesses/switch/", switcher.switch, name="switch"),
    path("businesses/<business:business>/", businesses.manage, name="business_manage"),
    path("businesses/<business:business>/members/", members.add, name="member_add"),
    path("businesses/<business:business>/members/<email:email>/remove/", members.remove, name="member_remove"),
    path("b/<business:business>/", overview.overview, name="business"),
    path("b/<business:business>/people/", people.people, name="business_people"),
    path("b/<business:business>/people/<email:email>/role/", people.change_role, name="business_member_role"),
    path("b/<business:business>/people/<email:email>/link/", people.create_link, name="business_member_link"),
    path("b/<business:business>/people/<email:email>/remove/", people.remove, name="business_member_remove"),
    path("b/<business:business>/settings/", overview.settings, name="business_settings"),
]
