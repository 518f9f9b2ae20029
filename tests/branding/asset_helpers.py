"""Helpers for the tests of files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from branding import queries
from branding.items import Asset
from branding.services import assets, drafts
from dashboard.table.commands import Command, new_command
from tests.conftest import ACTOR

NewCommand = Callable[[], Command]
ANDINA = "andina"


def listed_asset_ids(business: str = ANDINA) -> list[str]:
    return [link.id for link in queries.asset_links(business).items]


def delete_asset(asset: Asset) -> Asset:
    return assets.delete(ANDINA, asset.id, revision=asset.revision, command=new_command(ACTOR))


def history_actions(asset: Asset) -> list[str | None]:
    return [entry.action for entry in queries.asset_history(ANDINA, asset.id)]


def create_draft(**files: str) -> Any:
    return drafts.create(ANDINA, files=files, command=new_command(ACTOR))


def stored_paths(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


# A file as the seed data contains it.
SEED_ASSET = {
    "PK": {"S": "ASSET#logo-123"},
    "SK": {"S": "META"},
    "type": {"S": "ASSET"},
    "businessId": {"S": ANDINA},
    "assetType": {"S": "logo"},
    "uri": {"S": "s3://intrale-branding/assets/logo-123.png"},
    "checksum": {"S": "md5:abcdef"},
    "updatedAt": {"S": "2025-09-18T12:45:00Z"},
}
