"""Import and export of the word list."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client

from tests.forum.filter_pages import FILTER, SEED, put_filter, save_changes, saved_filter, staged_changes
from tests.ui.html import form_to, parse

IMPORT = f"{FILTER}import/"


def import_words(client: Client, **fields: object) -> HttpResponseBase:
    """Send the import form, then add the changes that the next page lists."""
    preview = client.post(IMPORT, fields)
    assert preview.status_code == 200
    assert staged_changes() == {}, "the changes are shown before they are added"
    form = form_to(preview, IMPORT)
    return client.post(form.action, form.data(step="add"))


def staged_values() -> dict[str, object]:
    return {name: change.now for name, change in staged_changes().items()}


@pytest.mark.parametrize(
    "text",
    [
        "uno\ndos\n",
        "word\nuno\ndos",
        "word,severity,matching\nuno,medium,whole\ndos,,\n",
        "palabra;severidad;coincidencia\r\nuno;media;palabra completa\r\ndos;;\r\n",
        "sep=;\nword;severity\nuno;2\ndos;medio\n",
        '["uno", "dos", 7, null]',
        '{"blacklist": ["uno", "dos"]}',
        "\ufeffuno\n\n  dos  \n",
    ],
)
def test_each_supported_format_is_imported(as_staff: Client, text: str) -> None:
    put_filter(**SEED)
    assert import_words(as_staff, text=text).headers["Location"] == f"{FILTER}review/"
    assert staged_values() == {"word:uno": ["medium", "whole"], "word:dos": ["medium", "whole"]}


def test_a_file_with_all_columns_is_imported(as_staff: Client) -> None:
    put_filter(**SEED)
    text = 'word,severity,matching\nuno,high,inside\nartículo,allowed,\n"hijo, de",low,whole\npalabra1,high,whole\n'
    file = SimpleUploadedFile("list.csv", text.encode("utf-16"), "text/csv")
    assert import_words(as_staff, file=file).status_code == 303
    assert staged_values() == {
        "word:uno": ["high", "inside"],
        "allowed:artículo": True,
        "word:hijo, de": ["low", "whole"],
    }, "a word that is already equal is not a change"


def test_json_in_the_format_of_the_seed_is_imported_with_its_threshold(as_staff: Client) -> None:
    put_filter(**SEED)
    body = {"blacklist": ["uno"], "severity": {"uno": "high"}, "autoModerationThreshold": 0.5, "allowlist": ["dos"]}
    import_words(as_staff, text=json.dumps(body))
    assert staged_values() == {"word:uno": ["high", "whole"], "allowed:dos": True, "threshold": 0.5}


def test_another_spelling_changes_the_word_that_is_in_the_list(as_staff: Client) -> None:
    put_filter(**SEED)
    import_words(as_staff, text="PALABRA1,low\nNueva,high\nnueva,low\n")
    assert staged_values() == {"word:palabra1": ["low", "whole"], "word:Nueva": ["low", "whole"]}


def test_an_import_lists_its_changes_and_names_duplicates_first(as_staff: Client) -> None:
    put_filter(**SEED)
    text = "palabra2\nuno;high\nPALABRA1;low\nUNO;low;inside"
    page = parse(as_staff.post(IMPORT, {"text": text})).one("main")
    assert "2 changes, not added yet" in page.text
    assert "“uno”: lines 2, 4. The last line counts." in page.text
    assert "Already in the list palabra2" in page.text
    assert [row.one("th").text for row in page.by_class("changes")[0].one("tbody").all("tr")] == ["uno", "palabra1"]
    assert staged_changes() == {}
    edited = as_staff.post(IMPORT, {"text": text, "step": "edit"})
    assert parse(edited).one("textarea", name="text").raw_text.strip() == text
    assert import_words(as_staff, text=text).status_code == 303
    assert staged_values() == {"word:palabra1": ["low", "whole"], "word:uno": ["low", "inside"]}


@pytest.mark.parametrize("first", ["dos\n", "word\ndos\n", "dos,medium\n", ""])
def test_columns_are_found_whatever_the_first_line_is(as_staff: Client, first: str) -> None:
    put_filter(**SEED)
    import_words(as_staff, text=f"{first}equis;high;whole\nye,low,inside\nzeta;allowed")
    expected = {"word:equis": ["high", "whole"], "word:ye": ["low", "inside"], "allowed:zeta": True}
    assert {name: value for name, value in staged_values().items() if name != "word:dos"} == expected


def test_a_line_with_commas_asks_whether_it_is_several_words(as_staff: Client) -> None:
    put_filter(**SEED)
    text = "cero\nuno, dos, tres"
    response = as_staff.post(IMPORT, {"text": text})
    assert response.status_code == 422
    page = parse(response)
    assert "3 words in one line, or “dos” is not a severity." in page.by_class("problems")[0].text
    assert page.one("input", name="split")
    import_words(as_staff, text=text, split="on")
    assert sorted(staged_values()) == ["word:cero", "word:dos", "word:tres", "word:uno"]


def test_json_accepts_the_same_severities_as_csv(as_staff: Client) -> None:
    put_filter(**SEED)
    body = {"blacklist": ["uno", "dos"], "severity": {"uno": 3, "dos": "worst"}}
    response = as_staff.post(IMPORT, {"text": json.dumps(body)})
    assert response.status_code == 422
    assert "“worst” is not a severity" in parse(response).by_class("problems")[0].text
    import_words(as_staff, text=json.dumps(body), skip="on")
    assert staged_values() == {"word:uno": ["high", "whole"]}


def test_replacing_removes_the_words_that_are_not_in_the_file(as_staff: Client) -> None:
    put_filter(**SEED, allowlist=["tres"])
    import_words(as_staff, text="palabra2\nuno", replace="on")
    assert staged_values() == {"word:uno": ["medium", "whole"], "word:palabra1": None, "allowed:tres": None}


def test_invalid_lines_are_listed_and_the_text_is_kept(as_staff: Client) -> None:
    put_filter(**SEED)
    text = 'word,severity\nuno,high\ndos,worst\n"tres,low\nx,low\n' + "y" * 90 + ",low"
    file = SimpleUploadedFile("list.csv", text.encode(), "text/csv")
    response = as_staff.post(IMPORT, {"file": file})
    assert response.status_code == 422
    page = parse(response)
    lines = [[cell.text for cell in row.all("td")] for row in page.by_class("problems")[0].one("tbody").all("tr")]
    assert [number for number, _text in lines] == ["3", "4", "5", "6"]
    assert "“worst” is not a severity" in lines[0][1]
    assert page.one("textarea", name="text").raw_text.strip() == text
    assert staged_changes() == {}
    assert import_words(as_staff, text=text, skip="on").status_code == 303
    assert staged_values() == {"word:uno": ["high", "whole"]}


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "The submitted file is empty"),
        (b" \n ", "The file is empty"),
        (b"PK\x03\x04 whatever", "not a CSV"),
        (b"\x00\x01\x02", "not a text file"),
        (b"{", "JSON is not valid: line 1"),
        (b'{"words": []}', "no list named"),
        (b"[" * 100_000, "JSON is not valid"),
        (b"[]", "The file has no words"),
        (b"a" * (512 * 1024 + 1), "larger than 512 KB"),
    ],
)
def test_an_invalid_file_shows_an_error(as_staff: Client, content: bytes, error: str) -> None:
    put_filter(**SEED)
    response = as_staff.post(IMPORT, {"file": SimpleUploadedFile("list.csv", content, "text/csv")})
    assert response.status_code == 422
    assert error in parse(response).one("main").text
    assert staged_changes() == {}


def test_an_import_without_a_file_or_text_shows_an_error(as_staff: Client) -> None:
    response = as_staff.post(IMPORT, {})
    assert response.status_code == 422
    assert "Choose a file or paste" in parse(response).one("main").text


def test_an_exported_file_can_be_imported_without_changes(as_staff: Client) -> None:
    put_filter(**{**SEED, "blacklist": ["palabra1", "=cmd()", "con, coma", 'con "comillas"']}, allowlist=["artículo"])
    response = as_staff.get(f"{FILTER}export/?as=csv")
    assert response.headers["Content-Type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert rows[:3] == [["word", "severity", "matching"], ["palabra1", "high", "whole"], ["'=cmd()", "medium", "whole"]]
    assert rows[-1] == ["artículo", "allowed", ""]
    for kind in ("csv", "json"):
        content = as_staff.get(f"{FILTER}export/?as={kind}").content
        again = as_staff.post(IMPORT, {"file": SimpleUploadedFile(f"list.{kind}", content), "replace": "on"})
        assert "All words of the file are already in the list." in parse(again).text, "nothing changed"
        assert staged_changes() == {}
    assert as_staff.get(f"{FILTER}export/?as=xml").status_code == 404


def test_exported_json_has_the_format_of_the_seed(as_staff: Client) -> None:
    put_filter(**SEED)
    response = as_staff.get(f"{FILTER}export/?as=json")
    assert json.loads(response.content) == {**SEED, "matching": {}, "allowlist": []}
    assert "attachment" in response.headers["Content-Disposition"]


def test_a_file_with_five_thousand_words_is_imported_and_saved(as_staff: Client) -> None:
    put_filter(**SEED)
    import_words(as_staff, text="\n".join(f"palabra-{number:05},high" for number in range(5_000)))
    assert save_changes(as_staff).status_code == 303
    assert len(saved_filter().blacklist) == 5_002
