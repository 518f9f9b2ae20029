"""Connect a site: the link of the stylesheet, and a check whether a page of the site contains it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from branding import queries
from branding.permissions import Permission
from branding.site_check import check_site, normalize_address
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.capacity import expensive
from dashboard.web.forms import Form, LineField
from dashboard.web.pages import bind, page


class SiteForm(Form):
    site = LineField(
        label=_("Address of your site"),
        max_length=500,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "url", "placeholder": "www.example.com"}),
    )

    def clean_site(self) -> str:
        return normalize_address(self.cleaned_data["site"])


@requires(Permission.BRANDING)
@require_http_methods(["GET", "HEAD", "POST"])
@expensive(method="POST")
def connect_site(request: Request, business: str) -> HttpResponse:
    """Only a POST contacts the site, so that no link of another site can trigger it."""
    stylesheet = request.build_absolute_uri(reverse("api_theme_css", args=[business]))
    context: dict[str, Any] = {
        "form": SiteForm(),
        "stylesheet_link": f'<link rel="stylesheet" href="{stylesheet}">',
        "is_live": queries.find_marker(business) is not None,
        "state": "",
        "problem": "",
        "site": "",
    }
    if request.method != "POST":
        return page(request, "branding/connect.html", context)
    form = context["form"] = bind(request, SiteForm)
    if not form.is_valid():
        return page(request, "branding/connect.html", context, status=422)
    context["state"], context["problem"] = check_site(form.cleaned_data["site"], stylesheet)
    context["site"] = form.cleaned_data["site"]
    return page(request, "branding/connect.html", context)
