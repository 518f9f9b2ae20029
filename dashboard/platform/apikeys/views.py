"""Pages of API keys: those of a business, and those of the platform."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.apikeys import queries, services
from dashboard.platform.apikeys.forms import KeyForm, NewKeyForm, NewPlatformKeyForm, PlatformKeyForm
from dashboard.platform.apikeys.items import PLATFORM, ApiKey
from dashboard.platform.apikeys.permissions import Permission
from dashboard.platform.apikeys.sections import sections_of
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event
from dashboard.table.read import Page, gather
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import list_page
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.BUSINESS_KEYS)
@require_safe
def keys(request: Request, business: str) -> HttpResponse:
    return _keys(request, business)


@requires(Permission.PLATFORM_KEYS)
@require_safe
def platform_keys(request: Request) -> HttpResponse:
    return _keys(request, PLATFORM)


@requires(Permission.BUSINESS_KEYS)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str) -> HttpResponse:
    return _create(request, business)


@requires(Permission.PLATFORM_KEYS)
@require_http_methods(["GET", "HEAD", "POST"])
def create_platform_key(request: Request) -> HttpResponse:
    return _create(request, PLATFORM)


@requires(Permission.BUSINESS_KEYS)
@require_safe
def key(request: Request, business: str, key_id: str) -> HttpResponse:
    return _key_page(request, business, key_id)


@requires(Permission.PLATFORM_KEYS)
@require_safe
def platform_key(request: Request, key_id: str) -> HttpResponse:
    return _key_page(request, PLATFORM, key_id)


@requires(Permission.BUSINESS_KEYS)
@require_POST
def edit(request: Request, business: str, key_id: str) -> HttpResponse:
    return _edit(request, business, key_id)


@requires(Permission.PLATFORM_KEYS)
@require_POST
def edit_platform_key(request: Request, key_id: str) -> HttpResponse:
    return _edit(request, PLATFORM, key_id)


@requires(Permission.BUSINESS_KEYS)
@require_POST
def revoke(request: Request, business: str, key_id: str) -> HttpResponse:
    return _revoke(request, business, key_id)


@requires(Permission.PLATFORM_KEYS)
@require_POST
def revoke_platform_key(request: Request, key_id: str) -> HttpResponse:
    return _revoke(request, PLATFORM, key_id)


@requires(Permission.BUSINESS_KEYS)
@require_POST
def restore(request: Request, business: str, key_id: str) -> HttpResponse:
    return _restore(request, business, key_id)


@requires(Permission.PLATFORM_KEYS)
@require_POST
def restore_platform_key(request: Request, key_id: str) -> HttpResponse:
    return _restore(request, PLATFORM, key_id)


def _keys(request: Request, business: str) -> HttpResponse:
    """Active keys first, then the others; the newest first in each group."""

    def load(start_key: Any) -> tuple[Page[ApiKey], dict[str, Any]]:
        found = queries.keys_of(business, start_key)
        newest = sorted(found.items, key=lambda key: (key.created_at is not None, key.created_at), reverse=True)
        return found.with_rows(sorted(newest, key=lambda key: not key.is_active)), _urls(business)

    return list_page(request, "apikeys/keys.html", load, cursor_scope=("keys", business))


def _create(request: Request, business: str) -> HttpResponse:
    form_class = NewKeyForm if business else NewPlatformKeyForm
    if request.method != "POST":
        return page(request, "apikeys/new.html", {"form": form_class(), **_urls(business)})
    form = bind(request, form_class)
    command = command_of(request)
    if form.is_valid():
        try:
            key = services.create(business, command=command, **form.values)
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return page(request, "apikeys/new.html", {"form": form, **_urls(business)}, status=422)
    _record_event(request, EventKind.KEY_CREATED, key)
    undo = (_url("api_key_revoke", key), {"revision": key.revision})
    toast(request, _("Key %(name)s created.") % {"name": key.title}, undo=undo, of=key)
    return _created_page(request, key, services.secret_of(key, command))


def _created_page(request: Request, key: ApiKey, secret: str | None) -> HttpResponse:
    """Show the secret, once: only its hash is stored."""
    whoami_url = request.build_absolute_uri(reverse("api_whoami"))
    curl = f'curl -H "Authorization: Bearer {secret}" {whoami_url}'
    urls = _urls(key.business) | {"key_url": _url("api_key", key)}
    sections = sections_of(request, key) if secret else []
    context = {"key": key, "secret": secret, "curl": curl, "sections": sections, **urls}
    return page(request, "apikeys/created.html", context)


def _edit(request: Request, business: str, key_id: str) -> HttpResponse:
    form = bind(request, KeyForm if business else PlatformKeyForm)
    if form.is_valid():
        try:
            after = services.edit(business, key_id, **form.values, revision=form.revision, command=command_of(request))
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return _key_page(request, business, key_id, form, status=422)
    undo = (_url("api_key_edit", after), after.outcome.result["before"] | {"revision": after.revision})
    toast(request, _("Changes to %(name)s saved.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, _url("api_key", after))


def _revoke(request: Request, business: str, key_id: str) -> HttpResponse:
    after = services.revoke(business, key_id, revision=bind(request, RevisionForm).number, command=command_of(request))
    _record_event(request, EventKind.KEY_REVOKED, after)
    undo = (_url("api_key_restore", after), {"revision": after.revision})
    toast(request, _("Key %(name)s revoked.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, _url("api_key", after))


def _restore(request: Request, business: str, key_id: str) -> HttpResponse:
    """Undo a revocation. Only the toast after revoking leads here."""
    after = services.restore(business, key_id, revision=bind(request, RevisionForm).number, command=command_of(request))
    _record_event(request, EventKind.KEY_RESTORED, after)
    undo = (_url("api_key_revoke", after), {"revision": after.revision})
    toast(request, _("Key %(name)s restored.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, _url("api_key", after))


def _record_event(request: Request, kind: EventKind, key: ApiKey) -> None:
    record_event(request, kind, key=key.id, **({"business": key.business} if key.business else {}))


def _key_page(
    request: Request, business: str, key_id: str, form: KeyForm | None = None, status: int = 200
) -> HttpResponse:
    """Read the key and its history in one round trip."""
    key, entries = gather(lambda: queries.load_key(business, key_id), lambda: queries.history_of(business, key_id))
    form = form or (KeyForm if business else PlatformKeyForm)(item=key)
    urls = _urls(business) | {"edit_url": _url("api_key_edit", key), "revoke_url": _url("api_key_revoke", key)}
    context = {"key": key, "form": form, "history": history_lines(entries), "sections": sections_of(request, key)}
    return page(request, "apikeys/key.html", context | urls, status=status)


def _url(route: str, key: ApiKey) -> str:
    if key.business:
        return reverse(route, args=[key.business, key.id])
    return reverse(f"platform_{route}", args=[key.id])


def _urls(business: str) -> dict[str, str]:
    """The addresses of the list of keys and of the form for a new one."""
    if business:
        return {"keys_url": reverse("api_keys", args=[business]), "new_url": reverse("api_key_new", args=[business])}
    return {"keys_url": reverse("platform_api_keys"), "new_url": reverse("platform_api_key_new")}
