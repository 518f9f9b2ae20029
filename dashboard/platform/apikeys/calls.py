"""Calls of endpoints: the view of an address checks the request, calls the function and writes the answer."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import HttpResponse, HttpResponseBase, HttpResponseNotModified

from dashboard.core.errors import DomainError
from dashboard.platform.apikeys.authentication import ApiRequest, api
from dashboard.platform.apikeys.items import ApiKey
from dashboard.platform.businesses.items import Business
from dashboard.table import cursors
from dashboard.table.commands import Command
from dashboard.web.api import messages
from dashboard.web.api.endpoints import Endpoint, KeyOwner
from dashboard.web.api.messages import PageQuery
from dashboard.web.api.problems import ApiError

MAX_IDEMPOTENCY_KEY = 255
# The ids of the commands that this process is executing.
_running: set[str] = set()
_running_lock = threading.Lock()


@dataclass
class ApiCall:
    """One call of an endpoint by a program."""

    request: ApiRequest
    endpoint: Endpoint
    # The revision of the answer, for its ETag.
    answer_revision: int | None = None

    @property
    def key(self) -> ApiKey:
        return self.request.api_key

    @property
    def business(self) -> Business:
        return self.request.business

    @property
    def tenant(self) -> str:
        """The id of the business of the key; empty for a key of the platform."""
        return self.key.business

    @cached_property
    def command(self) -> Command:
        """The command of a write: the same for the same key, endpoint and Idempotency-Key."""
        given = self.request.headers.get("Idempotency-Key", "").strip()
        if not given or len(given) > MAX_IDEMPOTENCY_KEY:
            raise ApiError("no_idempotency_key", f"Send an Idempotency-Key of 1 to {MAX_IDEMPOTENCY_KEY} characters.")
        return Command(
            f"api-{_digest(self.tenant, self.key.id, self.endpoint.method, self.endpoint.path, given)[:40]}",
            self.key.actor,
            request=_digest(
                self.request.path, self.request.headers.get("If-Match", "").strip(), self.request.body.hex()
            ),
        )

    @cached_property
    def revision(self) -> int:
        """The revision that the program read, from If-Match."""
        if self.known_revision is None:
            raise ApiError("no_revision")
        return self.known_revision

    @cached_property
    def known_revision(self) -> int | None:
        """The same; None without If-Match."""
        given = self.request.headers.get("If-Match")
        if given is None:
            return None
        found = messages.revision_in(given)
        if found is None:
            raise ApiError("stale_revision")
        return found

    def read(self) -> list[Any]:
        """The answers of the endpoint's `prefetch`."""
        for each in self.request.prefetched:
            if isinstance(each, DomainError):
                raise each
        return self.request.prefetched

    def start_key(self, query: PageQuery, *scope: str) -> Any:
        return cursors.decode(query.cursor, *self._cursor_scope(scope))

    def cursor(self, next_start_key: Any, *scope: str) -> str | None:
        """The cursor of the next page; None on the last page. `scope` are the filters of the list."""
        return None if next_start_key is None else cursors.encode(next_start_key, *self._cursor_scope(scope))

    def _cursor_scope(self, scope: Sequence[str]) -> tuple[str, ...]:
        return ("api", self.endpoint.name, self.tenant, self.key.id, *scope)


def view_of(endpoints: Sequence[Endpoint]) -> Callable[..., HttpResponseBase]:
    """The Django view of one address."""
    by_method = {each.method: each for each in endpoints}

    def find(request: Any) -> Endpoint:
        return by_method["GET" if request.method == "HEAD" else request.method]

    def prefetch(request: Any, tenant: str, **parts: str) -> list[Callable[[], Any]]:
        endpoint = by_method.get("GET" if request.method == "HEAD" else request.method)
        if endpoint is None or endpoint.prefetch is None or not tenant:
            return []
        try:
            return endpoint.prefetch(tenant, messages.read_query(endpoint, request.GET))
        except DomainError:
            return []  # Raised after the check of the key.

    @api(*by_method, prefetch=prefetch if any(each.prefetch for each in endpoints) else None)
    def view(request: ApiRequest, **parts: str) -> HttpResponse:
        endpoint = find(request)
        _check_access(endpoint, request.api_key)
        return _answer(endpoint, request, parts)

    view.endpoints = tuple(endpoints)  # type: ignore[attr-defined]
    view.__name__ = f"api_{endpoints[0].name}"
    return view


def _check_access(endpoint: Endpoint, key: ApiKey) -> None:
    if endpoint.owner not in (None, key.owner):
        needed = "a platform key" if endpoint.owner == KeyOwner.PLATFORM else "a key of a business"
        raise ApiError("key_not_allowed", f"This needs {needed}.")
    if key.is_public:
        if not endpoint.public_keys:
            raise ApiError("key_not_allowed", "A public key lists services, staff members and slots, and books.")
    elif endpoint.scope is not None and endpoint.scope not in key.scopes:
        raise ApiError("key_not_allowed", f"This API key does not have the scope “{endpoint.scope}”.")


def _answer(endpoint: Endpoint, request: ApiRequest, parts: dict[str, str]) -> HttpResponse:
    given: dict[str, Any] = dict(parts)
    call = ApiCall(request, endpoint)
    has_command = endpoint.is_write and endpoint.needs_command
    if has_command:
        _ = call.command
    if endpoint.query is not None:
        given["query"] = messages.read_query(endpoint, request.GET)
    if endpoint.body is not None:
        given["body"] = messages.read_body(endpoint, request)
    if endpoint.needs_revision:
        _ = call.revision
    if endpoint.takes_revision:
        request.names_revision = call.known_revision is not None  # type: ignore[attr-defined]
    assert endpoint.view is not None
    with _alone(call.command.id if has_command else ""):
        answer = endpoint.view(call, **given)
    response = messages.write(endpoint.status, answer, revision=call.answer_revision)
    if "ETag" in response.headers and not endpoint.is_write and _is_known(request, response.headers["ETag"]):
        return HttpResponseNotModified(headers={"ETag": response.headers["ETag"]})
    return response


@contextmanager
def _alone(command_id: str) -> Iterator[None]:
    """Refuse a command that this process is executing. In another process the table decides, with the same answer."""
    with _running_lock:
        if command_id in _running:
            raise ApiError("in_progress")
        if command_id:
            _running.add(command_id)
    try:
        yield
    finally:
        with _running_lock:
            _running.discard(command_id)


def _is_known(request: ApiRequest, etag: str) -> bool:
    known = request.headers.get("If-None-Match", "")
    return any(each.strip().removeprefix("W/") == etag for each in known.split(","))


def _digest(*parts: str) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
