"""Uploaded files: each is stored or refused on its own, with a text for the person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from branding import images
from branding.forms.assets import clean_file_name
from branding.images import BadPicture, Picture
from branding.items import Asset, AssetRole
from branding.paths import file_url
from branding.services import assets as services
from branding.services.asset_replacement import Replacement
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.web.commands import command_of


@dataclass(frozen=True)
class UploadResult:
    """The result of one uploaded file."""

    name: str
    text: str | Promise
    asset: Asset | None = None
    url: str = ""
    thumbnail: str = ""
    undo: tuple[str, dict[str, Any]] | None = None


def read_picture(file: UploadedFile[Any], role: AssetRole) -> tuple[Picture, str]:
    """The decoded picture and its name; the declared content type is ignored."""
    try:
        return images.read(file.read(images.MAX_BYTES + 1), role), clean_file_name(file.name)
    except BadPicture as bad:
        raise Refused(str(bad.text), "file") from bad


def upload(request: Request, business: str, file: UploadedFile[Any], role: AssetRole) -> UploadResult:
    try:
        picture, name = read_picture(file, role)
        # Each file of the form is its own command.
        command = command_of(request).part(f"{picture.source} {role}")
        asset = services.upload(business, picture, name=name, role=role, command=command)
    except Refused as refusal:
        return UploadResult(clean_file_name(file.name) or _("This file"), refusal.text)
    if asset.is_deleted:
        # The same form was sent again: it must not undo the deletion.
        return UploadResult(
            asset.title, _("This file was uploaded and then deleted. Reload the page and upload it again.")
        )
    undo = (reverse("asset_delete", args=[business, asset.id]), {"revision": asset.revision})
    has_undo = not asset.outcome.is_no_change and not asset.outcome.has_changed_since
    return UploadResult(
        asset.title,
        _result_text(asset, picture),
        asset,
        reverse("asset", args=[business, asset.id]),
        f"{file_url(asset.id)}?size=thumb",
        undo if has_undo else None,
    )


def _result_text(asset: Asset, picture: Picture) -> str:
    result = asset.outcome.result.get("what")
    names = {"name": asset.title}
    if asset.outcome.is_no_change or result == services.ALREADY_STORED:
        return _("%(name)s was already uploaded. You can use it as logo, banner or icon.") % names
    text = _("%(name)s restored.") if result == services.RESTORED else _("%(name)s uploaded.")
    if picture.was_animated:
        text += " " + _("Only the first frame of the animation is used.")
    return text % names


def replacement_text(result: Replacement) -> str:
    """How many drafts use the new file, and which could not be changed."""
    count = len(result.changed)
    texts = [_("%(name)s uploaded.") % {"name": result.asset.title}]
    if count:
        texts.append(ngettext("%(count)s draft uses it now.", "%(count)s drafts use it now.", count) % {"count": count})
    else:
        texts.append(_("No draft used the old file."))
    texts += _skipped_text(result)
    if result.unchanged:
        texts.append(_("Published versions keep the old file."))
    return " ".join(texts)


def undo_text(result: Replacement) -> str:
    count = len(result.changed)
    if not count and not result.skipped:
        return _("No draft uses the new file any more. There is nothing to undo.")
    text = ngettext("%(count)s draft uses %(name)s again.", "%(count)s drafts use %(name)s again.", count)
    return " ".join([text % {"count": count, "name": result.asset.title}, *_skipped_text(result)])


def _skipped_text(result: Replacement) -> list[str]:
    named = ", ".join(f"v{number}" for number in result.skipped[:5])
    text = _("Not changed, because someone else changed or published it: %(versions)s.")
    return [text % {"versions": named}] if result.skipped else []
