"""Domains from a list or a file: read, looked at, mended, saved; and the list as a file."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from rooms.domains_import import parse_text
from tests.rooms.domains import URL, allow_domains, domain_entries, put_count, stored_whitelist
from tests.ui.html import Element, Form, form_to, parse, toasts, undo_form

IMPORT = f"{URL}import/"


def form_of(answer: Any) -> Form:
    return form_to(parse(answer).one("main"), IMPORT)


def look(browser: Client, text: str, **more: Any) -> Any:
    return browser.post(IMPORT, {"text": text} | more)


def save_button(form: Form) -> Element:
    (found,) = [each for each in form.buttons if each.attrs.get("name") == "save"]
    return found


def save(browser: Client, looked: Any, **typed: Any) -> Any:
    form = form_of(looked)
    return form.send(browser, save_button(form), typed, follow=True)


def plan(answer: Any) -> list[list[str]]:
    """What is new, and what goes."""
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
def test_what_a_list_says(text: str, names: list[str], problems: list[int]) -> None:
    found = parse_text(text)
    assert list(found.names.values()) == names
    assert [each.number for each in found.problems] == problems


def test_pasted_looked_at_saved_and_undone(table: str, as_staff: Client) -> None:
    allow_domains("sura.com.co")
    looked = look(as_staff, "sura.com.co\nana@a.example\nb.example")
    assert looked.status_code == 200
    assert plan(looked) == [["a.example", "b.example"]]
    assert "1 already listed." in parse(looked).one("main").text
    assert stored_whitelist() == ["@sura.com.co"], "nothing is saved by looking"
    done = save(as_staff, looked)
    assert toasts(done) == ["2 domains added."]
    assert stored_whitelist() == ["@sura.com.co", "@a.example", "@b.example"]
    assert domain_entries()[0].after["add"] == "a.example, b.example"
    undo_form(done).send(as_staff)
    assert stored_whitelist() == ["@sura.com.co"]


def test_a_file_of_a_spreadsheet(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    content = "Nombre;Correo\r\nAna;ana@peña.example\r\nBeto;beto@b.example\r\n".encode("cp1252")
    looked = as_staff.post(IMPORT, {"file": SimpleUploadedFile("people.csv", content)})
    assert plan(looked) == [["b.example", "peña.example"]]
    save(as_staff, looked)
    assert stored_whitelist() == ["@sura.com.co", "@b.example", "@peña.example"]


def test_lines_that_cannot_be_read_are_named_and_mended_in_the_field(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    looked = look(as_staff, "a.example\nnueva\nb.example\n*.c.example\n")
    assert looked.status_code == 422
    table = parse(looked).by_class("problems")[0]
    assert [next(cell.text for cell in row.all("td")) for row in table.all("tr")[1:]] == ["2", "4"]
    assert "“nueva” has no dot" in table.text
    form = form_of(looked)
    assert form.data()["text"] == "nueva\n*.c.example"
    assert plan(looked) == [["a.example", "b.example"]]
    # What is mended is looked at before it is saved, whichever button is pressed.
    mended = form.send(as_staff, save_button(form), {"text": "nueva.example"})
    assert mended.status_code == 200
    assert plan(mended) == [["a.example", "b.example", "nueva.example"]]
    assert stored_whitelist() == ["@sura.com.co"]
    save(as_staff, mended)
    assert stored_whitelist() == ["@sura.com.co", "@a.example", "@b.example", "@nueva.example"]


def test_lines_that_cannot_be_read_can_be_left_out(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    done = save(as_staff, look(as_staff, "a.example\nnueva"))
    assert toasts(done) == ["a.example added."]
    assert stored_whitelist() == ["@sura.com.co", "@a.example"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": ""}, "Choose a file, or paste the domains below."),
        ({"text": "domain\n"}, "No domain found."),
        ({"text": "nothing here"}, "1 line cannot be read."),
        ({"text": "a\x00.example"}, "Null characters are not allowed."),
        ({"text": "x" * 600_000}, "at most 524288 characters"),
    ],
)
def test_what_cannot_be_read_at_all(as_staff: Client, given: dict[str, Any], said: str) -> None:
    allow_domains("sura.com.co")
    answer = as_staff.post(IMPORT, given)
    assert answer.status_code == 422
    assert said in parse(answer).one("main").text
    assert not [each for each in form_of(answer).buttons if each.attrs.get("name") == "save"]


@pytest.mark.parametrize(("name", "content"), [("a.xlsx", b"PK\x03\x04rest"), ("a.csv", b"\x00\x01\x02\x03")])
def test_a_file_that_is_no_text_is_told_so(as_staff: Client, name: str, content: bytes) -> None:
    answer = as_staff.post(IMPORT, {"file": SimpleUploadedFile(name, content)})
    assert answer.status_code == 422
    assert "not a" in parse(answer).by_class("error")[0].text


def test_everything_there_already_leaves_nothing_to_save(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    answer = look(as_staff, "@SURA.com.co")
    assert "All domains are already listed" in parse(answer).one("main").text
    assert [each.attrs.get("name") for each in form_of(answer).buttons] == [None]


def test_the_whole_list_is_replaced_by_exactly_this_one(as_staff: Client) -> None:
    assert "checked" in parse(as_staff.get(f"{IMPORT}?replace")).one("input", name="replace").attrs
    allow_domains("a.example", "b.example", "c.example")
    looked = look(as_staff, "b.example\nnew.example", replace="on")
    assert plan(looked) == [["new.example"], ["a.example", "c.example"]]
    done = save(as_staff, looked)
    assert toasts(done) == ["new.example added. 2 domains removed."]
    assert stored_whitelist() == ["@b.example", "@new.example"]
    undo_form(done).send(as_staff)
    assert sorted(stored_whitelist()) == ["@a.example", "@b.example", "@c.example"]


def test_what_was_added_since_is_not_removed_unseen(as_staff: Client) -> None:
    allow_domains("a.example")
    looked = look(as_staff, "new.example", replace="on")
    allow_domains("theirs.example")
    answer = save(as_staff, looked)
    assert answer.status_code == 409
    assert "The list has changed. Check again what is removed" in parse(answer).one("main").text
    assert plan(answer) == [["new.example"], ["a.example", "theirs.example"]]
    assert stored_whitelist() == ["@a.example", "@theirs.example"]
    save(as_staff, answer)
    assert stored_whitelist() == ["@new.example"]


def test_replacing_domains_that_have_people_is_held(as_staff: Client) -> None:
    allow_domains("a.example", "b.example")
    put_count(a_example=7)
    held = save(as_staff, look(as_staff, "b.example", replace="on"))
    assert held.status_code == 422
    assert "7 people of a.example lose access." in parse(held).one("main").text
    token = parse(held).one("input", name="confirm").attrs["value"]
    form_of(held).send(as_staff, values={"confirm": token})
    assert stored_whitelist() == ["@b.example"]


def test_an_empty_replacement_removes_nothing(as_staff: Client) -> None:
    allow_domains("a.example")
    answer = look(as_staff, "domain\n", replace="on", save="1")
    assert answer.status_code == 422
    assert stored_whitelist() == ["@a.example"]


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_ten_thousand_domains(table: str, as_staff: Client) -> None:
    allow_domains("sura.com.co")
    text = "\n".join(f"empresa-{number}.example" for number in range(10_000))
    looked = look(as_staff, text)
    assert plan(looked)[0][-1] == "and 9950 more"
    done = save(as_staff, looked)
    assert toasts(done) == ["10,000 domains added."]
    assert len(stored_whitelist()) == 10_001
    assert as_staff.get(URL).status_code == 200
    more = "\n".join(f"otra-empresa-con-nombre-largo-{number}.example" for number in range(10_000))
    refused = save(as_staff, look(as_staff, more))
    assert refused.status_code == 422
    assert "the limit is 350 KB" in parse(refused).one("main").text


def test_the_list_as_a_file_and_back(as_staff: Client) -> None:
    allow_domains("sura.com.co", "bücher.de")
    put_count(sura_com_co=12)
    answer = as_staff.get(f"{URL}export/")
    assert answer.content.decode("utf-8-sig") == "domain,people\r\nbücher.de,0\r\nsura.com.co,12\r\n"
    assert list(parse_text(answer.content.decode("utf-8-sig")).names.values()) == ["bücher.de", "sura.com.co"]
    answer = as_staff.get(f"{URL}export/?as=txt")
    assert answer.content.decode() == "bücher.de\nsura.com.co\n"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="domains.txt"'
    assert as_staff.get(f"{URL}export/?as=xlsx").status_code == 404
