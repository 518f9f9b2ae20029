"""Posts with a picture on another host, for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from forum.pictures import PostPicture, pictures_of
from tests.attacks.outside_host import NAME, OutsideHost, http, outside_host
from tests.branding.pictures import png
from tests.conftest import sign_in
from tests.forum.factories import create_post
from tests.ui.html import parse

PICTURE = f"http://{NAME}/a.png"


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[OutsideHost]:
    with outside_host(monkeypatch) as started:
        started.answers["/a.png"] = http(png())
        yield started


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def posted(address: str = PICTURE) -> PostPicture:
    """A new post with this picture."""
    (found,) = pictures_of(create_post(images=[address]))
    return found


def problem_of(response: Any) -> str:
    assert response.status_code == 422, response.status_code
    return parse(response).one("p", data_picture_problem="").text
