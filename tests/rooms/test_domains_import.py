"""Importing domains from text or a file with a preview, and exporting the list."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from rooms.domains_import import parse_text
from tests.rooms.domains import URL, allow_domains, domain_entries, put_count, stored_whitelist
from tests.ui.html import Element, Form, form_to, parse, toasts, undo_form

IMPORT = f"{URL}import/"


def import_form(answer: Any) -> Form:
    return form_to(parse(answer).one("main"), IMPORT)


def preview(browser: Client, text: str, **more: Any) -> Any:
    return browser.post(IMPORT, {"text": text} | more)


def save_button(form: Form) -> Element:
    (button,) = [each for each in form.buttons if each.attrs.get("name") == "save"]
    return button


def save(browser: Client, previewed: Any, **values: Any) -> Any:
    form = import_form(previewed)
    return form.send(browser, save_button(form), values, follow=True)


def planned_names(answer: Any) -> list[list[str]]:
    """The domains to add, and the domains to remove."""
    return [[each.text for each in names.all("li")] for names in parse(answer).by_class("plan-names")]


@pytest.mark.parametrize(
    ("text", "names", "problems"),
    [
        ("sura.com.co\n@b.example\nana@c.example", ["sura.com.co", "b.example", "c.example"], []),
        ("a.example, b.example; c.example", ["a.example", "b.example", "c.example"], []),
        ("Ana Soto <ana@a.example>\nBeto <beto@b.example>", ["a.example", "b.example"], []),
        ("name,e-mail\nAna,ana@a.example\nBeto,beto@b.example\n", ["a.example", "b.example"], []),
        ("Nombre;Correo electrónico;País\nAna;ana@a.example;Chile", ["a.example"], []),
        ("domain,people\nsura.com.co,12\n", ["sura.com.co"], []),
        ("Ana,ana@a.example,Chile\nBeto,beto@b.example,Perú", ["a.example", "b.example"], []),
        ("sep=;\ndominio\nsura.com.co", ["sura.com.co"], []),
        ("'@sura.com.co\n\n  \n@SURA.com.co", ["sura.com.co"], []),
        ("bücher.de\nxn--bcher-kva.de", ["bücher.de"], []),
        ("a.example\nsura\nb.example\n*.c.example", ["a.example", "b.example"], [2, 4]),
        ("email\n\nana@a.example\nbeto@", ["a.example"], [4]),
        ('"open\na.example', ["a.example"], [1]),
        ("domain\n", [], []),
        (" ".join(["a.example"] * 20_000), ["a.example"], []),
        ("", [], []),
    ],
)
def test_domains_and_problems_in_a_text(text: str, names: list[str], problems: list[int]) -> None:
    parsed = parse_text(text)
    assert list(parsed.names.values()) == names
    assert [each.number for each in parsed.problems] == problems


def test_preview_save_and_undo(table: str, as_staff: Client) -> None:
    allow_domains("sura.com.co")
    previewed = preview(as_staff, "sura.com.co\nana@a.example\nb.example")
    assert previewed.status_code == 200
    assert planned_names(previewed) == [["a.example", "b.example"]]
    assert "1 already listed." in parse(previewed).one("main").text
    assert stored_whitelist() == ["@sura.com.co"], "the preview saves nothing"
    done = save(as_staff, previewed)
    assert toasts(done) == ["2 domains added."]
    assert stored_whitelist() == ["@sura.com.co", "@a.example", "@b.example"]
    assert domain_entries()[0].after["add"] == "a.example, b.example"
    undo_form(done).send(as_staff)
    assert stored_whitelist() == ["@sura.com.co"]


def test_a_csv_file_of_a_spreadsheet_is_imported(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    content = "Nombre;Correo\r\nAna;ana@peña.example\r\nBeto;beto@b.example\r\n".encode("cp1252")
    previewed = as_staff.post(IMPORT, {"file": SimpleUploadedFile("people.csv", content)})
    assert planned_names(previewed) == [["b.example", "peña.example"]]
    save(as_staff, previewed)
    assert stored_whitelist() == ["@sura.com.co", "@b.example", "@peña.example"]


def test_invalid_lines_are_listed_and_can_be_corrected(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    previewed = preview(as_staff, "a.example\nnueva\nb.example\n*.c.example\n")
    assert previewed.status_code == 422
    table = parse(previewed).by_class("problems")[0]
    assert [next(cell.text for cell in row.all("td")) for row in table.all("tr")[1:]] == ["2", "4"]
    assert "“nueva” has no dot" in table.text
    form = import_form(previewed)
    assert form.data()["text"] == "nueva\n*.c.example"
    assert planned_names(previewed) == [["a.example", "b.example"]]
    # Corrected lines are previewed before they are saved, with either button.
    corrected = form.send(as_staff, save_button(form), {"text": "nueva.example"})
    assert corrected.status_code == 200
    assert planned_names(corrected) == [["a.example", "b.example", "nueva.example"]]
    assert stored_whitelist() == ["@sura.com.co"]
    save(as_staff, corrected)
    assert stored_whitelist() == ["@sura.com.co", "@a.example", "@b.example", "@nueva.example"]


def test_invalid_lines_can_be_left_out(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    done = save(as_staff, preview(as_staff, "a.example\nnueva"))
    assert toasts(done) == ["a.example added."]
    assert stored_whitelist() == ["@sura.com.co", "@a.example"]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"text": ""}, "Choose a file, or paste the domains below."),
        ({"text": "domain\n"}, "No domain found."),
        ({"text": "nothing here"}, "1 line cannot be read."),
        ({"text": "a\x00.example"}, "Null characters are not allowed."),
        ({"text": "x" * 600_000}, "at most 524288 characters"),
    ],
)
def test_input_without_valid_domains_cannot_be_saved(as_staff: Client, fields: dict[str, Any], error: str) -> None:
    allow_domains("sura.com.co")
    answer = as_staff.post(IMPORT, fields)
    assert answer.status_code == 422
    assert error in parse(answer).one("main").text
    assert not [each for each in import_form(answer).buttons if each.attrs.get("name") == "save"]


@pytest.mark.parametrize(("name", "content"), [("a.xlsx", b"PK\x03\x04rest"), ("a.csv", b"\x00\x01\x02\x03")])
def test_a_file_that_is_not_text_is_refused(as_staff: Client, name: str, content: bytes) -> None:
    answer = as_staff.post(IMPORT, {"file": SimpleUploadedFile(name, content)})
    assert answer.status_code == 422
    assert "not a" in parse(answer).by_class("error")[0].text


def test_domains_that_are_all_listed_leave_nothing_to_save(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    answer = preview(as_staff, "@SURA.com.co")
    assert "All domains are already listed" in parse(answer).one("main").text
    assert [each.attrs.get("name") for each in import_form(answer).buttons] == [None]


def test_replace_the_complete_list_and_undo(as_staff: Client) -> None:
    assert "checked" in parse(as_staff.get(f"{IMPORT}?replace")).one("input", name="replace").attrs
    allow_domains("a.example", "b.example", "c.example")
    previewed = preview(as_staff, "b.example\nnew.example", replace="on")
    assert planned_names(previewed) == [["new.example"], ["a.example", "c.example"]]
    done = save(as_staff, previewed)
    assert toasts(done) == ["new.example added. 2 domains removed."]
    assert stored_whitelist() == ["@b.example", "@new.example"]
    undo_form(done).send(as_staff)
    assert sorted(stored_whitelist()) == ["@a.example", "@b.example", "@c.example"]


def test_replacing_a_list_that_changed_is_a_conflict(as_staff: Client) -> None:
    allow_domains("a.example")
    previewed = preview(as_staff, "new.example", replace="on")
    allow_domains("theirs.example")
    answer = save(as_staff, previewed)
    assert answer.status_code == 409
    assert "The list has changed. Check again what is removed" in parse(answer).one("main").text
    assert planned_names(answer) == [["new.example"], ["a.example", "theirs.example"]]
    assert stored_whitelist() == ["@a.example", "@theirs.example"]
    save(as_staff, answer)
    assert stored_whitelist() == ["@new.example"]


def test_replacing_domains_with_people_requires_confirmation(as_staff: Client) -> None:
    allow_domains("a.example", "b.example")
    put_count(a_example=7)
    question = save(as_staff, preview(as_staff, "b.example", replace="on"))
    assert question.status_code == 422
    assert "7 people of a.example lose access." in parse(question).one("main").text
    token = parse(question).one("input", name="confirm").attrs["value"]
    import_form(question).send(as_staff, values={"confirm": token})
    assert stored_whitelist() == ["@b.example"]


def test_an_empty_replacement_removes_nothing(as_staff: Client) -> None:
    allow_domains("a.example")
    answer = preview(as_staff, "domain\n", replace="on", save="1")
    assert answer.status_code == 422
    assert stored_whitelist() == ["@a.example"]


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_ten_thousand_domains_can_be_imported(table: str, as_staff: Client) -> None:
    allow_domains("sura.com.co")
    text = "\n".join(f"empresa-{number}.example" for number in range(10_000))
    previewed = preview(as_staff, text)
    assert planned_names(previewed)[0][-1] == "and 9950 more"
    done = save(as_staff, previewed)
    assert toasts(done) == ["10,000 domains added."]
    assert len(stored_whitelist()) == 10_001
    assert as_staff.get(URL).status_code == 200
    more = "\n".join(f"otra-empresa-con-nombre-largo-{number}.example" for number in range(10_000))
    refused = save(as_staff, preview(as_staff, more))
    assert refused.status_code == 422
    assert "the limit is 350 KB" in parse(refused).one("main").text


def test_the_exported_file_can_be_imported(as_staff: Client) -> None:
    allow_domains("sura.com.co", "bücher.de")
    put_count(sura_com_co=12)
    answer = as_staff.get(f"{URL}export/")
    assert answer.content.decode("utf-8-sig") == "domain,people\r\nbücher.de,0\r\nsura.com.co,12\r\n"
    assert list(parse_text(answer.content.decode("utf-8-sig")).names.values()) == ["bücher.de", "sura.com.co"]
    answer = as_staff.get(f"{URL}export/?as=txt")
    assert answer.content.decode() == "bücher.de\nsura.com.co\n"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="domains.txt"'
    assert as_staff.get(f"{URL}export/?as=xlsx").status_code == 404
