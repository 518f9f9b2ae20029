"""The declaration of an endpoint. Validation, documents and the permission table are generated from it.

    class ServiceList(msgspec.Struct):
        services: list[ServiceBody]

    @endpoint("GET", "services", scope=Scope.READ, public_keys=True, summary=_("List the services"), cost=1)
    def services(call: ApiCall, query: PageQuery) -> ServiceList: ...

Each app declares its endpoints in its module `api`. The parameters of the function say what the request has: `query`
the query string, `body` the JSON body, every other parameter a part of the path.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar, get_type_hints

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.web.api.problems import TYPES

View = TypeVar("View", bound=Callable[..., Any])
# Reads for `ApiCall.read`, which run beside the check of the key.
Prefetch = Callable[..., list[Callable[[], Any]]]

READING = frozenset({"GET"})
BASE = "/api/v1/"
JSON = "application/json"
_PART = re.compile(r"<(?:\w+:)?(\w+)>")


class Scope(StrEnum):
    """What a secret key may do."""

    READ = "read"
    BOOK = "book"
    CHAT = "chat"
    MODERATE = "moderate"
    LOG = "log"


class KeyOwner(StrEnum):
    """To whom the keys belong that may call an endpoint."""

    BUSINESS = "business"
    # Admins, for what no business owns.
    PLATFORM = "platform"


# The scopes that the keys of each owner can have.
SCOPE_LABELS = {
    KeyOwner.BUSINESS: {
        Scope.READ: _("Read: services, staff members, slots, bookings, customers"),
        Scope.BOOK: _("Book: create, change and cancel bookings and customers"),
        Scope.CHAT: _("Chat: read and continue conversations as the bot"),
    },
    KeyOwner.PLATFORM: {
        Scope.READ: _("Read: posts, comments, rooms"),
        Scope.CHAT: _("Chat: write posts, comments and likes for attendees"),
        Scope.MODERATE: _("Moderate: see and decide about every post and comment"),
        Scope.LOG: _("Log: report what attendees do"),
    },
}

# What every request with a key can be answered with.
_WITH_KEY = (
    *("bad_request", "no_key", "bad_key", "unknown_key", "revoked_key", "forbidden", "origin_not_allowed"),
    *("other_tenant", "key_not_allowed", "business_closed", "not_found", "too_large", "too_many_requests"),
    *("server_error", "unavailable", "busy"),
)
_WITHOUT_KEY = ("bad_request", "not_found", "too_large", "server_error", "unavailable", "busy")


@dataclass(frozen=True)
class Endpoint:
    """One method of one address."""

    method: str
    # Below `/api/v1/`, as Django writes it: `bookings/<str:booking>`.
    path: str
    name: str
    view: Callable[..., Any] | None
    summary: Promise | str
    # Whose keys may call it. None: every key.
    owner: KeyOwner | None
    # The scope that a secret key needs. None: none.
    scope: Scope | None
    # Whether public keys may call it.
    public_keys: bool
    # Round trips to the table after the key is known.
    cost: int
    status: int
    query: Any
    body: Any
    response: Any
    # The codes of problems that only this endpoint has.
    own_errors: tuple[str, ...]
    # Whether the answer has an ETag, and whether the request must or may name it with If-Match.
    has_etag: bool
    needs_revision: bool
    takes_revision: bool
    prefetch: Prefetch | None
    # Whether a write needs an Idempotency-Key. Without one, ids in its body make it safe to repeat.
    needs_command: bool = True
    # Endpoints without a key have a view of their own, for every website.
    needs_key: bool = True
    media_type: str = JSON

    @property
    def is_write(self) -> bool:
        return self.method not in READING

    @property
    def is_list(self) -> bool:
        """Whether its answer is a page of a list, with a cursor."""
        return self.query is not None and "cursor" in self.query.__struct_fields__

    @property
    def documented_path(self) -> str:
        """`/api/v1/bookings/{booking}`."""
        return BASE + _PART.sub(r"{\1}", self.path)

    @property
    def parts(self) -> list[str]:
        return _PART.findall(self.path)

    @property
    def errors(self) -> list[str]:
        """Every code that it answers with, in the order of the declaration of problems."""
        codes = {*(_WITH_KEY if self.needs_key else _WITHOUT_KEY), *self.own_errors}
        if self.query is not None:
            codes.add("invalid")
        if self.is_list:
            codes.add("bad_cursor")
        if self.is_write:
            codes.add("invalid")
        if self.is_write and self.needs_command:
            codes |= {"no_idempotency_key", "idempotency_key_reused", "in_progress", "conflict"}
        if self.body is not None:
            codes |= {"malformed_json", "not_json"}
        if self.takes_revision:
            codes.add("stale_revision")
        if self.needs_revision:
            codes.add("no_revision")
        return [code for code in TYPES if code in codes]

    @property
    def access(self) -> str:
        """Who may call it, as the permission table shows it."""
        platform = "platform:" if self.owner == KeyOwner.PLATFORM else ""
        return f"{platform}{self.scope or 'any'}{'+public' if self.public_keys else ''}"


ENDPOINTS: list[Endpoint] = []


def endpoint(
    method: str,
    path: str,
    *,
    summary: Promise | str,
    owner: KeyOwner | None = KeyOwner.BUSINESS,
    scope: Scope | None = None,
    public_keys: bool = False,
    cost: int = 1,
    status: int = 200,
    errors: tuple[str, ...] = (),
    has_etag: bool = False,
    needs_revision: bool = False,
    takes_revision: bool = False,
    prefetch: Prefetch | None = None,
    needs_command: bool = True,
) -> Callable[[View], View]:
    """Declare an endpoint. The function's type hints say what it takes and what it answers."""

    def declare(view: View) -> View:
        hints = get_type_hints(view)
        declared = Endpoint(
            method=method,
            path=path,
            name=view.__name__,
            view=view,
            summary=summary,
            owner=owner,
            scope=scope,
            public_keys=public_keys,
            cost=cost,
            status=status,
            query=hints.get("query"),
            body=hints.get("body"),
            response=hints["return"],
            own_errors=errors,
            has_etag=has_etag,
            needs_revision=needs_revision,
            takes_revision=takes_revision or needs_revision,
            prefetch=prefetch,
            needs_command=needs_command,
        )
        _add(declared)
        return view

    return declare


def open_endpoint(
    path: str, name: str, *, summary: Promise | str, response: Any, errors: tuple[str, ...], media_type: str = JSON
) -> None:
    """Declare an endpoint that needs no key. It is only documented: its app has a URL and a view for it."""
    _add(
        Endpoint(
            method="GET",
            path=path,
            name=name,
            view=None,
            summary=summary,
            owner=None,
            scope=None,
            public_keys=True,
            cost=2,
            status=200,
            query=None,
            body=None,
            response=response,
            own_errors=errors,
            has_etag=True,
            needs_revision=False,
            takes_revision=False,
            prefetch=None,
            needs_key=False,
            media_type=media_type,
        )
    )


def _add(declared: Endpoint) -> None:
    if declared.owner is not None and declared.scope not in {None, *SCOPE_LABELS[declared.owner]}:
        raise ImproperlyConfigured(f"No key can have the scope that {declared.path} needs.")
    unknown = [code for code in declared.own_errors if code not in TYPES]
    if unknown:
        raise ImproperlyConfigured(f"{declared.path} names problems that are not declared: {unknown}.")
    address = (declared.method, declared.path)
    if any((each.method, each.path) == address or each.name == declared.name for each in ENDPOINTS):
        raise ImproperlyConfigured(f"The endpoint {' '.join(address)} is declared twice.")
    ENDPOINTS.append(declared)
