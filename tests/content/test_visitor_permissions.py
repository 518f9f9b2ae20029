"""Who may see and decide about what visitors leave: owners, managers and receptionists."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.businesses.services import members
from dashboard.table.commands import new_command
from tests.conftest import ACTOR, add_person, sign_in
from tests.content.site import BUSINESS, SITE
from tests.content.visitors import (
    COMMENTS,
    CONSENTS,
    LEADS,
    comment_url,
    lead_url,
    load,
    put_comment,
    put_consent,
    put_lead,
    visitor_url,
)
from tests.ui.html import parse


def browser_of(role: BusinessRole) -> Client:
    person = add_person(f"{role}@example.com", Role.OWNER, str(role))
    members.add(BUSINESS, person.email, role, command=new_command(ACTOR))
    return sign_in(person)


@pytest.mark.parametrize(
    ("role", "status"),
    [(BusinessRole.MANAGER, 200), (BusinessRole.RECEPTIONIST, 200), (BusinessRole.DESIGNER, 403)],
)
def test_the_role_decides(table: str, as_owner: Client, role: BusinessRole, status: int) -> None:
    comment = put_comment()
    put_lead()
    visitor = put_consent().visitor
    browser = browser_of(role)
    pages = (
        *(COMMENTS, f"{COMMENTS}log/", comment_url(comment), LEADS, lead_url(), CONSENTS, visitor_url(visitor)),
        *(f"{CONSENTS}totals/", f"{CONSENTS}export/", f"{LEADS}export/"),
    )
    assert {page: browser.get(page).status_code for page in pages} == dict.fromkeys(pages, status)
    answer = browser.post(f"{comment_url(comment)}approve/", {"revision": "0"})
    assert answer.status_code == (303 if status == 200 else 403)
    assert load(comment.ref).status == ("Approved" if status == 200 else "Pending")
    assert browser.post(f"{lead_url()}notes/", {"text": "Nota"}).status_code == answer.status_code
    assert browser.post(f"{COMMENTS}bulk/", {}).status_code == (422 if status == 200 else 403)


def test_a_receptionist_reaches_them_without_the_pages_of_the_site(table: str, as_owner: Client) -> None:
    browser = browser_of(BusinessRole.RECEPTIONIST)
    for url in (COMMENTS, LEADS):
        page = parse(browser.get(url))
        assert not [each for each in page.all("a") if each.attrs.get("href") == SITE]
        current = [each.text.strip() for each in page.all("a", aria_current="page") if each.attrs["href"] == COMMENTS]
        assert "Visitors" in current
    owners = parse(as_owner.get(COMMENTS))
    assert "Visitors" not in [each.text.strip() for each in owners.all("a")]
    assert [each for each in owners.all("a") if each.attrs.get("href") == SITE]
