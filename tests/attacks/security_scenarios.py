"""Causes each kind of security event once, as people and programs cause it."""

from __future__ import annotations

import pyotp
import pytest

from dashboard.core.clock import now
from dashboard.platform.accounts import lockout
from dashboard.platform.apikeys import authentication
from dashboard.platform.security_log.kinds import EventKind
from tests.accounts.invitations import NEW_PASSWORD, create_invitation, join
from tests.accounts.person_page import reload, submit_form
from tests.accounts.second_factors import SET_UP, code_of, enter_code, enter_password, frozen_at_step_start, switch_on
from tests.apikeys.factories import call_api, create_key
from tests.apikeys.pages import act_form, new_key_form
from tests.attacks.causes import Cause, Scenario, addresses, log_in
from tests.attacks.export_scenarios import EXPORTS
from tests.attacks.membership_scenarios import MEMBERSHIPS
from tests.conftest import PASSWORD, sign_in
from tests.ui.html import form_to, parse
from tests.ui.samples import BUSINESS, NEIGHBOURS
from tests.ui.walk import new_browser
from tests.ui.world import World


def signed_in(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person = world.add()
    response = log_in(person.email)
    assert response.status_code == 303
    return Cause(person.email, secrets=[PASSWORD, response.cookies["session"].value])


def failed(world: World, patch: pytest.MonkeyPatch) -> Cause:
    assert log_in("marco@example.com", "not-the-password").status_code == 422
    return Cause("marco@example.com", secrets=["not-the-password"])


def throttled(world: World, patch: pytest.MonkeyPatch) -> Cause:
    patch.setattr(lockout, "TRIES_PER_ACCOUNT", 1)
    address = next(addresses)
    log_in("marco@example.com", "not-the-password", address)
    assert log_in("marco@example.com", PASSWORD, address).status_code == 429
    return Cause("marco@example.com", {"step": "password"}, [PASSWORD])


def password_step(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person, _codes = switch_on(world.add())
    enter_password(person)
    return Cause(person.email, secrets=[PASSWORD])


def code_used(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person, _codes = switch_on(world.add())
    browser = enter_password(person)
    with frozen_at_step_start():
        code = code_of(person)
        assert enter_code(browser, code).status_code == 303
    return Cause(person.email, secrets=[code])


def code_failed(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person, _codes = switch_on(world.add())
    assert enter_code(enter_password(person), "123123").status_code == 422
    return Cause(person.email, secrets=["123123"])


def code_throttled(world: World, patch: pytest.MonkeyPatch) -> Cause:
    patch.setattr(lockout, "CODES", 1)
    person, _codes = switch_on(world.add())
    browser = enter_password(person)
    assert [enter_code(browser, "123123").status_code for _ in range(2)] == [422, 429]
    return Cause(person.email, {"step": "code"})


def recovery_code_used(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person, recovery_codes = switch_on(world.add())
    assert enter_code(enter_password(person), recovery_codes[0]).status_code == 303
    return Cause(person.email, secrets=[recovery_codes[0]])


def factor_on(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person = world.add()
    browser = sign_in(person)
    with frozen_at_step_start():
        page = browser.get(SET_UP)
        secret = parse(page).by_class("key")[0].text.replace(" ", "")
        code = pyotp.TOTP(secret).at(int(now().timestamp()))
        assert form_to(page, SET_UP).send(browser, values={"code": code, "current": PASSWORD}).status_code == 200
    return Cause(person.email, secrets=[secret, code])


def with_password(path: str, password: str, status: int, details: dict[str, str]) -> Scenario:
    def send(world: World, patch: pytest.MonkeyPatch) -> Cause:
        person, _codes = switch_on(world.add())
        browser = sign_in(person)
        response = form_to(browser.get(SET_UP), f"{SET_UP}{path}/").send(browser, values={"current": password})
        assert response.status_code == status
        return Cause(person.email, details, [password])

    return send


def change_password(current: str, status: int) -> Scenario:
    def change(world: World, patch: pytest.MonkeyPatch) -> Cause:
        person = world.add()
        sent = {"current": current, "password": NEW_PASSWORD}
        assert sign_in(person).post("/account/password/", sent).status_code == status
        return Cause(person.email, secrets=[current, NEW_PASSWORD])

    return change


def link_used(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person, link = create_invitation()
    assert join(link).status_code == 303
    return Cause(person.email, secrets=[link.split("/")[2], NEW_PASSWORD])


def link_rejected(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person, link = create_invitation()
    assert new_browser().get(link[:-3] + "00/").status_code == 404
    return Cause(person.email, secrets=[link.split("/")[2][:-3]])


def by_admin(action: str, details: dict[str, str] | None = None, **fields: str) -> Scenario:
    def act(world: World, patch: pytest.MonkeyPatch) -> Cause:
        person = world.add()
        if action == "second-factor/reset":
            person, _codes = switch_on(person)
        if action == "enable":
            submit_form(world.browser("admin"), person, "disable")
        assert submit_form(world.browser("admin"), person, action, **fields).status_code == 200
        return Cause(person.email, details or {}, by="alma@example.com")

    return act


def on_key(action: str) -> Scenario:
    def act(world: World, patch: pytest.MonkeyPatch) -> Cause:
        olivia = world.browser("owner")
        if action == "new":
            form = new_key_form(olivia, BUSINESS)
            assert form.send(olivia, values={"name": "Site", "rate_limit": "10"}).status_code == 200
            return Cause("olivia@example.com")
        key, secret = create_key(BUSINESS)
        assert act_form(olivia, key, "revoke").send(olivia).status_code == 303
        if action == "restore":
            assert olivia.post(f"/b/{BUSINESS}/keys/{key.id}/restore/", {"revision": 2}).status_code == 303
        return Cause("olivia@example.com", {"business": BUSINESS, "key": key.id}, [secret])

    return act


def key_rejected(world: World, patch: pytest.MonkeyPatch) -> Cause:
    assert call_api("tk_live_no-such-key-at-all").status_code == 401
    return Cause("", {"reason": "unknown_key"}, ["no-such-key-at-all"])


def key_throttled(world: World, patch: pytest.MonkeyPatch) -> Cause:
    key, secret = create_key(BUSINESS, limit=1)
    answers = [call_api(secret).status_code for _ in range(5)]
    assert 429 in answers
    return Cause("", {"business": BUSINESS, "key": key.id}, [secret])


def wrong_keys_throttled(world: World, patch: pytest.MonkeyPatch) -> Cause:
    patch.setattr(authentication, "WRONG_KEYS", 0)
    assert call_api("tk_live_no-such-key-at-all").status_code == 429
    return Cause("", secrets=["no-such-key-at-all"])


def foreign_business(who: str, status: int, path: str = "") -> Scenario:
    def visit(world: World, patch: pytest.MonkeyPatch) -> Cause:
        assert world.browser(who).get(f"/b/{NEIGHBOURS}/{path}").status_code == status
        return Cause(world.people[who].email, {"business": NEIGHBOURS})

    return visit


def rules_changed(world: World, patch: pytest.MonkeyPatch) -> Cause:
    alma, url = world.browser("admin"), "/people/security/"
    assert alma.post(url, {"staff": "on", "revision": "0", "current": PASSWORD}).status_code == 303
    alma.get("/")  # Shows the toast with Undo.
    sent = {"staff": "on", "owner": "on", "current": PASSWORD}
    assert form_to(alma.get(url), url).send(alma, values=sent).status_code == 303
    return Cause("alma@example.com", {"roles": "staff owner", "previous_roles": "staff"}, [PASSWORD])


def bulk(action: str) -> Scenario:
    def act(world: World, patch: pytest.MonkeyPatch) -> Cause:
        person, alma = world.add(), world.browser("admin")
        if action == "enable":
            submit_form(alma, person, "disable")
        sent = {"action": action, "selected": reload(person).selection_value, "current": PASSWORD}
        assert alma.post("/people/bulk/", sent).status_code == 303
        return Cause(person.email, by="alma@example.com")

    return act


SCENARIOS: list[tuple[EventKind, Scenario]] = [
    (EventKind.SIGNED_IN, signed_in),
    (EventKind.SIGN_IN_FAILED, failed),
    (EventKind.THROTTLED, throttled),
    (EventKind.CODE_REQUESTED, password_step),
    (EventKind.FACTOR_USED, code_used),
    (EventKind.SIGNED_IN, code_used),
    (EventKind.FACTOR_FAILED, code_failed),
    (EventKind.THROTTLED, code_throttled),
    (EventKind.RECOVERY_CODE_USED, recovery_code_used),
    (EventKind.FACTOR_ON, factor_on),
    (EventKind.FACTOR_OFF, with_password("off", PASSWORD, 303, {})),
    (EventKind.WRONG_PASSWORD, with_password("off", "not-the-password", 422, {})),
    (EventKind.RECOVERY_CODES_RENEWED, with_password("recovery", PASSWORD, 200, {})),
    (EventKind.FACTOR_RESET, by_admin("second-factor/reset", current=PASSWORD)),
    (EventKind.NEW_PASSWORD, change_password(PASSWORD, 303)),
    (EventKind.WRONG_PASSWORD, change_password("not-the-password", 422)),
    (EventKind.LINK_CREATED, by_admin("link")),
    (EventKind.LINK_USED, link_used),
    (EventKind.SIGNED_IN, link_used),
    (EventKind.LINK_REJECTED, link_rejected),
    (EventKind.ROLE_CHANGED, by_admin("edit", {"role": "moderator", "was": "staff"}, role="moderator")),
    (EventKind.DISABLED, by_admin("disable")),
    (EventKind.ENABLED, by_admin("enable")),
    (EventKind.SESSIONS_ENDED, by_admin("sign-out", current=PASSWORD)),
    (EventKind.KEY_CREATED, on_key("new")),
    (EventKind.KEY_REVOKED, on_key("revoke")),
    (EventKind.KEY_RESTORED, on_key("restore")),
    (EventKind.KEY_REJECTED, key_rejected),
    (EventKind.KEY_THROTTLED, key_throttled),
    (EventKind.KEY_THROTTLED, wrong_keys_throttled),
    (EventKind.DISABLED, bulk("disable")),
    (EventKind.ENABLED, bulk("enable")),
    (EventKind.SESSIONS_ENDED, bulk("end_sessions")),
    (EventKind.RULES_CHANGED, rules_changed),
    (EventKind.FOREIGN_BUSINESS, foreign_business("owner", 404)),
    (EventKind.FOREIGN_BUSINESS, foreign_business("receptionist", 404, "bookings/")),
    (EventKind.FOREIGN_BUSINESS, foreign_business("moderator", 403)),
    (EventKind.FOREIGN_BUSINESS, foreign_business("staff", 403, "people/")),
    *MEMBERSHIPS,
    *EXPORTS,
]
