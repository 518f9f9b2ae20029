"""What a filter would change is seen before it is saved: judged anew, frozen, piece by piece, whatever dies."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.core.errors import Refused
from dashboard.platform.accounts.items import Person
from dashboard.platform.configs.queries import load_state
from dashboard.platform.jobs import runner
from dashboard.platform.jobs.items import Job, State
from dashboard.table.commands import Actor, new_command
from forum import impact_job
from forum.actions import Action
from forum.configs.profanity import PROFANITY
from forum.impact import MAX_EXAMPLES, MAX_EXCERPT, Impact, Text, compare_filters
from forum.items import Post
from forum.profanity import FilterConfig, Severity, Word
from forum.queries.filter import load_filter_state
from forum.statuses import counted_statuses
from tests.conftest import real_engines, sign_in
from tests.faults import bad_network, lose_reply
from tests.forum.factories import a_comment, a_post, decided
from tests.forum.filter_pages import FILTER, SEED, SOFIA, post, put_filter, save
from tests.jobs.execution import finish, reloaded
from tests.jobs.test_crashes import Killed, Killer
from tests.table.notes import on_dynoxide
from tests.ui.html import form_to, parse

BEFORE = FilterConfig((Word("gato", Severity.MEDIUM), Word("perro", Severity.HIGH)), ("perrometro",), 0.8)


def texts(*contents: str, status: str = "active") -> list[Text]:
    return [Text(f"p{number}", "", content, status) for number, content in enumerate(contents)]


# --- The rule itself -----------------------------------------------------------------------------
def test_both_ways_and_which_word_did_it() -> None:
    after = FilterConfig((Word("gato", Severity.HIGH), Word("pato", Severity.HIGH)), (), 0.8)
    impact = compare_filters(BEFORE, after, texts("un gato", "un pato", "gato y pato", "un perro", "nada"))
    assert (impact.checked, impact.banned.count, impact.freed.count) == (5, 3, 1)
    assert dict(impact.banned.words) == {"gato": 2, "pato": 2}
    assert dict(impact.freed.words) == {"perro": 1}
    assert [each.pieces for each in impact.freed.examples] == [(("un ", "", ""), ("perro", "perro", "high"))]


def test_what_was_banned_before_is_not_newly_so() -> None:
    after = FilterConfig((*BEFORE.words, Word("pato", Severity.HIGH)), BEFORE.allowed, 0.8)
    assert compare_filters(BEFORE, after, texts("perro y pato")) == Impact(1)


def test_the_threshold_has_no_word_of_its_own() -> None:
    after = FilterConfig(BEFORE.words, BEFORE.allowed, 0.5)
    impact = compare_filters(BEFORE, after, texts("un gato", "un perro"))
    assert impact.banned.count == 1 and dict(impact.banned.words) == {"": 1}


def test_what_became_of_them_does_not_decide_but_is_told() -> None:
    after = FilterConfig((*BEFORE.words, Word("pato", Severity.HIGH)), BEFORE.allowed, 0.8)
    given = [*texts("pato", "pato", status="banned"), *texts("pato"), *texts("pato", status="deleted")]
    assert dict(compare_filters(BEFORE, after, given).banned.statuses) == {"banned": 2, "active": 1, "deleted": 1}


def test_pieces_add_up_to_the_whole() -> None:
    after = FilterConfig((Word("gato", Severity.HIGH), Word("pato", Severity.HIGH)), (), 0.5)
    given = texts(*[f"{word} {number}" for number in range(30) for word in ("gato", "pato", "perro", "nada")])
    parts = [compare_filters(BEFORE, after, given[start : start + 7]) for start in range(0, len(given), 7)]
    impact = Impact()
    for part in parts:
        # As it is kept between two steps.
        impact = Impact.from_dict(json.loads(json.dumps((impact + part).to_dict())))
    assert impact.to_dict() == compare_filters(BEFORE, after, given).to_dict()


def test_the_result_stays_small_whatever_was_written() -> None:
    words = tuple(Word(f"{'ñ' * 90}{number:05}", Severity.HIGH) for number in range(500))
    after = FilterConfig(words, (), 0.1)
    given = texts(*[f"{'🔥' * 300} {' '.join(word.text for word in words[at : at + 10])}" for at in range(490)])
    impact = compare_filters(FilterConfig(), after, given).to_dict()
    assert len(json.dumps(impact, ensure_ascii=False).encode()) < 60_000
    assert impact["banned"]["count"] == 490 and len(impact["banned"]["examples"]) == MAX_EXAMPLES


def test_a_long_text_is_shown_where_it_matters() -> None:
    impact = compare_filters(FilterConfig(), BEFORE, texts("a " * 500 + "perro" + " b" * 500))
    (example,) = impact.banned.examples
    assert ("perro", "perro", "high") in example.pieces
    assert sum(len(text) for text, _, _ in example.pieces) <= MAX_EXCERPT + 2
    assert example.pieces[0][0] == "…" and example.pieces[-1][0].endswith("…")


# --- The work ------------------------------------------------------------------------------------
@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact_job, "STEP_SIZE", 3)


def written(count: int = 4) -> list[Post]:
    """So many posts that the new word bans, of all statuses, each later than the one before, and a comment."""
    posts = []
    for number in range(count):
        with frozen(now() - timedelta(minutes=count - number)):
            posts.append(a_post(f"un marciano {number}"))
            a_post(f"nada {number}")
    a_comment(posts[0], "otro marciano")
    decided(posts[1], Action.BAN)
    decided(posts[2], Action.DELETE)
    return posts


def begun(client: Client, word: str = "marciano") -> Job:
    put_filter(**SEED)
    post(client, "", word=word, severity="high")
    return impact_job.start(load_filter_state(SOFIA), command=new_command(Actor(SOFIA)))


def test_the_latest_of_all_statuses_are_judged_by_both(table: str, as_staff: Client, small_pieces: None) -> None:
    written()
    work = begun(as_staff)
    with frozen(now() + timedelta(seconds=5)):
        a_post("un marciano que llega tarde")
    end = finish(work)
    assert (end.state, end.done, end.total) == (State.DONE, 9, 9)
    impact = end.result or {}
    assert (impact["looked"], impact["banned"]["count"], impact["freed"]["count"]) == (9, 5, 0)
    assert impact["banned"]["statuses"] == {"active": 3, "banned": 1, "deleted": 1}
    assert impact["banned"]["words"] == [[5, "marciano"]]
    newest_first = [each["pieces"][-1][0] for each in impact["banned"]["examples"][:4]]
    assert newest_first == [" 3", " 2", " 1", " 0"]
    statuses = parse(as_staff.get(f"/operations/{end.id}/")).by_class("nowrap")
    assert [each.text for each in statuses][-3:] == ["3 active", "1 banned", "1 deleted"]


def test_statuses_are_counted_by_their_declared_texts() -> None:
    assert counted_statuses({"odd 5%": 2, "deleted": 1, "active": 3}) == ["3 active", "1 deleted", "2 odd 5%"]


def test_only_the_newest_are_looked_at(
    table: str, as_staff: Client, small_pieces: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(impact_job, "MAX_TEXTS", 4)
    written()
    end = finish(begun(as_staff))
    assert (end.done, end.total) == (5, 5)
    assert (end.result or {})["banned"]["count"] == 3


def test_no_texts_at_all(table: str, as_staff: Client) -> None:
    end = finish(begun(as_staff))
    assert (end.state, end.done, end.total) == (State.DONE, 0, 0)
    response = as_staff.get(f"/operations/{end.id}/")
    assert "0 texts would be banned" in parse(response).text


@on_dynoxide
@pytest.mark.parametrize("carried_out", [True, False], ids=["after", "before"])
def test_killed_at_every_call(table: str, as_staff: Client, small_pieces: None, carried_out: bool) -> None:
    """Each text is counted once, wherever it dies."""
    written(3)
    first = begun(as_staff)
    expected = finish(first).result
    for calls in range(1, 60):
        work = impact_job.start(load_filter_state(SOFIA), command=new_command(Actor(SOFIA)))
        died = False
        with bad_network() as network:
            network.add_random_fault(1, Killer(calls, carried_out=carried_out))
            try:
                runner.advance(work, seconds=60)
            except Killed:
                died = True
        end = finish(reloaded(work))
        assert (end.state, end.done, end.result) == (State.DONE, 7, expected)
        if not died:
            break
    assert calls > 8


@real_engines
def test_lost_replies(table: str, as_staff: Client, small_pieces: None) -> None:
    written()
    work = begun(as_staff)
    with bad_network() as network:
        network.add_random_fault(0.2, lose_reply)
        finish(work)
        network.stop_faults()
    assert reloaded(work).done == 9


def test_what_is_measured_is_frozen(table: str, as_staff: Client) -> None:
    """The list is changed and saved while the work waits: it still measures what it was begun for."""
    for _ in range(2):
        a_post("un marciano")
    work = begun(as_staff)
    as_staff.post(f"{FILTER}discard/")
    post(as_staff, "", word="otra", severity="low")
    save(as_staff)
    assert (finish(work).result or {})["banned"]["count"] == 2


def test_nothing_changed_is_nothing_to_look_at(table: str, as_staff: Client) -> None:
    put_filter(**SEED)
    with pytest.raises(Refused):
        impact_job.start(load_state(PROFANITY, SOFIA), command=new_command(Actor(SOFIA)))
    assert as_staff.post(f"{FILTER}impact/").status_code == 422


# --- The screens ---------------------------------------------------------------------------------
def looked(client: Client) -> str:
    """Press the button, let it run; the address of the review page that it leads back to."""
    page = client.get(f"{FILTER}review/")
    response = form_to(page, f"{FILTER}impact/").send(client)
    assert response.status_code == 303
    command = response["Location"]
    client.post(f"{command}next/")
    return next(
        link.attrs["href"] for link in parse(client.get(command)).all("a") if "?impact=" in link.attrs.get("href", "")
    )


def test_from_the_review_page_and_back(table: str, as_staff: Client) -> None:
    put_filter(**SEED)
    a_post("un marciano <b>verde</b>")
    post(as_staff, "", word="marciano", severity="high")
    back = looked(as_staff)
    page = parse(as_staff.get(back))
    assert "1 text would be banned (100 %)" in page.text
    assert "since: look again" not in page.text
    command = parse(as_staff.get(f"/operations/{back.partition('=')[2]}/"))
    assert [mark.text for mark in command.all("mark")] == ["marciano"]
    assert "<b>verde</b>" in command.text, "what was written is text"
    assert form_to(as_staff.get(back), back).send(as_staff).status_code == 303, "and it can be saved from there"


def test_the_draft_has_changed_meanwhile(table: str, as_staff: Client, as_admin: Client) -> None:
    put_filter(**SEED)
    post(as_staff, "", word="marciano", severity="high")
    back = looked(as_staff)
    assert "You have changed the list since" not in parse(as_staff.get(back)).text
    post(as_staff, "", word="otra", severity="low")
    assert "You changed the list since. Check again." in parse(as_staff.get(back)).text
    post(as_admin, "", word="tercera", severity="low")
    save(as_admin)
    assert "Version 2 was saved since. Check again." in parse(as_staff.get(back)).text


@pytest.mark.parametrize("named", ["nothing", "", "a b", "x" * 500, "../x", "#"])
def test_an_address_may_name_anything(table: str, as_staff: Client, named: str) -> None:
    put_filter(**SEED)
    post(as_staff, "", word="otra")
    assert as_staff.get(f"{FILTER}review/", {"impact": named}).status_code == 200


def test_another_person_does_not_see_it(table: str, as_staff: Client, as_admin: Client) -> None:
    put_filter(**SEED)
    post(as_staff, "", word="marciano", severity="high")
    back = looked(as_staff)
    post(as_admin, "", word="otra")
    assert "would be banned" not in parse(as_admin.get(back)).text


def test_moderators_have_no_say_in_it(table: str, people_by_role: dict[str, Person]) -> None:
    assert sign_in(people_by_role["moderator"]).post(f"{FILTER}impact/").status_code == 403
