"""Parsing of a file of people: encodings, separators, columns and the result of each line."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest

from dashboard.core.errors import Refused
from dashboard.platform.accounts import people_import, queries, sheets
from dashboard.platform.accounts.permissions import Role
from dashboard.web.sheets import decode_text
from tests.accounts.imports import csv_of_people, preview_rows, send_file
from tests.ui.html import parse
from tests.ui.world import World

SPANISH = "correo;nombre;rol\r\nsofia@example.net;Sofía Ñandú;dueña\r\n"


def parse_cells(content: bytes) -> list[dict[str, str]]:
    return [row.cells for row in sheets.parse_rows(decode_text(content))]


@pytest.mark.parametrize(
    "content",
    [
        SPANISH.encode(),
        SPANISH.encode("utf-8-sig"),
        SPANISH.encode("utf-16"),
        b"\xfe\xff" + SPANISH.encode("utf-16-be"),
        SPANISH.encode("utf-16-le"),
        SPANISH.encode("utf-16-be"),
        SPANISH.encode("cp1252"),
        SPANISH.encode("latin-1"),
        SPANISH.replace(";", ",").encode(),
        SPANISH.replace(";", "\t").encode(),
        SPANISH.replace("\r\n", "\n").encode(),
        SPANISH.replace("\r\n", "\r").encode(),
        ("sep=;\r\n" + SPANISH).encode(),
        ("\r\n\r\n" + SPANISH + "\r\n;;\r\n").encode(),
        '"Correo electrónico";"NOMBRE COMPLETO";"Rol"\nsofia@example.net;"Sofía Ñandú";dueña'.encode(),
        "name,E-Mail,other,role\nSofía Ñandú,sofia@example.net,x,dueña".encode(),
        "sofia@example.net,Sofía Ñandú,dueña".encode(),
    ],
)
def test_every_encoding_separator_and_header_gives_the_same_person(content: bytes) -> None:
    assert parse_cells(content) == [{"email": "sofia@example.net", "name": "Sofía Ñandú", "role": "dueña"}]


def test_quoted_cells_may_contain_separators_and_quotes() -> None:
    content = b'email,name,role\na@example.net,"Sol, ""La"" Nuria",staff\n'
    assert parse_cells(content)[0]["name"] == 'Sol, "La" Nuria'


def zip_file() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return file.getvalue()


INVALID_FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "blank": (b"\n ; \n,,\n", "file is empty"),
    "header only": (b"email,name,role\n", "only a header"),
    "no column": (b"phone,name\n1,2\n", "There is no column called email"),
    "workbook": (zip_file(), "workbook or a zip file"),
    "old workbook": (b"\xd0\xcf\x11\xe0" + bytes(200), "workbook or a zip file"),
    "nul": (b"email\na\x00b@example.net\n", "not a text file"),
    "binary": (bytes(range(256)) * 20, "not a text file"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not a text file"),
    "half a letter": ("email\na@example.net".encode("utf-16") + b"\x00", "not a text file"),
    "too large": (b"email\n" + b"x" * (512 * 1024), "larger than 512 KB"),
    "far too large": (b"email\n" + b"x" * 3_000_000, "larger than 512 KB"),
    "too many": (csv_of_people(2001).encode(), "2001 lines. The maximum is 2,000"),
}


@pytest.mark.parametrize("kind", INVALID_FILES)
def test_an_invalid_file_is_refused_with_the_reason(world: World, kind: str) -> None:
    content, message = INVALID_FILES[kind]
    response = send_file(world.browser("admin"), content, role="owner")
    assert response.status_code == 422
    page = parse(response)
    assert message in page.one("div", data_errors="").text
    assert page.one("select", name="role").one("option", selected="").attrs["value"] == "owner", (
        "the other fields keep their input"
    )


def test_a_file_far_over_the_limit_is_refused_without_reading_it(world: World) -> None:
    assert send_file(world.browser("admin"), b"x" * 5_000_000).status_code == 413


def test_either_a_file_or_pasted_lines_must_be_sent(world: World) -> None:
    browser = world.browser("admin")
    for fields in ({"file": False}, {"file": True, "text": "email\na@example.net"}):
        response = send_file(browser, "" if not fields["file"] else "email\nb@example.net", **fields)
        assert response.status_code == 422
        assert "not both" in parse(response).text


def check_lines(text: str, default: Role | None = None) -> dict[int, tuple[str, str]]:
    lines = people_import.check_lines(sheets.parse_rows(text), default)
    return {line["n"]: (line["verdict"], line["role"]) for line in lines}


@pytest.mark.parametrize("role", Role)
def test_roles_are_recognized_in_both_languages(world: World, role: Role) -> None:
    for word in people_import.ROLE_WORDS[role] | {role.value.upper(), f" {role.value.title()} "}:
        assert check_lines(f"email,role\na@example.net,{word}\n") == {2: ("invite", role)}
    assert check_lines("email\na@example.net\n", role) == {2: ("invite", role)}


def test_each_line_has_a_verdict(world: World) -> None:
    text = "\n".join(
        [
            "email,name,role",
            "Good@Example.net,Good,staff",  # 2
            "good@example.net,Again,owner",  # 3
            "not an address,Bad,staff",  # 4
            "x@example.net,Bad,captain",  # 5
            "y@example.net,Bad,",  # 6
            f"z@example.net,{'n' * 101},staff",  # 7
            '"open@example.net,Quote,staff',  # 8
            ",Nobody,staff",  # 9
            "marco@example.com,,moderator",  # 10
            "sofia@example.com,,owner",  # 11
            "dora@example.com,,staff",  # 12
            "ines@example.com,,owner",  # 13
            f"{'l' * 250}@example.net,,staff",  # 14
            "with#hash@example.net,,staff",  # 15
            "fine@example.net,,STAFF",  # 16
        ]
    )
    assert {n: verdict for n, (verdict, _) in check_lines(text).items()} == {
        2: "invite", 3: "duplicate", 4: "bad_email", 5: "unknown_role", 6: "no_role", 7: "long_name", 8: "broken",
        9: "no_email", 10: "same", 11: "differs", 12: "disabled", 13: "invited", 14: "bad_email", 15: "bad_email",
        16: "invite",
    }  # fmt: skip
    order = [line["n"] for line in people_import.check_lines(sheets.parse_rows(text), None)]
    assert order == [*range(3, 16), 2, 16], "skipped lines come first"


def test_every_verdict_has_a_text() -> None:
    for verdict in people_import.REASONS:
        text = people_import.verdict_text({"verdict": verdict, "detail": "staff"})
        assert text and "%" not in text
    assert people_import.verdict_text({"verdict": "differs", "detail": "staff"}).count("Event staff") == 1


HOSTILE_FILES: dict[str, str] = {
    "formula": "email,name,role\n=cmd@example.net,=1+1,staff\n",
    "bidi": "email,name,role\nbidi@example.net,\u202egnp.exe\u202c,staff\n\u202ea@example.net,x,staff\n",
    "script": "email,name,role\nscript@example.net,<script>alert(1)</script>,staff\n<img src=x onerror=a>,x,y\n",
    "lone quotes": 'email,name,role\n"a@example.net,x,staff\nb@example.net,"x,staff\nc@example.net,x"y"z,staff\n',
    "long line": f"email,name,role\n{'m' * 500_000},x,staff\n",
    "many cells": "email" + ",x" * 20_000 + "\na@example.net" + "," * 20_000 + "\n",
    "emoji": "email,name,role\n" + ("😀" * 300 + ",") * 2 + "😀\n" + "\n".join(["😀" * 400 + f",{'🧟' * 200},x"] * 60),
    "separators in the text": "email;name;role\na,b@example.net;x;staff\n\u2028;\x0b;\x85\n",
    "template": "email,name,role\ntemplate@example.net,{{ 7|add:7 }}{% debug %},staff\n%(detail)s,%s,%d\n",
}


@pytest.mark.parametrize("kind", HOSTILE_FILES)
def test_a_hostile_file_is_shown_as_plain_text_or_refused(world: World, kind: str) -> None:
    browser = world.browser("admin")
    for file in (True, False):
        response = send_file(browser, HOSTILE_FILES[kind], file=file)
        assert response.status_code in {303, 422}
        if response.status_code == 303:
            preview = browser.get(response.headers["Location"])
            assert preview.status_code == 200
            page = parse(preview)
            assert not [each for each in page.all("script") if "src" not in each.attrs] and not page.all("img")
            assert "\u202e" not in "".join(cell for row in preview_rows(preview) for cell in row[:1] if "gnp" in cell)
            skipped = browser.get(f"{response.headers['Location']}left-out/")
            assert skipped.status_code == 200 and "\n=" not in skipped.content.decode()


def test_a_broken_line_does_not_affect_the_others(world: World) -> None:
    text = 'email,name,role\n"a@example.net,x,staff\nfine@example.net,x,staff\nb@example.net,"x" y,staff\n'
    assert {n: verdict for n, (verdict, _) in check_lines(text).items()} == {2: "broken", 3: "invite", 4: "broken"}


def test_two_thousand_lines_are_looked_up_in_parallel(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The upload makes twenty reads of one hundred people, ten at a time."""
    batch_sizes: list[int] = []
    real = queries.people_with

    def count_people(emails: Any) -> Any:
        batch_sizes.append(len(emails))
        return real(emails)

    monkeypatch.setattr(queries, "people_with", count_people)
    response = send_file(world.browser("admin"), csv_of_people(2000))
    assert response.status_code == 303 and batch_sizes == [100] * 20
    log = response.wsgi_request.oplog
    # The session, people in two waves, forty parts of lines in four waves, and the job.
    assert log.trips <= 8, [call.operation for call in log.calls]


def test_a_header_without_known_columns_is_refused() -> None:
    with pytest.raises(Refused, match="first line must name"):
        sheets.parse_rows("Sofía;dueña\n")
