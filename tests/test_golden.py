"""Golden files differ where the product does, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import golden
from tests.golden import differences, file_name, normalised


def write(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def test_what_changed_came_and_went_is_shown(tmp_path: Path) -> None:
    before = write(tmp_path / "before", same="1\n2\n", changed="1\n2\n", gone="1\n")
    after = write(tmp_path / "after", same="1\n2\n", changed="1\n3\n", come="1\n")
    found = {text.splitlines()[1].removeprefix("+++ now/"): text for text in differences(before, after)}
    assert found.keys() == {"changed", "gone", "come"}
    assert "-2\n+3" in found["changed"]


def test_a_long_difference_is_cut(tmp_path: Path) -> None:
    before = write(tmp_path / "before", page="")
    after = write(tmp_path / "after", page="line\n" * 1000)
    (text,) = differences(before, after)
    assert len(text.splitlines()) == golden.LINES + 1
    assert "more lines" in text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('name="csrfmiddlewaretoken" value="abc"', 'name="csrfmiddlewaretoken" value="xyz"'),
        ("/join/" + "a" * 40 + "/", "/join/" + "b" * 40 + "/"),
        ('value="eyJh.x:1uABcd:' + "s" * 43 + '"', 'value="eyJi.y:1uXYzq:' + "t" * 43 + '"'),
        ("12 ms", "9.5 ms"),
    ],
)
def test_what_is_left_to_chance_makes_no_difference(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


def test_what_is_not_does() -> None:
    assert normalised('<input name="revision" value="3">') != normalised('<input name="revision" value="">')


def test_every_address_has_a_file_of_its_own() -> None:
    names = [file_name(url) for url in ("/", "/people/", "/people/?q=a", "/people/?q=b", "/x/" + "y" * 300)]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) < 200
