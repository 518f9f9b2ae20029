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
from tests.accounts.imports import many, rows, send
from tests.ui.html import parse
from tests.ui.world import World

SPANISH = "correo;nombre;rol\r\nsofia@example.net;Sofía Ñandú;dueña\r\n"


def read(content: bytes) -> list[dict[str, str]]:
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
def test_the_same_person_however_the_file_is_written(content: bytes) -> None:
    assert read(content) == [{"email": "sofia@example.net", "name": "Sofía Ñandú", "role": "dueña"}]


def test_quoted_cells_hold_separators_and_quotes() -> None:
    content = b'email,name,role\na@example.net,"Sol, ""La"" Nuria",staff\n'
    assert read(content)[0]["name"] == 'Sol, "La" Nuria'


def zipped() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return made.getvalue()


REFUSED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "blank": (b"\n ; \n,,\n", "file is empty"),
    "header only": (b"email,name,role\n", "only a header"),
    "no column": (b"phone,name\n1,2\n", "There is no column called email"),
    "workbook": (zipped(), "workbook or a zip file"),
    "old workbook": (b"\xd0\xcf\x11\xe0" + bytes(200), "workbook or a zip file"),
    "nul": (b"email\na\x00b@example.net\n", "not a text file"),
    "binary": (bytes(range(256)) * 20, "not a text file"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not a text file"),
    "half a letter": ("email\na@example.net".encode("utf-16") + b"\x00", "not a text file"),
    "too large": (b"email\n" + b"x" * (512 * 1024), "larger than 512 KB"),
    "far too large": (b"email\n" + b"x" * 3_000_000, "larger than 512 KB"),
    "too many": (many(2001).encode(), "2001 lines. The maximum is 2,000"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_file_of_people_is_told_so(world: World, kind: str) -> None:
    content, words = REFUSED[kind]
    response = send(world.browser("admin"), content, role="owner")
    assert response.status_code == 422
    page = parse(response)
    assert words in page.one("div", data_errors="").text
    assert page.one("select", name="role").one("option", selected="").attrs["value"] == "owner", "the rest is kept"


def test_out_of_all_proportion_is_refused_unread(world: World) -> None:
    assert send(world.browser("admin"), b"x" * 5_000_000).status_code == 413


def test_a_file_or_pasted_lines_and_not_both(world: World) -> None:
    browser = world.browser("admin")
    for typed in ({"file": False}, {"file": True, "text": "email\na@example.net"}):
        response = send(browser, "" if not typed["file"] else "email\nb@example.net", **typed)
        assert response.status_code == 422
        assert "not both" in parse(response).text


def judge(text: str, default: Role | None = None) -> dict[int, tuple[str, str]]:
    lines = people_import.check_lines(sheets.parse_rows(text), default)
    return {line["n"]: (line["verdict"], line["role"]) for line in lines}


@pytest.mark.parametrize("role", Role)
def test_roles_in_the_words_of_either_language(world: World, role: Role) -> None:
    for word in people_import.ROLE_WORDS[role] | {role.value.upper(), f" {role.value.title()} "}:
        assert judge(f"email,role\na@example.net,{word}\n") == {2: ("invite", role)}
    assert judge("email\na@example.net\n", role) == {2: ("invite", role)}


def test_each_line_has_its_fate(world: World) -> None:
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
    assert {n: verdict for n, (verdict, _) in judge(text).items()} == {
        2: "invite", 3: "duplicate", 4: "bad_email", 5: "unknown_role", 6: "no_role", 7: "long_name", 8: "broken",
        9: "no_email", 10: "same", 11: "differs", 12: "disabled", 13: "invited", 14: "bad_email", 15: "bad_email",
        16: "invite",
    }  # fmt: skip
    order = [line["n"] for line in people_import.check_lines(sheets.parse_rows(text), None)]
    assert order == [*range(3, 16), 2, 16], "what will be skipped comes first"


def test_every_verdict_has_its_words() -> None:
    for verdict in people_import.REASONS:
        said = people_import.verdict_text({"verdict": verdict, "detail": "staff"})
        assert said and "%" not in said
    assert people_import.verdict_text({"verdict": "differs", "detail": "staff"}).count("Event staff") == 1


NAUGHTY: dict[str, str] = {
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


@pytest.mark.parametrize("kind", NAUGHTY)
def test_whatever_a_file_holds_it_is_shown_as_text_or_refused(world: World, kind: str) -> None:
    browser = world.browser("admin")
    for file in (True, False):
        response = send(browser, NAUGHTY[kind], file=file)
        assert response.status_code in {303, 422}
        if response.status_code == 303:
            shown = browser.get(response.headers["Location"])
            assert shown.status_code == 200
            page = parse(shown)
            assert not [each for each in page.all("script") if "src" not in each.attrs] and not page.all("img")
            assert "\u202e" not in "".join(cell for row in rows(shown) for cell in row[:1] if "gnp" in cell)
            left = browser.get(f"{response.headers['Location']}left-out/")
            assert left.status_code == 200 and "\n=" not in left.content.decode()


def test_a_line_that_cannot_be_read_spoils_no_other(world: World) -> None:
    text = 'email,name,role\n"a@example.net,x,staff\nfine@example.net,x,staff\nb@example.net,"x" y,staff\n'
    assert {n: verdict for n, (verdict, _) in judge(text).items()} == {2: "broken", 3: "invite", 4: "broken"}


def test_two_thousand_lines_are_looked_up_side_by_side(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty reads of a hundred, ten at a time: that is sent once, and the preview itself asks nothing of people."""
    asked: list[int] = []
    real = queries.people_with

    def counted(emails: Any) -> Any:
        asked.append(len(emails))
        return real(emails)

    monkeypatch.setattr(queries, "people_with", counted)
    response = send(world.browser("admin"), many(2000))
    assert response.status_code == 303 and asked == [100] * 20
    log = response.wsgi_request.oplog
    # The session; people in two waves; forty parts of lines in four; the work itself.
    assert log.trips <= 8, [call.operation for call in log.calls]


def test_a_header_that_says_nothing_is_a_refusal_not_a_guess() -> None:
    with pytest.raises(Refused, match="first line must name"):
        sheets.parse_rows("Sofía;dueña\n")
