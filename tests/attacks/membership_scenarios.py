"""Causes each security event of memberships and invitations once, as admins and owners cause it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.businesses.services import members
from dashboard.platform.security_log.kinds import EventKind
from dashboard.table.commands import new_command
from tests.accounts.imports import start_import
from tests.accounts.invitations import create_invitation, link_of, new_email
from tests.accounts.person_page import submit_form
from tests.adoption.outside import COGNITO, put_owner
from tests.attacks.causes import Cause, Scenario
from tests.conftest import ACTOR
from tests.jobs.execution import finish, reloaded
from tests.ui.html import form_to
from tests.ui.samples import BUSINESS
from tests.ui.world import World

ALMA, OLIVIA = "alma@example.com", "olivia@example.com"
ADMIN_PAGE, OWNER_PAGE = f"/businesses/{BUSINESS}/", f"/b/{BUSINESS}/people/"


def send(browser: Client, page: str, target: str, **values: str) -> Any:
    response = form_to(browser.get(page), target).send(browser, values=values)
    assert response.status_code in {200, 303}
    return response


def added_by_admin(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person = world.add(Role.OWNER)
    send(world.browser("admin"), ADMIN_PAGE, f"{ADMIN_PAGE}members/", email=person.email, role="owner")
    return Cause(person.email, {"business": BUSINESS, "business_role": "owner"}, by=ALMA)


def linked_by_admin(world: World, patch: pytest.MonkeyPatch) -> Cause:
    """The person becomes an owner of the businesses of an owner of another system."""
    person = world.add(Role.OWNER)
    put_owner(BUSINESS)
    page = f"/table/found/owner/?owner={COGNITO}"
    send(world.browser("admin"), page, "/table/found/owner/", email=person.email)
    return Cause(person.email, {"business": BUSINESS, "business_role": "owner"}, by=ALMA)


def removed_by_admin(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person = world.add(Role.OWNER)
    members.add(BUSINESS, person.email, command=new_command(ACTOR))
    send(world.browser("admin"), ADMIN_PAGE, f"{ADMIN_PAGE}members/{person.email}/remove/")
    return Cause(person.email, {"business": BUSINESS, "previous_business_role": "owner"}, by=ALMA)


def added_by_owner(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person = world.add(Role.OWNER)
    send(world.browser("owner"), OWNER_PAGE, OWNER_PAGE, email=person.email, role="designer")
    return Cause(person.email, {"business": BUSINESS, "business_role": "designer"}, by=OLIVIA)


def invited_by_owner(details: dict[str, str]) -> Scenario:
    def invite(world: World, patch: pytest.MonkeyPatch) -> Cause:
        email = new_email()
        page = send(world.browser("owner"), OWNER_PAGE, OWNER_PAGE, email=email, role="manager")
        return Cause(email, {"business": BUSINESS, **details}, [link_of(page).split("/")[2]], by=OLIVIA)

    return invite


def new_link_by_owner(world: World, patch: pytest.MonkeyPatch) -> Cause:
    email, browser = new_email(), world.browser("owner")
    send(browser, OWNER_PAGE, OWNER_PAGE, email=email, role="manager")
    page = send(browser, OWNER_PAGE, f"{OWNER_PAGE}{email}/link/")
    return Cause(email, {"business": BUSINESS}, [link_of(page).split("/")[2]], by=OLIVIA)


def role_changed_by_owner(world: World, patch: pytest.MonkeyPatch) -> Cause:
    url = f"{OWNER_PAGE}receptionist@example.com/role/"
    send(world.browser("owner"), OWNER_PAGE, url, role="designer")
    details = {"business": BUSINESS, "business_role": "designer", "previous_business_role": "receptionist"}
    return Cause("receptionist@example.com", details, by=OLIVIA)


def removed_by_owner(world: World, patch: pytest.MonkeyPatch) -> Cause:
    send(world.browser("owner"), OWNER_PAGE, f"{OWNER_PAGE}designer@example.com/remove/")
    details = {"business": BUSINESS, "previous_business_role": "designer"}
    return Cause("designer@example.com", details, by=OLIVIA)


def withdrawn_by_admin(world: World, patch: pytest.MonkeyPatch) -> Cause:
    person, _link = create_invitation()
    submit_form(world.browser("admin"), person, "withdraw")
    return Cause(person.email, by=ALMA)


def withdrawn_member(world: World, patch: pytest.MonkeyPatch) -> Cause:
    """The membership of the invited person ends too."""
    person, _link = create_invitation()
    members.add(BUSINESS, person.email, BusinessRole.MANAGER, command=new_command(ACTOR))
    submit_form(world.browser("admin"), person, "withdraw")
    return Cause(person.email, {"business": BUSINESS, "previous_business_role": "manager"}, by=ALMA)


def invited_by_import(world: World, patch: pytest.MonkeyPatch) -> Cause:
    email = new_email()
    job = start_import(f"email,name,role\n{email},Ina,staff\n")
    assert world.browser("admin").post(f"/operations/{job.id}/next/").status_code == 303
    assert reloaded(job).done == 1
    return Cause(email, by=ALMA)


def withdrawn_import(world: World, patch: pytest.MonkeyPatch) -> Cause:
    email, browser = new_email(), world.browser("admin")
    job = finish(start_import(f"email,name,role\n{email},Ina,staff\n"))
    withdrawal = browser.post(f"/people/import/{job.id}/withdraw/").headers["Location"]
    assert browser.post(f"{withdrawal}next/").status_code == 303
    return Cause(email, by=ALMA)


MEMBERSHIPS: list[tuple[EventKind, Scenario]] = [
    (EventKind.MEMBER_ADDED, added_by_admin),
    (EventKind.MEMBER_ADDED, linked_by_admin),
    (EventKind.MEMBER_REMOVED, removed_by_admin),
    (EventKind.MEMBER_ADDED, added_by_owner),
    (EventKind.MEMBER_ADDED, invited_by_owner({"business_role": "manager"})),
    (EventKind.LINK_CREATED, invited_by_owner({})),
    (EventKind.LINK_CREATED, new_link_by_owner),
    (EventKind.ROLE_CHANGED, role_changed_by_owner),
    (EventKind.MEMBER_REMOVED, removed_by_owner),
    (EventKind.LINK_WITHDRAWN, withdrawn_by_admin),
    (EventKind.MEMBER_REMOVED, withdrawn_member),
    (EventKind.LINK_CREATED, invited_by_import),
    (EventKind.LINK_WITHDRAWN, withdrawn_import),
]
