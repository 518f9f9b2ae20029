"""Downloads each file with data once."""

from __future__ import annotations

import pytest

from dashboard.platform.security_log.kinds import EventKind
from tests.accounts.imports import start_import, upload_import
from tests.attacks.causes import Cause, Scenario
from tests.jobs.execution import finish
from tests.ui.samples import BUSINESS
from tests.ui.world import World


def export(url: str, name: str, who: str = "admin", method: str = "get", **details: str) -> Scenario:
    def download(world: World, patch: pytest.MonkeyPatch) -> Cause:
        response = getattr(world.browser(who), method)(url)
        assert response.status_code == 200 and "attachment" in response.headers["Content-Disposition"]
        return Cause(world.people[who].email, {"file": name, **details})

    return download


def invitations(world: World, patch: pytest.MonkeyPatch) -> Cause:
    job = finish(start_import("email,name,role\nina@example.com,Ina,staff\n"))
    answer = world.browser("admin").post(f"/people/import/{job.id}/links/")
    assert answer.status_code == 200
    token = answer.content.decode().split("/join/")[1].split("/")[0]
    return Cause("alma@example.com", {"file": "invitations"}, [token])


def excluded_lines(world: World, patch: pytest.MonkeyPatch) -> Cause:
    answer = world.browser("admin").get(f"/people/import/{upload_import().id}/left-out/")
    assert answer.status_code == 200
    return Cause("alma@example.com", {"file": "left-out"})


EXPORTS: list[tuple[EventKind, Scenario]] = [
    (EventKind.EXPORTED, each)
    for each in (
        export("/audit/export.csv", "audit"),
        export(f"/b/{BUSINESS}/audit/export.csv", "audit", "owner", business=BUSINESS),
        export("/forum/log/export/", "moderation-log", "moderator"),
        export("/forum/profanity/export/", "profanity"),
        export("/forum/profanity/export/?as=json", "profanity"),
        export("/rooms/domains/export/", "domains", "staff"),
        export("/rooms/domains/export/?as=txt", "domains", "staff"),
        export("/rooms/people/export/", "attendees", "staff", method="post"),
        invitations,
        excluded_lines,
    )
]
