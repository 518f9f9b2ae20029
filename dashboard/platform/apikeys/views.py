"""A business's API keys, and what the API says about a key."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.apikeys import queries, services
from dashboard.platform.apikeys.authentication import ApiRequest, api
from dashboard.platform.apikeys.forms import IssueForm, KeyForm
from dashboard.platform.apikeys.items import ApiKey
from dashboard.platform.apikeys.permissions import Permission
from dashboard.platform.audit.sentences import history_lines
from dashboard.table import cursors
from dashboard.table.read import gather
from dashboard.table.timestamps import to_wire
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import listing
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.BUSINESS_KEYS)
@require_safe
def keys(request: Request, business: str) -> HttpResponse:
    """Those in use first, the newest on top; then those that were revoked."""
    scope = (request.person.email, "keys", business)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    found = queries.keys_of(business, start)
    following = cursors.encode(found.next, *scope) if found.next else None
    newest = sorted(found.items, key=lambda key: (key.created_at is not None, key.created_at), reverse=True)
    rows = sorted(newest, key=lambda key: not key.is_active)
    context = {"listing": listing(request, rows, following)}
    return page(request, "apikeys/keys.html", context, partial="rows" if start else "list")


@requires(Permission.BUSINESS_KEYS)
@require_http_methods(["GET", "HEAD", "POST"])
def issue(request: Request, business: str) -> HttpResponse:
    if request.method != "POST":
        return page(request, "apikeys/issue.html", {"form": IssueForm()})
    form = bind(request, IssueForm)
    command = command_of(request)
    if form.is_valid():
        try:
            key = services.issue(business, command=command, **form.cleaned_data)
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return page(request, "apikeys/issue.html", {"form": form}, status=422)
    undo = (_url("api_key_revoke", key), {"revision": key.revision})
    toast(request, _("%(name)s is issued.") % {"name": key.title}, undo=undo, of=key)
    return _issued_page(request, key, services.secret_of(key, command))


def _issued_page(request: Request, key: ApiKey, secret: str | None) -> HttpResponse:
    """The key, once: only a hash of it is stored."""
    where = request.build_absolute_uri(reverse("api_whoami"))
    curl = f'curl -H "Authorization: Bearer {secret}" {where}'
    return page(request, "apikeys/issued.html", {"key": key, "secret": secret, "curl": curl})


@requires(Permission.BUSINESS_KEYS)
@require_safe
def key(request: Request, business: str, key_id: str) -> HttpResponse:
    return _key_page(request, business, key_id)


@requires(Permission.BUSINESS_KEYS)
@require_POST
def edit(request: Request, business: str, key_id: str) -> HttpResponse:
    form = bind(request, KeyForm)
    if not form.is_valid():
        return _key_page(request, business, key_id, form, status=422)
    given = form.cleaned_data
    after = services.edit(
        business,
        key_id,
        name=given["name"],
        origins=given["origins"],
        rate_limit=given["rate_limit"],
        revision=given["revision"],
        command=command_of(request),
    )
    undo = (_url("api_key_edit", after), after.outcome.result["before"] | {"revision": after.revision})
    toast(request, _("Changes to %(name)s are saved.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, _url("api_key", after))


@requires(Permission.BUSINESS_KEYS)
@require_POST
def revoke(request: Request, business: str, key_id: str) -> HttpResponse:
    after = services.revoke(business, key_id, revision=bind(request, RevisionForm).number, command=command_of(request))
    undo = (_url("api_key_restore", after), {"revision": after.revision})
    toast(request, _("%(name)s is revoked.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, _url("api_key", after))


@requires(Permission.BUSINESS_KEYS)
@require_POST
def restore(request: Request, business: str, key_id: str) -> HttpResponse:
    """The way back from revoking, for whoever still has that in front of them."""
    after = services.restore(business, key_id, revision=bind(request, RevisionForm).number, command=command_of(request))
    undo = (_url("api_key_revoke", after), {"revision": after.revision})
    toast(request, _("%(name)s works again.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, _url("api_key", after))


@api("GET")
def whoami(request: ApiRequest) -> JsonResponse:
    """Which business and which key this is."""
    business, own = request.business, request.api_key
    return JsonResponse(
        {
            "business": {
                "id": business.business_id,
                "name": business.title,
                "status": business.status,
                "plan": business.plan,
            },
            "key": {
                "id": own.id,
                "name": own.name,
                "public": own.api_key_public,
                "allowedOrigins": own.origins,
                "rateLimit": own.limit,
                "createdAt": to_wire(own.created_at) if own.created_at else None,
            },
        }
    )


def _key_page(
    request: Request, business: str, key_id: str, form: KeyForm | None = None, status: int = 200
) -> HttpResponse:
    """The key and what was done to it, side by side: one trip."""
    found = gather(lambda: queries.key(business, key_id), lambda: queries.history_of(business, key_id))
    shown, entries = found
    fields = {"name": shown.name or "", "origins": shown.origins_text, "rate_limit": shown.limit}
    form = form or KeyForm(initial=fields | {"revision": shown.revision})
    context = {"key": shown, "form": form, "history": history_lines(entries)}
    return page(request, "apikeys/key.html", context, status=status)


def _url(route: str, key: ApiKey) -> str:
    return reverse(route, args=[key.business, key.id])
