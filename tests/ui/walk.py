"""Every address of the product, found by walking the resolver: a new one is tested the day it is added."""

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

# What `listed_urls` says, on record.
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
        """What the view declares: a permission, `PUBLIC` or `API`, or None if it declares nothing."""
        return cast(BasePermission, getattr(self.view, "permission", None))

    @property
    def inside(self) -> bool:
        """Whether it stands inside a business."""
        return "business" in self.parts and self.text.startswith("b/")

    @property
    def disturbs(self) -> bool:
        """Whether it names something that a request may change for the next one: more than the business it is in."""
        return bool(set(self.parts) - {"business"})

    @property
    def public(self) -> bool:
        return self.permission == PUBLIC

    @property
    def for_programs(self) -> bool:
        """Whether only an API key opens it."""
        return self.permission == API

    def url(self, values: Mapping[str, str]) -> str:
        missing = [part for part in self.parts if part not in values]
        assert not missing, f"/{self.text} needs a sample of {missing} in tests/ui/samples.py"
        # A part that means one thing here and another there: `profanity_number` is the number of a filter's version.
        family = self.name.partition("_")[0]
        names = {part: f"{family}_{part}" if f"{family}_{part}" in values else part for part in self.parts}
        return reverse(self.name, kwargs={part: values[name] for part, name in names.items()})


@functools.cache
def _handler() -> ClientHandler:
    """Loading the middleware is a third of the time that a request takes here: once is enough."""
    return ClientHandler(enforce_csrf_checks=False)


def new_browser() -> Client:
    """A browser that shows the 500 page where something breaks."""
    browser = Client(raise_request_exception=False)
    browser.handler = _handler()
    return browser


def calls_of(response: Any) -> Log:
    """What an answer asked of the table."""
    log: Log = response.wsgi_request.oplog
    return log


def values(item: Item, *names: str) -> tuple[Any, ...]:
    """Some of an item's attributes, absent ones as None, whatever their declared type."""
    return tuple(getattr(item, name) for name in names)


def routes(urlconf: str | None = None) -> list[Route]:
    return list(_below(get_resolver(urlconf), "", ()))


def listed_urls() -> str:
    """Every address with its name and its permission, a line each."""
    return "".join(sorted(f"/{route.text}  {route.name}  {route.permission}\n" for route in routes()))


def _below(resolver: URLResolver, before: str, parts: tuple[str, ...]) -> Iterator[Route]:
    for each in resolver.url_patterns:
        text = before + str(each.pattern)
        named = (*parts, *each.pattern.converters)
        if isinstance(each, URLPattern):
            assert each.name, f"/{text} has no name: nothing can link to it"
            yield Route(each.name, text, each.callback, named)
        else:
            yield from _below(each, text, named)
