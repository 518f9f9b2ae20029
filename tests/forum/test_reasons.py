"""The reasons that moderators choose from: one form, in which rows come, go and move before it is saved."""

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
from tests.forum.reasons_form import IDS, URL, button, form_of, names, opened, put_elsewhere, saved, trail, typed
from tests.ui.html import parse, toasts, undo_form
from tests.ui.walk import calls_of


@pytest.mark.parametrize("role", Role)
def test_staff_and_admins_have_the_page_and_its_link(people_by_role: dict[str, Person], role: str) -> None:
    browser, let_in = sign_in(people_by_role[role]), role in {Role.ADMIN, Role.STAFF}
    assert browser.get(URL).status_code == (200 if let_in else 403)
    assert browser.post(URL, {}).status_code == (422 if let_in else 403)
    links = [each.attrs["href"] for each in parse(browser.get("/")).all("a") if "href" in each.attrs]
    assert (URL in links) == let_in


def test_what_comes_with_the_product_is_there_before_anything_is_saved(as_staff: Client) -> None:
    answer = as_staff.get(URL)
    form = form_of(answer)
    assert list(names(form, "en")) == IDS
    assert dict(form.fields)["es_0"] == "Insulta a alguien"
    assert calls_of(answer).trips <= 2
    answer = form.send(as_staff, follow=True)
    assert toasts(answer) == ["Nothing was changed."]
    assert queries.current(REASONS) is None


def test_change_add_remove_and_undo(table: str, as_staff: Client) -> None:
    form = form_of(opened(as_staff).send(as_staff, button(opened(as_staff), "add")))
    form = form_of(form.send(as_staff, button(form, "remove", "spam")))
    given = typed(form, "insult", en="Insults people") | typed(form, "new:1", en="Nudity", es="Desnudez")
    answer = form.send(as_staff, values=given | {"note": "After the meeting"})
    assert (answer.status_code, answer.headers["Location"]) == (303, URL)
    assert list(saved()) == [*(each for each in IDS if each != "spam"), "nudity"]
    assert saved()["insult"] == ("Insults people", "Insulta a alguien")
    assert saved()["nudity"] == ("Nudity", "Desnudez")
    (entry,) = trail()
    assert history_line(entry).what == "saved the reasons as v2"
    assert entry.after["note"] == "After the meeting"
    assert (entry.after["reasons"], entry.after["remove"]) == (8, "Spam or advertising")
    shown = parse(as_staff.get(URL))
    assert toasts(shown) == ["Saved as version 2."]
    answer = undo_form(shown).send(as_staff, headers={"Referer": f"http://testserver{URL}"})
    assert (answer.status_code, answer.headers["Location"]) == (303, URL)
    assert list(saved().items()) == [(each["id"], (each["en"], each["es"])) for each in PRESETS]
    assert [each.action for each in trail()] == ["reasons.revert", "reasons.save"]


def test_rows_move_with_what_was_typed_and_nothing_is_saved(as_staff: Client) -> None:
    form = opened(as_staff)
    given = typed(form, "hate", en="Hates a group") | {"note": "Not yet"}
    answer = form.send(as_staff, button(form, "move", "hate:up"), given)
    assert answer.status_code == 200
    form = form_of(answer)
    assert list(names(form, "en"))[:3] == ["hate", "insult", "profanity"]
    assert dict(form.fields)["en_0"] == "Hates a group"
    assert dict(form.fields)["note"] == "Not yet"
    assert form.element.attrs["data-unsaved"] == "changed"
    assert not parse(answer).by_class("error")
    # At the end of the list it stays where it is, and keeps the focus.
    up = button(form, "move", "hate:up")
    assert up.attrs["aria-disabled"] == "true"
    assert list(names(form_of(form.send(as_staff, up)), "en")) == list(names(form, "en"))
    form = form_of(form.send(as_staff, button(form, "move", "hate:down")))
    assert list(names(form, "en")) == IDS
    assert queries.current(REASONS) is None
    form = form_of(form.send(as_staff, button(form, "move", "spam:down")))
    form.send(as_staff)
    assert list(saved()) == ["insult", "hate", "profanity", "harassment", "sexual", "private", "spam", "off-topic"]
    assert saved()["hate"][0] == "Hates a group"


def test_enter_saves_rather_than_moves(as_staff: Client) -> None:
    assert "name" not in opened(as_staff).buttons[0].attrs


BAD = {
    "empty": ({"en": ""}, "en", "Enter the reason in both languages."),
    "blank": ({"es": " \u200b "}, "es", "Enter the reason in both languages."),
    "too long": ({"es": "x" * (MAX_LENGTH + 1)}, "es", "at most 120 characters"),
    "the same": ({"en": "  INSULTS someone "}, "en", "This is the same as reason 1."),
    "the same in Spanish": ({"es": "Insulta a álguien"}, "es", "This is the same as reason 1."),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "main"}], ids=["plain", "in place"])
def test_bad_texts_are_said_beside_their_field(as_staff: Client, case: str, headers: dict[str, str]) -> None:
    texts, part, said = BAD[case]
    form = opened(as_staff)
    given = typed(form, "spam", **texts) | typed(form, "insult", en="Insults someone")
    answer = form.send(as_staff, values=given | {"note": "Kept"}, headers=headers)
    assert answer.status_code == 422
    page = parse(answer).one("main")
    control = page.one("input", id=f"{part}-spam")
    assert control.attrs["aria-invalid"] == "true"
    assert control.attrs.get("value", "") == texts[part]
    assert said in page.one("p", id=control.attrs["aria-describedby"]).text
    assert dict(form_of(answer).fields)["note"] == "Kept"
    assert queries.current(REASONS) is None


def test_as_long_as_it_may_be_and_as_many(as_staff: Client) -> None:
    members = [{"id": f"r{n}", "en": f"{n:03}" + "e" * 117, "es": f"{n:03}" + "ñ" * 117} for n in range(MAX_REASONS)]
    put_elsewhere(*members)
    form = opened(as_staff)
    assert not [each for each in form.buttons if each.attrs.get("name") == "add"]
    answer = form.send(as_staff, values={"add": "1"})
    assert len(names(form_of(answer), "en")) == MAX_REASONS
    more = {f"key_{MAX_REASONS}": "new:1", f"en_{MAX_REASONS}": "One more", f"es_{MAX_REASONS}": "Una más"}
    answer = form.send(as_staff, values=more)
    assert answer.status_code == 422
    assert "up to 50 reasons" in parse(answer).one("main").text
    assert form.send(as_staff, values=typed(form, "r1", en="x" * MAX_LENGTH)).status_code == 303
    assert (len(saved()), saved()["r1"][0]) == (MAX_REASONS, "x" * MAX_LENGTH)


def test_the_same_form_sent_twice_is_saved_once(as_staff: Client) -> None:
    form = opened(as_staff)
    for _ in range(2):
        assert form.send(as_staff, values=typed(form, "spam", en="Ads")).status_code == 303
    assert [each.number for each in queries.history(REASONS).items] == [2, 1]
    assert len(trail()) == 1


def test_what_another_service_wrote_is_shown_and_left_alone_where_nobody_touched_it(as_staff: Client) -> None:
    put_elsewhere("Plain text", {"id": "es-only", "es": "Solo español", "weight": 3}, {"en": ""}, 7, {"id": "x"})
    form = opened(as_staff)
    assert list(names(form, "en")) == ["plain-text", "es-only"]
    assert dict(form.fields)["en_1"] == "Solo español"
    form.send(as_staff, values=typed(form, "plain-text", es="Texto"))
    raw = connected().get_item(*keys.CONFIG.key(name="reasons"))["Item"]["reasons"]
    plain, spanish = {"id": "plain-text", "en": "Plain text", "es": "Texto"}, {"id": "es-only", "es": "Solo español"}
    assert raw == to_attribute([plain, {**spanish, "weight": 3}, {"en": ""}, 7, {"id": "x"}])
    put_elsewhere()
    assert "No reasons yet" in parse(as_staff.get(URL)).one("main").text


def test_undo_leaves_a_reason_in_the_languages_that_it_had(as_staff: Client) -> None:
    put_elsewhere({"id": "es-only", "es": "Solo español", "weight": 3})
    form = opened(as_staff)
    form.send(as_staff, values=typed(form, "es-only", en="Spanish"))
    as_staff.post(f"{URL}versions/2/revert/")
    raw = connected().get_item(*keys.CONFIG.key(name="reasons"))["Item"]["reasons"]
    assert raw == to_attribute([{"id": "es-only", "es": "Solo español", "weight": 3}])


def test_a_name_that_was_there_is_not_given_again(as_staff: Client) -> None:
    form = opened(as_staff)
    form = form_of(form.send(as_staff, button(form, "remove", "spam")))
    form = form_of(form.send(as_staff, button(form, "add")))
    form.send(as_staff, values=typed(form, "new:1", en="Spam", es="Correo basura"))
    assert saved()["spam-2"] == ("Spam", "Correo basura")
    assert "spam" not in saved()


ODD = {
    "nothing": {},
    "no opening": {"key_0": "insult", "en_0": "A", "es_0": "B"},
    "not JSON": {"was": "{", "key_0": "insult", "en_0": "A", "es_0": "B"},
    "no list": {"was": '{"a": 1}'},
    "deep": {"was": "[" * 100_000},
    "half a letter": {"was": '[{"id": "x", "en": "\\ud800"}]', "key_0": "x", "en_0": "A", "es_0": "B"},
}


@pytest.mark.parametrize("case", ODD)
def test_forms_that_cannot_be_read(as_staff: Client, case: str) -> None:
    answer = as_staff.post(URL, ODD[case])
    assert answer.status_code == 422
    assert "is not valid any more" in parse(answer).one("main").text
    assert queries.current(REASONS) is None
    for act in ({"add": "1"}, {"remove": "x"}, {"move": "insult"}, {"move": ":up"}, {"move": "insult:sideways"}):
        assert as_staff.post(URL, ODD[case] | act).status_code == 200


def test_forged_keys_make_new_reasons_and_overwrite_none(as_staff: Client) -> None:
    was = json.dumps([{"id": "insult", "en": "Insults someone", "es": "Insulta a alguien"}])
    rows = {"key_0": "insult", "en_0": "Insults someone", "es_0": "Insulta a alguien"}
    rows |= {"key_1": "insult", "en_1": "Twice", "es_1": "Dos veces", "key_2": "hate", "en_2": "Hate", "es_2": "Odio"}
    answer = as_staff.post(URL, {"was": was, **rows})
    assert answer.status_code == 409, "there is another called so"
    assert saved()["hate"][0] == "Hate against a group"
    assert as_staff.post(URL, {"was": was, **rows, "en_2": "Other", "es_2": "Otro"}).status_code == 303
    assert {"twice", "other", "hate", "insult"} <= set(saved())


def test_one_goes_on_in_the_new_row_or_where_one_was_removed(as_staff: Client) -> None:
    form = opened(as_staff)
    added = parse(form.send(as_staff, button(form, "add")))
    assert "autofocus" in added.one("input", name=f"en_{len(IDS)}").attrs
    for removed, next_ in ((IDS[1], IDS[2]), (IDS[-1], IDS[-2])):
        left = form_of(form.send(as_staff, button(form, "remove", removed)))
        focused = [each.attrs["value"] for each in left.buttons if "autofocus" in each.attrs]
        assert focused == [next_]
