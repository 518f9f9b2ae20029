"""Files that a person uploads inside the editor of a version."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from branding.items import AssetRole
from branding.views import uploads
from dashboard.platform.accounts.middleware import Request
from dashboard.web.capacity import PICTURES, expensive

# The name of a role's file field is this and the role.
PREFIX = "upload_"


@dataclass(frozen=True)
class EditorUploads:
    """What happened to the files of a request, by role."""

    results: dict[str, uploads.UploadResult] = field(default_factory=dict)

    @property
    def chosen(self) -> dict[str, str]:
        """The id of each stored file."""
        return {role: each.asset.id for role, each in self.results.items() if each.asset is not None}

    @property
    def errors(self) -> dict[str, str]:
        return {role: f"{each.name}: {each.text}" for role, each in self.results.items() if each.asset is None}

    def add_to(self, sent: Any) -> Any:
        """The sent values with the stored files chosen in their roles."""
        data = sent.copy()
        for role, asset in self.chosen.items():
            data[role] = asset
        return data


def store_uploads(request: Request, business: str) -> EditorUploads:
    """Store the files of the request; each is stored or refused on its own."""
    sent = {role: file for role in AssetRole if (file := request.FILES.get(f"{PREFIX}{role}")) is not None}
    return _store(request, business, sent) if sent else EditorUploads()


@expensive(turn=PICTURES)
def _store(request: Request, business: str, sent: dict[AssetRole, Any]) -> EditorUploads:
    return EditorUploads({role.value: uploads.upload(request, business, file, role) for role, file in sent.items()})
