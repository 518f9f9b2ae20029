"""Authentication of the API: the key, its business, the origin of the request and the rate limit.

    @api("GET")
    def whoami(request: ApiRequest) -> JsonResponse: ...

Two round trips: first the key by its hash, then the key, its business and the rate limit in parallel. While a pepper
is being replaced, the first request with each key needs one more. Keys of outside writers have a plain SHA-256.
"""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.utils import translation

from dashboard.core.clock import now
from dashboard.core.errors import DomainError, TooMany
from dashboard.platform.accounts import throttle
from dashboard.platform.accounts.permissions import API
from dashboard.platform.accounts.requests import address, network
from dashboard.platform.apikeys import origins, queries
from dashboard.platform.apikeys.items import ApiKey, KeyStatus
from dashboard.platform.apikeys.services import hashes_of, is_hash_of, is_own_format, plain_hash_of, rehash
from dashboard.platform.businesses.items import Business
from dashboard.table import oplog, tenancy, write
from dashboard.table.items import Raw
from dashboard.table.read import gather_all, in_background

logger = logging.getLogger("trastienda.api")
View = Callable[..., HttpResponseBase]

MINUTE = 60
# Unknown keys per minute from one address. Beyond that its unknown keys are refused; known ones are not affected.
WRONG_KEYS = 30
USE_RECORDED_EVERY = timedelta(minutes=5)
PREFLIGHT_LIFE = 600
# The characters of a token by RFC 6750.
_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/-]{16,200}=*)", re.IGNORECASE)
_EXPOSED = (
    "ETag, RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, "
    "X-Request-ID"
)
_ACCEPTED = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Tenant-Id"


class ApiRequest(HttpRequest):
    """The request that API views receive. Only for type hints."""

    api_key: ApiKey
    # Missing in requests with a key of the platform.
    business: Business
    gate_headers: dict[str, str]
    # What was read beside the check of the key.
    prefetched: list[Any]


class InvalidKey(DomainError):
    """The key is missing, unknown or revoked."""

    status = 401

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


class KeyForbidden(DomainError):
    """The key is valid, but not for this origin, or its business is closed."""

    status = 403

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


def api(*methods: str, prefetch: Callable[..., list[Callable[[], Any]]] | None = None) -> Callable[[View], View]:
    """Declare an API view with these methods. It requires a valid key.

    `prefetch` gets the arguments of the view and the id of the business, and returns reads. They run in the same trip
    as the check of the key, and their answers are in `request.prefetched`.
    """
    allowed = [*methods, *(["HEAD"] if "GET" in methods else []), "OPTIONS"]

    def declare(view: View) -> View:
        @functools.wraps(view)
        def gate(request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
            request.gate_headers = {}
            if request.method == "OPTIONS":
                return _preflight(request, allowed)
            reads = functools.partial(prefetch, request, *args, **kwargs) if prefetch is not None else None
            # Answers are in English, whatever the program's machine prefers.
            with translation.override("en"), _authenticated(request, reads):
                if request.method not in allowed:
                    return HttpResponseNotAllowed(allowed)
                return view(request, *args, **kwargs)

        gate.permission = API  # type: ignore[attr-defined]
        # CSRF needs a cookie, and the API ignores cookies.
        gate.csrf_exempt = True  # type: ignore[attr-defined]
        return gate

    return declare


def _preflight(request: Any, allowed: list[str]) -> HttpResponse:
    """Answer a preflight request. It has no key, so the origin is checked in the actual request."""
    headers = {"Allow": ", ".join(allowed)}
    origin = origins.try_normalise(request.headers.get("Origin", ""))
    if origin is not None:
        headers |= {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": ", ".join(allowed),
            "Access-Control-Allow-Headers": _ACCEPTED,
            "Access-Control-Max-Age": str(PREFLIGHT_LIFE),
        }
    return HttpResponse(status=204, headers=headers)


@contextmanager
def _authenticated(request: Any, prefetch: Callable[..., list[Callable[[], Any]]] | None = None) -> Iterator[None]:
    """Give the request its key and its business, and bind it to that business."""
    secret = _read_bearer(request)
    hashes, plain = hashes_of(secret), "" if is_own_format(secret) else plain_hash_of(secret)
    found = find_key(hashes, plain, network(address(request)))
    with tenancy.bind(_binding_of(found)):
        writes: list[Future[Any] | None] = [_record_use(found)]
        try:
            reads = prefetch(found.business) if prefetch is not None else []
            key, business, tally, request.prefetched = _load_key_and_business(found, reads)
            request.api_key = verify_key(key, [*hashes, plain] if plain else hashes)
            writes.append(_rehash(request.api_key, hashes[0], plain))
            _check_origin(request)
            _check_rate(request, tally)
            _check_tenant(request)
            if found.business:
                request.business = _ensure_open(business)
            yield
        finally:
            if any(each is not None and each.exception() is not None for each in writes):
                logger.warning("the use of a key was not recorded")  # The next request tries again.


def _binding_of(key: ApiKey) -> tenancy.Binding:
    """To the business of a key. A key of the platform opens nothing of any business."""
    return tenancy.Binding(key.business, key.actor.email, api_key=key.id, is_of_platform=not key.business)


def _read_bearer(request: HttpRequest) -> str:
    given = request.headers.get("Authorization", "")
    if not given:
        raise InvalidKey("no_key", "Send an API key: Authorization: Bearer <key>.")
    match = _BEARER.fullmatch(given)
    if match is None:
        raise InvalidKey("bad_key", "This is not an API key. Send one: Authorization: Bearer <key>.")
    return match[1]


# --- The first round trip ------------------------------------------------------------------------------
def find_key(hashes: Sequence[str], plain: str, source: str) -> ApiKey:
    """Find the key by its hash. An unknown key is refused with 429 if its address has sent too many of them.

    A secret that this product did not create is also looked up by its plain hash, in the same round trip.
    """
    name = f"wrong api key from {source}"
    counter, seconds_left = throttle.counter_key(name, MINUTE)
    lookups = [partial(queries.find_key_by_hash, each) for each in (hashes[0], plain) if each]
    reads: list[Callable[[], Any]] = [*lookups, partial(queries.tries_at, counter)]
    *candidates, tries = gather_all(reads)
    found: ApiKey | None = next(filter(None, candidates), None)
    if found is None and len(hashes) > 1:
        # The current hash again at the end: another request may have replaced a previous one in between.
        found = next(filter(None, map(queries.find_key_by_hash, [*hashes[1:], hashes[0]])), None)
    if found is None:
        if tries >= WRONG_KEYS:
            raise TooMany(seconds_left, "Too many wrong keys from this address. Wait and try again.")
        with oplog.attributed_to(f"{__name__}.api"):
            throttle.count_or_refuse(name, limit=WRONG_KEYS, seconds=MINUTE)
        raise InvalidKey("unknown_key", "There is no such API key.")
    return found


# --- The second round trip -----------------------------------------------------------------------------
def _load_key_and_business(
    found: ApiKey, reads: Sequence[Callable[[], Any]]
) -> tuple[ApiKey | None, Business | None, throttle.ThrottleCount, list[Any]]:
    """Read the key and its business consistently, and count this request. The other reads run beside."""
    business, key_id = found.business, found.id

    def count() -> throttle.ThrottleCount:
        with oplog.attributed_to(f"{__name__}.api"):
            return throttle.add_try(f"api key {business} {key_id}", seconds=MINUTE)

    (key, current), tally, *answers = gather_all(
        [lambda: queries.find_key_and_business(business, key_id), count, *map(_caught, reads)]
    )
    return key, current, tally, answers


def _caught(read: Callable[[], Any]) -> Callable[[], Any]:
    """The read with its error as its answer: an error of the key comes first."""

    def run() -> Any:
        try:
            return read()
        except DomainError as error:
            return error

    return run


def _record_use(found: ApiKey) -> Future[Raw | None] | None:
    """Record from time to time that a key is in use, in the background. The revision does not change."""
    before = now() - USE_RECORDED_EVERY
    if found.last_used_at and found.last_used_at > before:
        return None
    is_old = ApiKey.last_used_at.does_not_exist() | (ApiKey.last_used_at <= before)

    def record() -> Raw | None:
        with oplog.attributed_to(f"{__name__}.api"):
            return write.update(
                found.key, [ApiKey.last_used_at.set(now())], (ApiKey.status == KeyStatus.ACTIVE.value) & is_old
            )

    return in_background(record)


def _rehash(key: ApiKey, digest: str, plain: str) -> Future[None] | None:
    """Replace a hash made with a previous pepper, or store ours beside a plain one, in the background."""
    if digest in (key.api_key_hash, key.peppered_hash):
        return None

    def replace() -> None:
        with oplog.attributed_to(f"{__name__}.api"):
            rehash(key, digest, is_plain=bool(plain) and key.api_key_hash == plain)

    return in_background(replace)


def verify_key(key: ApiKey | None, hashes: Sequence[str]) -> ApiKey:
    """Check the key as the table has it, because the index may lag."""
    if key is None or not is_hash_of(key.stored_hash, hashes):
        raise InvalidKey("unknown_key", "There is no such API key.")
    if not key.is_active:
        raise InvalidKey("revoked_key", "This API key was revoked.")
    return key


def _check_origin(request: Any) -> None:
    """Refuse a request that a browser sends from a site that the key does not allow."""
    given = request.headers.get("Origin")
    if given is None:
        return
    site = origins.try_normalise(given)
    if site is None or not request.api_key.is_public or not request.api_key.allows_origin(site):
        raise KeyForbidden("origin_not_allowed", "This API key may not be used from this site.")
    request.gate_headers |= {"Access-Control-Allow-Origin": site, "Access-Control-Expose-Headers": _EXPOSED}


def _check_rate(request: Any, tally: throttle.ThrottleCount) -> None:
    """Refuse a request above the limit. It is counted already, so parallel requests cannot exceed the limit."""
    limit = request.api_key.limit
    request.gate_headers |= {
        "RateLimit-Policy": f'"default";q={limit};w={MINUTE}',
        "RateLimit": f'"default";r={max(0, limit - tally.tries)};t={tally.seconds_left}',
        "RateLimit-Limit": str(limit),
        "RateLimit-Remaining": str(max(0, limit - tally.tries)),
        "RateLimit-Reset": str(tally.seconds_left),
    }
    if tally.tries > limit:
        raise TooMany(
            tally.seconds_left, f"This API key may be used {limit} times a minute. Wait {tally.seconds_left} s."
        )


def _check_tenant(request: Any) -> None:
    """The key says which business it is. A program that expects another one is told."""
    if request.headers.get("X-Tenant-Id", request.api_key.business) != request.api_key.business:
        raise KeyForbidden("other_tenant", "X-Tenant-Id names another business than this API key.")


def _ensure_open(business: Business | None) -> Business:
    if business is None or business.is_closed:
        state = "closed" if business is None else business.status.lower()
        raise KeyForbidden("business_closed", f"This business is {state}: its API keys open nothing.")
    return business
