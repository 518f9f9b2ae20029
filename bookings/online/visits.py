"""A request of a visitor: its business, and the API key of the website that shows the page in a frame.

The pages need no cookie: a browser that blocks those of other sites still books. They trust nothing that a cookie
could prove, so their forms need no protection against forged requests; each form has a signed token instead.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from csp.constants import SELF
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import urlencode
from django.views.decorators.csrf import csrf_exempt

from bookings.online.limits import count_page, ensure_few_pages, has_room
from bookings.params import MAX_ID
from bookings.rules import OPEN_PAGE
from dashboard.core.errors import Busy, DomainError, NotFound, TooMany, Unavailable
from dashboard.platform.accounts import throttle
from dashboard.platform.accounts.permissions import public
from dashboard.platform.apikeys.items import KEY_ACTOR, ApiKey
from dashboard.platform.apikeys.queries import find_key_and_business
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.queries import find_business
from dashboard.table import tenancy
from dashboard.table.commands import Actor
from dashboard.table.keypattern import BadKey
from dashboard.table.read import gather_all
from dashboard.web.locale import ZONES, language_of, zone, zone_label
from dashboard.web.visitors import visitor_error_page

VISITOR = Actor("visitor", "Booking page")
MAX_PARAM = 100
# Seconds after which a page that could not be read may be asked for again.
SOON = 5
# What a link to the page in another language repeats. Not that a booking was just made or changed.
PARAMS = ("service", "provider", "start", "day", "key", "tz")
Reads = list[Callable[[], Any]]
View = Callable[..., HttpResponse]


@dataclass(frozen=True)
class Visit:
    business: Business
    # None on the booking page itself.
    key: ApiKey | None
    # The language and the time zone that the page was asked for; empty for those of the browser and the business.
    language: str
    zone: str
    # What the view's reads returned.
    answers: list[Any]
    # The address of the page, for links to it in another language.
    path: str = ""
    query: tuple[tuple[str, str], ...] = ()

    @property
    def actor(self) -> Actor:
        return self.key.actor if self.key is not None else VISITOR

    @property
    def clock_zone(self) -> ZoneInfo:
        """The time zone of the times on the page."""
        return zone(self.zone or self.business.timezone)

    @property
    def zone_text(self) -> str:
        return zone_label(self.clock_zone.key)

    @property
    def has_open_page(self) -> bool:
        return self.business.online_page == OPEN_PAGE

    @property
    def is_framed(self) -> bool:
        return self.key is not None

    @property
    def shared_params(self) -> dict[str, str]:
        """The parameters that every link of the page keeps."""
        params = {"key": self.key.id if self.key else "", "lang": self.language, "tz": self.zone}
        return {name: value for name, value in params.items() if value}

    @property
    def languages(self) -> list[tuple[str, str, str, bool]]:
        """The languages of the page: code, name, address, and whether it is shown."""
        others = dict(self.query)
        shown = language_of(translation.get_language())
        return [
            (code, name, f"{self.path}?{urlencode(others | {'lang': code})}", code == shown)
            for code, name in settings.LANGUAGES
        ]

    def url(self, route: str = "online_booking", *parts: str, **params: str) -> str:
        """The address of a page for visitors of this business."""
        given = {name: value for name, value in params.items() if value}
        query = urlencode(given | self.shared_params)
        return reverse(route, args=[self.business.id, *parts]) + (f"?{query}" if query else "")


def for_visitors(
    *, reads: Callable[..., Reads] | None = None, needs_open_page: bool = True
) -> Callable[[View], Callable[..., HttpResponse]]:
    """Declare a page for visitors of a business. `reads` run in the same trip as those of the business and its key.

    With a signed link to their booking, visitors need no open booking page (`needs_open_page=False`).
    """

    def declare(view: View) -> Callable[..., HttpResponse]:
        @functools.wraps(view)
        def answer(request: HttpRequest, business: str, **parts: str) -> HttpResponse:
            language, name = language_of(_param(request, "lang")), _param(request, "tz")
            key: ApiKey | None = None
            with translation.override(language or translation.get_language()):
                try:
                    with tenancy.bind(_binding(request, business)):
                        wanted = reads(request, business, **parts) if reads is not None else []
                        visit, tally = _load(request, business, wanted, language or "", name if name in ZONES else "")
                        key = visit.key
                        _ensure_shown(visit, tally, needs_open_page=needs_open_page)
                        with timezone.override(visit.clock_zone):
                            response = view(request, visit, **parts)
                except (NotFound, TooMany, Unavailable, Busy) as error:
                    response = _refuse(request, error)
            # Also an error: a frame without a page has no button that closes it.
            return allow_frames(response, key)

        return public(csrf_exempt(answer))

    return declare


def allow_frames(response: HttpResponse, key: ApiKey | None) -> HttpResponse:
    """Let the websites of a key show the page in a frame, and the preview in the back office."""
    if key is not None:
        sites = ["*"] if key.allows_every_origin else key.origins
        response._csp_replace = {"frame-ancestors": [SELF, *sites]}  # type: ignore[attr-defined]
        response.xframe_options_exempt = True
    return response


def _binding(request: HttpRequest, business: str) -> tenancy.Binding:
    key_id = _param(request, "key")
    return tenancy.Binding(business, f"{KEY_ACTOR}{key_id}" if key_id else VISITOR.email, api_key=key_id or None)


def _load(
    request: HttpRequest, business: str, reads: Reads, language: str, time_zone: str
) -> tuple[Visit, throttle.ThrottleCount]:
    """Read the business, the key and what the view needs in one trip, and count the page."""
    key_id = _param(request, "key")
    try:
        first, tally, *answers = gather_all(
            [
                lambda: _key_and_business(business, key_id),
                lambda: count_page(request),
                *map(_with_error_as_answer, reads),
            ]
        )
    except BadKey:
        raise NotFound from None
    key, current = first
    if current is None or current.is_closed or (key_id and not _may_embed(key)):
        raise NotFound if has_room(tally) else TooMany(tally.seconds_left)
    return Visit(current, key, language, time_zone, answers, _page_path(request), _query(request)), tally


def _ensure_shown(visit: Visit, tally: throttle.ThrottleCount, *, needs_open_page: bool) -> None:
    """Raise the error of a visit, that of the network first."""
    ensure_few_pages(tally)
    if needs_open_page and visit.key is None and not visit.has_open_page:
        raise NotFound
    for each in visit.answers:
        if isinstance(each, DomainError):
            raise each


def _query(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    """The parameters of our pages. Others are not repeated in links."""
    return tuple((name, str(request.GET[name])[:MAX_ID]) for name in PARAMS if name in request.GET)


def _page_path(request: HttpRequest) -> str:
    """The address of the page itself. Those of the forms of a booking only answer to forms."""
    parts = request.resolver_match.kwargs if request.resolver_match is not None else {}
    if request.method == "POST" and "booking_link" in parts:
        return reverse("online_own_booking", args=[parts["business"], parts["booking_link"]])
    return request.path


def _key_and_business(business: str, key_id: str) -> tuple[ApiKey | None, Business | None]:
    return find_key_and_business(business, key_id) if key_id else (None, find_business(business))


def _may_embed(key: ApiKey | None) -> bool:
    return key is not None and key.is_active and key.is_public


def _with_error_as_answer(read: Callable[[], Any]) -> Callable[[], Any]:
    """An error of the business or the key comes first."""

    def run() -> Any:
        try:
            return read()
        except DomainError as error:
            return error

    return run


def _refuse(request: HttpRequest, error: NotFound | TooMany | Unavailable | Busy) -> HttpResponse:
    """The same page for every reason: it does not tell whether the business exists."""
    response = visitor_error_page(request, error.status)
    if not isinstance(error, NotFound):
        response.headers["Retry-After"] = str(getattr(error, "retry_after", SOON))
    return response


def _param(request: HttpRequest, name: str) -> str:
    return request.GET.get(name, "")[:MAX_PARAM]
