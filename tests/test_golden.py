"""Golden files differ exactly where the product differs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import golden
from tests.golden import differences, file_name, replace_random_values


def write_files(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def test_changed_added_and_removed_files_are_shown(tmp_path: Path) -> None:
    before = write_files(tmp_path / "before", same="1\n2\n", changed="1\n2\n", removed="1\n")
    after = write_files(tmp_path / "after", same="1\n2\n", changed="1\n3\n", added="1\n")
    found = {text.splitlines()[1].removeprefix("+++ now/"): text for text in differences(before, after)}
    assert found.keys() == {"changed", "removed", "added"}
    assert "-2\n+3" in found["changed"]


def test_a_long_difference_is_cut(tmp_path: Path) -> None:
    before = write_files(tmp_path / "before", page="")
    after = write_files(tmp_path / "after", page="line\n" * 1000)
    (text,) = differences(before, after)
    assert len(text.splitlines()) == golden.MAX_LINES + 1
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
def test_random_values_make_no_difference(one: str, other: str) -> None:
    assert replace_random_values(one) == replace_random_values(other)


def test_other_values_make_a_difference() -> None:
    assert replace_random_values('<input name="revision" value="3">') != replace_random_values(
        '<input name="revision" value="">'
    )


def test_every_url_has_its_own_file() -> None:
    names = [file_name(url) for url in ("/", "/people/", "/people/?q=a", "/people/?q=b", "/x/" + "y" * 300)]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) < 200
