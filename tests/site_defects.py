"""Defects of the sites of businesses: pages, addresses, comments, leads, the library and the shop."""

from __future__ import annotations

from tests.defect import Defect

RACE = "tests/content/test_races.py::test_versions_addresses_and_cards_stay_consistent"
COPIES = "tests/content/test_product_copies.py"
ATTRIBUTES = "tests/content/test_new_attributes.py"
MEDIA = "tests/content/test_media.py"
UNSAVED = "tests/content/test_page_unsaved.py"
EDITORS = "tests/content/test_editor_races.py"
VERSIONS = "content/services/page_versions.py"

SITE_DEFECTS = [
    Defect(
        "Site race: two saves make the same version, and the text of one is lost",
        VERSIONS,
        "    transaction.create(snapshot, on_failure=_SnapshotExists)\n"
        "    transaction.save_unversioned(page, _is_as_read(page), _conflict_or_retry(page), more=change.more)\n",
        "    values = {**snapshot.extra_attributes, **snapshot.serialize()}\n"
        "    sets = [Path([name]).set(value) for name, value in values.items() if name not in (schema.PK, schema.SK)]\n"
        "    transaction.update(snapshot.key, sets, None, Conflict)\n"
        "    transaction.save_unversioned(page, Content.pk.exists(), _conflict_or_retry(page), more=change.more)\n",
        RACE,
    ),
    Defect(
        "Site race: restoring leaves a gap between the versions",
        VERSIONS,
        "    page.version = number + 1\n    page.stored_revision = max(int(page.stored_revision or 0), number) + 1\n",
        "    page.version = number + (2 if change.restored_from else 1)\n    page.stored_revision = page.version\n",
        RACE,
    ),
    Defect(
        "Site race: a page takes the address of another page",
        "content/services/page_routes.py",
        '    raise _taken(business, route, route.node or (destination.node if destination else ""))\n',
        "    return []\n",
        RACE,
    ),
    Defect(
        "Site race: a redirect names an address that its page has left, and leads in a circle",
        "content/services/routes.py",
        '    transaction.check(page.key, page.unchanged("slug"), StaleRevision)\n',
        "    return\n",
        RACE,
    ),
    Defect(
        "Site race: a card is written after its page, by itself",
        VERSIONS,
        "    put_card(transaction, page)\n",
        "    if change.action != 'publish':\n        put_card(transaction, page)\n",
        RACE,
    ),
    Defect(
        "Site: a comment gets a second decision from a moderator who saw the first version",
        "content/services/comments.py",
        "    if comment.revision != revision or not decision.is_possible(comment.status):\n",
        "    if not decision.is_possible(comment.status):\n",
        "tests/content/test_comments.py::test_two_moderators_decide_at_once",
    ),
    Defect(
        "Site: a decision overwrites the status that the service wrote in between",
        "content/services/comments.py",
        "condition=is_unchanged, on_failure=CommentOvertaken",
        "on_failure=CommentOvertaken",
        "tests/content/test_comments.py::test_a_status_that_the_service_writes_before_the_decision_conflicts",
    ),
    Defect(
        "Site: a contact that the service overwrites is lost",
        "content/lead_repairs.py",
        "for raw in (change.old, *change.between) if",
        "for raw in (change.old,) if",
        "tests/content/test_leads.py::test_contacts_that_follow_each_other_quickly_are_all_kept",
    ),
    Defect(
        "Site: another tab overwrites what is kept of a page",
        "content/services/editors.py",
        "condition = UnsavedPage.pk.does_not_exist() | (is_own_or_expired & is_open)",
        "condition = UnsavedPage.pk.does_not_exist() | is_open",
        f"{UNSAVED}::test_a_second_editor_does_not_overwrite_what_the_first_one_kept",
    ),
    Defect(
        "Site: what an editor sent before its save is kept again after it",
        "content/services/editors.py",
        "(is_own_or_expired & is_open)",
        "is_own_or_expired",
        f"{UNSAVED}::test_what_is_typed_is_kept_offered_and_deleted_with_the_save",
    ),
    Defect(
        "Site race: another tab overwrites what is kept of a page",
        "content/services/editors.py",
        "condition = UnsavedPage.pk.does_not_exist() | (is_own_or_expired & is_open)",
        "condition = UnsavedPage.pk.does_not_exist() | is_open",
        f"{EDITORS}::test_of_two_tabs_of_a_person_one_keeps_all_it_typed",
    ),
    Defect(
        "Site race: discarding in one tab deletes what the other one kept since",
        "content/services/editors.py",
        "condition: Condition = UnsavedPage.pk.exists() & is_same",
        "condition: Condition = UnsavedPage.pk.exists()",
        f"{EDITORS}::test_an_offer_that_is_no_longer_the_newest_is_not_discarded",
    ),
    Defect(
        "Site race: the save of a tab deletes what another tab continued",
        "content/services/editors.py",
        "condition = UnsavedPage.pk.does_not_exist() | (UnsavedPage.editor == editor)",
        "condition = None",
        f"{EDITORS}::test_the_save_of_the_first_tab_leaves_what_the_second_one_continued",
    ),
    Defect(
        "Site race: a save overwrites the blocks that another person saved meanwhile",
        "content/views/page_editor.py",
        "services.save(business, node, {}, merged.document, revision",
        "services.save(business, node, {}, editor.form.document(), revision",
        f"{EDITORS}::test_two_people_who_save_different_blocks_at_once_lose_nothing",
    ),
    Defect(
        "Site race: of two versions of a block, the later one is saved unasked",
        "content/views/page_editor.py",
        "        if merged.conflicts:\n            return _conflict(request, editor, merged)\n",
        "",
        f"{EDITORS}::test_of_two_people_who_save_one_block_at_once_the_later_one_is_asked",
    ),
    Defect(
        "Site: a copy of a product is written without its condition",
        "content/services/product_copies.py",
        "        condition = exists.exists() if self.exists else exists.does_not_exist()\n",
        "        condition = None\n",
        f"{COPIES}::test_a_copy_that_the_service_writes_meanwhile_is_kept",
    ),
    Defect(
        "Site: the copies of a product get a price that it no longer has",
        "content/services/library/edits.py",
        "        names += ON_CARDS\n",
        "",
        f"{COPIES}::test_the_service_that_changes_the_price_meanwhile_conflicts",
    ),
    Defect(
        "Site: copies that do not fit into the transaction are forgotten",
        "content/follow_ups.py",
        '    follow(f"{PRODUCTS.name}.{action}", COPIES, timedelta(seconds=1))\n',
        "",
        f"{COPIES}::test_more_copies_than_a_transaction_can_have_follow_the_change",
    ),
    Defect(
        "Site: an attribute with a secret can be removed",
        "content/library/item_form.py",
        "        return not self.kind.is_system(name) and self.kind.masked(name, value) == value\n",
        "        return not self.kind.is_system(name)\n",
        f"{ATTRIBUTES}::test_secrets_and_what_services_rely_on_have_no_box",
    ),
    Defect(
        "Site: an attribute can be named like a key of an index",
        "content/library/new_attributes.py",
        "    if name.lower() in _RESERVED or kind.is_system(name):\n",
        "    if kind.is_system(name):\n",
        f"{ATTRIBUTES}::test_keys_and_index_keys_are_refused",
    ),
    Defect(
        "Site: a file that a page shows is deleted",
        "content/services/library/lifecycle.py",
        "        ensure_unused(business, item)\n",
        "        pass\n",
        f"{MEDIA}::test_a_used_file_shows_where_and_is_not_deleted",
    ),
    Defect(
        "Site: the file of another business is shown in the list",
        "content/media_files.py",
        ' if found and found["business"] == business else ""',
        ' if found else ""',
        f"{MEDIA}::test_only_our_own_pictures_have_thumbnails",
    ),
    Defect(
        "Site: a designer sees the orders of visitors",
        "content/views/library.py",
        "    return not kind.is_personal or has_permission(request, Permission.VISITORS)\n",
        "    return True\n",
        "tests/content/test_shop.py::test_a_designer_sees_no_visitors",
    ),
]
