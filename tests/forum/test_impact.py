"""The impact of a filter change on the latest texts, calculated by a job before the change is saved."""

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
from dashboard.platform.jobs.items import Job, JobState
from dashboard.table.commands import Actor, new_command
from forum import impact_job
from forum.actions import Action
from forum.configs.profanity import PROFANITY
from forum.impact import MAX_EXAMPLES, MAX_EXCERPT, Impact, Text, compare_filters
from forum.items import Post
from forum.profanity import FilterConfig, Severity, Word
from forum.queries.filter import load_filter_state
from forum.statuses import status_count_texts
from tests.conftest import real_engines, sign_in
from tests.faults import bad_network, lose_reply
from tests.forum.factories import create_comment, create_post, decide
from tests.forum.filter_pages import FILTER, SEED, SOFIA, post_form, put_filter, save_changes
from tests.jobs.execution import finish, reloaded
from tests.jobs.test_crashes import Killed, Killer
from tests.table.notes import on_dynoxide
from tests.ui.html import form_to, parse

BEFORE = FilterConfig((Word("gato", Severity.MEDIUM), Word("perro", Severity.HIGH)), ("perrometro",), 0.8)


def texts(*contents: str, status: str = "active") -> list[Text]:
    return [Text(f"p{number}", "", content, status) for number, content in enumerate(contents)]


# --- The rule itself -----------------------------------------------------------------------------
def test_the_impact_counts_new_bans_and_removed_bans_by_word() -> None:
    after = FilterConfig((Word("gato", Severity.HIGH), Word("pato", Severity.HIGH)), (), 0.8)
    impact = compare_filters(BEFORE, after, texts("un gato", "un pato", "gato y pato", "un perro", "nada"))
    assert (impact.checked, impact.banned.count, impact.freed.count) == (5, 3, 1)
    assert dict(impact.banned.words) == {"gato": 2, "pato": 2}
    assert dict(impact.freed.words) == {"perro": 1}
    assert [each.pieces for each in impact.freed.examples] == [(("un ", "", ""), ("perro", "perro", "high"))]


def test_the_impact_counts_texts_that_newly_wait_for_review() -> None:
    """Also those that are no longer banned, but not those that waited before."""
    after = FilterConfig((Word("gato", Severity.MEDIUM), Word("perro", Severity.LOW), Word("pato", Severity.LOW)), ())
    impact = compare_filters(BEFORE, after, texts("un gato", "un pato", "gato y pato", "un perro", "nada"))
    assert (impact.banned.count, impact.freed.count, impact.waiting.count) == (0, 1, 2)
    assert dict(impact.waiting.words) == {"pato": 1, "perro": 1}
    assert impact.to_dict()["waiting"]["share"] == "40"


def test_a_text_that_was_already_banned_is_not_counted() -> None:
    after = FilterConfig((*BEFORE.words, Word("pato", Severity.HIGH)), BEFORE.allowed, 0.8)
    assert compare_filters(BEFORE, after, texts("perro y pato")) == Impact(1)


def test_a_ban_by_a_lower_threshold_names_no_word() -> None:
    after = FilterConfig(BEFORE.words, BEFORE.allowed, 0.5)
    impact = compare_filters(BEFORE, after, texts("un gato", "un perro"))
    assert impact.banned.count == 1 and dict(impact.banned.words) == {"": 1}


def test_texts_of_all_statuses_are_judged_and_counted_by_status() -> None:
    after = FilterConfig((*BEFORE.words, Word("pato", Severity.HIGH)), BEFORE.allowed, 0.8)
    all_texts = [*texts("pato", "pato", status="banned"), *texts("pato"), *texts("pato", status="deleted")]
    assert dict(compare_filters(BEFORE, after, all_texts).banned.statuses) == {"banned": 2, "active": 1, "deleted": 1}


def test_the_sum_of_the_parts_is_the_impact_of_all_texts() -> None:
    after = FilterConfig((Word("gato", Severity.HIGH), Word("pato", Severity.HIGH)), (), 0.5)
    all_texts = texts(*[f"{word} {number}" for number in range(30) for word in ("gato", "pato", "perro", "nada")])
    parts = [compare_filters(BEFORE, after, all_texts[start : start + 7]) for start in range(0, len(all_texts), 7)]
    impact = Impact()
    for part in parts:
        # The sum is stored as JSON between two steps.
        impact = Impact.from_dict(json.loads(json.dumps((impact + part).to_dict())))
    assert impact.to_dict() == compare_filters(BEFORE, after, all_texts).to_dict()


def test_the_result_is_small_for_long_texts_and_many_words() -> None:
    words = tuple(Word(f"{'ñ' * 90}{number:05}", Severity.HIGH) for number in range(500))
    after = FilterConfig(words, (), 0.1)
    all_texts = texts(*[f"{'🔥' * 300} {' '.join(word.text for word in words[at : at + 10])}" for at in range(490)])
    impact = compare_filters(FilterConfig(), after, all_texts).to_dict()
    assert len(json.dumps(impact, ensure_ascii=False).encode()) < 60_000
    assert impact["banned"]["count"] == 490 and len(impact["banned"]["examples"]) == MAX_EXAMPLES


def test_the_excerpt_of_a_long_text_contains_the_match() -> None:
    impact = compare_filters(FilterConfig(), BEFORE, texts("a " * 500 + "perro" + " b" * 500))
    (example,) = impact.banned.examples
    assert ("perro", "perro", "high") in example.pieces
    assert sum(len(text) for text, _, _ in example.pieces) <= MAX_EXCERPT + 2
    assert example.pieces[0][0] == "…" and example.pieces[-1][0].endswith("…")


# --- The job -------------------------------------------------------------------------------------
@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact_job, "STEP_SIZE", 3)


def create_texts(count: int = 4) -> list[Post]:
    """Create posts of all statuses, one per minute, that the new word bans; one other post each; and one comment."""
    posts = []
    for number in range(count):
        with frozen(now() - timedelta(minutes=count - number)):
            posts.append(create_post(f"un marciano {number}"))
            create_post(f"nada {number}")
    create_comment(posts[0], "otro marciano")
    decide(posts[1], Action.BAN)
    decide(posts[2], Action.DELETE)
    return posts


def start_impact_job(client: Client, word: str = "marciano") -> Job:
    put_filter(**SEED)
    post_form(client, "", word=word, severity="high")
    return impact_job.start(load_filter_state(SOFIA), command=new_command(Actor(SOFIA)))


def test_the_job_judges_the_latest_texts_of_all_statuses(table: str, as_staff: Client, small_steps: None) -> None:
    create_texts()
    job = start_impact_job(as_staff)
    with frozen(now() + timedelta(seconds=5)):
        create_post("un marciano que llega tarde")
    end = finish(job)
    assert (end.state, end.done, end.total) == (JobState.DONE, 9, 9)
    impact = end.result or {}
    assert (impact["looked"], impact["banned"]["count"], impact["freed"]["count"]) == (9, 5, 0)
    assert impact["banned"]["statuses"] == {"active": 3, "banned": 1, "deleted": 1}
    assert impact["banned"]["words"] == [[5, "marciano"]]
    newest_first = [each["pieces"][-1][0] for each in impact["banned"]["examples"][:4]]
    assert newest_first == [" 3", " 2", " 1", " 0"]
    statuses = parse(as_staff.get(f"/operations/{end.id}/")).by_class("nowrap")
    assert [each.text for each in statuses][-3:] == ["3 active", "1 banned", "1 deleted"]


def test_statuses_are_counted_by_their_declared_texts() -> None:
    assert status_count_texts({"odd 5%": 2, "deleted": 1, "active": 3}) == ["3 active", "1 deleted", "2 odd 5%"]


def test_the_job_reads_only_the_newest_texts(
    table: str, as_staff: Client, small_steps: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(impact_job, "MAX_TEXTS", 4)
    create_texts()
    end = finish(start_impact_job(as_staff))
    assert (end.done, end.total) == (5, 5)
    assert (end.result or {})["banned"]["count"] == 3


def test_the_job_without_any_texts_ends_with_zero(table: str, as_staff: Client) -> None:
    end = finish(start_impact_job(as_staff))
    assert (end.state, end.done, end.total) == (JobState.DONE, 0, 0)
    response = as_staff.get(f"/operations/{end.id}/")
    assert "0 texts would be banned" in parse(response).text


@on_dynoxide
@pytest.mark.parametrize("carried_out", [True, False], ids=["after", "before"])
def test_a_job_killed_at_any_call_counts_each_text_once(
    table: str, as_staff: Client, small_steps: None, carried_out: bool
) -> None:
    """The result is the same as that of a job that was not killed."""
    create_texts(3)
    first = start_impact_job(as_staff)
    expected = finish(first).result
    for calls in range(1, 60):
        job = impact_job.start(load_filter_state(SOFIA), command=new_command(Actor(SOFIA)))
        killed = False
        with bad_network() as network:
            network.add_random_fault(1, Killer(calls, carried_out=carried_out))
            try:
                runner.advance(job, seconds=60)
            except Killed:
                killed = True
        end = finish(reloaded(job))
        assert (end.state, end.done, end.result) == (JobState.DONE, 7, expected)
        if not killed:
            break
    assert calls > 8


@real_engines
def test_lost_replies_do_not_change_the_count(table: str, as_staff: Client, small_steps: None) -> None:
    create_texts()
    job = start_impact_job(as_staff)
    with bad_network() as network:
        network.add_random_fault(0.2, lose_reply)
        finish(job)
        network.stop_faults()
    assert reloaded(job).done == 9


def test_the_job_uses_the_filter_of_its_start(table: str, as_staff: Client) -> None:
    """The list is changed and saved while the job waits: the job still uses the first list."""
    for _ in range(2):
        create_post("un marciano")
    job = start_impact_job(as_staff)
    as_staff.post(f"{FILTER}discard/")
    post_form(as_staff, "", word="otra", severity="low")
    save_changes(as_staff)
    assert (finish(job).result or {})["banned"]["count"] == 2


def test_without_changes_the_job_is_refused(table: str, as_staff: Client) -> None:
    put_filter(**SEED)
    with pytest.raises(Refused):
        impact_job.start(load_state(PROFANITY, SOFIA), command=new_command(Actor(SOFIA)))
    assert as_staff.post(f"{FILTER}impact/").status_code == 422


# --- The screens ---------------------------------------------------------------------------------
def run_impact_job(client: Client) -> str:
    """Press the button and run the job; return the address of the review page that it links to."""
    page = client.get(f"{FILTER}review/")
    response = form_to(page, f"{FILTER}impact/").send(client)
    assert response.status_code == 303
    job_url = response["Location"]
    client.post(f"{job_url}next/")
    return next(
        link.attrs["href"] for link in parse(client.get(job_url)).all("a") if "?impact=" in link.attrs.get("href", "")
    )


def test_the_review_page_shows_the_result_of_the_job(table: str, as_staff: Client) -> None:
    put_filter(**SEED)
    create_post("un marciano <b>verde</b>")
    post_form(as_staff, "", word="marciano", severity="high")
    review_url = run_impact_job(as_staff)
    page = parse(as_staff.get(review_url))
    assert "1 text would be banned (100 %)" in page.text
    assert "0 would newly wait for review (0 %)" in page.text
    assert "You changed the list since" not in page.text
    result = parse(as_staff.get(f"/operations/{review_url.partition('=')[2]}/"))
    assert [mark.text for mark in result.all("mark")] == ["marciano"]
    assert "<b>verde</b>" in result.text, "the text is escaped"
    assert form_to(as_staff.get(review_url), review_url).send(as_staff).status_code == 303, (
        "the changes can be saved from this page"
    )


def test_the_review_page_says_that_the_result_is_outdated(table: str, as_staff: Client, as_admin: Client) -> None:
    put_filter(**SEED)
    post_form(as_staff, "", word="marciano", severity="high")
    review_url = run_impact_job(as_staff)
    assert "You changed the list since" not in parse(as_staff.get(review_url)).text
    post_form(as_staff, "", word="otra", severity="low")
    assert "You changed the list since. Check again." in parse(as_staff.get(review_url)).text
    post_form(as_admin, "", word="tercera", severity="low")
    save_changes(as_admin)
    assert "Version 2 was saved since. Check again." in parse(as_staff.get(review_url)).text


@pytest.mark.parametrize("job_id", ["nothing", "", "a b", "x" * 500, "../x", "#"])
def test_any_job_id_in_the_address_is_accepted(table: str, as_staff: Client, job_id: str) -> None:
    put_filter(**SEED)
    post_form(as_staff, "", word="otra")
    assert as_staff.get(f"{FILTER}review/", {"impact": job_id}).status_code == 200


def test_another_person_does_not_see_the_result(table: str, as_staff: Client, as_admin: Client) -> None:
    put_filter(**SEED)
    post_form(as_staff, "", word="marciano", severity="high")
    review_url = run_impact_job(as_staff)
    post_form(as_admin, "", word="otra")
    assert "would be banned" not in parse(as_admin.get(review_url)).text


def test_moderators_may_not_start_the_job(table: str, people_by_role: dict[str, Person]) -> None:
    assert sign_in(people_by_role["moderator"]).post(f"{FILTER}impact/").status_code == 403
