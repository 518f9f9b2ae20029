"""From one business to another. Not inside any: it is bound to no tenant, and lists only what the person may see."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from dashboard.core.names import folded
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Role, requires
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, Member
from dashboard.platform.businesses.paths import business_in, entrance
from dashboard.platform.businesses.permissions import Permission
from dashboard.web.pages import came_from, page, see_other

SHOWN = 10
# How many of their own an owner's search looks through: one query, of small items.
LOOKED = 200


@dataclass(frozen=True)
class Choice:
    id: str
    name: str
    status: str
    url: str
    closed: bool
    current: bool = False


@dataclass(frozen=True)
class Choices:
    rows: list[Choice]
    # There are more than these.
    more: bool
    # How many were looked through, where that was not all.
    looked: int = 0


@requires(Permission.BUSINESS)
@require_safe
def switch(request: Request) -> HttpResponse:
    query = request.GET.get("q", "").strip()[:100]
    here = business_in(came_from(request))
    found = find(request.person, query, here=here)
    sole = found.rows[0] if len(found.rows) == 1 and not found.more and not query else None
    if sole and sole.id != here and request.person.office_role != Role.ADMIN:
        # With one business there is nothing to choose.
        return see_other(request, sole.url)
    context = {"query": query, "found": found, "sole": sole, "is_admin": request.person.office_role == Role.ADMIN}
    return page(request, "businesses/switch.html", context, partial="results")


def find(person: Person, query: str, *, here: str = "", limit: int = SHOWN) -> Choices:
    """The businesses someone may enter: admins by the start of the name, owners their own by any part of it."""
    if person.office_role == Role.ADMIN:
        found = queries.businesses(query, limit=limit)
        rows = [_of_tenant(each, here) for each in found.items]
        return Choices([each for each in rows if each.url], more=found.next is not None)
    own = queries.businesses_of(person.email, limit=LOOKED + 1)
    wanted = folded(query)
    fitting = [each for each in own[:LOOKED] if wanted in folded(f"{each.business_name} {each.business_id}")]
    rows = [_of_member(each, here) for each in fitting[:limit]]
    beyond = len(own) > LOOKED
    more = beyond or len(fitting) > limit
    return Choices([each for each in rows if each.url], more=more, looked=LOOKED if beyond else 0)


def _of_tenant(business: Business, here: str) -> Choice:
    key, status = business.id, str(business.status_label)
    return Choice(key, business.title, status, entrance(key), business.is_closed, key == here)


def _of_member(member: Member, here: str) -> Choice:
    key, status = member.business_id, str(member.status_label)
    return Choice(key, member.business_name, status, entrance(key), member.is_closed, key == here)
