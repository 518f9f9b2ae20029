"""The home page of each role outside businesses: which lines it has, and where they lead."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings

from dashboard.core.clock import frozen, now
from dashboard.core.ids import new_id
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.services import businesses, members
from dashboard.platform.configs.services import drafts
from dashboard.platform.home.registry import HomePlace, HomeSource, register_home, sources_of
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.stream.items import StreamShard
from dashboard.platform.table_health.state import TableState
from dashboard.table import keys, write
from dashboard.table.commands import Actor, new_command
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction
from forum.actions import Action
from forum.configs.profanity import PROFANITY, word_entry
from forum.services import decisions
from forum.services.presence import open_card
from forum.targets import ForumTarget
from tests.conftest import ACTOR, add_person, sign_in
from tests.forum.factories import TEXT_TO_BAN, create_comment, create_post, decide, entries_of, reload_item
from tests.home.home_pages import lines
from tests.rooms.rooms import create_room, put_room
from tests.security_log.events import put_event
from tests.ui.html import parse
from tests.ui.walk import calls_of

People = dict[str, Person]


def test_a_moderator_sees_what_waits_and_since_when(people_by_role: People) -> None:
    browser = sign_in(people_by_role["moderator"])
    with frozen(now() - timedelta(hours=3, minutes=10)):
        post = create_post()
    create_post()
    create_comment(post)
    create_comment(post)
    open_card(Actor("ines@example.com", "Inés Mar"), str(post.key_parts["post"]))
    page = browser.get("/")
    assert lines(page)["2 posts and 2 comments to review"] == "/forum/"
    assert "Also reviewing now: Inés Mar" in parse(page).by_class("home")[0].text
    assert parse(page).by_class("home-when")[0].text.split() == ["oldest:", "3", "h", "ago"]
    assert parse(page).one("title").text.startswith("(4) Home")
    count = parse(page).by_class("nav-count")[0]
    assert "hidden" not in count.attrs and count.attrs["title"] == "2 posts and 2 comments to review"


def test_only_comments_lead_to_the_comments(people_by_role: People) -> None:
    post = create_post()
    create_comment(post)
    decide(post, Action.APPROVE)
    assert lines(sign_in(people_by_role["moderator"]).get("/"))["1 comment to review"] == "/forum/?kind=comments"


def test_a_moderator_sees_the_filter_s_bans_and_own_decisions_that_were_reversed(people_by_role: People) -> None:
    browser = sign_in(people_by_role["moderator"])
    create_post(TEXT_TO_BAN)
    with frozen(now() - timedelta(days=4)):
        create_post(TEXT_TO_BAN)
    mine = decide(create_post(), Action.BAN)
    own = decide(create_post(), Action.BAN)
    decide(mine, Action.RESTORE, by=ACTOR)
    decide(own, Action.RESTORE)
    found = lines(browser.get("/"))
    (bans,) = [url for text, url in found.items() if text == "The filter banned 1 post or comment"]
    (reversals,) = [url for text, url in found.items() if text == "A colleague reversed 1 of your decisions"]
    assert "profanity%40" in bans and "action=restore" in reversals
    assert [browser.get(url).status_code for url in (bans, reversals)] == [200, 200]
    assert reload_item(mine).status == "active"
    colleague = sign_in(add_person("m2@example.com", Role.MODERATOR))
    assert not [text for text in lines(colleague.get("/")) if "your decisions" in text]


@pytest.mark.parametrize(
    ("mine", "theirs", "is_reversed"),
    [
        (Action.BAN, Action.RESTORE, True),
        (Action.DELETE, Action.RESTORE, True),
        (Action.APPROVE, Action.REOPEN, True),
        (Action.APPROVE, Action.BAN, True),
        (Action.APPROVE, Action.DELETE, True),
        # Nobody's decision, and a stricter one.
        (None, Action.BAN, False),
        (Action.BAN, Action.DELETE, False),
    ],
)
def test_each_own_decision_that_a_colleague_reversed_is_linked(
    people_by_role: People, mine: Action | None, theirs: Action, is_reversed: bool
) -> None:
    post = create_post()
    item = decide(post, mine) if mine else post
    decide(item, theirs, by=ACTOR)
    found = lines(sign_in(people_by_role["moderator"]).get("/"))
    text = "A colleague reversed 1 of your decisions"
    assert (text in found) is is_reversed
    assert not is_reversed or f"action={theirs}" in found[text]
    page = parse(sign_in(people_by_role["moderator"]).get("/")).one("main")
    url = f"/forum/posts/{ForumTarget.of(post).post}/"
    assert [link.text for link in page.all("a", href=url)] == ["Ana Soto: Qué puta espera en la fila"] * is_reversed


def test_a_reversal_that_was_undone_is_not_listed(people_by_role: People) -> None:
    restored = decide(decide(create_post(), Action.BAN), Action.RESTORE, by=ACTOR)
    approved = decide(create_post(), Action.APPROVE)
    decide(approved, Action.REOPEN, by=ACTOR)
    decide(decide(create_post(), Action.APPROVE), Action.DELETE, by=ACTOR)
    moderator = sign_in(people_by_role["moderator"])
    found = lines(moderator.get("/"))
    # Reversals of different kinds lead to all of the log.
    assert "action=" not in found["Colleagues reversed 3 of your decisions"]
    (_ban, restore) = entries_of(restored)
    decisions.undo(restore, command=new_command(ACTOR))
    assert "Colleagues reversed 2 of your decisions" in lines(moderator.get("/"))


def test_event_staff_see_rooms_overrides_drafts_and_registrations(people_by_role: People) -> None:
    staff = people_by_role["staff"]
    browser = sign_in(staff)
    create_room("sala1", open_at=now() - timedelta(hours=1))
    create_room("sala2", open_at=now() + timedelta(hours=1))
    put_room("sala3", name="Sala 3", manualOverride="open", overrideAt="2026-01-01T00:00:00Z", overrideBy="x")
    put_room("sala4", name="Sala 4", manualOverride="closed", overrideAt=to_wire(now()), overrideBy="x")
    with frozen(now() - timedelta(days=40)):
        add_person("before@example.com", Role.STAFF)
    drafts.stage(PROFANITY, {word_entry("zascandil"): ["low", "whole"]}, command=new_command(staff.actor))
    found = lines(browser.get("/"))
    assert found["1 room has been overridden for over 2 h"] == "/rooms/?show=held"
    assert found["1 change of the filter is not saved"] == "/forum/profanity/"
    assert found["2 rooms are open"] == "/rooms/?show=open"
    assert [url for text, url in found.items() if text.startswith("Opens next: ")] == ["/rooms/sala2/"]
    (registered,) = [text for text in found if text.endswith("registered today")]
    assert registered.split()[0] == str(len(people_by_role)), "not the person who registered before"
    assert found[registered] == "/rooms/people/"
    assert not [text for text in found if "to review" in text], "event staff do not decide about posts"
    assert {browser.get(url).status_code for url in found.values()} == {200}


def test_admins_see_problems_of_the_platform(people_by_role: People) -> None:
    admin = people_by_role["admin"]
    browser = sign_in(admin)
    for kind in (EventKind.THROTTLED, EventKind.KEY_THROTTLED):
        put_event(kind, "ana@example.com", ago=timedelta(hours=2))
    put_event(EventKind.NEW_DEVICE, admin.email)
    found = lines(browser.get("/"))
    (alert,) = [url for text, url in found.items() if text.startswith("Sign-in from a new network")]
    assert alert == f"/security/?kind={EventKind.NEW_DEVICE.value}"
    assert found["Sign-ins were throttled 1 time in the last day"] == "/security/?kind=throttled"
    assert found["API keys were throttled 1 time in the last day"] == "/security/?kind=api_key.throttled"
    assert [url for text, url in found.items() if "for the table" in text] == ["/table/"]
    assert {browser.get(url).status_code for url in found.values()} == {200}


def test_a_task_that_is_overdue_is_reported(people_by_role: People) -> None:
    browser = sign_in(people_by_role["admin"])
    assert not [text for text in lines(browser.get("/")) if text.startswith("Due tasks")]
    put_room(
        "sala9",
        manualOverride="open",
        overrideUntil="2026-01-01T00:00:00Z",
        dueAt="2026-01-01T00:00:00Z",
        GSIStatusPK=keys.DUE.collection().pk,
        GSIStatusSK="2026-01-01T00:00:00Z",
    )
    (url,) = [url for text, url in lines(browser.get("/")).items() if text.startswith("Due tasks have waited for")]
    assert url == "/table/"
    assert "manage.py run_due" in browser.get(url).content.decode()


def test_a_late_follower_and_its_failures_are_reported(people_by_role: People, monkeypatch: pytest.MonkeyPatch) -> None:
    # The tables of most tests have no stream.
    monkeypatch.setattr(TableState, "stream_view", "NEW_AND_OLD_IMAGES")
    browser = sign_in(people_by_role["admin"])
    shard = StreamShard.new(table=settings.DYNAMODB_TABLE, shard="shardId-1")
    with frozen(now().replace(microsecond=0)):
        shard.caught_up_at, shard.failed = now() - timedelta(seconds=400), 2
        write.put(shard)
        found = lines(browser.get("/"))
    assert found["The follower is 400 s behind"] == "/table/"
    assert found["The follower could not repair 2 changes"] == "/table/"
    assert "manage.py follow_stream" in browser.get("/table/").content.decode()
    shard.caught_up_at, shard.failed = now(), 0
    write.put(shard)
    assert not [text for text in lines(browser.get("/")) if "follower" in text]


def create_ownerless_business() -> Business:
    values = {"name": "Sin Dueño", "slug": "sin-dueno", "status": "ACTIVE", "plan": "FREE"}
    return businesses.create(values, command=new_command(ACTOR))


def test_a_business_without_an_owner_is_listed_until_it_has_one(people_by_role: People) -> None:
    browser = sign_in(people_by_role["admin"])
    business = create_ownerless_business()
    assert lines(browser.get("/"))["1 business has no owner"] == f"/businesses/{business.id}/"
    members.add(business.id, people_by_role["owner"].email, command=new_command(ACTOR))
    assert "1 business has no owner" not in lines(browser.get("/"))


def create_job(person: Person, state: JobState, title: str = "Import", ago: timedelta = timedelta()) -> Job:
    job = Job.new(operation=new_id())
    job.kind, job.title, job.by, job.state = "people.import", title, person.email, state
    job.started_at = now() - ago
    transaction = Transaction(new_command(ACTOR))
    transaction.create(job)
    return transaction.commit(job)


def test_people_see_their_own_interrupted_jobs(people_by_role: People) -> None:
    moderator = people_by_role["moderator"]
    job = create_job(moderator, JobState.FAILED)
    create_job(moderator, JobState.DONE)
    left = create_job(moderator, JobState.RUNNING, "Left", timedelta(hours=1))
    create_job(moderator, JobState.RUNNING, "Open now")
    found = {text: url for text, url in lines(sign_in(moderator).get("/")).items() if "interrupted" in text}
    assert found == {
        "Import: interrupted, it can be continued": f"/operations/{job.id}/",
        "Left: interrupted, it can be continued": f"/operations/{left.id}/",
    }
    assert not [text for text in lines(sign_in(people_by_role["admin"]).get("/")) if text.startswith("Import")]


def test_lines_are_in_the_order_of_their_urgency(people_by_role: People) -> None:
    create_post()
    create_room("sala1", open_at=now() - timedelta(hours=1))
    create_ownerless_business()
    page = parse(sign_in(people_by_role["admin"]).get("/"))
    urgencies = [each.attrs["data-urgency"] for listed in page.by_class("home-lines") for each in listed.all("li")]
    order = ["broken", "waiting", "today", "later", "info"]
    assert urgencies == sorted(urgencies, key=order.index) and {"waiting", "later", "info"} <= set(urgencies)


@pytest.mark.parametrize(
    ("language", "title", "checked"),
    [
        ("en", "Nothing needs your attention", "posts and comments to review · your jobs"),
        ("es", "Nada requiere tu atención", "publicaciones y comentarios por revisar · tus tareas"),
    ],
)
def test_a_person_without_work_reads_what_was_checked(
    people_by_role: People, language: str, title: str, checked: str
) -> None:
    page = sign_in(people_by_role["moderator"]).get("/", headers={"Accept-Language": language})
    text = parse(page).by_class("home-empty")[0].text
    assert title in text
    assert all(part in text for part in checked.split(" · "))
    assert not parse(page).one("title").text.startswith("(")


def test_a_refresh_gets_the_lines_and_nothing_if_they_are_the_same(people_by_role: People) -> None:
    htmx = {"HX-Request": "true"}
    # Relative times change every minute.
    with frozen(now()):
        browser = sign_in(people_by_role["moderator"])
        mark = parse(browser.get("/")).by_class("home")[0].attrs["data-fingerprint"]
        assert browser.get("/", headers=htmx | {"X-Seen": mark}).status_code == 204
    create_post()
    changed = browser.get("/", headers=htmx | {"X-Seen": mark})
    assert "1 post to review" in lines(changed) and b"<html" not in changed.content
    assert calls_of(changed).trips == 2


def test_the_counts_of_the_sidebar_are_for_people_who_may_decide(people_by_role: People) -> None:
    create_comment(create_post())
    answer = sign_in(people_by_role["moderator"]).get("/counts/")
    assert answer.json() == {
        "title": "2",
        "counts": {"forum": {"text": "2", "label": "1 post and 1 comment to review"}},
    }
    assert calls_of(answer).trips == 2
    staff = sign_in(people_by_role["staff"])
    assert staff.get("/counts/").json() == {"title": "", "counts": {}}
    assert "data-counts" not in parse(staff.get("/")).one("nav", id="sidebar").attrs


@pytest.mark.parametrize("role", ["admin", "moderator", "staff", "owner"])
def test_the_page_does_not_repeat_the_menu(people_by_role: People, role: str) -> None:
    create_comment(create_post())
    page = parse(sign_in(people_by_role[role]).get("/"))
    menu = {link.text.strip() for link in page.one("nav", id="sidebar").all("a")}
    assert menu and menu & {link.text.strip() for link in page.one("main").all("a")} <= {"Home"}


def test_a_source_is_registered_once() -> None:
    source: HomeSource = sources_of(HomePlace.PLATFORM)[0]
    with pytest.raises(Exception, match="Two sources"):
        register_home(HomePlace.PLATFORM, source)
