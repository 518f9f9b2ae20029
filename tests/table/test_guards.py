"""No request reads the whole table: it is refused at run time, and the source code is checked for it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from dashboard.platform.accounts.permissions import public
from dashboard.table import connection, guards, oplog
from dashboard.table.guards import ScanRefused, offline, serving_request
from dashboard.table.read import gather, gather_all
from tests.table.notes import Note, add_note
from tests.table.source_trees import dotted, modules, name_of
from tests.ui.walk import calls_of
from tests.ui.world import World
from tests.ui.world import world as world


# --- At run time ---------------------------------------------------------------------------------
def table_args() -> dict[str, str]:
    return {"TableName": connection.table().table_name}


WHOLE_TABLE: dict[str, Callable[[], Any]] = {
    "an item class": lambda: list(Note.scan()),
    "the connection": lambda: connection.table().scan(),
    "the client": lambda: connection.client().scan(**table_args()),
    "a paginator": lambda: list(connection.client().get_paginator("scan").paginate(**table_args())),
    "PartiQL": lambda: connection.client().execute_statement(Statement="SELECT * FROM anything"),
    "PartiQL in a batch": lambda: connection.client().batch_execute_statement(Statements=[]),
    "PartiQL in a transaction": lambda: connection.client().execute_transaction(TransactStatements=[]),
}


@contextmanager
def no_context() -> Iterator[None]:
    yield


@contextmanager
def offline_request() -> Iterator[None]:
    """A request inside of a command, as with the test client."""
    with offline(), serving_request():
        yield


@pytest.mark.parametrize("context", [no_context, serving_request, offline_request])
def test_every_call_that_reads_the_whole_table_is_refused(table: str, context: Any) -> None:
    with oplog.recording() as log, context():
        for name, read_all in WHOLE_TABLE.items():
            with pytest.raises(ScanRefused):
                read_all()
                pytest.fail(f"{name} was not refused")
    assert log.calls == [], "refused before anything is sent"


def test_a_command_may_read_the_whole_table(table: str) -> None:
    add_note("ana")
    with offline():
        assert len(list(Note.scan())) == 2  # Ana's note and its DONE record.
    with pytest.raises(ScanRefused):
        list(Note.scan())


def test_a_request_cannot_enter_offline_mode() -> None:
    with serving_request(), pytest.raises(ScanRefused), offline():
        pytest.fail("a request entered offline mode")


def test_a_thread_of_a_request_cannot_enter_offline_mode_or_scan(table: str) -> None:
    def go_offline() -> None:
        with offline():
            list(Note.scan())

    def scan() -> None:
        list(Note.scan())

    with serving_request():
        for read_all in (go_offline, scan):
            with pytest.raises(ScanRefused):
                gather(read_all, read_all)
            with pytest.raises(ScanRefused):
                gather_all([read_all])


def test_offline_mode_does_not_reach_other_threads() -> None:
    """Another thread of the same process is not in offline mode."""
    import threading

    seen: list[bool] = []
    with offline():
        thread = threading.Thread(target=lambda: seen.append(guards._offline.get()))
        thread.start()
        thread.join()
    assert seen == [False]


@public
def scanning_view(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(list(Note.scan())))


@public
def offline_view(request: HttpRequest) -> HttpResponse:
    with offline():
        return HttpResponse(str(list(Note.scan())))


@public
def scanning_thread_view(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(gather(lambda: connection.client().scan(**table_args()), lambda: None)))


urlpatterns = [path("1/", scanning_view), path("2/", offline_view), path("3/", scanning_thread_view)]


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("url", ["/1/", "/2/", "/3/"])
def test_a_view_that_scans_is_refused(table: str, url: str) -> None:
    with pytest.raises(ScanRefused):
        Client().get(url)
    with pytest.raises(ScanRefused), offline():
        Client().get(url)


def test_middleware_that_reads_the_table_runs_inside_of_the_guard() -> None:
    """Middleware before the guard would not be guarded."""
    guard = settings.MIDDLEWARE.index("dashboard.table.oplog.count_calls")
    before = {name.rpartition(".")[0] for name in settings.MIDDLEWARE[:guard] if not name.startswith("django.")}
    reading = {module for module in before if any(uses_table(tree) for at, tree in modules() if name_of(at) == module)}
    assert reading == set()
    assert settings.MIDDLEWARE.index("dashboard.platform.accounts.middleware.sign_in") > guard


def uses_table(tree: ast.Module) -> bool:
    return any(
        (module or "").startswith(("dashboard.table.read", "dashboard.table.connection", "dashboard.platform.accounts"))
        for module, _ in imports(tree)
    )


@pytest.mark.parametrize("who", ["admin", "owner", "staff", "anonymous"])
def test_no_page_scans(world: World, who: str) -> None:
    """Every page, opened by each role."""
    answers = world.pages(who)
    operations: set[str] = set()
    for url, answer in answers.items():
        assert answer.status_code < 500, url
        operations |= {call.operation for call in calls_of(answer).calls}
    assert len(answers) > 1
    assert "GetItem" in operations
    assert not operations & set(guards.WHOLE_TABLE_CALLS)
    # An export is recorded in the security log with PutItem, the view of an item in the audit trail with a transaction.
    reads = {"GetItem", "BatchGetItem", "Query"}
    describing = {"DescribeTable", "DescribeTimeToLive", "DescribeContinuousBackups"}
    assert operations <= reads | describing | {"UpdateItem", "PutItem", "TransactWriteItems"}


# --- In the code ---------------------------------------------------------------------------------
CONNECTION = Path("dashboard/table/connection.py")
# Starts engines and has its own clients; no request reaches it.
LOCAL = Path("dashboard/dev")


def imports(tree: ast.Module) -> Iterator[tuple[str | None, str]]:
    """The imports of a module as `(module, name)`, with an empty name for a plain `import`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module, alias.name) for alias in node.names)


def find_client_creation(tree: ast.Module) -> list[str]:
    """The names with which a module creates its own client."""
    found = []
    for module, name in imports(tree):
        whole = f"{module}.{name}".rstrip(".")
        if whole.startswith(("boto3", "aioboto", "aiodynamo")) and not whole.startswith("boto3.dynamodb.types"):
            found.append(whole)
        if whole.startswith(("botocore.client", "botocore.endpoint", "pynamodb.models.Model")):
            found.append(whole)
        if whole.startswith("pynamodb.connection") and name != "TableConnection":
            found.append(whole)
    for node in ast.walk(tree):
        name = node.attr if isinstance(node, ast.Attribute) else dotted(node) if isinstance(node, ast.Name) else ""
        if name in {"create_client", "get_paginator"}:
            found.append(name)
        if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] == "TableConnection":
            found.append("TableConnection")
    return found


def test_only_one_module_creates_a_client() -> None:
    """The guard is on this one client: another client would not be guarded."""
    found = {
        str(at): find_client_creation(tree) for at, tree in modules() if LOCAL not in at.parents and at != CONNECTION
    }
    # The base class of all items uses the connection of that module.
    items = "dashboard/table/items.py"
    # Files in buckets of other services are read with a client for S3.
    outside_files = "branding/outside_files.py"
    # The archive of activity is in a bucket of S3, and Athena reads it: neither client can reach the table.
    bucket, athena = "activity/archive/bucket.py", "activity/warehouse/engines/athena.py"
    expected = {
        items: ["pynamodb.models.Model"],
        outside_files: ["boto3"],
        bucket: ["create_client", "get_paginator"],
        athena: ["create_client"],
    }
    assert {at: names for at, names in found.items() if names} == expected
    for place, service in ((outside_files, "s3"), (bucket, "s3"), (athena, "athena")):
        assert re.findall(r'client\(\s*"(\w+)"', Path(place).read_text()) == [service]
    (base,) = [tree for at, tree in modules() if str(at) == items]
    models = [n for n in ast.walk(base) if isinstance(n, ast.ClassDef) and "Model" in [dotted(b) for b in n.bases]]
    assert [each.name for each in models] == ["Item"]
    assert Note._get_connection() is connection.table()


@pytest.mark.parametrize(
    "text",
    [
        "import boto3",
        "from boto3 import client",
        "import boto3.session",
        "import botocore.session\nbotocore.session.Session().create_client('dynamodb')",
        "make = session.create_client",
        "from botocore.client import ClientCreator",
        "from pynamodb.connection.table import TableConnection\nTableConnection('trastienda')",
        "from pynamodb.connection import Connection",
        "from pynamodb.models import Model\nclass Mine(Model): pass",
    ],
)
def test_the_check_finds_code_that_creates_a_client(text: str) -> None:
    assert find_client_creation(ast.parse(text))


def uses_offline_mode(tree: ast.Module) -> bool:
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return "offline" in names or any("offline" in (name, module) for module, name in imports(tree))


def modules_of_requests() -> dict[str, ast.Module]:
    """All modules of the product that a request can import."""
    ours = {name_of(at): tree for at, tree in modules()}
    engine: Any = settings.TEMPLATES[0]["OPTIONS"]
    named = [*settings.MIDDLEWARE, *engine["context_processors"], *engine["builtins"], settings.FORM_RENDERER]
    waiting = [settings.ROOT_URLCONF, "dashboard.wsgi", *named]
    waiting += [name for name in ours if ".templatetags." in name]
    found: dict[str, ast.Module] = {}
    while waiting:
        name = waiting.pop()
        while name and name not in ours:
            name = name.rpartition(".")[0]
        if not name or name in found:
            continue
        found[name] = ours[name]
        for module, imported in imports(ours[name]):
            waiting += [module or "", f"{module}.{imported}"]
        for node in ast.walk(ours[name]):
            if isinstance(node, ast.Call) and dotted(node.func) == "include" and isinstance(node.args[0], ast.Constant):
                waiting.append(str(node.args[0].value))
    return found


def test_no_module_that_a_request_reaches_uses_offline_mode() -> None:
    found = modules_of_requests()
    assert {
        "dashboard.platform.accounts.queries",
        "dashboard.platform.accounts.services.people",
        "dashboard.table.read",
    } <= found.keys()
    offline_only = ("dashboard.dev", "dashboard.platform.transfer")
    assert not [name for name in found if ".management." in name or name.startswith(offline_only)]
    assert [name for name, tree in found.items() if uses_offline_mode(tree) and name != "dashboard.table.guards"] == []


@pytest.mark.parametrize(
    "text",
    [
        "from dashboard.table.guards import offline",
        "from dashboard.table import guards\nwith guards.offline(): pass",
        "from dashboard.table.guards import offline as quietly",
    ],
)
def test_the_check_finds_code_that_uses_offline_mode(text: str) -> None:
    assert uses_offline_mode(ast.parse(text))


def test_no_module_scans_without_offline_mode() -> None:
    """Only commands that use `offline` may call a method named `scan`."""
    found = []
    for at, tree in modules():
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        if names & {"scan", "execute_statement", "batch_execute_statement"} and not uses_offline_mode(tree):
            found.append(str(at))
    assert [each for each in found if not each.startswith(str(LOCAL))] == []
