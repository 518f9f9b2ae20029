"""Admins and the people they manage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.accounts import queries
from dashboard.accounts.emails import normalise
from dashboard.accounts.forms import InviteForm, PersonForm, VersionForm
from dashboard.accounts.items import DISABLED, INVITED, STATES, Person
from dashboard.accounts.middleware import Request
from dashboard.accounts.permissions import Permission, Role, requires
from dashboard.accounts.services import people as services
from dashboard.audit.queries import history
from dashboard.audit.words import told
from dashboard.errors import DomainError, NotFound, Refused
from dashboard.table import cursors
from dashboard.table.operations import Operation, operation_of
from dashboard.table.read import gather
from dashboard.ui.lists import listing, tabs
from dashboard.ui.pages import add_refusal, bind, page, see_other
from dashboard.ui.toasts import toast, toast_error

TABS = {
    "": gettext_lazy("Everyone"),
    Role.ADMIN: gettext_lazy("Admins"),
    Role.MODERATOR: gettext_lazy("Moderators"),
    Role.STAFF: gettext_lazy("Staff"),
    Role.OWNER: gettext_lazy("Owners"),
    INVITED: gettext_lazy("Invited"),
    DISABLED: gettext_lazy("Disabled"),
}
MAX_BULK = 50


@requires(Permission.PEOPLE_MANAGE)
@require_safe
def people(request: Request) -> HttpResponse:
    state = request.GET.get("state", "")
    if state and state not in STATES:
        raise NotFound
    prefix = normalise(request.GET.get("q", ""))[:254]
    scope = (request.person.email, "people", state, prefix)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    found = queries.accounts(state, prefix, start) if state else queries.everyone(prefix, start)
    following = cursors.encode(found.next, *scope) if found.next else None
    context = {
        "listing": listing(request, found.items, following, filters=("q", "state")),
        "tabs": tabs(request, "state", TABS.items()),
        "state": state,
        "q": prefix,
    }
    return page(request, "accounts/people.html", context, partial="rows" if start else "list")


@requires(Permission.PEOPLE_MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: Request) -> HttpResponse:
    if request.method != "POST":
        form = InviteForm(initial={"role": Role.MODERATOR, "email": request.GET.get("email", "")})
        return page(request, "accounts/invite.html", {"form": form})
    form = bind(request, InviteForm)
    operation = operation_of(request)
    if form.is_valid():
        try:
            person = services.invite(operation=operation, **form.cleaned_data)
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return page(request, "accounts/invite.html", {"form": form}, status=422)
    undo = (reverse("person_withdraw", args=[person.email]), {"version": person.seen})
    toast(request, _("%(name)s is invited.") % {"name": person.title}, undo=undo)
    return _link_page(request, person, operation)


def _person_page(request: Request, person: Person, status: int = 200, **extra: Any) -> HttpResponse:
    initial = {"name": person.name or "", "role": person.back_office_role, "version": person.seen}
    form = PersonForm(initial=initial)
    context = {"person": person, "form": form, "is_self": person.email == request.person.email}
    return page(request, "accounts/person.html", context | extra, status=status)


def _with_history(email: str) -> tuple[Person, Any]:
    """Person and trail side by side: one trip."""
    found: list[Any] = gather(lambda: queries.account(email), lambda: history(email))
    return found[0], found[1]


@requires(Permission.PEOPLE_MANAGE)
@require_safe
def person(request: Request, email: str) -> HttpResponse:
    found, entries = _with_history(email)
    return _person_page(request, found, history=told(entries))


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def edit(request: Request, email: str) -> HttpResponse:
    form = bind(request, PersonForm)
    before, entries = _with_history(email)
    if not form.is_valid():
        return _person_page(request, before, form=form, history=told(entries), status=422)
    given = form.cleaned_data
    try:
        after = services.edit(
            email,
            name=given["name"],
            role=given["role"],
            seen=given["version"],
            operation=operation_of(request),
        )
    except Refused as refusal:
        add_refusal(form, refusal)
        return _person_page(request, before, form=form, history=told(entries), status=422)
    fields = {"name": before.name or "", "role": before.back_office_role, "version": after.seen}
    toast(
        request,
        _("Changes to %(name)s are saved.") % {"name": after.title},
        undo=(reverse("person_edit", args=[email]), fields),
    )
    return see_other(request, reverse("person", args=[email]))


def _seen(sent: Mapping[str, str]) -> int:
    form = VersionForm(sent)
    return int(form.cleaned_data["version"]) if form.is_valid() else 0


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def disable(request: Request, email: str) -> HttpResponse:
    person = services.disable(email, seen=_seen(request.POST), operation=operation_of(request))
    undo = (reverse("person_enable", args=[email]), {"version": person.seen})
    toast(request, _("%(name)s is disabled and signed out.") % {"name": person.title}, undo=undo)
    return _after(request, person)


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def enable(request: Request, email: str) -> HttpResponse:
    person = services.enable(email, seen=_seen(request.POST), operation=operation_of(request))
    undo = (reverse("person_disable", args=[email]), {"version": person.seen})
    toast(request, _("%(name)s can sign in again.") % {"name": person.title}, undo=undo)
    return _after(request, person)


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def end_sessions(request: Request, email: str) -> HttpResponse:
    person = services.end_sessions(email, seen=_seen(request.POST), operation=operation_of(request))
    toast(request, _("%(name)s is signed out everywhere.") % {"name": person.title})
    return _after(request, person)


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def withdraw(request: Request, email: str) -> HttpResponse:
    before = queries.find_person(email)
    services.withdraw(email, seen=_seen(request.POST), operation=operation_of(request))
    undo = None
    if before is not None:
        undo = (
            reverse("invite"),
            {"email": email, "name": before.name or "", "role": before.back_office_role},
        )
    toast(request, _("The invitation of %(email)s is withdrawn.") % {"email": email}, undo=undo)
    return see_other(request, reverse("people"))


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def give_link(request: Request, email: str) -> HttpResponse:
    operation = operation_of(request)
    person = services.give_link(email, seen=_seen(request.POST), operation=operation)
    return _link_page(request, person, operation)


def _link_page(request: Request, person: Person, operation: Operation) -> HttpResponse:
    """The link, once: it is not stored, and the next one replaces it."""
    token = services.link_token(person, operation)
    link = request.build_absolute_uri(reverse("join", args=[token])) if token else None
    return page(request, "accounts/link.html", {"person": person, "link": link})


def _after(request: Request, person: Person) -> HttpResponse:
    return see_other(request, reverse("person", args=[person.email]))


BULK = {"disable": services.disable, "enable": services.enable, "end_sessions": services.end_sessions}
INVERSE = {"disable": "enable", "enable": "disable"}


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def bulk(request: Request) -> HttpResponse:
    """One action on those selected; whoever it does not work for is named, with the reason."""
    action = request.POST.get("action", "")
    chosen = [each.partition(":") for word in request.POST.getlist("selected") for each in word.split()]
    act = BULK.get(action)
    if act is None or not chosen or len(chosen) > MAX_BULK:
        raise Refused(_("Select between 1 and %(most)s people, then choose what to do.") % {"most": MAX_BULK})
    operation = operation_of(request)
    done: list[Person] = []
    for version, _colon, email in chosen:
        try:
            done.append(act(email, seen=_seen({"version": version}), operation=operation.part(email)))
        except DomainError as refusal:
            toast_error(request, f"{email}: {refusal.text}")
    if done:
        text = ngettext("%(count)s person changed.", "%(count)s people changed.", len(done))
        again = " ".join(f"{person.seen}:{person.email}" for person in done)
        inverse = INVERSE.get(action)
        undo = (reverse("people_bulk"), {"action": inverse, "selected": again}) if inverse else None
        toast(request, text % {"count": len(done)}, undo=undo)
    return see_other(request, reverse("people"))
