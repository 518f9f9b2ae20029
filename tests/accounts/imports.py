"""Uploads files of people, and reads the preview."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from dashboard.core.ids import new_id
from dashboard.platform.accounts import people_import, sheets
from dashboard.platform.accounts.jobs import IMPORT
from dashboard.platform.jobs import queries, services
from dashboard.platform.jobs.items import Job
from dashboard.table.commands import new_command
from tests.conftest import ACTOR
from tests.ui.html import form_to, parse

URL = "/people/import/"


def upload_import(text: str = "", **options: Any) -> Job:
    """Create an import of Alma's that has not started. By default it has one valid and one skipped line."""
    text = text or f"email;rol\nnew-{new_id()[-8:]}@example.com;staff\nnobody;staff\n"
    lines = people_import.check_lines(sheets.parse_rows(text), None)
    good = sum(line["verdict"] == people_import.INVITE for line in lines)
    about = {"leftOut": len(lines) - good, "skipped": 0, "file": "people.csv"}
    counts = {"total": good, "first": len(lines) - good, "about": about}
    return services.start(
        IMPORT, "Import", command=new_command(ACTOR), inputs=lines, waiting=True, **(counts | options)
    )


def start_import(text: str) -> Job:
    """An import of Alma's that has started."""
    job = upload_import(text)
    services.confirm(job)
    return reload(job)


def reload(job: Job) -> Job:
    current = queries.find_job(job.id)
    assert current is not None
    return current


def csv_of_people(count: int, role: str = "staff", prefix: str = "many") -> str:
    lines = [f"{prefix}-{number:04}@example.com,Name {number},{role}" for number in range(count)]
    return "\n".join(["email,name,role", *lines])


def send_file(browser: Client, lines: str | bytes = "", *, file: bool = True, **more: Any) -> Any:
    """Send these lines as a file, or pasted as text."""
    content = lines.encode() if isinstance(lines, str) else lines
    fields = {"file": SimpleUploadedFile("people.csv", content)} if file else {"text": lines}
    return form_to(browser.get(URL), URL).send(browser, values=fields | more)


def preview_rows(response: Any) -> list[list[str]]:
    """The texts in the table of the preview."""
    return [[cell.text for cell in row.all("td")] for row in parse(response).all("tr", data_row="")]
