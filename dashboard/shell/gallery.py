"""`/ui/`: every component in its states, with sample data. It does not use the table."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_POST, require_safe

from dashboard.core import clock
from dashboard.core.names import initials
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.shell.permissions import Permission
from dashboard.web.conflicts import Clash, Difference
from dashboard.web.forms import Form, Switch
from dashboard.web.lists import build_listing, build_tabs
from dashboard.web.pages import page, safe_next, see_other
from dashboard.web.toasts import toast, toast_error

PAGE = 50
MANY = 10_000
FIRST = "Ana Bruno Carla Diego Elena Fabio Gloria Hugo Inés Jorge Karla Luis Marta Nico Olga Pablo".split()  # noqa: SIM905
LAST = "Álvarez Blanco Castro Díaz Espinosa Fuentes Gómez Herrera Ibarra Lagos Mora Núñez Ortiz Pardo".split()  # noqa: SIM905
STATES = {
    "open": ("good", gettext_lazy("Open")),
    "waiting": ("warn", gettext_lazy("Waiting")),
    "closed": ("plain", gettext_lazy("Closed")),
}


@dataclass(frozen=True)
class Sample:
    """A sample row."""

    number: int
    name: str
    state: str
    since: datetime

    @property
    def initials(self) -> str:
        return initials(self.name)

    @property
    def email(self) -> str:
        return f"person-{self.number:05}@example.test"

    @property
    def level(self) -> str:
        return STATES[self.state][0]

    @property
    def word(self) -> str:
        return str(STATES[self.state][1])


def sample(number: int) -> Sample:
    name = f"{FIRST[number % len(FIRST)]} {LAST[number * 5 // 3 % len(LAST)]}"
    state = ("open", "open", "waiting", "closed")[number * 7 % 11 % 4]
    return Sample(number, name, state, clock.now() - timedelta(minutes=7 * number * number % 90_000 + number))


class SampleForm(Form):
    """One of each field."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        help_text=gettext_lazy("The confirmation is sent to this address."),
        max_length=254,
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=128,
        min_length=12,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    state = forms.ChoiceField(
        label=gettext_lazy("State"), choices=lambda: [(key, word) for key, (_level, word) in STATES.items()]
    )
    note = forms.CharField(
        label=gettext_lazy("Note"), max_length=280, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )
    notify = forms.ChoiceField(
        label=gettext_lazy("Notify"),
        choices=[
            ("now", gettext_lazy("Immediately")),
            ("daily", gettext_lazy("Once a day")),
            ("never", gettext_lazy("Never")),
        ],
        widget=forms.RadioSelect,
        initial="now",
    )
    agreed = forms.BooleanField(label=gettext_lazy("Agreed to receive e-mail"))
    public = forms.BooleanField(
        label=gettext_lazy("Visible to everyone"),
        required=False,
        widget=Switch,
        help_text=gettext_lazy("You can change this at any time."),
    )
    picture = forms.FileField(label=gettext_lazy("Picture"), required=False)


def _conflict() -> Clash:
    """The context of a conflict page."""
    return Clash(
        text=None,
        who="Marta Herrera",
        name="",
        own=False,
        when=clock.now() - timedelta(minutes=4),
        rows=[
            Difference(_("Name"), "Sala Andes", "Sala Andes", changed=False),
            Difference(_("Opens"), "09:00", "08:30", True, "opens", "09:00", "08:30"),
            Difference(_("Note"), _("Bring the projector"), "", True, "note", _("Bring the projector"), ""),
        ],
        action=reverse("ui_gallery_form"),
        fields={"revision": "8", "opens": "09:00", "note": _("Bring the projector")},
        back=reverse("ui_gallery"),
    )


def _history() -> list[dict[str, Any]]:
    now = clock.now()
    return [
        {"initials": "MH", "who": "Marta Herrera", "what": _("closed the room"), "when": now - timedelta(minutes=3)},
        {
            "initials": "LP",
            "who": "Luis Pardo",
            "what": _("changed the hours"),
            "when": now - timedelta(hours=5),
            "note": _("The cleaners come at seven now."),
        },
        {"icon": "timer", "who": _("The schedule"), "what": _("opened the room"), "when": now - timedelta(days=30)},
    ]


@requires(Permission.UI_GALLERY)
@require_safe
def gallery(request: Request) -> HttpResponse:
    wrong = SampleForm({"email": "ana@", "password": "short", "note": "x" * 20}, auto_id="wrong_%s")
    wrong.is_valid()
    context = {
        "form": SampleForm(),
        "wrong": wrong,
        "rows": [sample(number) for number in range(1, 5)],
        "conflict": _conflict(),
        "entries": _history(),
        "tabs": build_tabs(request, "view", [("", _("Overview")), ("rules", _("Rules")), ("history", _("History"))]),
        "link": request.build_absolute_uri("/join/3f9c1e70a4d24c6f8b52/"),
        "soon": clock.now() + timedelta(hours=2),
    }
    return page(request, "ui/gallery.html", context)


@requires(Permission.UI_GALLERY)
@require_safe
def rows(request: Request) -> HttpResponse:
    """The list component with 10,000 sample rows."""
    state, query = request.GET.get("state", ""), request.GET.get("q", "").strip().lower()
    start = request.GET.get("cursor", "0")
    found: list[Sample] = []
    number = int(start) if start.isdecimal() else 0
    while number < MANY and len(found) < PAGE and request.GET.get("view") != "empty":
        number += 1
        row = sample(number)
        if state in {"", row.state} and query in row.name.lower():
            found.append(row)
    labels = [("", _("All")), *((key, str(word)) for key, (_level, word) in STATES.items())]
    context = {
        "listing": build_listing(
            request, found, str(number) if number < MANY else None, filters=("q", "state"), total="100+"
        ),
        "tabs": build_tabs(request, "state", labels),
        "state": state,
        "query": query,
    }
    return page(request, "ui/gallery/rows.html", context, partial="rows" if "cursor" in request.GET else "list")


@requires(Permission.UI_GALLERY)
@require_POST
def bulk(request: Request) -> HttpResponse:
    count = len(request.POST.getlist("selected"))
    text = ngettext("%(n)s row closed.", "%(n)s rows closed.", count) % {"n": count}
    toast(request, text, undo=(reverse("ui_gallery_undo"), {"next": reverse("ui_gallery_rows")}))
    return see_other(request, safe_next(request, reverse("ui_gallery_rows")))


@requires(Permission.UI_GALLERY)
@require_POST
def undo(request: Request) -> HttpResponse:
    toast(request, _("Undone."))
    return see_other(request, safe_next(request, reverse("ui_gallery")))


@requires(Permission.UI_GALLERY)
@require_POST
def say(request: Request) -> HttpResponse:
    """Show a toast of the requested kind."""
    if request.POST.get("kind") == "error":
        toast_error(request, _("This room no longer exists. Reload the page."))
    elif request.POST.get("kind") == "undo":
        toast(request, _("Room closed."), undo=(reverse("ui_gallery_undo"), {"revision": 3}))
    else:
        toast(request, _("Saved."))
    if request.htmx:
        return page(request, "ui/gallery/answer.html", {}, partial="none")
    return see_other(request, reverse("ui_gallery"))


@requires(Permission.UI_GALLERY)
@require_POST
def form(request: Request) -> HttpResponse:
    """The sample form: 422 with the input, or for valid input a conflict."""
    sent = SampleForm(request.POST, request.FILES)
    if sent.is_valid():
        return page(request, "409.html", {"conflict": _conflict()}, partial="conflict", status=409)
    return page(request, "ui/gallery/form.html", {"form": sent}, partial="form", status=422)


@requires(Permission.UI_GALLERY)
@require_GET
def answer(request: Request) -> HttpResponse:
    """A slow response or an error, to show how the browser handles it."""
    if request.GET.get("wait") in {"1", "2", "6"}:
        time.sleep(int(request.GET["wait"]))
    status = request.GET.get("status", "")
    if status in {"403", "404", "429", "500"}:
        return page(request, f"{status}.html", {}, partial="error", status=int(status))
    return page(request, "ui/gallery/answer.html", {}, partial="panel")


urlpatterns = [
    path("", gallery, name="ui_gallery"),
    path("rows/", rows, name="ui_gallery_rows"),
    path("bulk/", bulk, name="ui_gallery_bulk"),
    path("undo/", undo, name="ui_gallery_undo"),
    path("say/", say, name="ui_gallery_say"),
    path("form/", form, name="ui_gallery_form"),
    path("answer/", answer, name="ui_gallery_answer"),
]
