"""Pages for the owners of a business: its people, their roles and invitations."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import BUSINESS_ROLE_LABELS, BusinessRole, requires
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.forms import InvitationForm, MemberRoleForm
from dashboard.platform.businesses.items import Member
from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.businesses.services import invitations, members
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event
from dashboard.table.commands import Command
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.BUSINESS_PEOPLE)
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: Request, business: str) -> HttpResponse:
    """The people of the business, and the form that invites someone."""
    if request.method != "POST":
        return _people_page(request, InvitationForm())
    form, command = bind(request, InvitationForm), command_of(request)
    if form.is_valid():
        given = form.cleaned_data
        try:
            member = invitations.invite(
                business, given["email"], name=given["name"], role=BusinessRole(given["role"]), command=command
            )
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return _people_page(request, form, status=422)
    record_event(
        request, EventKind.MEMBER_ADDED, account=member.email, business=business, business_role=member.role or ""
    )
    undo = (reverse("business_member_remove", args=[business, member.email]), {"revision": member.revision})
    if not member.invited_at:
        text = _("%(name)s added to %(business)s.") % {"name": member.title, "business": request.business.title}
        toast(request, text, undo=undo, of=member)
        return see_other(request, request.path)
    toast(request, _("%(name)s invited.") % {"name": member.title}, undo=undo, of=member)
    return _link_page(request, member, command)


def _people_page(request: Request, form: InvitationForm, status: int = 200) -> HttpResponse:
    context = {
        "members": queries.members(request.business.id),
        "form": form,
        "roles": BUSINESS_ROLE_LABELS.items(),
    }
    return page(request, "businesses/people.html", context, status=status)


def _link_page(request: Request, member: Member, command: Command) -> HttpResponse:
    """Show the link, once: it is not stored."""
    token = invitations.token_of(member.email, command)
    record_event(request, EventKind.LINK_CREATED, account=member.email, business=member.business_id)
    link = request.build_absolute_uri(reverse("join", args=[token])) if token else None
    context = {"member": member, "link": link, "is_mailed": settings.MAIL_IS_CONFIGURED}
    return page(request, "businesses/invitation.html", context)


@requires(Permission.BUSINESS_PEOPLE)
@require_POST
def create_link(request: Request, business: str, email: str) -> HttpResponse:
    command = command_of(request)
    revision = bind(request, RevisionForm).number
    return _link_page(request, invitations.create_link(business, email, revision=revision, command=command), command)


@requires(Permission.BUSINESS_PEOPLE)
@require_POST
def change_role(request: Request, business: str, email: str) -> HttpResponse:
    form = bind(request, MemberRoleForm)
    if not form.is_valid():
        raise Refused(_("Choose a role."))
    role = BusinessRole(form.cleaned_data["role"])
    member = members.change_role(business, email, role=role, revision=form.number, command=command_of(request))
    undo = None
    if not member.outcome.is_no_change:
        previous = member.outcome.result["before"]
        details = {"business": business, "business_role": role, "previous_business_role": previous}
        record_event(request, EventKind.ROLE_CHANGED, account=email, **details)
        fields = {"role": previous, "revision": member.revision}
        undo = (request.path, fields)
    text = _("Role of %(name)s: %(role)s.") % {"name": member.title, "role": member.role_label}
    toast(request, text, undo=undo, of=member)
    return _back(request, member.email)


@requires(Permission.BUSINESS_PEOPLE)
@require_POST
def remove(request: Request, business: str, email: str) -> HttpResponse:
    member, revision = queries.find_member(business, email), bind(request, RevisionForm).number
    members.remove(business, email, revision=revision, command=command_of(request))
    role = member.business_role if member else None
    record_event(request, EventKind.MEMBER_REMOVED, account=email, business=business, previous_business_role=role or "")
    undo = None
    if member is not None:
        fields = {"email": email, "name": member.name or "", "role": member.role or BusinessRole.OWNER}
        undo = (reverse("business_people", args=[business]), fields)
    toast(request, _("%(email)s removed from the business.") % {"email": email}, undo=undo)
    return _back(request, email)


def _back(request: Request, email: str) -> HttpResponse:
    """To the list, or to the overview if owners have just removed or demoted themselves."""
    is_self = email == request.person.email
    return see_other(
        request, reverse("home" if is_self else "business_people", args=[] if is_self else [request.business.id])
    )
