"""Exports, imports, pictures, reports and jobs have a bounded share of the threads, and each person a part of it."""

from __future__ import annotations

import ast
import gc
import inspect
import textwrap
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import FileResponse, StreamingHttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from branding import images
from branding.views import uploads
from dashboard.platform.accounts.items import Person
from dashboard.platform.jobs import runner
from dashboard.web import capacity
from dashboard.web.downloads import csv_file
from dashboard.web.sheets import decode_text
from dashboard.web.streams import streamed
from forum import impact_job
from forum.statistics import queries as statistics
from tests.conftest import add_business, sign_in

REPORT = "/forum/numbers/"
EXPORT = "/audit/export.csv"

# A view that calls one of these makes a file, reads one, decodes a picture, makes a report or runs a job.
EXPENSIVE = {
    StreamingHttpResponse,
    FileResponse,
    streamed,
    csv_file,
    decode_text,
    images.read,
    statistics.load_statistics,
    runner.advance,
    impact_job.start,
}
# Exports, imports, pictures, impact checks and other jobs, reports: what the search above has to find.
ALWAYS_EXPENSIVE = {
    "audit_export",
    "business_audit_export",
    "forum_log_export",
    "event_people_export",
    "domains_export",
    "profanity_export",
    "people_import_left_out",
    "people_import_links",
    "people_import_withdraw",
    "people_import",
    "domains_import",
    "profanity_import",
    "assets",
    "asset_replace",
    "profanity_impact",
    "operation_next",
    "forum_numbers",
}


@pytest.fixture(autouse=True)
def empty_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share that no earlier test uses."""
    monkeypatch.setattr(capacity, "share", capacity.new_share())


# --- Every expensive view is bounded ---------------------------------------------------------------
def all_patterns(resolver: URLResolver | None = None) -> Iterator[URLPattern]:
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            yield from all_patterns(each)
        else:
            yield each


def called_by(function: Callable[..., Any]) -> set[Any]:
    """Everything that a function calls, also through functions of its own package."""
    found: set[Any] = set()
    waiting = [inspect.unwrap(function)]
    while waiting:
        caller = waiting.pop()
        module = inspect.getmodule(caller)
        package = caller.__module__.rpartition(".")[0]
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(caller)))):
            called = resolved(node.func, module) if isinstance(node, ast.Call) else None
            if called is None or called in found:
                continue
            found.add(called)
            if inspect.isfunction(called) and called.__module__.startswith(package):
                waiting.append(inspect.unwrap(called))
    return found


def resolved(node: ast.expr, module: ModuleType | None) -> Any:
    """The function or class that an expression such as `uploads.read_picture` names, if it names one."""
    if isinstance(node, ast.Name):
        found = getattr(module, node.id, None)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        place = getattr(module, node.value.id, None)
        found = getattr(place, node.attr, None) if isinstance(place, ModuleType) else None
    else:
        found = None
    return found if inspect.isfunction(found) or inspect.isclass(found) else None


def test_every_view_that_does_expensive_work_is_bounded() -> None:
    bounded = {pattern.name for pattern in all_patterns() if getattr(pattern.callback, "is_expensive", False)}
    working = {pattern.name for pattern in all_patterns() if called_by(pattern.callback) & EXPENSIVE}
    assert working - bounded == set(), "decorate these views with @expensive (dashboard/web/capacity.py)"
    assert bounded >= ALWAYS_EXPENSIVE
    assert len(working) > len(ALWAYS_EXPENSIVE) // 2, "the search itself works"


# --- The share ---------------------------------------------------------------------------------------
class Gate:
    """Holds requests inside a view until the test opens it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._entered = threading.Semaphore(0)
        self.is_open = threading.Event()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._entered.release()
        self.is_open.wait(30)
        return self._function(*args, **kwargs)

    def enter(self, request: Callable[[], Any]) -> threading.Thread:
        """Send a request in a thread of its own, and wait until it is inside."""
        thread = threading.Thread(target=request)
        thread.start()
        assert self._entered.acquire(timeout=30)
        return thread


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate(statistics.load_statistics)
    monkeypatch.setattr(statistics, "load_statistics", gate)
    yield gate
    gate.is_open.set()


@pytest.fixture
def browsers(people_by_role: dict[str, Person]) -> dict[str, Client]:
    return {role: sign_in(person) for role, person in people_by_role.items()}


def test_work_beyond_the_share_is_refused_while_the_share_is_in_use(
    gate: Gate, settings: Any, browsers: dict[str, Client]
) -> None:
    settings.EXPENSIVE_AT_ONCE = 2
    inside = [gate.enter(partial(browsers[role].get, REPORT)) for role in ("admin", "moderator")]
    refused = browsers["admin2"].get(EXPORT)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    # Other pages are served meanwhile.
    assert browsers["admin2"].get("/audit/").status_code == 200
    gate.is_open.set()
    for thread in inside:
        thread.join()
    assert browsers["admin2"].get(EXPORT).status_code == 200


def test_one_person_cannot_use_all_of_the_share(gate: Gate, settings: Any, browsers: dict[str, Client]) -> None:
    settings.EXPENSIVE_AT_ONCE, settings.EXPENSIVE_PER_PERSON = 2, 1
    thread = gate.enter(partial(browsers["admin"].get, REPORT))
    assert browsers["admin"].get(EXPORT).status_code == 503
    assert browsers["admin2"].get(EXPORT).status_code == 200
    gate.is_open.set()
    thread.join()


def test_an_export_uses_its_part_until_it_is_sent(settings: Any, browsers: dict[str, Client]) -> None:
    settings.EXPENSIVE_AT_ONCE = 1
    response: Any = browsers["admin"].get(EXPORT)
    assert browsers["admin2"].get(EXPORT).status_code == 503
    assert b"".join(response.streaming_content)
    response.close()
    assert browsers["admin2"].get(EXPORT).status_code == 200


def test_an_export_whose_client_has_left_gives_its_part_back(settings: Any, browsers: dict[str, Client]) -> None:
    settings.EXPENSIVE_AT_ONCE = 1
    response = browsers["admin"].get(EXPORT)
    response.close()
    # A response that the server never got gives it back, too.
    response = browsers["admin"].get(EXPORT)
    assert response.status_code == 200
    del response
    gc.collect()
    assert browsers["admin2"].get(EXPORT).status_code == 200


def test_a_request_that_fails_gives_its_part_back(
    settings: Any, browsers: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EXPENSIVE_AT_ONCE = 1

    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(statistics, "load_statistics", fail)
        with pytest.raises(ZeroDivisionError):
            browsers["admin"].get(REPORT)
    assert browsers["admin"].get(REPORT).status_code == 200


def test_pictures_are_decoded_one_after_the_other_and_none_waits_long(
    settings: Any, browsers: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second is refused while the first is still being decoded."""
    assert capacity.TURN_SECONDS < 2
    gate = Gate(uploads.read_picture)
    monkeypatch.setattr(uploads, "read_picture", gate)
    monkeypatch.setattr(capacity, "TURN_SECONDS", 0.05)
    add_business("andina", "Andina")

    def upload(role: str) -> Any:
        file = SimpleUploadedFile("a.png", b"\x89PNG", "image/png")
        return browsers[role].post("/b/andina/branding/assets/", {"file": file, "assetType": "logo"})

    thread = gate.enter(lambda: upload("admin"))
    assert upload("admin2").status_code == 503
    gate.is_open.set()
    thread.join()
    assert upload("admin2").status_code == 422


def test_the_refusal_says_what_to_do_in_both_languages(settings: Any, browsers: dict[str, Client]) -> None:
    settings.EXPENSIVE_AT_ONCE = 0
    english = browsers["admin"].get(REPORT)
    assert "Nothing was changed." in english.text and "Wait a moment and try again." in english.text
    spanish = browsers["admin"].get(REPORT, headers={"Accept-Language": "es"})
    assert "No se cambió nada." in spanish.text
    toast = browsers["admin"].get(REPORT, headers={"HX-Request": "true"})
    assert (toast.status_code, toast.headers["HX-Reswap"]) == (503, "none")
    assert "data-toast" in toast.text and "<html" not in toast.text
