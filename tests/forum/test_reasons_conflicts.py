"""Two people change the reasons at once: what does not overlap comes together, and the rest is asked."""

from __future__ import annotations

from django.test import Client

from tests.forum.reasons_form import IDS, button, form_of, names, opened, saved, typed
from tests.ui.html import parse, toasts


def test_two_people_at_once_and_both_are_in(table: str, as_staff: Client, as_admin: Client) -> None:
    mine, theirs = opened(as_staff), opened(as_admin)
    theirs = form_of(theirs.send(as_admin, button(theirs, "add")))
    theirs.send(as_admin, values=typed(theirs, "new:1", en="Nudity", es="Desnudez"))
    mine = form_of(mine.send(as_staff, button(mine, "move", "off-topic:up")))
    mine = form_of(mine.send(as_staff, button(mine, "add")))
    given = typed(mine, "new:1", en="Gambling", es="Apuestas") | typed(mine, "spam", es="Publicidad")
    answer = mine.send(as_staff, values=given, follow=True)
    assert toasts(answer) == ["Saved as version 3. Merged with the changes that Alma Ríos saved."]
    assert list(saved()) == [*IDS[:6], "off-topic", "private", "gambling", "nudity"]
    assert saved()["spam"] == ("Spam or advertising", "Publicidad")


def test_the_same_entry_is_asked_about_and_nothing_typed_is_lost(as_staff: Client, as_admin: Client) -> None:
    mine, theirs = opened(as_staff), opened(as_admin)
    theirs.send(as_admin, values=typed(theirs, "spam", en="Adverts", es="Anuncios"))
    given = typed(mine, "spam", en="Ads") | typed(mine, "hate", en="Hates") | {"note": "Mine"}
    answer = mine.send(as_staff, values=given)
    assert answer.status_code == 409
    page = parse(answer).one("main")
    (overlap,) = page.by_class("merge-conflict")
    assert [side.text for side in overlap.all("dd")] == [
        "Spam or advertising · Spam o publicidad",
        "Adverts · Anuncios",
        "Ads · Spam o publicidad",
    ]
    assert "Alma Ríos saved a different value" in overlap.text
    assert saved()["hate"][0] == "Hate against a group", "nothing is saved"
    form = form_of(answer)
    fields = dict(form.fields)
    assert (fields["note"], fields[names(form, "en")["hate"]]) == ("Mine", "Hates")
    assert fields["keep:reason:spam"] == "theirs", "nobody is overwritten unasked"
    assert form.send(as_staff).status_code == 303
    assert (saved()["spam"][0], saved()["hate"][0]) == ("Adverts", "Hates")


def test_mine_wins_where_the_person_says_so_and_only_over_what_they_saw(as_staff: Client, as_admin: Client) -> None:
    mine, theirs = opened(as_staff), opened(as_admin)
    theirs.send(as_admin, values=typed(theirs, "spam", en="Adverts"))
    asked = form_of(mine.send(as_staff, values=typed(mine, "spam", en="Ads")))
    again = opened(as_admin)
    again.send(as_admin, values=typed(again, "spam", en="Advertising"))
    answer = asked.send(as_staff, values={"keep:reason:spam": "mine"})
    assert answer.status_code == 409, "that one they have not seen"
    assert "Advertising" in parse(answer).one("main").by_class("merge-conflict")[0].text
    assert form_of(answer).send(as_staff, values={"keep:reason:spam": "mine"}).status_code == 303
    assert saved()["spam"] == ("Ads", "Spam o publicidad")


def test_two_orders_are_asked_about(as_staff: Client, as_admin: Client) -> None:
    mine, theirs = opened(as_staff), opened(as_admin)
    form_of(theirs.send(as_admin, button(theirs, "move", "spam:up"))).send(as_admin)
    mine = form_of(mine.send(as_staff, button(mine, "move", "hate:up")))
    answer = mine.send(as_staff)
    assert answer.status_code == 409
    assert form_of(answer).send(as_staff, values={"keep:order": "mine"}).status_code == 303
    assert list(saved()) == ["hate", "insult", *IDS[2:]]


def test_one_removes_what_the_other_changes(as_staff: Client, as_admin: Client) -> None:
    mine, theirs = opened(as_staff), opened(as_admin)
    theirs.send(as_admin, values=typed(theirs, "spam", en="Adverts"))
    mine = form_of(mine.send(as_staff, button(mine, "remove", "spam")))
    answer = mine.send(as_staff)
    assert answer.status_code == 409
    assert parse(answer).one("main").by_class("merge-conflict")[0].all("dd")[2].text == "removed"
    form_of(answer).send(as_staff)
    assert saved()["spam"][0] == "Adverts"
