"""The page that links an owner of another system to a person. The id is a parameter: it can contain any character."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import BusinessRole, requires
from dashboard.platform.adoption import owners, queries
from dashboard.platform.adoption.forms import OwnerForm
from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.businesses.services.members import NoAccount
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

# A sort key has at most 1,024 bytes.
MAX_ID = 1024


@requires(Permission.BUSINESSES_MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def owner(request: Request) -> HttpResponse:
    owner_id, business = _params(request)
    if not owner_id:
        return see_other(request, _owners_url())
    if request.method != "POST":
        return _page(request, owner_id, business)
    form, no_account = bind(request, OwnerForm), ""
    if form.is_valid():
        email = form.cleaned_data["email"]
        try:
            linked, joined = owners.link(
                owner_id, email, revision=form.number, business=business, command=command_of(request)
            )
        except Refused as refusal:
            add_refusal(form, refusal)
            no_account = email if isinstance(refusal, NoAccount) else ""
    if not form.is_valid():
        return _page(request, owner_id, business, form, no_account=no_account, status=422)
    for each in joined:
        record_event(
            request, EventKind.MEMBER_ADDED, account=str(linked.email), business=each, business_role=BusinessRole.OWNER
        )
    undo = (reverse("outside_owner_unlink"), {"owner": owner_id, "revision": linked.revision})
    toast(request, _("Owner linked to %(name)s.") % {"name": linked.title}, undo=undo)
    return see_other(request, owner_url(owner_id))


@requires(Permission.BUSINESSES_MANAGE)
@require_POST
def unlink(request: Request) -> HttpResponse:
    owner_id, _business = _params(request)
    if not owner_id:
        return see_other(request, _owners_url())
    owners.unlink(owner_id, revision=bind(request, RevisionForm).number, command=command_of(request))
    toast(request, _("Link removed. Memberships were kept."))
    return see_other(request, owner_url(owner_id))


def owner_url(owner_id: str) -> str:
    return f"{reverse('outside_owner')}?{urlencode({'owner': owner_id})}"


def _owners_url() -> str:
    """The list of owners, for a request that names none."""
    return f"{reverse('unknown_businesses')}?show=owners"


def _params(request: Request) -> tuple[str, str]:
    given = request.POST if request.method == "POST" else request.GET
    owner_id, business = given.get("owner", "").strip(), given.get("business", "").strip()
    if len(owner_id) > MAX_ID or len(business) > MAX_ID:
        raise NotFound
    return owner_id, business


def _page(
    request: Request,
    owner_id: str,
    business: str,
    form: OwnerForm | None = None,
    *,
    no_account: str = "",
    status: int = 200,
) -> HttpResponse:
    current = queries.find_owner(owner_id)
    if current is None and not business:
        raise NotFound
    initial = {"email": current.email if current else "", "revision": current.revision if current else 0}
    context = {
        "owner_id": owner_id,
        "owner": current,
        "from_business": business,
        "form": form or OwnerForm(initial=initial),
        "no_account": no_account,
    }
    return page(request, "adoption/owner.html", context, status=status)
