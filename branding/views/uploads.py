"""Files that are being sent: each is taken or refused on its own, and told so in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from branding import images
from branding.forms.assets import cleaned_name
from branding.images import BadPicture, Picture
from branding.items import Asset, Role
from branding.paths import file_url
from branding.services import assets as services
from branding.services.asset_replacement import Replaced
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.web.commands import command_of


@dataclass(frozen=True)
class Sent:
    """What became of one file."""

    name: str
    text: str | Promise
    asset: Asset | None = None
    url: str = ""
    thumbnail: str = ""
    undo: tuple[str, dict[str, Any]] | None = None


def read(file: UploadedFile[Any], role: Role) -> tuple[Picture, str]:
    """The picture in what was sent, and its name; the browser's word on its type is not asked for."""
    try:
        return images.read(file.read(images.MAX_BYTES + 1), role), cleaned_name(file.name)
    except BadPicture as bad:
        raise Refused(str(bad.text), "file") from bad


def take(request: Request, business: str, file: UploadedFile[Any], role: Role) -> Sent:
    try:
        picture, name = read(file, role)
        # Another file in the same form is another wish.
        command = command_of(request).part(f"{picture.source} {role}")
        asset = services.upload(business, picture, name=name, role=role, command=command)
    except Refused as refusal:
        return Sent(cleaned_name(file.name) or _("This file"), refusal.text)
    if asset.is_deleted:
        # The very form that uploaded it, sent again: what someone did since is not undone by that.
        return Sent(asset.title, _("It was uploaded before and deleted since. Load the page again to send it anew."))
    undo = (reverse("asset_delete", args=[business, asset.id]), {"revision": asset.revision})
    is_here = asset.outcome.nothing or asset.outcome.moved_on
    return Sent(
        asset.title,
        _in_words(asset, picture),
        asset,
        reverse("asset", args=[business, asset.id]),
        f"{file_url(asset.id)}?size=thumb",
        None if is_here else undo,
    )


def _in_words(asset: Asset, picture: Picture) -> str:
    what = asset.outcome.result.get("what")
    names = {"name": asset.title}
    if asset.outcome.nothing or what == services.HERE:
        return _("%(name)s is already here, and kept once. A version can show it as logo, banner or icon.") % names
    said = _("%(name)s restored.") if what == services.BACK else _("%(name)s is uploaded.")
    if picture.was_animated:
        said += " " + _("Only the first picture of the animation is kept.")
    return said % names


def replaced_in_words(done: Replaced) -> str:
    """Which drafts show the new file, and what keeps the old one."""
    count = len(done.moved)
    said = [_("%(name)s is uploaded.") % {"name": done.asset.title}]
    if count:
        said.append(ngettext("One draft shows it now.", "%(count)s drafts show it now.", count) % {"count": count})
    else:
        said.append(_("No open draft showed the old file."))
    said += _left(done)
    if done.keep:
        said.append(_("What was published keeps the old file."))
    return " ".join(said)


def put_back_in_words(done: Replaced) -> str:
    count = len(done.moved)
    if not count and not done.left:
        return _("No draft shows the new file any more: there is nothing to put back.")
    words = ngettext("One draft shows %(name)s again.", "%(count)s drafts show %(name)s again.", count)
    return " ".join([words % {"count": count, "name": done.asset.title}, *_left(done)])


def _left(done: Replaced) -> list[str]:
    named = ", ".join(f"v{number}" for number in done.left[:5])
    text = _("Not changed, as someone has changed or published it meanwhile: %(versions)s.")
    return [text % {"versions": named}] if done.left else []
