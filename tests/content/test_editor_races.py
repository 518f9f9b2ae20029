"""Editors of one page at once, with lost replies: what a person typed is lost only if they saw and discarded it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier, Event
from typing import Any, TypeVar

from django.http import QueryDict
from django.test import Client

from content.blocks.nodes import heading, paragraph
from content.items import Content, UnsavedPage
from content.queries.editors import load_page_and_unsaved, people_in_editor
from content.queries.pages import load_page
from content.services import editors
from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.businesses.services import members
from dashboard.table.commands import Actor, new_command
from tests.conftest import ACTOR, add_person, real_engines, sign_in
from tests.content.site import BUSINESS, a_page
from tests.content.test_page_editor import blocks_now, editor, texts
from tests.content.test_page_unsaved import continued, is_offered
from tests.faults import act_then_break, bad_network, lose_reply, retry_until_available
from tests.ui.html import Form, parse

T = TypeVar("T")
OLIVIA, INES = Actor("olivia@example.com", "Olivia Andrade"), Actor("ines@example.com", "Inés Mora")
BLOCKS = [heading(1, "About"), paragraph("One"), paragraph("Two")]
REPORTS, ROUNDS = 8, 5


@contextmanager
def lossy_network() -> Iterator[None]:
    with bad_network() as network:
        network.add_random_fault(0.1, lose_reply)
        network.add_random_fault(0.05, act_then_break)
        yield
        network.stop_faults()


def at_once(*acts: Callable[[], T]) -> list[T]:
    start = Barrier(len(acts))

    def begin(act: Callable[[], T]) -> T:
        start.wait()
        return act()

    with lossy_network(), ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(begin, acts))


def form_with(text: str) -> QueryDict:
    form = QueryDict(mutable=True)
    form["k0-text"] = text
    return form


def report_typing(page: Content, tab: str, by: Actor) -> list[str]:
    """Type in an open editor. Returns the texts that it was told to be kept."""

    def keep(text: str) -> bool:
        return editors.keep(BUSINESS, page.node, form_with(text), editor=tab, by=by)

    typed = [f"{tab}-{number}" for number in range(REPORTS)]
    return [text for text in typed if retry_until_available(lambda text=text: keep(text))]  # type: ignore[misc]


def kept(page: Content, by: Actor) -> UnsavedPage | None:
    return retry_until_available(lambda: load_page_and_unsaved(BUSINESS, page.node, by.email)[1])


def kept_text(page: Content, by: Actor) -> str:
    found = kept(page, by)
    return found.form.get("k0-text", "") if found else ""


@real_engines
def test_of_two_tabs_of_a_person_one_keeps_all_it_typed(table: str) -> None:
    page = a_page(blocks=BLOCKS)
    first, second = at_once(lambda: report_typing(page, "a", OLIVIA), lambda: report_typing(page, "b", OLIVIA))
    # The other tab was told each time that its text is not kept.
    assert sorted((len(first), len(second))) == [0, REPORTS]
    assert kept_text(page, OLIVIA) == (first or second)[-1]


@real_engines
def test_two_people_keep_their_own_texts_and_see_each_other(table: str) -> None:
    page = a_page(blocks=BLOCKS)

    def work(by: Actor) -> list[str]:
        retry_until_available(lambda: editors.note_presence(BUSINESS, page.node, by=by))
        return report_typing(page, by.email, by)

    for by, told in zip((OLIVIA, INES), at_once(lambda: work(OLIVIA), lambda: work(INES)), strict=True):
        assert len(told) == REPORTS and kept_text(page, by) == told[-1]
    assert people_in_editor(BUSINESS, page.node, OLIVIA.email) == ["Inés Mora"]
    assert people_in_editor(BUSINESS, page.node, INES.email) == ["Olivia Andrade"]


@real_engines
def test_discarding_in_one_tab_leaves_what_the_other_kept_since(table: str) -> None:
    page = a_page(blocks=BLOCKS)

    def discard() -> list[str]:
        """Discard what is offered, again and again. Returns the texts that were offered."""
        seen = []
        for _time in range(REPORTS):
            offer = kept(page, OLIVIA)
            if offer is not None and offer.kept_id:
                seen.append(str(offer.form["k0-text"]))
                kept_id = offer.kept_id
                retry_until_available(
                    lambda kept_id=kept_id: editors.discard(  # type: ignore[misc]
                        BUSINESS, page.node, kept_id=kept_id, by=OLIVIA
                    )
                )
        return seen

    for _round in range(ROUNDS):
        told, seen = at_once(lambda: report_typing(page, "a", OLIVIA), discard)
        assert len(told) == REPORTS
        assert kept_text(page, OLIVIA) == ("" if told[-1] in seen else told[-1])


@real_engines
def test_an_offer_that_is_no_longer_the_newest_is_not_discarded(table: str) -> None:
    page = a_page(blocks=BLOCKS)
    report_typing(page, "a", OLIVIA)
    offer = kept(page, OLIVIA)
    report_typing(page, "a", OLIVIA)
    assert offer is not None and offer.kept_id
    with lossy_network():
        assert not retry_until_available(
            lambda: editors.discard(BUSINESS, page.node, kept_id=str(offer.kept_id), by=OLIVIA)
        )
    assert kept_text(page, OLIVIA) == f"a-{REPORTS - 1}"


@real_engines
def test_the_save_of_the_first_tab_leaves_what_the_second_one_continued(table: str) -> None:
    for _round in range(ROUNDS):
        page = a_page(f"About {_round}", blocks=BLOCKS)
        report_typing(page, "a", OLIVIA)

        is_done = Event()

        def save(page: Content = page, is_done: Event = is_done) -> list[str]:
            """The first tab is saved, again and again, until the second one has typed all."""
            while True:
                is_last = is_done.is_set()
                retry_until_available(lambda: editors.close(BUSINESS, page.node, editor="a", by=OLIVIA))
                if is_last:
                    return []

        def go_on(page: Content = page, is_done: Event = is_done) -> list[str]:
            offer = kept(page, OLIVIA)
            kept_id = (offer.kept_id or "") if offer else ""
            taken = retry_until_available(
                lambda: editors.take_over(BUSINESS, page.node, kept_id=kept_id, editor="b", by=OLIVIA)
            )
            told = report_typing(page, "b", OLIVIA) if taken else []
            is_done.set()
            return told

        _nothing, told = at_once(save, go_on)
        assert kept_text(page, OLIVIA) == (told[-1] if told else "")


def send(form: Form, browser: Client, **values: str) -> Any:
    """Send a form, and send it again while the table is unavailable, as a person does."""
    data = form.data() | values
    for _time in range(50):
        answer: Any = browser.post(form.action, data)
        if answer.status_code != 503:
            return answer
    raise AssertionError("The table is never available.")


def sign_in_ines() -> Client:
    person = add_person(INES.email, Role.OWNER, INES.name)
    members.add(BUSINESS, person.email, role=BusinessRole.MANAGER, command=new_command(ACTOR))
    return sign_in(person)


@real_engines
def test_two_people_who_save_different_blocks_at_once_lose_nothing(table: str, as_owner: Client) -> None:
    page, ines = a_page(blocks=BLOCKS), sign_in_ines()
    for number in range(ROUNDS):
        first, second = editor(as_owner, page), editor(ines, page)
        mine, theirs = f"Olivia {number}", f"Inés {number}"
        answers = at_once(
            lambda form=first, text=mine: send(form, as_owner, **{"k1-text": text}),  # type: ignore[misc]
            lambda form=second, text=theirs: send(form, ines, **{"k2-text": text}),  # type: ignore[misc]
        )
        assert [each.status_code for each in answers] == [303, 303]
        assert blocks_now(page) == [BLOCKS[0], paragraph(mine), paragraph(theirs)]
    assert load_page(BUSINESS, page.node).number == 1 + 2 * ROUNDS


@real_engines
def test_of_two_people_who_save_one_block_at_once_the_later_one_is_asked(table: str, as_owner: Client) -> None:
    page, ines = a_page(blocks=BLOCKS), sign_in_ines()
    for number in range(ROUNDS):
        browsers, written = (as_owner, ines), (f"Olivia{number}", f"Inés{number}")
        opened = [editor(browser, page) for browser in browsers]
        answers = at_once(
            *(
                lambda form=form, browser=browser, text=text: send(form, browser, **{"k1-text": text})
                for form, browser, text in zip(opened, browsers, written, strict=True)
            )
        )
        codes = [each.status_code for each in answers]
        assert sorted(codes) == [303, 409]
        assert blocks_now(page) == [BLOCKS[0], paragraph(written[codes.index(303)]), BLOCKS[2]]
        loser = codes.index(409)
        shown = parse(answers[loser]).text
        assert all(text in shown for text in written)
        # What the other one wrote is kept for them too.
        assert texts(continued(browsers[loser], page))[1] == written[loser]
        assert not is_offered(browsers[1 - loser], page)
        editors.discard(BUSINESS, page.node, kept_id=kept_id_of(page, (OLIVIA, INES)[loser]), by=(OLIVIA, INES)[loser])


def kept_id_of(page: Content, by: Actor) -> str:
    found = kept(page, by)
    assert found is not None and found.kept_id
    return found.kept_id
