"""The domains that are let in: listed with their people, tried, added and removed."""

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
from dashboard.platform.event.domains import same_as
from dashboard.web.commands import command_of
from dashboard.web.lists import listing
from dashboard.web.pages import add_refusal, bind, page, see_other, wants_fragment
from dashboard.web.toasts import toast
from rooms import domain_rows
from rooms.configs.domains import DOMAINS, added, name_of, removed
from rooms.domains import BadDomain, is_public, tried
from rooms.forms.domains import AddForm
from rooms.permissions import Permission
from rooms.queries import domains as queries
from rooms.queries.domains import LetIn
from rooms.services import domain_counts
from rooms.views.domains_save import save

MAX_BULK = 1_000
# A list as long as this one has a field to look for one.
LONG = 12
# An address has no more characters.
MAX_TRIED = 320
# What the address to try is answered in.
TRIED = "try-result"


@requires(Permission.DOMAINS)
@require_http_methods(["GET", "HEAD", "POST"])
def domains(request: Request) -> HttpResponse:
    """The list. By POST more domains for it, or some that go: each is saved at once, and can be taken back."""
    at = queries.let_in()
    if request.method != "POST":
        return _list(request, at, AddForm(whitelist=at.whitelist, initial={"revision": at.revision}))
    chosen = _chosen(request)
    if chosen is not None:
        return _remove(request, at, chosen)
    form = bind(request, AddForm, whitelist=at.whitelist)
    return _add(request, at, form) if form.is_valid() else _again(request, at, form, 422)


def _add(request: Request, at: LetIn, form: AddForm) -> HttpResponse:
    names: list[str] = form.cleaned_data["domains"]
    try:
        return save(request, added(names), told_added(names), request.get_full_path())
    except Conflict:
        form.add_error(None, _("Others are saving at this moment. Nothing is lost: try again."))
        return _again(request, at, form, 409)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _again(request, at, form, 422)


def _again(request: Request, at: LetIn, form: AddForm, status: int) -> HttpResponse:
    # What is wrong stands beside the field, and writing goes on in it.
    form.fields["domains"].widget.attrs["autofocus"] = True
    return _list(request, at, form, status)


def told_added(names: list[str]) -> str:
    """What was let in, and what that means where anybody can have such an address."""
    count = len(names)
    said = ngettext("%(count)s domain is let in.", "%(count)s domains are let in.", count) % {"count": f"{count:,}"}
    if count == 1:
        said = _("%(domain)s is let in.") % {"domain": names[0]}
    public = next(filter(is_public, names), "")
    return said + " " + _("Anyone can have an address of %(domain)s.") % {"domain": public} if public else said


def _chosen(request: Request) -> list[str] | None:
    """The domains that are to go: the one whose button was pressed, or those selected; none where none are meant."""
    if "remove" in request.POST:
        return request.POST.getlist("remove")[:1]
    if request.POST.get("action") != "remove":
        return None
    names = list(dict.fromkeys(request.POST.getlist("selected")))
    if not 0 < len(names) <= MAX_BULK:
        raise Refused(_("Select between 1 and %(most)s domains, then choose what to do.") % {"most": f"{MAX_BULK:,}"})
    return names


def _remove(request: Request, at: LetIn, names: list[str]) -> HttpResponse:
    """However they are spelled: whoever removes bücher.de means xn--bcher-kva.de, too."""
    wanted = {same_as(name) for name in names}
    gone = [name_of(each) for each in DOMAINS.entries_of(at.config) if same_as(name_of(each)) in wanted]
    count = len({same_as(name) for name in gone})
    said = ngettext("%(count)s domain is removed.", "%(count)s domains are removed.", count)
    said = said % {"count": f"{count:,}"} if count != 1 else _("%(domain)s is removed.") % {"domain": gone[0]}
    if gone and wanted >= at.whitelist.names.keys() and not at.whitelist.odd:
        said += " " + _("Now everybody is let in.")
    return save(request, removed(gone), said, request.get_full_path())


def _list(request: Request, at: LetIn, form: AddForm, status: int = 200) -> HttpResponse:
    q, after = request.GET.get("q", "")[:100], request.GET.get("cursor", "")[:400]
    names = domain_rows.found(at, q)
    rows, cursor = domain_rows.page_of(at, names, after)
    context: dict[str, Any] = {
        "at": at,
        "q": q,
        "form": form,
        "listing": listing(request, rows, cursor, filters=("q",), total=f"{len(names):,}"),
        "is_long": len(at.names) > LONG or bool(q),
        "most": MAX_BULK,
        "outside": domain_rows.outside(at),
        "total": f"{at.counted.total:,}" if at.counted else "",
        "others": f"{at.counted.others:,}" if at.counted else "",
        "fresh": at.counted_afresh,
        "fresh_told": f"{at.counted_afresh:,}",
        "recount": reverse("domains_recount"),
        "here": request.get_full_path(),
        **_trial(request, at),
    }
    asks_only = wants_fragment(request) and request.htmx.target == TRIED
    partial = "tried" if asks_only else "rows" if after else "list"
    return page(request, "rooms/domains.html", context, partial=partial, quiet=asks_only, status=status)


def _trial(request: Request, at: LetIn) -> dict[str, Any]:
    """What the list says of the address that is tried, where one is."""
    text = request.GET.get("try", "")[:MAX_TRIED]
    if not text.strip():
        return {"try": ""}
    try:
        trial = tried(text, at.whitelist)
    except BadDomain as problem:
        return {"try": text, "try_problem": str(problem)}
    return {"try": text, "trial": trial, "people": at.counted.people(trial.domain) if at.counted else None}


@requires(Permission.DOMAINS)
@require_POST
def recount(request: Request) -> HttpResponse:
    """Count everyone from the start: people who left, or were brought along with an older date, are in no number."""
    count = domain_counts.recount(command=command_of(request))
    if count.outcome.nothing:
        toast(request, _("They are being counted already."))
    else:
        toast(request, _("Everyone is counted again. It takes a few minutes."), of=count)
    return see_other(request, reverse("domains"))
