"""The reasons that moderators choose from: one form, saved on top of what others saved meanwhile."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.items import Person
from dashboard.accounts.permissions import Role
from dashboard.audit.items import AuditEntry
from dashboard.audit.words import tell
from dashboard.configs import queries
from dashboard.table import keys, read
from dashboard.table.attributes import to_attribute
from dashboard.table.connection import table as connected
from forum.configs.reasons import PRESETS, REASONS, reasons_of
from forum.forms.reasons import LONGEST, MOST
from tests.conftest import every_engine, sign_in
from tests.ui.html import Element, Form, form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of

URL = "/forum/reasons/"
IDS = [each["id"] for each in PRESETS]


@pytest.fixture
def staff(cast: dict[str, Person]) -> Client:
    return sign_in(cast["staff"])


@pytest.fixture
def admin(cast: dict[str, Person]) -> Client:
    return sign_in(cast["admin"])


def opened(browser: Client) -> Form:
    return form_to(parse(browser.get(URL)).one("main"), URL)


def form_of(answer: Any) -> Form:
    return form_to(parse(answer).one("main"), URL)


def saved() -> dict[str, tuple[str, str]]:
    """The reasons as they stand, in order."""
    return {each["id"]: (each["en"], each["es"]) for each in reasons_of(REASONS.body_of(queries.current(REASONS)))}


def button(form: Form, name: str, value: str = "1") -> Element:
    (found,) = [each for each in form.buttons if each.attrs.get("name") == name and each.attrs["value"] == value]
    return found


def names(form: Form, part: str) -> dict[str, str]:
    """The fields of one part (`en`, `es`) by the reason's key."""
    given = dict(form.fields)
    rows = range(sum(name.startswith("key_") for name in given))
    return {given[f"key_{at}"]: f"{part}_{at}" for at in rows}


def typed(form: Form, key: str, **texts: str) -> dict[str, str]:
    return {names(form, part)[key]: text for part, text in texts.items()}


def put_elsewhere(*members: Any) -> None:
    key = keys.CONFIG.key(name="reasons")
    connected().put_item(key.pk, key.sk, attributes={"reasons": to_attribute(list(members))})


def trail() -> list[AuditEntry]:
    found = read.page(keys.SYSTEM_AUDIT.under(), AuditEntry, newest_first=True).items
    return [each for each in found if (each.action or "").startswith("reasons.")]


@pytest.mark.parametrize("role", Role)
def test_staff_and_admins_have_the_page_and_its_link(cast: dict[str, Person], role: str) -> None:
    browser, let_in = sign_in(cast[role]), role in {Role.ADMIN, Role.STAFF}
    assert browser.get(URL).status_code == (200 if let_in else 403)
    assert browser.post(URL, {}).status_code == (422 if let_in else 403)
    links = [each.attrs["href"] for each in parse(browser.get("/")).all("a") if "href" in each.attrs]
    assert (URL in links) == let_in


def test_what_comes_with_the_product_is_there_before_anything_is_saved(staff: Client) -> None:
    answer = staff.get(URL)
    form = form_of(answer)
    assert list(names(form, "en")) == IDS
    assert dict(form.fields)["es_0"] == "Insulta a alguien"
    assert calls_of(answer).trips <= 2
    answer = form.send(staff, follow=True)
    assert toasts(answer) == ["Nothing was changed."]
    assert queries.current(REASONS) is None


@every_engine
def test_change_add_remove_and_undo(table: str, staff: Client) -> None:
    form = form_of(opened(staff).send(staff, button(opened(staff), "add")))
    form = form_of(form.send(staff, button(form, "remove", "spam")))
    given = typed(form, "insult", en="Insults people") | typed(form, "new:1", en="Nudity", es="Desnudez")
    answer = form.send(staff, typed=given | {"note": "After the meeting"})
    assert (answer.status_code, answer.headers["Location"]) == (303, URL)
    assert list(saved()) == [*(each for each in IDS if each != "spam"), "nudity"]
    assert saved()["insult"] == ("Insults people", "Insulta a alguien")
    assert saved()["nudity"] == ("Nudity", "Desnudez")
    (entry,) = trail()
    assert tell(entry).what == "saved the reasons as v2"
    assert entry.after["note"] == "After the meeting"
    assert (entry.after["reasons"], entry.after["remove"]) == (8, "Spam or advertising")
    shown = parse(staff.get(URL))
    assert toasts(shown) == ["Saved as version 2."]
    answer = undo_form(shown).send(staff, headers={"Referer": f"http://testserver{URL}"})
    assert (answer.status_code, answer.headers["Location"]) == (303, URL)
    assert list(saved().items()) == [(each["id"], (each["en"], each["es"])) for each in PRESETS]
    assert [each.action for each in trail()] == ["reasons.revert", "reasons.save"]


def test_rows_move_with_what_was_typed_and_nothing_is_saved(staff: Client) -> None:
    form = opened(staff)
    given = typed(form, "hate", en="Hates a group") | {"note": "Not yet"}
    answer = form.send(staff, button(form, "move", "hate:up"), given)
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
    assert list(names(form_of(form.send(staff, up)), "en")) == list(names(form, "en"))
    form = form_of(form.send(staff, button(form, "move", "hate:down")))
    assert list(names(form, "en")) == IDS
    assert queries.current(REASONS) is None
    form = form_of(form.send(staff, button(form, "move", "spam:down")))
    form.send(staff)
    assert list(saved()) == ["insult", "hate", "profanity", "harassment", "sexual", "private", "spam", "off-topic"]
    assert saved()["hate"][0] == "Hates a group"


def test_enter_saves_rather_than_moves(staff: Client) -> None:
    assert "name" not in opened(staff).buttons[0].attrs


BAD = {
    "empty": ({"en": ""}, "en", "Write it in both languages."),
    "blank": ({"es": " \u200b "}, "es", "Write it in both languages."),
    "too long": ({"es": "x" * (LONGEST + 1)}, "es", "at most 120 characters"),
    "the same": ({"en": "  INSULTS someone "}, "en", "This is the same as reason 1."),
    "the same in Spanish": ({"es": "Insulta a álguien"}, "es", "This is the same as reason 1."),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Target": "main"}], ids=["plain", "in place"])
def test_bad_texts_are_said_beside_their_field(staff: Client, case: str, headers: dict[str, str]) -> None:
    texts, part, said = BAD[case]
    form = opened(staff)
    given = typed(form, "spam", **texts) | typed(form, "insult", en="Insults someone")
    answer = form.send(staff, typed=given | {"note": "Kept"}, headers=headers)
    assert answer.status_code == 422
    page = parse(answer).one("main")
    control = page.one("input", id=f"{part}-spam")
    assert control.attrs["aria-invalid"] == "true"
    assert control.attrs.get("value", "") == texts[part]
    assert said in page.one("p", id=control.attrs["aria-describedby"]).text
    assert dict(form_of(answer).fields)["note"] == "Kept"
    assert queries.current(REASONS) is None


def test_as_long_as_it_may_be_and_as_many(staff: Client) -> None:
    members = [{"id": f"r{n}", "en": f"{n:03}" + "e" * 117, "es": f"{n:03}" + "ñ" * 117} for n in range(MOST)]
    put_elsewhere(*members)
    form = opened(staff)
    assert not [each for each in form.buttons if each.attrs.get("name") == "add"]
    answer = form.send(staff, typed={"add": "1"})
    assert len(names(form_of(answer), "en")) == MOST
    more = {f"key_{MOST}": "new:1", f"en_{MOST}": "One more", f"es_{MOST}": "Una más"}
    answer = form.send(staff, typed=more)
    assert answer.status_code == 422
    assert "50 reasons at the most" in parse(answer).one("main").text
    assert form.send(staff, typed=typed(form, "r1", en="x" * LONGEST)).status_code == 303
    assert (len(saved()), saved()["r1"][0]) == (MOST, "x" * LONGEST)


@every_engine
def test_two_people_at_once_and_both_are_in(table: str, staff: Client, admin: Client) -> None:
    mine, theirs = opened(staff), opened(admin)
    theirs = form_of(theirs.send(admin, button(theirs, "add")))
    theirs.send(admin, typed=typed(theirs, "new:1", en="Nudity", es="Desnudez"))
    mine = form_of(mine.send(staff, button(mine, "move", "off-topic:up")))
    mine = form_of(mine.send(staff, button(mine, "add")))
    given = typed(mine, "new:1", en="Gambling", es="Apuestas") | typed(mine, "spam", es="Publicidad")
    answer = mine.send(staff, typed=given, follow=True)
    assert toasts(answer) == ["Saved as version 3. What Alma Ríos saved meanwhile is in it too."]
    assert list(saved()) == [*IDS[:6], "off-topic", "private", "gambling", "nudity"]
    assert saved()["spam"] == ("Spam or advertising", "Publicidad")


def test_the_same_entry_is_asked_about_and_nothing_typed_is_lost(staff: Client, admin: Client) -> None:
    mine, theirs = opened(staff), opened(admin)
    theirs.send(admin, typed=typed(theirs, "spam", en="Adverts", es="Anuncios"))
    given = typed(mine, "spam", en="Ads") | typed(mine, "hate", en="Hates") | {"note": "Mine"}
    answer = mine.send(staff, typed=given)
    assert answer.status_code == 409
    page = parse(answer).one("main")
    (overlap,) = page.by_class("overlap")
    assert [side.text for side in overlap.all("dd")] == [
        "Spam or advertising · Spam o publicidad",
        "Adverts · Anuncios",
        "Ads · Spam o publicidad",
    ]
    assert "Alma Ríos saved another version of it" in overlap.text
    assert saved()["hate"][0] == "Hate against a group", "nothing is saved"
    form = form_of(answer)
    fields = dict(form.fields)
    assert (fields["note"], fields[names(form, "en")["hate"]]) == ("Mine", "Hates")
    assert fields["keep:reason:spam"] == "theirs", "nobody is overwritten unasked"
    assert form.send(staff).status_code == 303
    assert (saved()["spam"][0], saved()["hate"][0]) == ("Adverts", "Hates")


def test_mine_wins_where_the_person_says_so_and_only_over_what_they_saw(staff: Client, admin: Client) -> None:
    mine, theirs = opened(staff), opened(admin)
    theirs.send(admin, typed=typed(theirs, "spam", en="Adverts"))
    asked = form_of(mine.send(staff, typed=typed(mine, "spam", en="Ads")))
    again = opened(admin)
    again.send(admin, typed=typed(again, "spam", en="Advertising"))
    answer = asked.send(staff, typed={"keep:reason:spam": "mine"})
    assert answer.status_code == 409, "that one they have not seen"
    assert "Advertising" in parse(answer).one("main").by_class("overlap")[0].text
    assert form_of(answer).send(staff, typed={"keep:reason:spam": "mine"}).status_code == 303
    assert saved()["spam"] == ("Ads", "Spam o publicidad")


def test_two_orders_are_asked_about(staff: Client, admin: Client) -> None:
    mine, theirs = opened(staff), opened(admin)
    form_of(theirs.send(admin, button(theirs, "move", "spam:up"))).send(admin)
    mine = form_of(mine.send(staff, button(mine, "move", "hate:up")))
    answer = mine.send(staff)
    assert answer.status_code == 409
    assert form_of(answer).send(staff, typed={"keep:order": "mine"}).status_code == 303
    assert list(saved()) == ["hate", "insult", *IDS[2:]]


def test_one_removes_what_the_other_changes(staff: Client, admin: Client) -> None:
    mine, theirs = opened(staff), opened(admin)
    theirs.send(admin, typed=typed(theirs, "spam", en="Adverts"))
    mine = form_of(mine.send(staff, button(mine, "remove", "spam")))
    answer = mine.send(staff)
    assert answer.status_code == 409
    assert parse(answer).one("main").by_class("overlap")[0].all("dd")[2].text == "removed"
    form_of(answer).send(staff)
    assert saved()["spam"][0] == "Adverts"


def test_the_same_form_sent_twice_is_saved_once(staff: Client) -> None:
    form = opened(staff)
    for _ in range(2):
        assert form.send(staff, typed=typed(form, "spam", en="Ads")).status_code == 303
    assert [each.number for each in queries.history(REASONS).items] == [2, 1]
    assert len(trail()) == 1


def test_what_another_service_wrote_is_shown_and_left_alone_where_nobody_touched_it(staff: Client) -> None:
    put_elsewhere("Plain text", {"id": "es-only", "es": "Solo español", "weight": 3}, {"en": ""}, 7, {"id": "x"})
    form = opened(staff)
    assert list(names(form, "en")) == ["plain-text", "es-only"]
    assert dict(form.fields)["en_1"] == "Solo español"
    form.send(staff, typed=typed(form, "plain-text", es="Texto"))
    raw = connected().get_item(*keys.CONFIG.key(name="reasons"))["Item"]["reasons"]
    assert raw == to_attribute(
        [{"id": "plain-text", "en": "Plain text", "es": "Texto"}, {"id": "es-only", "es": "Solo español", "weight": 3}]
    )
    put_elsewhere()
    assert "There are no reasons" in parse(staff.get(URL)).one("main").text


def test_a_name_that_was_there_is_not_given_again(staff: Client) -> None:
    form = opened(staff)
    form = form_of(form.send(staff, button(form, "remove", "spam")))
    form = form_of(form.send(staff, button(form, "add")))
    form.send(staff, typed=typed(form, "new:1", en="Spam", es="Correo basura"))
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
def test_forms_that_cannot_be_read(staff: Client, case: str) -> None:
    answer = staff.post(URL, ODD[case])
    assert answer.status_code == 422
    assert "cannot be read any more" in parse(answer).one("main").text
    assert queries.current(REASONS) is None
    for act in ({"add": "1"}, {"remove": "x"}, {"move": "insult"}, {"move": ":up"}, {"move": "insult:sideways"}):
        assert staff.post(URL, ODD[case] | act).status_code == 200


def test_forged_keys_make_new_reasons_and_overwrite_none(staff: Client) -> None:
    was = json.dumps([{"id": "insult", "en": "Insults someone", "es": "Insulta a alguien"}])
    rows = {"key_0": "insult", "en_0": "Insults someone", "es_0": "Insulta a alguien"}
    rows |= {"key_1": "insult", "en_1": "Twice", "es_1": "Dos veces", "key_2": "hate", "en_2": "Hate", "es_2": "Odio"}
    answer = staff.post(URL, {"was": was, **rows})
    assert answer.status_code == 409, "there is another called so"
    assert saved()["hate"][0] == "Hate against a group"
    assert staff.post(URL, {"was": was, **rows, "en_2": "Other", "es_2": "Otro"}).status_code == 303
    assert {"twice", "other", "hate", "insult"} <= set(saved())


def test_one_goes_on_in_the_new_row_or_where_one_was_removed(staff: Client) -> None:
    form = opened(staff)
    added = parse(form.send(staff, button(form, "add")))
    assert "autofocus" in added.one("input", name=f"en_{len(IDS)}").attrs
    for removed, next_ in ((IDS[1], IDS[2]), (IDS[-1], IDS[-2])):
        left = form_of(form.send(staff, button(form, "remove", removed)))
        focused = [each.attrs["value"] for each in left.buttons if "autofocus" in each.attrs]
        assert focused == [next_]
