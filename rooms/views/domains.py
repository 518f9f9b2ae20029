"""Allowed domains: list, check of an address, adding and removing."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.event.domains import to_ascii
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.lists import build_listing
from dashboard.web.pages import add_refusal, bind, page, see_other, wants_fragment
from dashboard.web.toasts import toast
from rooms.configs.domains import DOMAINS, added, name_of, removed
from rooms.domains import BadDomain, check_address, is_public
from rooms.forms.domains import AddForm
from rooms.permissions import Permission
from rooms.presenters import domains as presenters
from rooms.queries import domains as queries
from rooms.queries.domains import AllowedDomains
from rooms.queries.rooms import all_rooms
from rooms.services import domain_counts
from rooms.views.domains_save import save
from rooms.zones import show_times_of_event

MAX_BULK = 1_000
# From this number of domains on, the list has a search field.
MIN_SEARCHABLE = 12
# The longest address.
MAX_ADDRESS = 320
# The id of the element that shows the result of a check.
CHECK_RESULT = "try-result"


@requires(Permission.DOMAINS)
@require_http_methods(["GET", "HEAD", "POST"])
def domains(request: Request) -> HttpResponse:
    """The list. A POST adds or removes domains and saves at once."""
    allowed, rooms = gather(queries.load_allowed_domains, all_rooms)
    with show_times_of_event(rooms):
        return _domains(request, allowed)


def _domains(request: Request, allowed: AllowedDomains) -> HttpResponse:
    if request.method != "POST":
        return _list(request, allowed, AddForm(whitelist=allowed.whitelist, initial={"revision": allowed.revision}))
    names = _names_to_remove(request)
    if names is not None:
        return _remove(request, allowed, names)
    form = bind(request, AddForm, whitelist=allowed.whitelist)
    return _add(request, allowed, form) if form.is_valid() else _form_page(request, allowed, form, 422)


def _add(request: Request, allowed: AllowedDomains, form: AddForm) -> HttpResponse:
    names: list[str] = form.cleaned_data["domains"]
    try:
        return save(request, added(names), added_text(names), request.get_full_path())
    except Conflict:
        form.add_error(None, _("Someone else is saving right now. Try again."))
        return _form_page(request, allowed, form, 409)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _form_page(request, allowed, form, 422)


def _form_page(request: Request, allowed: AllowedDomains, form: AddForm, status: int) -> HttpResponse:
    # The focus stays in the field with the error.
    form.fields["domains"].widget.attrs["autofocus"] = True
    return _list(request, allowed, form, status)


def added_text(names: list[str]) -> str:
    """The toast after adding, with a warning for public e-mail providers."""
    count = len(names)
    text = ngettext("%(count)s domain added.", "%(count)s domains added.", count) % {"count": f"{count:,}"}
    if count == 1:
        text = _("%(domain)s added.") % {"domain": names[0]}
    public = next(filter(is_public, names), "")
    return text + " " + _("Anyone can get an address of %(domain)s.") % {"domain": public} if public else text


def _names_to_remove(request: Request) -> list[str] | None:
    """The domains to remove: of one button, or the selected ones; None if the form adds domains."""
    if "remove" in request.POST:
        return request.POST.getlist("remove")[:1]
    if request.POST.get("action") != "remove":
        return None
    names = list(dict.fromkeys(request.POST.getlist("selected")))
    if not 0 < len(names) <= MAX_BULK:
        raise Refused(_("Select 1 to %(most)s domains.") % {"most": f"{MAX_BULK:,}"})
    return names


def _remove(request: Request, allowed: AllowedDomains, names: list[str]) -> HttpResponse:
    """Remove all spellings of these domains."""
    selected_names = {to_ascii(name) for name in names}
    removed_names = [
        name_of(each) for each in DOMAINS.entries_of(allowed.config) if to_ascii(name_of(each)) in selected_names
    ]
    count = len({to_ascii(name) for name in removed_names})
    text = ngettext("%(count)s domain removed.", "%(count)s domains removed.", count)
    text = text % {"count": f"{count:,}"} if count != 1 else _("%(domain)s removed.") % {"domain": removed_names[0]}
    if removed_names and selected_names >= allowed.whitelist.names.keys() and not allowed.whitelist.invalid_entries:
        text += " " + _("Everyone is allowed now.")
    return save(request, removed(removed_names), text, request.get_full_path())


def _list(request: Request, allowed: AllowedDomains, form: AddForm, status: int = 200) -> HttpResponse:
    q, after = request.GET.get("q", "")[:100], request.GET.get("cursor", "")[:400]
    names = presenters.filter_names(allowed, q)
    rows, cursor = presenters.build_rows(allowed, names, after)
    context: dict[str, Any] = {
        "allowed": allowed,
        "q": q,
        "form": form,
        "listing": build_listing(request, rows, cursor, filters=("q",), total=f"{len(names):,}"),
        "has_search": len(allowed.names) > MIN_SEARCHABLE or bool(q),
        "max_selected": MAX_BULK,
        "excluded": presenters.build_excluded(allowed),
        "total": f"{allowed.totals.total:,}" if allowed.totals else "",
        "other_people": f"{allowed.totals.other_people:,}" if allowed.totals else "",
        "recounted": allowed.recounted_people,
        "recounted_text": f"{allowed.recounted_people:,}",
        "recount": reverse("domains_recount"),
        "current_url": request.get_full_path(),
        **_address_check(request, allowed),
    }
    is_check = wants_fragment(request) and request.htmx.target == CHECK_RESULT
    partial = "check_result" if is_check else "rows" if after else "list"
    return page(request, "rooms/domains.html", context, partial=partial, quiet=is_check, status=status)


def _address_check(request: Request, allowed: AllowedDomains) -> dict[str, Any]:
    """The result for the address in `?try=`, if there is one."""
    text = request.GET.get("try", "")[:MAX_ADDRESS]
    result: dict[str, Any] = {"try": text, "try_problem": "", "check": None, "people": None}
    if not text.strip():
        return result
    try:
        check = check_address(text, allowed.whitelist)
    except BadDomain as problem:
        return result | {"try_problem": str(problem)}
    people = allowed.totals.people_of(check.domain) if allowed.totals else None
    return result | {"check": check, "people": people}


@requires(Permission.DOMAINS)
@require_POST
def recount(request: Request) -> HttpResponse:
    """Count everyone from the start: the count misses people who left or who were added with an old date."""
    count = domain_counts.recount(command=command_of(request))
    if count.outcome.is_no_change:
        toast(request, _("A recount is already running."))
    else:
        toast(request, _("Recount started. It takes a few minutes."), of=count)
    return see_other(request, reverse("domains"))
