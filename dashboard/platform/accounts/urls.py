"""URLs of the sign-in, the account page and the people pages."""

from django.urls import path, register_converter

from dashboard.platform.accounts.views import (
    account,
    people,
    people_bulk,
    people_import,
    second_factor,
    security,
    sign_in,
)


class EmailConverter:
    """An e-mail address in a path, in lower case as the table stores it."""

    regex = r"[^/]{3,254}"

    def to_python(self, value: str) -> str:
        return value.lower()

    def to_url(self, value: str) -> str:
        return value


register_converter(EmailConverter, "email")

urlpatterns = [
    path("login/", sign_in.login, name="login"),
    path("login/code/", sign_in.login_code, name="login_code"),
    path("logout/", sign_in.logout, name="logout"),
    path("join/<str:token>/", sign_in.join, name="join"),
    path("language/", sign_in.set_language, name="set_language"),
    path("account/", account.account, name="account"),
    path("account/edit/", account.edit, name="account_edit"),
    path("account/password/", account.change_password, name="account_password"),
    path("account/second-factor/", second_factor.second_factor, name="second_factor"),
    path("account/second-factor/off/", second_factor.switch_off, name="second_factor_off"),
    path("account/second-factor/recovery/", second_factor.new_codes, name="recovery_codes"),
    path("account/sessions/end/", account.end_sessions, name="account_end_sessions"),
    path("account/sessions/<str:session_id>/end/", account.end_session, name="account_end_session"),
    path("account/theme/", account.set_theme, name="set_theme"),
    path("account/zone/", account.suggest_zone, name="suggest_zone"),
    path("people/", people.people, name="people"),
    path("people/new/", people.invite, name="invite"),
    path("people/bulk/", people_bulk.bulk, name="people_bulk"),
    path("people/security/", security.security, name="security"),
    path("people/import/", people_import.upload, name="people_import"),
    path("people/import/<job:upload>/", people_import.preview, name="people_import_preview"),
    path("people/import/<job:upload>/left-out/", people_import.excluded_lines, name="people_import_left_out"),
    path("people/import/<job:upload>/confirm/", people_import.confirm, name="people_import_confirm"),
    path("people/import/<job:upload>/links/", people_import.download_links, name="people_import_links"),
    path("people/import/<job:upload>/withdraw/", people_import.withdraw, name="people_import_withdraw"),
    path("people/<email:email>/", people.person, name="person"),
    path("people/<email:email>/edit/", people.edit, name="person_edit"),
    path("people/<email:email>/disable/", people.disable, name="person_disable"),
    path("people/<email:email>/enable/", people.enable, name="person_enable"),
    path("people/<email:email>/link/", people.create_link, name="person_link"),
    path("people/<email:email>/withdraw/", people.withdraw, name="person_withdraw"),
    path("people/<email:email>/sign-out/", people.end_sessions, name="person_end_sessions"),
    path("people/<email:email>/second-factor/reset/", people.reset_second_factor, name="person_reset_second_factor"),
]
