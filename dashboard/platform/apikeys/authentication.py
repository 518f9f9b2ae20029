"""The gate of the API: a key, its business, where the request comes from, and how many there were this minute.

    @api("GET")
    def whoami(request: ApiRequest) -> JsonResponse: ...

Two sequential trips: who has this key, then all there is to know of it side by side.
"""

from __future__ import annotations

import functools
import hmac
import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed

from dashboard.core.clock import now
from dashboard.core.errors import DomainError, TooMany
from dashboard.platform.accounts import throttle
from dashboard.platform.accounts.permissions import API
from dashboard.platform.accounts.requests import address, network
from dashboard.platform.apikeys import origins, queries
from dashboard.platform.apikeys.items import ApiKey, Status
from dashboard.platform.apikeys.services import hashed
from dashboard.platform.businesses.items import Business
from dashboard.table import oplog, tenancy, write
from dashboard.table.items import Raw
from dashboard.table.read import gather, in_background

logger = logging.getLogger("trastienda.api")
View = Callable[..., HttpResponseBase]

MINUTE = 60
# Wrong keys from one address in a minute; then it waits, whatever it sends.
WRONG_KEYS = 30
NOTED_EVERY = timedelta(minutes=5)
PREFLIGHT_LIFE = 600
# What RFC 6750 lets a token consist of; ours are shorter.
_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/-]{16,200}=*)", re.IGNORECASE)
_EXPOSED = "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-ID"


class ApiRequest(HttpRequest):
    """A request as the API's views see it. Only for type hints: Django makes its own."""

    api_key: ApiKey
    business: Business
    gate_headers: dict[str, str]


class KeyRefused(DomainError):
    """No key, or none that opens anything."""

    status = 401

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


class Barred(DomainError):
    """A good key, but not here or not now."""

    status = 403

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


def api(*methods: str) -> Callable[[View], View]:
    """A view for programs, by these methods: who comes without a good key gets no further."""
    allowed = [*methods, *(["HEAD"] if "GET" in methods else []), "OPTIONS"]

    def declare(view: View) -> View:
        @functools.wraps(view)
        def gate(request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
            request.gate_headers = {}
            if request.method == "OPTIONS":
                return _preflight(request, allowed)
            with _admitted(request):
                if request.method not in allowed:
                    return HttpResponseNotAllowed(allowed)
                return view(request, *args, **kwargs)

        gate.permission = API  # type: ignore[attr-defined]
        # A forged request could only come with a cookie, and none is looked at.
        gate.csrf_exempt = True  # type: ignore[attr-defined]
        return gate

    return declare


def _preflight(request: Any, allowed: list[str]) -> HttpResponse:
    """A browser asks whether it may ask, without showing the key: the answer proper tells whose site this is."""
    headers = {"Allow": ", ".join(allowed)}
    asking = origins.normalised(request.headers.get("Origin", ""))
    if asking is not None:
        headers |= {
            "Access-Control-Allow-Origin": asking,
            "Access-Control-Allow-Methods": ", ".join(allowed),
            "Access-Control-Allow-Headers": "Authorization, Content-Type",
            "Access-Control-Max-Age": str(PREFLIGHT_LIFE),
        }
    return HttpResponse(status=204, headers=headers)


@contextmanager
def _admitted(request: Any) -> Iterator[None]:
    """Inside, the request has its key and its business, and can reach nothing of another."""
    digest = hashed(_bearer(request))
    found = _look_up(digest, network(address(request)))
    with tenancy.bind(tenancy.Binding(found.business, api_key=found.id)):
        noted = _note_use(found)
        try:
            key, business, tally = _as_they_are(found)
            request.api_key = _checked(key, digest)
            _check_origin(request)
            _check_rate(request, tally)
            request.business = _open(business)
            yield
        finally:
            if noted is not None and noted.exception() is not None:
                logger.warning("the use of a key was not noted")  # The next request tries again.


def _bearer(request: HttpRequest) -> str:
    given = request.headers.get("Authorization", "")
    if not given:
        raise KeyRefused("no_key", "Send an API key: Authorization: Bearer <key>.")
    match = _BEARER.fullmatch(given)
    if match is None:
        raise KeyRefused("bad_key", "This is not an API key. Send one: Authorization: Bearer <key>.")
    return match[1]


# --- The first trip ------------------------------------------------------------------------------
def _look_up(digest: str, source: str) -> ApiKey:
    """Where the key stands, by its hash; an address that has tried too many wrong ones is not told."""
    name = f"wrong api key from {source}"
    place, left = throttle.place(name, MINUTE)
    answers = gather(lambda: queries.key_with_hash(digest), lambda: queries.tries_at(place))
    found: ApiKey | None = answers[0]
    if answers[1] >= WRONG_KEYS:
        raise TooMany(left, "Too many wrong keys from this address. Wait and try again.")
    if found is None:
        with oplog.asking(f"{__name__}.api"):
            throttle.count(name, limit=WRONG_KEYS, seconds=MINUTE)
        raise KeyRefused("unknown_key", "There is no such API key.")
    return found


# --- The second trip -----------------------------------------------------------------------------
def _as_they_are(found: ApiKey) -> tuple[ApiKey | None, Business | None, throttle.Tally]:
    """The key and its business, consistently, and the count of this minute with this request in it."""
    business, key_id = found.business, found.id

    def count() -> throttle.Tally:
        with oplog.asking(f"{__name__}.api"):
            return throttle.tally(f"api key {business} {key_id}", seconds=MINUTE)

    answers = gather(lambda: queries.key_and_business(business, key_id), count)
    (key, current), tally = answers
    return key, current, tally


def _note_use(found: ApiKey) -> Future[Raw | None] | None:
    """Note now and then that a key is in use, beside what is read anyway. No edit by anyone: the revision stays."""
    before = now() - NOTED_EVERY
    if found.last_used_at and found.last_used_at > before:
        return None
    seldom = ApiKey.last_used_at.does_not_exist() | (ApiKey.last_used_at <= before)

    def note() -> Raw | None:
        with oplog.asking(f"{__name__}.api"):
            return write.touch(
                found.key, [ApiKey.last_used_at.set(now())], (ApiKey.status == Status.ACTIVE.value) & seldom
            )

    return in_background(note)


def _checked(key: ApiKey | None, digest: str) -> ApiKey:
    """The index may be late: only what stands in the table opens anything."""
    if key is None or not hmac.compare_digest((key.api_key_hash or "").encode(), digest.encode()):
        raise KeyRefused("unknown_key", "There is no such API key.")
    if not key.is_active:
        raise KeyRefused("revoked_key", "This API key was revoked.")
    return key


def _check_origin(request: Any) -> None:
    """A browser says which site's page asks. Scripts of other sites are refused and cannot read the answer."""
    given = request.headers.get("Origin")
    if given is None:
        return
    site = origins.normalised(given)
    if site is None or site not in request.api_key.origins:
        raise Barred("origin_not_allowed", "This API key may not be used from this site.")
    request.gate_headers |= {"Access-Control-Allow-Origin": site, "Access-Control-Expose-Headers": _EXPOSED}


def _check_rate(request: Any, tally: throttle.Tally) -> None:
    """Counted before it is known whether there is room: as many as the limit get through, however many at once."""
    limit = request.api_key.limit
    request.gate_headers |= {
        "RateLimit-Limit": str(limit),
        "RateLimit-Remaining": str(max(0, limit - tally.tries)),
        "RateLimit-Reset": str(tally.left),
    }
    if tally.tries > limit:
        raise TooMany(tally.left, f"This API key may be used {limit} times a minute. Wait {tally.left} s.")


def _open(business: Business | None) -> Business:
    if business is None or business.is_closed:
        state = "closed" if business is None else business.status.lower()
        raise Barred("business_closed", f"This business is {state}: its API keys open nothing.")
    return business
