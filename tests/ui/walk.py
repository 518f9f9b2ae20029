"""Every URL of the product, read from the URL resolver: a new URL is tested automatically."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from django.test import Client
from django.test.client import ClientHandler
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from dashboard.platform.accounts.permissions import API, PUBLIC, BasePermission
from dashboard.table.items import Item
from dashboard.table.oplog import Log

# The recorded output of `list_urls`.
URLS = Path(__file__).with_name("urls.txt")


@dataclass(frozen=True)
class Route:
    """One line of a `urls.py`."""

    name: str
    text: str
    view: Callable[..., Any]
    parts: tuple[str, ...]

    @property
    def permission(self) -> BasePermission:
        """The permission that the view declares, `PUBLIC` or `API`, or None if it declares nothing."""
        return cast(BasePermission, getattr(self.view, "permission", None))

    @property
    def is_in_business(self) -> bool:
        """Whether the URL belongs to a business."""
        return "business" in self.parts and self.text.startswith("b/")

    @property
    def names_an_item(self) -> bool:
        """Whether the URL names more than a business: a request may change that item for the next one."""
        return bool(set(self.parts) - {"business"})

    @property
    def is_public(self) -> bool:
        return self.permission == PUBLIC

    @property
    def needs_api_key(self) -> bool:
        return self.permission == API

    def url(self, values: Mapping[str, str]) -> str:
        missing = [part for part in self.parts if part not in values]
        assert not missing, f"/{self.text} needs a sample of {missing} in tests/ui/samples.py"
        # Two URLs may use the same part for different things: `profanity_number` is the `number` of a filter's version.
        family = self.name.partition("_")[0]
        names = {part: f"{family}_{part}" if f"{family}_{part}" in values else part for part in self.parts}
        return reverse(self.name, kwargs={part: values[name] for part, name in names.items()})


@functools.cache
def _handler() -> ClientHandler:
    """Shared, because loading the middleware takes a third of the time of a request."""
    return ClientHandler(enforce_csrf_checks=False)


def new_browser() -> Client:
    """A test client that returns the 500 page instead of raising the exception."""
    browser = Client(raise_request_exception=False)
    browser.handler = _handler()
    return browser


def calls_of(response: Any) -> Log:
    """The log of the calls to the table for a response."""
    log: Log = response.wsgi_request.oplog
    return log


def values(item: Item, *names: str) -> tuple[Any, ...]:
    """The values of these attributes of an item; None for an absent one."""
    return tuple(getattr(item, name) for name in names)


def routes(urlconf: str | None = None) -> list[Route]:
    return list(_below(get_resolver(urlconf), "", ()))


def list_urls() -> str:
    """Every URL with its name and its permission, one line each."""
    return "".join(sorted(f"/{route.text}  {route.name}  {_access(route)}\n" for route in routes()))


def _access(route: Route) -> str:
    """The permission; for an address of the API also its methods, each with its scope and the types of key."""
    endpoints = getattr(route.view, "endpoints", ())
    methods = " ".join(f"{each.method}={each.access}" for each in endpoints)
    return f"{route.permission}  {methods}" if methods else str(route.permission)


def _below(resolver: URLResolver, before: str, parts: tuple[str, ...]) -> Iterator[Route]:
    for each in resolver.url_patterns:
        text = before + str(each.pattern)
        named = (*parts, *each.pattern.converters)
        if isinstance(each, URLPattern):
            assert each.name, f"/{text} has no name: nothing can link to it"
            yield Route(each.name, text, each.callback, named)
        else:
            yield from _below(each, text, named)
