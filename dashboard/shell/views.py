"""The home page and the search dialog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.emails import normalise
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Permission as AccountPermission
from dashboard.platform.accounts.permissions import Role, requires
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.queries import latest
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.businesses.permissions import Permission as BusinessPermission
from dashboard.platform.businesses.queries import businesses_of, find_member
from dashboard.platform.businesses.views import switcher
from dashboard.platform.home.page import load_counts, load_home, total_text
from dashboard.platform.home.registry import HomePlace
from dashboard.shell.finders import MAX_RESULTS, Finder, SearchResult, finders, searched_business
from dashboard.shell.links import Link, links_in_business, palette_only_links, sidebar_links
from dashboard.shell.permissions import Permission
from dashboard.table.commands import SYSTEM
from dashboard.table.read import gather_all
from dashboard.web.pages import has_nothing_new, page, wants_fragment

# The entries that are read, and those of people that the page shows.
LATEST_ENTRIES, MAX_ENTRIES = 40, 5
# The home page of a member loads the lines of this many businesses.
MAX_LOADED_BUSINESSES = 5
# The names of further reads of the home page.
ACTIVITY, BUSINESSES = "activity", "businesses"


@requires(Permission.HOME)
@require_safe
def home(request: Request) -> HttpResponse:
    """What needs this person's attention now; for members of businesses the businesses, which load their own lines."""
    is_admin, is_member = (request.person.office_role == role for role in (Role.ADMIN, Role.OWNER))
    more_reads: dict[str, Callable[[], Any]] = {}
    if is_admin and not wants_fragment(request):
        more_reads[ACTIVITY] = partial(latest, LATEST_ENTRIES)
    if is_member and not wants_fragment(request):
        more_reads[BUSINESSES] = partial(businesses_of, request.person.email)
    found = load_home(request, HomePlace.PLATFORM, more_reads)
    request.navigation_counts = found.counts
    if has_nothing_new(request, found.fingerprint):
        return HttpResponse(status=204)
    context: dict[str, Any] = {
        "home": found,
        # The calm of a member depends on their businesses, whose lines come later.
        "shows_calm": not is_member,
        "is_brief": False,
        "history": history_lines(_recent_activity(found.results.get(ACTIVITY, []))) if is_admin else None,
        "businesses": found.results.get(BUSINESSES, []) if is_member else None,
        "max_loaded": MAX_LOADED_BUSINESSES,
    }
    return page(request, "home.html", context, partial="lines", quiet=True)


@requires(Permission.HOME)
@require_safe
def navigation_counts(request: Request) -> JsonResponse:
    """The counts of the sidebar by route, and the number in the tab's title."""
    counts = load_counts(request)
    answer = {
        "title": total_text(counts),
        "counts": {route: {"text": str(each), "label": each.label} for route, each in counts.items()},
    }
    return JsonResponse(answer)


def _recent_activity(entries: list[AuditEntry]) -> list[AuditEntry]:
    """The latest entries of people. Entries of the system are only in the audit trail."""
    return [entry for entry in entries if entry.person.get("email") != SYSTEM.email][:MAX_ENTRIES]


def _people_results(_request: Request, answers: Sequence[Any]) -> list[SearchResult]:
    # An address with a slash, as an outside writer may store it, has no page.
    listed = [each for each in answers[0].items if "/" not in each.email]
    return [SearchResult(each.title, each.email, reverse("person", args=[each.email]), "user") for each in listed]


def _business_results(_request: Request, answers: Sequence[Any]) -> list[SearchResult]:
    found = answers[0].rows
    return [SearchResult(each.name, each.status if each.closed else each.id, each.url, "store") for each in found]


# The search finds these, and what the apps register.
_FINDERS = (
    Finder(
        gettext_lazy("Businesses"),
        BusinessPermission.BUSINESS,
        lambda request, query: [partial(switcher.find_choices, request.person, query, limit=MAX_RESULTS)],
        _business_results,
    ),
    Finder(
        gettext_lazy("People"),
        AccountPermission.PEOPLE_MANAGE,
        lambda _request, query: [partial(queries.everyone, normalise(query), limit=MAX_RESULTS)],
        _people_results,
    ),
)


@requires(Permission.HOME)
@require_safe
def palette(request: Request) -> HttpResponse:
    """Search pages, also of the business on whose page the person is, businesses, and for admins people."""
    query = request.GET.get("q", "").strip()[:100]
    business = searched_business(request)
    allowed = [each for each in (*finders(), *_FINDERS) if request.person.may(each.permission)]
    reads = [each.reads(request, query) if len(query) > 1 else [] for each in allowed]
    all_reads: list[Callable[[], Any]] = [read for group in reads for read in group]
    if business:
        all_reads.insert(0, partial(find_member, business, request.person.email))
    answers = gather_all(all_reads)
    links = links_in_business(request.person, answers.pop(0), business) if business else []
    links += [link for group in sidebar_links(request.person) for link in group.links]
    links.append(Link(_("Your account"), reverse("account"), "user", "", False, request.person.email))
    links += palette_only_links(request.person) if query else []
    pages = [link for link in links if query.lower() in f"{link.label} {link.hint}".lower()]
    groups: list[dict[str, Any]] = [{"label": _("Pages"), "links": pages}] if pages else []
    following = iter(answers)
    for finder, group in zip(allowed, reads, strict=True):
        found = finder.build_results(request, [next(following) for _read in group]) if group else []
        if found:
            groups.append({"label": str(finder.label), "links": found})
    context = {"query": query, "groups": groups, "business": business}
    return page(request, "ui/palette.html", context, partial="results")
