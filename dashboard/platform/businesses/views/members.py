"""Views for admins: adding and removing members."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Role, requires
from dashboard.platform.accounts.queries import find_person
from dashboard.platform.businesses import owners, queries
from dashboard.platform.businesses.forms import MemberForm
from dashboard.platform.businesses.items import Member
from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.businesses.services import members as services
from dashboard.platform.businesses.views.businesses import business_page
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import add_refusal, bind, see_other
from dashboard.web.toasts import toast


@requires(Permission.BUSINESSES_MANAGE)
@require_POST
def add(request: Request, business: str) -> HttpResponse:
    queries.load_business(business)
    form = bind(request, MemberForm)
    no_account = ""
    if form.is_valid():
        email, role = form.cleaned_data["email"], form.cleaned_data["role"]
        try:
            member = services.add(business, email, role, command=command_of(request))
        except Refused as refusal:
            add_refusal(form, refusal)
            no_account = email if isinstance(refusal, services.NoAccount) else ""
    if not form.is_valid():
        return business_page(request, business, member_form=form, no_account=no_account, status=422)
    record_event(request, EventKind.MEMBER_ADDED, account=member.email, business=business, business_role=role)
    # An owner can be removed only while another one can sign in. Otherwise there is nothing to undo.
    can_undo = not member.is_owner or owners.usable_owners(owners.other_owners(business, member.email))
    undo = (reverse("member_remove", args=[business, member.email]), {"revision": member.revision})
    toast(request, _added_text(member), undo=undo if can_undo else None, of=member)
    return see_other(request, reverse("business_manage", args=[business]))


def _added_text(member: Member) -> str:
    """The text of the toast. It warns if the person's role cannot open businesses."""
    person = find_person(member.email)
    added = _("%(name)s added to %(business)s.") % {"name": member.title, "business": member.business_name}
    if person is None or person.office_role in {Role.OWNER, Role.ADMIN}:
        return added
    text = _("Their role is %(role)s. Only business members and admins can open a business.")
    return f"{added} {text % {'role': person.role_label}}"


@requires(Permission.BUSINESSES_MANAGE)
@require_POST
def remove(request: Request, business: str, email: str) -> HttpResponse:
    member, revision = queries.find_member(business, email), bind(request, RevisionForm).number
    services.remove(business, email, revision=revision, command=command_of(request))
    role = member.business_role if member else None
    record_event(request, EventKind.MEMBER_REMOVED, account=email, business=business, previous_business_role=role or "")
    undo = (reverse("member_add", args=[business]), {"email": email, "role": member.role if member else ""})
    toast(request, _("%(email)s removed from the business.") % {"email": email}, undo=undo)
    return see_other(request, reverse("business_manage", args=[business]))
