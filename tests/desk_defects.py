"""Defects of the moderation desk, one or more for each of its ways of working."""

from __future__ import annotations

from tests.defect import Defect

DESK_DEFECTS = [
    Defect(
        "Desk: u undoes an undo",
        "forum/queries/own_decisions.py",
        "            if undone:\n",
        "            if False:\n",
        "tests/forum/test_undo_last.py",
    ),
    Defect(
        "Desk: the queue is called empty although comments wait",
        "templates/forum/desk.html",
        "{% elif other_kind %}",
        "{% elif listing.first_url %}",
        "tests/forum/test_queue_of_both.py::test_the_queue_is_empty_only_if_both_kinds_are",
    ),
    Defect(
        "Desk: a mistaken ban counts against its author",
        "forum/reversals.py",
        "UNDO_PERIOD = timedelta(hours=1)",
        "UNDO_PERIOD = timedelta(hours=-1)",
        "tests/forum/test_author_history.py::test_a_mistaken_ban_does_not_count_against_its_author",
    ),
    Defect(
        "Desk: a bulk action leaves the list",
        "forum/views/bulk_panel.py",
        'return wants_fragment(request) and request.POST.get("place") == "list"',
        "return False",
        "tests/forum/test_bulk_in_place.py",
    ),
    Defect(
        "Desk: the filter by word is ignored",
        "forum/queries/content_filters.py",
        "            and (not self.word or match_key(self.word) in words_in(item))\n",
        "",
        "tests/forum/test_content_filters.py",
    ),
    Defect(
        "Desk: a bar of the statistics has no link",
        "forum/statistics/presenters.py",
        'url=period.url(counted=wait_name(number)) if waits[number] else "",',
        'url="",',
        "tests/forum/test_statistics.py::test_each_bar_and_number_links_to_its_log_entries",
    ),
    Defect(
        "Desk: a colleague's decision removes the post from its own page",
        "forum/views/pulse.py",
        "return show in (EVERY_STATUS, card.state.status)",
        "return show == card.state.status",
        "tests/forum/test_pulse.py::test_the_page_of_a_post_and_of_an_author_shows_every_status",
    ),
    Defect(
        "Desk: a change of the filter may send any number of texts to review",
        "forum/confirmation.py",
        " or self.waiting.exceeds(MAX_WAITING_SHARE, checked)",
        "",
        "tests/forum/test_confirmation.py::test_a_word_that_sends_many_texts_to_review_is_saved_after_confirmation",
    ),
    Defect(
        "Desk: the log entry of a ban has no link to undo its cause",
        "forum/log_presenters.py",
        'cause_url=cause_url(entry.admin_id) if entry.action == Action.BAN else "",',
        'cause_url="",',
        "tests/forum/test_bulk_undo.py::test_undo_by_cause_is_linked_from_the_ban_the_log_entry_and_the_version",
    ),
    Defect(
        "Desk: columns without a header are a word",
        "forum/word_columns.py",
        "            return WordColumns(*cells)\n",
        "            return None\n",
        "tests/forum/test_wordlist_import.py::test_columns_are_found_whatever_the_first_line_is",
    ),
    Defect(
        "Desk: a sentence outside a field decides about posts",
        "static/js/desk-typing.js",
        '  if (event.timeStamp >= quietFrom) return "";\n',
        '  return "";\n',
        "tests/browser/test_desk_keys.py::test_a_sentence_outside_a_field_decides_nothing",
    ),
    Defect(
        "Desk: keys act before the person has focused a post",
        "static/js/desk-typing.js",
        "if (!hasFocusedCard && !document.",
        "if (false && !document.",
        "tests/browser/test_desk_keys.py::test_keys_act_only_after_the_person_has_focused_a_post_in_this_visit",
    ),
    Defect(
        "Desk: a post that the page has focused counts as focused by the person",
        "static/js/desk-typing.js",
        "if (hasFocusedCard || !isPersonActing || !findCard(event.target)) return;",
        "if (hasFocusedCard || !findCard(event.target)) return;",
        "tests/browser/test_desk_keys.py::test_keys_act_only_after_the_person_has_focused_a_post_in_this_visit",
    ),
    Defect(
        "Desk: in an empty queue, u pressed three times undoes one decision",
        "static/js/moderation-desk.js",
        '    if (event.key === "u") return;\n',
        "",
        "tests/browser/test_desk_day.py::test_a_new_moderator_works_without_leaving_the_forum",
    ),
]
