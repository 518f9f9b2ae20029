"""schemathesis against the served document, all endpoints, all phases: no 5xx, and no answer that is not documented.

Each type of key has its own run. Without one, most requests would end at the check of the key.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dashboard.platform.apikeys.fields import MAX_LIMIT
from dashboard.platform.apikeys.items import PLATFORM
from dashboard.table.timestamps import to_wire
from dashboard.web.api.endpoints import ENDPOINTS, SCOPE_LABELS, Endpoint, KeyOwner
from tests.api.shop import SITE, book, make_shop, secret_key
from tests.apikeys.factories import create_key
from tests.bookings.bookable_business import BUSINESS, at
from tests.bookings.conversations import begin, say
from tests.branding.publishing_factory import create_published
from tests.forum.factories import CLEAN_TEXT, create_comment, create_post
from tests.live_server import in_flight, serve
from tests.rooms.rooms import create_room

# The document cannot say which start is free (422), which revision an item has (412), or which cursors exist (400).
CONFIG = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "3xx", 400, 401, 403, 404, 409, 412, 422, 428, 429]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 412, 415, 422, 428, 429]
missing_required_header.expected-statuses = [400, 401, 403, 415, 422, 428]
"""
PHASES = "examples,coverage,fuzzing,stateful"
MAX_EXAMPLES = 12
SEED = 23


@pytest.fixture
def address(table: str) -> Iterator[str]:
    with serve() as found:
        yield found
        in_flight.wait_for_none()


@pytest.fixture
def parameters(table: str) -> dict[str, str]:
    """Ids that exist, so that the requests reach more than 404."""
    make_shop()
    booking = book(secret_key(), to_wire(at(12))).json()
    begin()
    say("Hola")
    create_published(BUSINESS)
    post = create_post(CLEAN_TEXT)
    comment = create_comment(post, CLEAN_TEXT)
    create_room()
    return {
        "path.service": "masaje",
        "path.provider": "maria",
        "path.booking": booking["id"],
        "path.customer": booking["customerId"],
        "path.conversation": "conv-1",
        "path.business": BUSINESS,
        "path.post": str(post.key_parts["post"]),
        "path.comment": str(comment.key_parts["comment"]),
        "path.room": "sala1",
    }


def business_paths(endpoint: Endpoint) -> bool:
    return endpoint.owner != KeyOwner.PLATFORM


def platform_paths(endpoint: Endpoint) -> bool:
    return endpoint.owner != KeyOwner.BUSINESS and endpoint.needs_key


def public_paths(endpoint: Endpoint) -> bool:
    return endpoint.public_keys and endpoint.needs_key


RUNS: dict[str, tuple[Callable[[Endpoint], bool], Callable[[], str], dict[str, str]]] = {
    "business": (business_paths, lambda: key_with_high_limit(BUSINESS), {}),
    "platform": (platform_paths, lambda: key_with_high_limit(PLATFORM), {}),
    "public": (public_paths, lambda: key_with_high_limit(BUSINESS, SITE), {"Origin": SITE}),
}


def key_with_high_limit(business: str, *origins: str) -> str:
    owner = KeyOwner.BUSINESS if business else KeyOwner.PLATFORM
    return create_key(business, "Tests", origins=origins, scopes=list(SCOPE_LABELS[owner]), limit=MAX_LIMIT)[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_every_answer_is_documented(name: str, address: str, parameters: dict[str, str], tmp_path: Path) -> None:
    chooses, make_key, headers = RUNS[name]
    operations = [each.name for each in ENDPOINTS if chooses(each)]
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG + "[parameters]\n" + "".join(f'"{key}" = "{id}"\n' for key, id in parameters.items()))
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "--no-color"),
        *("run", f"{address}/api/v1/openapi.json", "--phases", PHASES, "--checks", "all"),
        *("--max-examples", str(MAX_EXAMPLES), "--seed", str(SEED), "--suppress-health-check", "all"),
        *("--header", f"Authorization: Bearer {make_key()}", "--continue-on-failure"),
    ]
    for header, value in headers.items():
        command += ["--header", f"{header}: {value}"]
    for operation in operations:
        command += ["--include-operation-id", operation]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=900)
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
