"""Drafts: numbers, saving, discarding and automatic deletion; published versions never change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from branding import queries, tokens
from branding.items import AssetLink, Theme, ThemeStatus
from branding.services import drafts, publishing
from dashboard.core.clock import frozen, now
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.commands import Command, new_command
from dashboard.table.transactions import Transaction
from tests.audit.entries import put
from tests.conftest import ACTOR, add_business, every_engine
from tests.ui.walk import values

NewCommand = Callable[[], Command]


@pytest.fixture(autouse=True)
def andina(table: str) -> None:
    add_business("andina", "Coca-Cola Andina")


def raw_theme(version: int, **more: Any) -> dict[str, Any]:
    """A theme as an outside writer writes it."""
    item = {"PK": {"S": "BUS#andina"}, "SK": {"S": f"THEME#{version:08}"}, "type": {"S": "THEME"}}
    return item | {"version": {"N": str(version)}, "status": {"S": "draft"}} | more


def create_asset_link(asset: str, business: str = "andina") -> None:
    """Create a link to a file without content."""
    asset_link = AssetLink.new(tenant=business, asset=asset)
    asset_link.type, asset_link.asset_type, asset_link.used_by = "ASSET_LINK", "logo", {}
    transaction = Transaction(new_command(ACTOR))
    transaction.create(asset_link)
    transaction.commit(asset_link)


def versions_using(asset: str) -> list[int]:
    return queries.asset_links_by_id("andina", [asset])[asset].used_by_versions


def audit_actions() -> list[str]:
    entries = read.page(keys.AUDIT.collection(tenant="andina"), AuditEntry, limit=500, consistent=True).items
    return sorted(str(entry.action) for entry in entries)


def save(version: int, command: Command, **changes: Any) -> Theme:
    theme = queries.load_theme("andina", version)
    arguments: dict[str, Any] = {
        "values": {},
        "files": theme.assets_by_role,
        "name": theme.name or "",
        "revision": theme.revision,
    } | changes
    return drafts.save("andina", version, command=command, **arguments)


@every_engine
def test_a_new_draft_has_all_defaults_and_the_next_number(table: str, command: NewCommand) -> None:
    draft = drafts.create("andina", command=command())
    stored = queries.load_theme("andina", 1)
    assert (draft.number, stored.version, stored.status, stored.type) == (1, 1, "draft", "THEME")
    assert stored.metadata == tokens.DEFAULTS
    assert (stored.updated_by, stored.revision) == (ACTOR.email, 1)
    assert audit_actions() == ["theme.create"]


def test_a_version_number_is_never_used_twice(table: str, command: NewCommand) -> None:
    """Also after a draft is deleted automatically, and after an outside writer skipped our counter."""
    for _ in range(2):
        drafts.create("andina", command=command())
    with frozen(now() + drafts.DELETED_AFTER + timedelta(days=1)):
        assert queries.versions("andina").items == []
        assert drafts.create("andina", command=command()).number == 3
    put(raw_theme(41))
    assert drafts.create("andina", command=command()).number == 42
    assert queries.load_theme("andina", 41).revision == 0, "the item of the outside writer is unchanged"


def test_a_draft_copies_everything_from_its_source(table: str, command: NewCommand) -> None:
    """Fields that we do not know are copied too."""
    metadata = {"M": {"primaryColor": {"S": "#0F172A"}, "mascot": {"M": {"name": {"S": "Tito"}}}}}
    put(raw_theme(7, metadata=metadata, assets={"L": [{"S": "ASSET#logo-123"}]}, name={"S": "Spring"}))
    draft = drafts.create("andina", source=7, command=command())
    assert draft.number == 8
    stored = queries.load_theme("andina", 8)
    assert stored.metadata == {"primaryColor": "#0F172A", "mascot": {"name": "Tito"}}
    assert (stored.assets, stored.name, stored.made_from) == (["ASSET#logo-123"], "Spring", 7)
    assert stored.asset_for("logo") == "logo-123"


def test_a_draft_from_an_unknown_version_is_not_found(command: NewCommand) -> None:
    with pytest.raises(NotFound):
        drafts.create("andina", source=99, command=command())
    assert audit_actions() == []


def test_saving_changes_the_given_values_and_keeps_the_others(table: str, command: NewCommand) -> None:
    put(raw_theme(3, metadata={"M": {"primaryColor": {"S": "#0F172A"}, "mascot": {"S": "Tito"}}}))
    saved = save(3, command(), values={"primaryColor": "#112233", "spacing": "airy"}, name="Winter")
    assert saved.outcome.result["before"]["primaryColor"] == "#0F172A"
    stored = queries.load_theme("andina", 3)
    assert stored.metadata == {"primaryColor": "#112233", "spacing": "airy", "mascot": "Tito"}
    assert (stored.name, stored.revision) == ("Winter", 1)


@every_engine
def test_saving_an_outdated_revision_is_a_conflict_with_the_current_version(table: str, command: NewCommand) -> None:
    drafts.create("andina", command=command())
    save(1, command(), values={"primaryColor": "#111111"})
    with pytest.raises(Conflict) as conflict:
        save(1, command(), values={"primaryColor": "#222222"}, revision=1)
    theirs = conflict.value.item
    assert isinstance(theirs, Theme) and theirs.metadata["primaryColor"] == "#111111"
    assert theirs.updated_by_name == ACTOR.name
    assert queries.load_theme("andina", 1).style["primaryColor"] == "#111111"


def test_saving_without_changes_writes_nothing(command: NewCommand) -> None:
    drafts.create("andina", command=command())
    assert save(1, command()).outcome.is_no_change
    assert (queries.load_theme("andina", 1).revision, audit_actions()) == (1, ["theme.create"])


def test_a_repeated_save_reports_success_and_writes_once(table: str, command: NewCommand) -> None:
    drafts.create("andina", command=command())
    repeated_command = command()
    save(1, repeated_command, values={"primaryColor": "#111111"})
    repeated = save(1, repeated_command, values={"primaryColor": "#111111"}, revision=1)
    assert not repeated.outcome.has_changed_since
    assert (queries.load_theme("andina", 1).revision, audit_actions()) == (2, ["theme.create", "theme.save"])


def test_saving_a_published_version_creates_a_draft(table: str, command: NewCommand) -> None:
    drafts.create("andina", command=command())
    drafts.create("andina", command=command())
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    publishing.publish("andina", 2, expected_live_version=1, command=command())
    for version in (1, 2):
        before = queries.load_theme("andina", version).metadata
        draft = save(version, command(), values={"primaryColor": "#333333"}, name="Edited")
        assert (draft.number, draft.made_from, draft.style["primaryColor"]) == (version + 2, version, "#333333")
        assert queries.load_theme("andina", version).metadata == before
        for service in (drafts.discard, drafts.disable_auto_delete):
            with pytest.raises(Conflict):
                service("andina", version, revision=queries.load_theme("andina", version).revision, command=command())


def test_a_draft_expires_unless_auto_delete_is_disabled(table: str, command: NewCommand) -> None:
    for _ in range(2):
        drafts.create("andina", command=command())
    one, two = queries.load_theme("andina", 1), queries.load_theme("andina", 2)
    assert one.ttl == one.time_to_archive
    assert one.created_at and one.expires_at == one.created_at + drafts.DELETED_AFTER
    kept = drafts.disable_auto_delete("andina", 2, revision=two.revision, command=command())
    assert values(queries.load_theme("andina", 2), "expires_at", "ttl", "time_to_archive") == (None, None, None)
    with frozen(now() + drafts.DELETED_AFTER + timedelta(minutes=1)):
        assert [theme.number for theme in queries.versions("andina").items] == [2]
        with pytest.raises(NotFound):
            queries.load_theme("andina", 1)
    expiring = drafts.enable_auto_delete("andina", 2, revision=kept.revision, command=command())
    assert expiring.expires_at is not None
    assert audit_actions() == ["theme.create", "theme.create", "theme.keep", "theme.let_go"]


def test_saving_a_draft_postpones_its_expiry(command: NewCommand) -> None:
    drafts.create("andina", command=command())
    before = queries.load_theme("andina", 1).expires_at
    with frozen(now() + timedelta(days=60)):
        after = save(1, command(), values={"primaryColor": "#111111"}).expires_at
    assert before is not None and after is not None and after - before >= timedelta(days=59)


def test_discard_and_restore(table: str, command: NewCommand) -> None:
    drafts.create("andina", command=command())
    gone = drafts.discard("andina", 1, revision=1, command=command())
    assert (gone.status, gone.expires_at is not None) == (ThemeStatus.DISCARDED, True)
    with pytest.raises(Conflict):
        drafts.discard("andina", 1, revision=2, command=command())
    with pytest.raises(Refused):
        publishing.publish("andina", 1, expected_live_version=None, command=command())
    back = drafts.restore("andina", 1, revision=2, command=command())
    assert back.status == ThemeStatus.DRAFT
    with pytest.raises(Conflict):
        drafts.restore("andina", 1, revision=3, command=command())


# --- Files ---------------------------------------------------------------------------------------
def test_a_file_lists_the_versions_that_use_it(table: str, command: NewCommand) -> None:
    for asset in ("andina-a", "andina-b"):
        create_asset_link(asset)
    drafts.create("andina", files={"logo": "andina-a"}, command=command())
    drafts.create("andina", source=1, command=command())
    assert versions_using("andina-a") == [2, 1]
    save(2, command(), files={"logo": "andina-b", "icon": "andina-a"})
    assert (versions_using("andina-a"), versions_using("andina-b")) == ([2, 1], [2])
    save(2, command(), files={"logo": "andina-b"})
    assert (versions_using("andina-a"), versions_using("andina-b")) == ([1], [2])
    stored = queries.load_theme("andina", 2)
    assert (stored.assets, stored.assets_by_role) == (["ASSET#andina-b"], {"logo": "andina-b"})
    with frozen(now() + drafts.DELETED_AFTER + timedelta(days=1)):
        assert versions_using("andina-a") == [], "an expired draft uses no file"


def test_a_published_version_uses_its_file_without_end(table: str, command: NewCommand) -> None:
    create_asset_link("andina-a")
    drafts.create("andina", files={"logo": "andina-a"}, command=command())
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    with frozen(now() + timedelta(days=3650)):
        assert versions_using("andina-a") == [1]


@pytest.mark.parametrize("asset", ["harbour-x", "nowhere"])
def test_a_file_of_another_business_is_refused(table: str, command: NewCommand, asset: str) -> None:
    add_business("harbour", "Harbour Coffee")
    create_asset_link("harbour-x", business="harbour")
    drafts.create("andina", command=command())
    with pytest.raises(Refused):
        save(1, command(), files={"logo": asset})
    with pytest.raises(Refused):
        drafts.create("andina", files={"logo": asset}, command=command())
    assert queries.load_theme("andina", 1).assets == []


def test_saving_keeps_files_that_outside_writers_added(table: str, command: NewCommand) -> None:
    """They have no link of ours, and some have no role."""
    named = [{"S": f"ASSET#{name}"} for name in ("logo-123", "banner-123", "font-9")]
    put(raw_theme(5, assets={"L": named}))
    create_asset_link("andina-a")
    theme = queries.load_theme("andina", 5)
    assert theme.assets_by_role == {"logo": "logo-123", "banner": "banner-123"}
    save(5, command(), values={"primaryColor": "#111111"})
    assert queries.load_theme("andina", 5).assets == [each["S"] for each in named]
    save(5, command(), files={"logo": "andina-a", "banner": "banner-123"})
    assert queries.load_theme("andina", 5).assets == ["ASSET#andina-a", "ASSET#banner-123", "ASSET#font-9"]
