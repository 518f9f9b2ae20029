"""Switching between businesses. This page is outside all businesses and lists those that the person may open."""

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
from dashboard.platform.businesses.paths import business_in_path, business_url
from dashboard.platform.businesses.permissions import Permission
from dashboard.web.pages import page, referring_page, see_other

MAX_CHOICES = 10
# The number of businesses that an owner's search reads: one query of small items.
MAX_SEARCHED = 200


@dataclass(frozen=True)
class BusinessChoice:
    id: str
    name: str
    status: str
    url: str
    closed: bool
    current: bool = False


@dataclass(frozen=True)
class BusinessChoices:
    rows: list[BusinessChoice]
    # Whether there are more than these.
    has_more: bool
    # The number of businesses that were searched; 0 if all were.
    searched: int = 0


@requires(Permission.BUSINESS)
@require_safe
def switch(request: Request) -> HttpResponse:
    query = request.GET.get("q", "").strip()[:100]
    current = business_in_path(referring_page(request))
    choices = find_choices(request.person, query, current=current)
    single = choices.rows[0] if len(choices.rows) == 1 and not choices.has_more and not query else None
    is_admin = request.person.office_role == Role.ADMIN
    if single and single.id != current and not is_admin:
        return see_other(request, single.url)
    context = {"query": query, "choices": choices, "single": single, "is_admin": is_admin}
    return page(request, "businesses/switch.html", context, partial="results")


def find_choices(person: Person, query: str, *, current: str = "", limit: int = MAX_CHOICES) -> BusinessChoices:
    """The businesses that a person may open: for admins by the start of the name, for owners by any part of it."""
    if person.office_role == Role.ADMIN:
        found = queries.businesses(query, limit=limit)
        rows = [_from_business(each, current) for each in found.items]
        return BusinessChoices([each for each in rows if each.url], has_more=found.next_start_key is not None)
    own = queries.businesses_of(person.email, limit=MAX_SEARCHED + 1)
    folded_query = folded(query)
    matching = [
        each for each in own[:MAX_SEARCHED] if folded_query in folded(f"{each.business_name} {each.business_id}")
    ]
    rows = [_from_member(each, current) for each in matching[:limit]]
    has_unsearched = len(own) > MAX_SEARCHED
    has_more = has_unsearched or len(matching) > limit
    return BusinessChoices(
        [each for each in rows if each.url], has_more=has_more, searched=MAX_SEARCHED if has_unsearched else 0
    )


def _from_business(business: Business, current: str) -> BusinessChoice:
    key, status = business.id, str(business.status_label)
    return BusinessChoice(key, business.title, status, business_url(key), business.is_closed, key == current)


def _from_member(member: Member, current: str) -> BusinessChoice:
    key, status = member.business_id, str(member.status_label)
    return BusinessChoice(key, member.business_name, status, business_url(key), member.is_closed, key == current)
