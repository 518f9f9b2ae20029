"""Pages for admins: people, invitations and links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.emails import normalise
from dashboard.platform.accounts.fields import PERSON_FIELDS
from dashboard.platform.accounts.forms import ConfirmForm, InviteForm, PersonForm
from dashboard.platform.accounts.items import DISABLED, INVITED, STATES, Person
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Permission, Role, requires
from dashboard.platform.accounts.services import links, passwords, second_factor
from dashboard.platform.accounts.services import people as services
from dashboard.platform.accounts.views.account import with_password
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.queries import history
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.businesses.owners import OnlyOwner
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event
from dashboard.table.commands import Command
from dashboard.table.read import Page, gather
from dashboard.web.commands import command_of, sent_fields
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

TABS = {
    "": gettext_lazy("Everyone"),
    Role.ADMIN: gettext_lazy("Admins"),
    Role.MODERATOR: gettext_lazy("Moderators"),
    Role.STAFF: gettext_lazy("Event staff"),
    Role.OWNER: gettext_lazy("Business members"),
    INVITED: gettext_lazy("Invited"),
    DISABLED: gettext_lazy("Disabled"),
}
# The ids of businesses that may lose their only owner.
CONFIRM = "confirm"


@requires(Permission.PEOPLE_MANAGE)
@require_safe
def people(request: Request) -> HttpResponse:
    state = request.GET.get("state", "")
    if state and state not in STATES:
        raise NotFound
    prefix = normalise(request.GET.get("q", ""))[:254]

    def load(start_key: Any) -> tuple[Page[Person], dict[str, Any]]:
        found = queries.accounts(state, prefix, start_key) if state else queries.everyone(prefix, start_key)
        return found, {"tabs": build_tabs(request, "state", TABS.items()), "state": state, "q": prefix}

    cursor_scope = ("people", state, prefix)
    return list_page(request, "accounts/people.html", load, cursor_scope=cursor_scope, filters=("q", "state"))


@requires(Permission.PEOPLE_MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: Request) -> HttpResponse:
    if request.method != "POST":
        role = request.GET.get("role") if request.GET.get("role") in set(Role) else Role.MODERATOR
        form = InviteForm(initial={"role": role, "email": request.GET.get("email", "")})
        return page(request, "accounts/invite.html", {"form": form})
    form = bind(request, InviteForm)
    command = command_of(request)
    if form.is_valid():
        try:
            person = services.invite(command=command, **form.cleaned_data)
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return page(request, "accounts/invite.html", {"form": form}, status=422)
    record_event(request, EventKind.LINK_CREATED, account=person.email)
    undo = (reverse("person_withdraw", args=[person.email]), {"revision": person.revision})
    toast(request, _("%(name)s invited.") % {"name": person.title}, undo=undo, of=person)
    return _link_page(request, person, command)


def _person_page(request: Request, person: Person, status: int = 200, **extra: Any) -> HttpResponse:
    context = {
        "person": person,
        "form": PersonForm(item=person),
        "reset_form": ConfirmForm(auto_id="reset_form_%s"),
        "end_sessions_form": ConfirmForm(auto_id="end_sessions_form_%s"),
        "is_self": person.email == request.person.email,
    }
    return page(request, "accounts/person.html", context | extra, status=status)


def _load_with_history(email: str) -> tuple[Person, list[AuditEntry]]:
    """Read a person and their history in one round trip."""
    return gather(lambda: queries.load_account(email), lambda: history(email))


@requires(Permission.PEOPLE_MANAGE)
@require_safe
def person(request: Request, email: str) -> HttpResponse:
    found, entries = _load_with_history(email)
    return _person_page(request, found, history=history_lines(entries))


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def edit(request: Request, email: str) -> HttpResponse:
    before, entries = _load_with_history(email)
    form = bind(request, PersonForm, item=before)
    if not form.is_valid():
        return _person_page(request, before, form=form, history=history_lines(entries), status=422)
    try:
        after = services.edit(
            email,
            revision=form.revision,
            confirmed=request.POST.getlist(CONFIRM),
            command=command_of(request),
            **form.values,
        )
    except OnlyOwner as error:
        return _only_owner_page(request, before, error)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _person_page(request, before, form=form, history=history_lines(entries), status=422)
    previous = after.outcome.result["before"]
    if previous["role"] != after.back_office_role:
        record_event(request, EventKind.ROLE_CHANGED, account=email, role=after.back_office_role, was=previous["role"])
    fields = {name: previous[name] or "" for name in PERSON_FIELDS.names}
    undo = (reverse("person_edit", args=[email]), fields | {"revision": after.revision})
    toast(request, _("Changes to %(name)s saved.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, reverse("person", args=[email]))


def _only_owner_page(request: Request, person: Person, error: OnlyOwner) -> HttpResponse:
    """The page that names the businesses without another owner and sends the same form with a confirmation."""
    context = {
        "person": person,
        "memberships": error.memberships,
        "fields": sent_fields(request),
        "current_url": request.get_full_path(),
    }
    return page(request, "accounts/only_owner.html", context, status=422)


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def disable(request: Request, email: str) -> HttpResponse:
    revision, confirmed = bind(request, RevisionForm).number, request.POST.getlist(CONFIRM)
    try:
        person = services.disable(email, revision=revision, confirmed=confirmed, command=command_of(request))
    except OnlyOwner as error:
        return _only_owner_page(request, queries.load_account(email), error)
    record_event(request, EventKind.DISABLED, account=email)
    undo = (reverse("person_enable", args=[email]), {"revision": person.revision})
    toast(request, _("%(name)s disabled and signed out.") % {"name": person.title}, undo=undo, of=person)
    return _to_person(request, person)


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def enable(request: Request, email: str) -> HttpResponse:
    person = services.enable(email, revision=bind(request, RevisionForm).number, command=command_of(request))
    record_event(request, EventKind.ENABLED, account=email)
    undo = (reverse("person_disable", args=[email]), {"revision": person.revision})
    toast(request, _("%(name)s enabled.") % {"name": person.title}, undo=undo, of=person)
    return _to_person(request, person)


@requires(Permission.PEOPLE_MANAGE)
@sensitive_post_parameters()
@require_POST
def end_sessions(request: Request, email: str) -> HttpResponse:
    """End all sessions of a person, with the admin's own password."""
    revision = bind(request, RevisionForm).number

    def end() -> HttpResponse:
        person = services.end_sessions(email, revision=revision, command=command_of(request))
        record_event(request, EventKind.SESSIONS_ENDED, account=email)
        toast(request, _("%(name)s signed out everywhere.") % {"name": person.title}, of=person)
        return _to_person(request, person)

    return _with_own_password(request, email, "end_sessions_form", end)


@requires(Permission.PEOPLE_MANAGE)
@sensitive_post_parameters()
@require_POST
def reset_second_factor(request: Request, email: str) -> HttpResponse:
    """Reset it, with the admin's own password."""
    second_factor.ensure_not_own(email, request.actor)
    revision = bind(request, RevisionForm).number

    def reset() -> HttpResponse:
        person = second_factor.reset(email, revision=revision, command=command_of(request))
        record_event(request, EventKind.FACTOR_RESET, account=email)
        text = _("Second factor of %(name)s reset. They were signed out everywhere.")
        toast(request, text % {"name": person.title}, of=person)
        return _to_person(request, person)

    return _with_own_password(request, email, "reset_form", reset)


def _with_own_password(request: Request, email: str, name: str, act: Callable[[], HttpResponse]) -> HttpResponse:
    """Act on a person after the admin has confirmed the own password in the form with this name."""

    def confirm(current: str) -> HttpResponse:
        passwords.confirm(request.person, current, session_id=request.session.id)
        return act()

    def render(status: int) -> HttpResponse:
        found, entries = _load_with_history(email)
        return _person_page(request, found, status, history=history_lines(entries), **{name: form})

    form = ConfirmForm(request.POST, auto_id=f"{name}_%s")
    return with_password(request, form, confirm, render)


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def withdraw(request: Request, email: str) -> HttpResponse:
    before = queries.find_person(email)
    revision, confirmed = bind(request, RevisionForm).number, request.POST.getlist(CONFIRM)
    try:
        left = services.withdraw(email, revision=revision, confirmed=confirmed, command=command_of(request))
    except OnlyOwner as error:
        return _only_owner_page(request, queries.load_account(email), error)
    record_event(request, EventKind.LINK_WITHDRAWN, account=email)
    # A form that is sent again removes nothing.
    for member in left or ():
        role = member.business_role or ""
        record_event(
            request, EventKind.MEMBER_REMOVED, account=email, business=member.business_id, previous_business_role=role
        )
    undo = None
    if before is not None:
        fields = {"email": email, "name": before.name or "", "role": before.back_office_role}
        undo = (reverse("invite"), fields)
    toast(request, _("Invitation of %(email)s withdrawn.") % {"email": email}, undo=undo)
    return see_other(request, reverse("people"))


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def create_link(request: Request, email: str) -> HttpResponse:
    command = command_of(request)
    person = links.create_link(email, revision=bind(request, RevisionForm).number, command=command)
    record_event(request, EventKind.LINK_CREATED, account=email)
    return _link_page(request, person, command)


def _link_page(request: Request, person: Person, command: Command) -> HttpResponse:
    """Show the link, once: it is not stored."""
    token = links.token_of(person, command)
    link = request.build_absolute_uri(reverse("join", args=[token])) if token else None
    return page(
        request, "accounts/link.html", {"person": person, "link": link, "is_mailed": settings.MAIL_IS_CONFIGURED}
    )


def _to_person(request: Request, person: Person) -> HttpResponse:
    return see_other(request, reverse("person", args=[person.email]))
