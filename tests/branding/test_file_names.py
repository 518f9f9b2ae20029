"""Files are shown by their names, and Undo names the fields that it restored."""

from __future__ import annotations

from django.test import Client

from branding import queries
from branding.services import drafts
from dashboard.table.commands import new_command
from tests.branding.brand_pages import BRAND, OLIVIA, diff_lines, url_of
from tests.branding.pictures import upload_asset
from tests.branding.theme_factory import create_draft, create_published, put_theme, reload
from tests.ui.html import form_to, parse, toasts, undo_form


def save_logo(number: int, logo: str) -> None:
    theme = queries.load_theme("andina", number)
    drafts.save(
        "andina",
        number,
        values={},
        files={"logo": logo},
        name=theme.name or "",
        revision=theme.revision,
        command=new_command(OLIVIA),
    )


def test_compare_publish_and_history_show_the_names_of_files_and_versions(as_owner: Client) -> None:
    logo, other = upload_asset("andina", 1, name="Letters.png"), upload_asset("andina", 2, name="Round.png")
    live, draft = create_published("andina", "Summer"), create_draft("andina", "Autumn")
    save_logo(draft.number, logo.id)
    save_logo(draft.number, other.id)
    page = parse(as_owner.get(f"{BRAND}compare/?a={live.number}&b={draft.number}")).one("main")
    assert diff_lines(page)["Logo"] == ["none", "Round.png"]
    assert [head.text for head in page.by_class("diff")[0].all("th")[1:3]] == ["v1 Summer", "v2 Autumn"]
    publish = parse(as_owner.get(url_of(draft, "publish"), follow=True)).one("main")
    editor = parse(as_owner.get(url_of(draft))).one("main")
    assert diff_lines(publish)["Logo"] == ["none", "Round.png"]
    assert "Letters.png → Round.png" in editor.text
    for each in (page, publish, editor):
        assert logo.id not in each.text and other.id not in each.text


def test_two_files_with_one_name_are_distinguished_in_the_history(as_owner: Client) -> None:
    one, two = upload_asset("andina", 1, name="Logo.png"), upload_asset("andina", 2, name="Logo.png")
    draft = create_draft("andina", "Autumn")
    save_logo(draft.number, one.id)
    save_logo(draft.number, two.id)
    assert f"Logo.png ({one.id[-6:]}) → Logo.png ({two.id[-6:]})" in parse(as_owner.get(url_of(draft))).one("main").text


def test_a_file_of_an_outside_writer_is_shown_by_its_address(as_owner: Client) -> None:
    live = create_published("andina", "Summer")
    file = {"assetId": "abc123", "assetType": "LOGO", "uri": "https://files.example.com/brand/Our%20logo.png?v=2"}
    put_theme("andina", 7, status="DRAFT", assets=[file])
    page = parse(as_owner.get(f"{BRAND}compare/?a={live.number}&b=7")).one("main")
    assert diff_lines(page)["Logo"][1] == "Our logo.png"
    assert "Our logo.png" in parse(as_owner.get(url_of(7))).one("main").text


def test_files_without_a_role_are_shown_by_their_names(as_owner: Client) -> None:
    """The branding service adds files that we do not know as logo, banner or icon."""
    film = upload_asset("andina", 3, name="Tour.png")
    files = [
        {"assetId": film.id, "assetType": "FILM"},
        {"assetId": "abc123", "assetType": "FILM", "uri": "https://files.example.com/brand/Night.mp4"},
    ]
    put_theme("andina", 6, status="DRAFT", assets=[])
    put_theme("andina", 7, status="DRAFT", assets=files)
    page = parse(as_owner.get(f"{BRAND}compare/?a=6&b=7")).one("main")
    assert diff_lines(page)["Other files"] == ["–", "Tour.png, Night.mp4"]


def test_undo_names_the_fields_that_it_restored(as_owner: Client) -> None:
    logo = upload_asset("andina", 1, name="Letters.png")
    draft = create_draft("andina", "Autumn")
    form = form_to(parse(as_owner.get(url_of(draft))).one("main"), url_of(draft))
    saved = form.send(as_owner, values={"primaryColor": "#aa0000", "logo": logo.id}, follow=True)
    assert toasts(saved) == ["v1 Autumn saved."]
    undone = undo_form(saved).send(as_owner, follow=True)
    assert toasts(undone) == ["Undone in v1 Autumn: Primary, Logo."]
    assert (reload(draft).style["primaryColor"], reload(draft).asset_for("logo")) == ("#1d4ed8", None)
    again = undo_form(undone).send(as_owner, follow=True)
    assert reload(draft).asset_for("logo") == logo.id and toasts(again) == ["Undone in v1 Autumn: Primary, Logo."]
