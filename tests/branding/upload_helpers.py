"""Upload files as a browser sends them."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from branding import queries
from tests.ui.html import Element, forms

FILES = "/b/andina/branding/assets/"
XHR = {"HX-Request": "true"}


def uploaded_file(content: bytes, name: str = "logo.png", type: str = "image/png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, content_type=type)


def upload_files(browser: Client, *files: Any, role: str = "logo", **options: Any) -> Any:
    return browser.post(FILES, {"assetType": role, "file": list(files)}, **options)


def listed_names() -> list[str | None]:
    return [link.name for link in queries.asset_links("andina").items]


def has_delete_form(page: Element) -> bool:
    return any(form.action.endswith("/delete/") for form in forms(page))
