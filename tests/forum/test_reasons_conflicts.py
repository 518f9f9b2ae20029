"""Two people change the reasons at once: separate changes are merged, and conflicts are shown to the second person."""

from __future__ import annotations

from django.test import Client

from tests.forum.reasons_form import IDS, button, field_names, form_in, input_for, open_form, saved_reasons
from tests.ui.html import parse, toasts


def test_separate_changes_of_two_people_are_merged(table: str, as_staff: Client, as_admin: Client) -> None:
    mine, theirs = open_form(as_staff), open_form(as_admin)
    theirs = form_in(theirs.send(as_admin, button(theirs, "add")))
    theirs.send(as_admin, values=input_for(theirs, "new:1", en="Nudity", es="Desnudez"))
    mine = form_in(mine.send(as_staff, button(mine, "move", "off-topic:up")))
    mine = form_in(mine.send(as_staff, button(mine, "add")))
    values = input_for(mine, "new:1", en="Gambling", es="Apuestas") | input_for(mine, "spam", es="Publicidad")
    answer = mine.send(as_staff, values=values, follow=True)
    assert toasts(answer) == ["Saved as version 3. Merged with the changes that Alma Ríos saved."]
    assert list(saved_reasons()) == [*IDS[:6], "off-topic", "private", "gambling", "nudity"]
    assert saved_reasons()["spam"] == ("Spam or advertising", "Publicidad")


def test_a_conflict_on_one_reason_shows_both_values_and_keeps_the_input(as_staff: Client, as_admin: Client) -> None:
    mine, theirs = open_form(as_staff), open_form(as_admin)
    theirs.send(as_admin, values=input_for(theirs, "spam", en="Adverts", es="Anuncios"))
    values = input_for(mine, "spam", en="Ads") | input_for(mine, "hate", en="Hates") | {"note": "Mine"}
    answer = mine.send(as_staff, values=values)
    assert answer.status_code == 409
    page = parse(answer).one("main")
    (overlap,) = page.by_class("merge-conflict")
    assert [side.text for side in overlap.all("dd")] == [
        "Spam or advertising · Spam o publicidad",
        "Adverts · Anuncios",
        "Ads · Spam o publicidad",
    ]
    assert "Alma Ríos saved a different value" in overlap.text
    assert saved_reasons()["hate"][0] == "Hate against a group", "nothing is saved"
    form = form_in(answer)
    fields = dict(form.fields)
    assert (fields["note"], fields[field_names(form, "en")["hate"]]) == ("Mine", "Hates")
    assert fields["keep:reason:spam"] == "theirs", "the value of the other person is preselected"
    assert form.send(as_staff).status_code == 303
    assert (saved_reasons()["spam"][0], saved_reasons()["hate"][0]) == ("Adverts", "Hates")


def test_ones_own_value_replaces_only_the_value_that_was_shown(as_staff: Client, as_admin: Client) -> None:
    mine, theirs = open_form(as_staff), open_form(as_admin)
    theirs.send(as_admin, values=input_for(theirs, "spam", en="Adverts"))
    conflict_form = form_in(mine.send(as_staff, values=input_for(mine, "spam", en="Ads")))
    their_second_form = open_form(as_admin)
    their_second_form.send(as_admin, values=input_for(their_second_form, "spam", en="Advertising"))
    answer = conflict_form.send(as_staff, values={"keep:reason:spam": "mine"})
    assert answer.status_code == 409, "the newer value was not shown yet"
    assert "Advertising" in parse(answer).one("main").by_class("merge-conflict")[0].text
    assert form_in(answer).send(as_staff, values={"keep:reason:spam": "mine"}).status_code == 303
    assert saved_reasons()["spam"] == ("Ads", "Spam o publicidad")


def test_two_different_orders_are_a_conflict(as_staff: Client, as_admin: Client) -> None:
    mine, theirs = open_form(as_staff), open_form(as_admin)
    form_in(theirs.send(as_admin, button(theirs, "move", "spam:up"))).send(as_admin)
    mine = form_in(mine.send(as_staff, button(mine, "move", "hate:up")))
    answer = mine.send(as_staff)
    assert answer.status_code == 409
    assert form_in(answer).send(as_staff, values={"keep:order": "mine"}).status_code == 303
    assert list(saved_reasons()) == ["hate", "insult", *IDS[2:]]


def test_removing_a_reason_that_another_person_changed_is_a_conflict(as_staff: Client, as_admin: Client) -> None:
    mine, theirs = open_form(as_staff), open_form(as_admin)
    theirs.send(as_admin, values=input_for(theirs, "spam", en="Adverts"))
    mine = form_in(mine.send(as_staff, button(mine, "remove", "spam")))
    answer = mine.send(as_staff)
    assert answer.status_code == 409
    assert parse(answer).one("main").by_class("merge-conflict")[0].all("dd")[2].text == "removed"
    form_in(answer).send(as_staff)
    assert saved_reasons()["spam"][0] == "Adverts"
