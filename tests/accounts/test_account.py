"""The account page: name and preferences, password, and the list of signed-in browsers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts import lockout, queries
from dashboard.platform.accounts.items import Person, Session
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people, profile, sessions
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.conftest import ACTOR, PASSWORD, sign_in
from tests.ui.html import Element, form_to, parse, toasts, undo_form
from tests.ui.walk import new_browser, values
from tests.ui.world import World

NEW_PASSWORD = "correct-horse-battery"
COOKIE = settings.SESSION_COOKIE_NAME


def reload(person: Person) -> Person:
    return queries.load_person(person.email)


def edit(browser: Client, **fields: str) -> Any:
    return form_to(browser.get("/account/"), "/account/edit/").send(browser, values=fields, follow=True)


def test_name_and_preferences_are_edited_and_undone(world: World) -> None:
    person = world.add(Role.STAFF, "Sofía")
    browser = sign_in(person)

    response = edit(browser, name="Sofía D.", language="es", timezone="America/Lima", theme="dark")

    assert response.redirect_chain == [("/account/", 303)]
    after = reload(person)
    assert (after.name, after.language, after.timezone, after.theme) == ("Sofía D.", "es", "America/Lima", "dark")
    assert after.epoch == person.epoch, "a new name ends no session"
    actor, action, before, changed = audit_entries.last_entry(person.email)
    assert (actor, action) == (person.email, "person.profile")
    assert before == {"name": "Sofía", "language": None, "timezone": None, "theme": None}
    assert changed == {"name": "Sofía D.", "language": "es", "timezone": "America/Lima", "theme": "dark"}
    page = parse(response)
    assert page.one("html").attrs == {"lang": "es", "data-theme": "dark"}

    undone = undo_form(page).send(browser, follow=True)
    back = reload(person)
    assert values(back, "name", "language", "timezone", "theme") == ("Sofía", "en", None, "auto")
    assert parse(undone).one("html").attrs == {"lang": "en", "data-theme": "auto"}


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("name", "x" * 101),
        ("name", "a\x00b"),
        ("language", "fr"),
        ("language", ""),
        ("timezone", "Mars/Phobos"),
        ("timezone", "../../etc/passwd"),
        ("theme", "pink"),
    ],
)
def test_an_invalid_form_shows_errors_and_keeps_the_input(world: World, field: str, typed: str) -> None:
    person = world.add(Role.STAFF, "Sofía")
    response = edit(sign_in(person), **({"name": "New"} | {field: typed}))
    assert response.status_code == 422
    assert reload(person).revision == person.revision
    assert [error.attrs["id"] for error in parse(response).by_class("error")] == [f"id_{field}_error"]
    if field != "name":
        assert form_to(response, "/account/edit/").data()["name"] == "New"


def test_saving_after_an_admin_changed_the_name_is_a_conflict(world: World) -> None:
    person = world.add(Role.STAFF, "Sofía")
    browser = sign_in(person)
    form = form_to(browser.get("/account/"), "/account/edit/")
    theirs = people.edit(
        person.email, name="Sofi", role=Role.STAFF, revision=person.revision, command=new_command(ACTOR)
    )
    response = form.send(browser, values={"name": "S. Duarte", "theme": "dark"})
    assert response.status_code == 409
    page = parse(response)
    # The fields that differ come first.
    name, theme, *_rest = [[cell.text for cell in row.all("td")] for row in page.one("tbody").all("tr")]
    assert name == ["S. Duarte", "Sofi"]
    assert theme[0] == "Dark"
    assert reload(person).name == "Sofi"
    mine = form_to(page, "/account/edit/")
    assert mine.data()["revision"] == str(theirs.revision)
    assert mine.send(browser).status_code == 303
    assert (reload(person).name, reload(person).theme) == ("S. Duarte", "dark")


def test_the_form_edits_only_ones_own_name_and_never_the_role(world: World) -> None:
    person, other = world.add(), world.add()
    sent = {"email": other.email, "name": "Mine", "role": "admin", "backOfficeRole": "admin"}
    sent |= {"language": "en", "theme": "auto", "revision": str(person.revision)}
    assert sign_in(person).post("/account/edit/", sent).status_code == 303
    assert (reload(person).name, reload(person).state) == ("Mine", "staff")
    assert reload(other).revision == other.revision


def test_the_theme_menu_saves_the_theme_without_a_new_revision(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    form = form_to(browser.get("/account/"), "/account/theme/")
    buttons = {button.attrs["value"]: button for button in form.buttons}
    for theme in ("dark", "light", "auto"):
        response = form.send(browser, buttons[theme])
        assert (response.status_code, response.headers["Location"]) == (303, "/account/")
        assert reload(person).theme == theme
        assert parse(browser.get("/")).one("html").attrs["data-theme"] == theme
    browser.post("/account/theme/", {"theme": "pink"})
    assert reload(person).theme == "auto"
    assert reload(person).revision == person.revision


def test_the_browser_suggests_the_time_zone_once(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    assert parse(browser.get("/")).one("body").attrs["data-ask-zone"] == "/account/zone/"

    assert browser.post("/account/zone/", {"timezone": "America/Santiago"}).status_code == 204
    assert reload(person).timezone == "America/Santiago"
    assert "data-ask-zone" not in parse(browser.get("/")).one("body").attrs
    # A later suggestion does not replace the stored time zone.
    assert browser.post("/account/zone/", {"timezone": "Europe/Madrid"}).status_code == 204
    assert reload(person).timezone == "America/Santiago"
    assert reload(person).revision == person.revision


@pytest.mark.parametrize("zone", ["", "Mars/Phobos", "../etc/passwd", "america/santiago", "x" * 1000, "UTC\x00"])
def test_an_unknown_time_zone_is_refused(world: World, zone: str) -> None:
    person = world.add()
    assert sign_in(person).post("/account/zone/", {"timezone": zone}).status_code == 422
    assert reload(person).timezone is None


def change_password(browser: Client, current: str, new: str) -> Any:
    form = form_to(browser.get("/account/"), "/account/password/")
    return form.send(browser, values={"current": current, "password": new}, follow=True)


def test_a_new_password_signs_out_every_other_browser(world: World) -> None:
    person = world.add()
    here, there = sign_in(person), sign_in(person)
    old_cookie = here.cookies[COOKIE].value

    response = change_password(here, PASSWORD, NEW_PASSWORD)

    assert response.redirect_chain == [("/account/", 303)]
    assert len(toasts(response)) == 1
    assert here.get("/").status_code == 200
    assert here.cookies[COOKIE].value != old_cookie and sessions.find(old_cookie) is None
    assert there.get("/").status_code == 302
    assert audit_entries.last_entry(person.email)[:2] == (person.email, "person.new_password")
    for password, status in ((PASSWORD, 422), (NEW_PASSWORD, 303)):
        assert new_browser().post("/login/", {"email": person.email, "password": password}).status_code == status


@pytest.mark.parametrize(
    ("current", "new", "wrong"),
    [
        ("not-the-password", NEW_PASSWORD, "current"),
        ("", NEW_PASSWORD, "current"),
        (PASSWORD, "too-brief", "password"),
        (PASSWORD, "password1234", "password"),
        (PASSWORD, "123456789012345", "password"),
        (PASSWORD, "x" * 129, "password"),
        (PASSWORD, "", "password"),
    ],
)
def test_a_wrong_or_weak_password_changes_nothing(world: World, current: str, new: str, wrong: str) -> None:
    person = world.add()
    browser = sign_in(person)
    response = change_password(browser, current, new)
    assert response.status_code == 422
    assert [error.attrs["id"] for error in parse(response).by_class("error")] == [f"id_{wrong}_error"]
    assert reload(person).password_hash == person.password_hash
    assert NEW_PASSWORD not in response.content.decode()
    assert browser.get("/").status_code == 200


def test_guesses_of_the_current_password_are_limited(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "TRIES_PER_ACCOUNT", 3)
    person = world.add()
    browser = sign_in(person)
    with frozen(now()):
        for _ in range(3):
            assert change_password(browser, "not-the-password", NEW_PASSWORD).status_code == 422
        refused = change_password(browser, PASSWORD, NEW_PASSWORD)
        assert refused.status_code == 429
        assert int(refused.headers["Retry-After"]) > 0
    assert reload(person).password_hash == person.password_hash


def table_rows(page: Element) -> list[Element]:
    """The rows of the first table, which lists the browsers. The second one lists security events."""
    return page.all("tbody")[0].all("tr")


def test_the_page_lists_the_signed_in_browsers(world: World) -> None:
    person, start = world.add(), now() - timedelta(hours=1)
    with frozen(start):
        sessions.open_session(person, address="203.0.113.9", agent="Mozilla/5.0 (iPhone; Mac OS X) Safari/600")
    browser = sign_in(person)
    session_rows = table_rows(parse(browser.get("/account/")))
    texts = [row.text for row in session_rows]
    assert len(texts) == 2
    assert "Firefox · Linux" in texts[0] and "this browser" in texts[0]
    assert "Safari · iPhone" in texts[1] and "203.0.113.9" in texts[1] and "1 h ago" in texts[1]
    assert session_rows[0].all("form") == [], "the current session has no button to end it"
    assert len(session_rows[1].all("form")) == 1


def test_only_valid_sessions_are_listed(world: World) -> None:
    person = world.add()
    sign_in(person)
    with frozen(now() - timedelta(days=15)):
        sign_in(person)
    profile.end_sessions(person.email, current=PASSWORD, session_id="", command=new_command(person.actor))
    browser = sign_in(reload(person))
    assert [row.text.split()[0] for row in table_rows(parse(browser.get("/account/")))] == ["Firefox"]


def test_a_single_browser_can_be_signed_out(world: World) -> None:
    person = world.add()
    here, there, third = sign_in(person), sign_in(person), sign_in(person)
    (theirs,) = [each for each in queries.sessions(person.email) if each.id == session_of(there).id]
    form = form_to(here.get("/account/"), f"/account/sessions/{theirs.id}/end/")
    response = form.send(here, follow=True)
    assert response.redirect_chain == [("/account/", 303)]
    assert len(toasts(response)) == 1
    assert [browser.get("/").status_code for browser in (here, there, third)] == [200, 302, 200]


def session_of(browser: Client) -> Session:
    found = sessions.find(browser.cookies[COOKIE].value)
    assert found is not None
    return found.session


def test_a_session_of_another_person_cannot_be_ended(world: World) -> None:
    person, other = world.add(), world.add()
    theirs = sign_in(other)
    sign_in(person).post(f"/account/sessions/{session_of(theirs).id}/end/")
    assert theirs.get("/").status_code == 200


@pytest.mark.parametrize("session_id", ["x", "0" * 64, "a%23b", "%00", "ñ", "x" * 2000, "..", "PROFILE"])
def test_a_session_that_does_not_exist_ends_nothing(world: World, session_id: str) -> None:
    person = world.add()
    browser = sign_in(person)
    assert browser.post(f"/account/sessions/{session_id}/end/").status_code in {303, 404}
    assert browser.get("/").status_code == 200


def test_all_other_browsers_can_be_signed_out(world: World) -> None:
    person = world.add()
    here, there = sign_in(person), sign_in(person)
    response = form_to(here.get("/account/"), "/account/sessions/end/").send(
        here, values={"current": PASSWORD}, follow=True
    )
    assert response.redirect_chain == [("/account/", 303)]
    assert [browser.get("/").status_code for browser in (here, there)] == [200, 302]
    assert audit_entries.last_entry(person.email)[:2] == (person.email, "person.end_sessions")
    assert len(table_rows(parse(response))) == 1
