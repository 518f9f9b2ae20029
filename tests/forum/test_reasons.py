"""The form of the reasons for a ban: rows are added, removed and moved before the form is saved."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.audit.sentences import history_line
from dashboard.platform.configs import queries
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.connection import table as connected
from forum.configs.reasons import PRESETS, REASONS
from forum.forms.reasons import MAX_LENGTH, MAX_REASONS
from tests.conftest import sign_in
from tests.forum.reasons_form import (
    IDS,
    URL,
    audit_entries,
    button,
    field_names,
    form_in,
    input_for,
    open_form,
    put_as_outside_writer,
    saved_reasons,
)
from tests.ui.html import parse, toasts, undo_form
from tests.ui.walk import calls_of


@pytest.mark.parametrize("role", Role)
def test_only_staff_and_admins_have_the_page_and_its_link(people_by_role: dict[str, Person], role: str) -> None:
    browser, is_allowed = sign_in(people_by_role[role]), role in {Role.ADMIN, Role.STAFF}
    assert browser.get(URL).status_code == (200 if is_allowed else 403)
    assert browser.post(URL, {}).status_code == (422 if is_allowed else 403)
    links = [each.attrs["href"] for each in parse(browser.get("/")).all("a") if "href" in each.attrs]
    assert (URL in links) == is_allowed


def test_the_default_reasons_are_shown_before_anything_is_saved(as_staff: Client) -> None:
    answer = as_staff.get(URL)
    form = form_in(answer)
    assert list(field_names(form, "en")) == IDS
    assert dict(form.fields)["es_0"] == "Insulta a alguien"
    assert calls_of(answer).trips <= 2
    answer = form.send(as_staff, follow=True)
    assert toasts(answer) == ["Nothing was changed."]
    assert queries.current(REASONS) is None


def test_reasons_are_changed_added_and_removed_and_the_save_is_undone(table: str, as_staff: Client) -> None:
    form = form_in(open_form(as_staff).send(as_staff, button(open_form(as_staff), "add")))
    form = form_in(form.send(as_staff, button(form, "remove", "spam")))
    values = input_for(form, "insult", en="Insults people") | input_for(form, "new:1", en="Nudity", es="Desnudez")
    answer = form.send(as_staff, values=values | {"note": "After the meeting"})
    assert (answer.status_code, answer.headers["Location"]) == (303, URL)
    assert list(saved_reasons()) == [*(each for each in IDS if each != "spam"), "nudity"]
    assert saved_reasons()["insult"] == ("Insults people", "Insulta a alguien")
    assert saved_reasons()["nudity"] == ("Nudity", "Desnudez")
    (entry,) = audit_entries()
    assert history_line(entry).what == "saved the reasons as v2"
    assert entry.after["note"] == "After the meeting"
    assert (entry.after["reasons"], entry.after["remove"]) == (8, "Spam or advertising")
    page = parse(as_staff.get(URL))
    assert toasts(page) == ["Saved as version 2."]
    answer = undo_form(page).send(as_staff, headers={"Referer": f"http://testserver{URL}"})
    assert (answer.status_code, answer.headers["Location"]) == (303, URL)
    assert list(saved_reasons().items()) == [(each["id"], (each["en"], each["es"])) for each in PRESETS]
    assert [each.action for each in audit_entries()] == ["reasons.revert", "reasons.save"]


def test_moving_a_row_keeps_the_input_and_saves_nothing(as_staff: Client) -> None:
    form = open_form(as_staff)
    values = input_for(form, "hate", en="Hates a group") | {"note": "Not yet"}
    answer = form.send(as_staff, button(form, "move", "hate:up"), values)
    assert answer.status_code == 200
    form = form_in(answer)
    assert list(field_names(form, "en"))[:3] == ["hate", "insult", "profanity"]
    assert dict(form.fields)["en_0"] == "Hates a group"
    assert dict(form.fields)["note"] == "Not yet"
    assert form.element.attrs["data-unsaved"] == "changed"
    assert not parse(answer).by_class("error")
    # At the end of the list the row does not move, and the button keeps the focus.
    up = button(form, "move", "hate:up")
    assert up.attrs["aria-disabled"] == "true"
    assert list(field_names(form_in(form.send(as_staff, up)), "en")) == list(field_names(form, "en"))
    form = form_in(form.send(as_staff, button(form, "move", "hate:down")))
    assert list(field_names(form, "en")) == IDS
    assert queries.current(REASONS) is None
    form = form_in(form.send(as_staff, button(form, "move", "spam:down")))
    form.send(as_staff)
    assert list(saved_reasons()) == [
        "insult",
        "hate",
        "profanity",
        "harassment",
        "sexual",
        "private",
        "spam",
        "off-topic",
    ]
    assert saved_reasons()["hate"][0] == "Hates a group"


def test_the_enter_key_saves_the_form(as_staff: Client) -> None:
    assert "name" not in open_form(as_staff).buttons[0].attrs


INVALID_TEXTS = {
    "empty": ({"en": ""}, "en", "Enter the reason in both languages."),
    "blank": ({"es": " \u200b "}, "es", "Enter the reason in both languages."),
    "too long": ({"es": "x" * (MAX_LENGTH + 1)}, "es", "at most 120 characters"),
    "the same": ({"en": "  INSULTS someone "}, "en", "This is the same as reason 1."),
    "the same in Spanish": ({"es": "Insulta a álguien"}, "es", "This is the same as reason 1."),
}


@pytest.mark.parametrize("case", INVALID_TEXTS)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "main"}], ids=["plain", "in place"])
def test_invalid_texts_show_an_error_at_their_field(as_staff: Client, case: str, headers: dict[str, str]) -> None:
    texts, part, error = INVALID_TEXTS[case]
    form = open_form(as_staff)
    values = input_for(form, "spam", **texts) | input_for(form, "insult", en="Insults someone")
    answer = form.send(as_staff, values=values | {"note": "Kept"}, headers=headers)
    assert answer.status_code == 422
    page = parse(answer).one("main")
    control = page.one("input", id=f"{part}-spam")
    assert control.attrs["aria-invalid"] == "true"
    assert control.attrs.get("value", "") == texts[part]
    assert error in page.one("p", id=control.attrs["aria-describedby"]).text
    assert dict(form_in(answer).fields)["note"] == "Kept"
    assert queries.current(REASONS) is None


def test_the_maximum_length_and_number_of_reasons(as_staff: Client) -> None:
    members = [{"id": f"r{n}", "en": f"{n:03}" + "e" * 117, "es": f"{n:03}" + "ñ" * 117} for n in range(MAX_REASONS)]
    put_as_outside_writer(*members)
    form = open_form(as_staff)
    assert not [each for each in form.buttons if each.attrs.get("name") == "add"]
    answer = form.send(as_staff, values={"add": "1"})
    assert len(field_names(form_in(answer), "en")) == MAX_REASONS
    more = {f"key_{MAX_REASONS}": "new:1", f"en_{MAX_REASONS}": "One more", f"es_{MAX_REASONS}": "Una más"}
    answer = form.send(as_staff, values=more)
    assert answer.status_code == 422
    assert "up to 50 reasons" in parse(answer).one("main").text
    assert form.send(as_staff, values=input_for(form, "r1", en="x" * MAX_LENGTH)).status_code == 303
    assert (len(saved_reasons()), saved_reasons()["r1"][0]) == (MAX_REASONS, "x" * MAX_LENGTH)


def test_the_same_form_sent_twice_is_saved_once(as_staff: Client) -> None:
    form = open_form(as_staff)
    for _ in range(2):
        assert form.send(as_staff, values=input_for(form, "spam", en="Ads")).status_code == 303
    assert [each.number for each in queries.history(REASONS).items] == [2, 1]
    assert len(audit_entries()) == 1


def test_reasons_of_outside_writers_are_shown_and_kept_unless_changed(as_staff: Client) -> None:
    put_as_outside_writer(
        "Plain text", {"id": "es-only", "es": "Solo español", "weight": 3}, {"en": ""}, 7, {"id": "x"}
    )
    form = open_form(as_staff)
    assert list(field_names(form, "en")) == ["plain-text", "es-only"]
    assert dict(form.fields)["en_1"] == "Solo español"
    form.send(as_staff, values=input_for(form, "plain-text", es="Texto"))
    raw = connected().get_item(*keys.CONFIG.key(name="reasons"))["Item"]["reasons"]
    plain, spanish = {"id": "plain-text", "en": "Plain text", "es": "Texto"}, {"id": "es-only", "es": "Solo español"}
    assert raw == to_attribute([plain, {**spanish, "weight": 3}, {"en": ""}, 7, {"id": "x"}])
    put_as_outside_writer()
    assert "No reasons yet" in parse(as_staff.get(URL)).one("main").text


def test_undo_restores_a_reason_with_only_one_language(as_staff: Client) -> None:
    put_as_outside_writer({"id": "es-only", "es": "Solo español", "weight": 3})
    form = open_form(as_staff)
    form.send(as_staff, values=input_for(form, "es-only", en="Spanish"))
    as_staff.post(f"{URL}versions/2/revert/")
    raw = connected().get_item(*keys.CONFIG.key(name="reasons"))["Item"]["reasons"]
    assert raw == to_attribute([{"id": "es-only", "es": "Solo español", "weight": 3}])


def test_the_id_of_a_removed_reason_is_not_used_again(as_staff: Client) -> None:
    form = open_form(as_staff)
    form = form_in(form.send(as_staff, button(form, "remove", "spam")))
    form = form_in(form.send(as_staff, button(form, "add")))
    form.send(as_staff, values=input_for(form, "new:1", en="Spam", es="Correo basura"))
    assert saved_reasons()["spam-2"] == ("Spam", "Correo basura")
    assert "spam" not in saved_reasons()


INVALID_FORMS = {
    "nothing": {},
    "no opening": {"key_0": "insult", "en_0": "A", "es_0": "B"},
    "not JSON": {"was": "{", "key_0": "insult", "en_0": "A", "es_0": "B"},
    "no list": {"was": '{"a": 1}'},
    "deep": {"was": "[" * 100_000},
    "half a letter": {"was": '[{"id": "x", "en": "\\ud800"}]', "key_0": "x", "en_0": "A", "es_0": "B"},
}


@pytest.mark.parametrize("case", INVALID_FORMS)
def test_invalid_forms_are_refused(as_staff: Client, case: str) -> None:
    answer = as_staff.post(URL, INVALID_FORMS[case])
    assert answer.status_code == 422
    assert "is not valid any more" in parse(answer).one("main").text
    assert queries.current(REASONS) is None
    for act in ({"add": "1"}, {"remove": "x"}, {"move": "insult"}, {"move": ":up"}, {"move": "insult:sideways"}):
        assert as_staff.post(URL, INVALID_FORMS[case] | act).status_code == 200


def test_forged_keys_create_new_reasons_and_overwrite_none(as_staff: Client) -> None:
    old_reasons = json.dumps([{"id": "insult", "en": "Insults someone", "es": "Insulta a alguien"}])
    rows = {"key_0": "insult", "en_0": "Insults someone", "es_0": "Insulta a alguien"}
    rows |= {"key_1": "insult", "en_1": "Twice", "es_1": "Dos veces", "key_2": "hate", "en_2": "Hate", "es_2": "Odio"}
    answer = as_staff.post(URL, {"was": old_reasons, **rows})
    assert answer.status_code == 409, "another reason has this key"
    assert saved_reasons()["hate"][0] == "Hate against a group"
    assert as_staff.post(URL, {"was": old_reasons, **rows, "en_2": "Other", "es_2": "Otro"}).status_code == 303
    assert {"twice", "other", "hate", "insult"} <= set(saved_reasons())


def test_the_focus_is_in_the_new_row_or_after_the_removed_one(as_staff: Client) -> None:
    form = open_form(as_staff)
    added = parse(form.send(as_staff, button(form, "add")))
    assert "autofocus" in added.one("input", name=f"en_{len(IDS)}").attrs
    for removed, next_ in ((IDS[1], IDS[2]), (IDS[-1], IDS[-2])):
        left = form_in(form.send(as_staff, button(form, "remove", removed)))
        focused = [each.attrs["value"] for each in left.buttons if "autofocus" in each.attrs]
        assert focused == [next_]
