"""Defects of branding, one or more for each of its ways of working."""

from __future__ import annotations

from tests.defect import Defect

SCHEDULES = "tests/branding/test_publishing_schedules.py"
EDITOR = "tests/browser/test_branding_editor.py"
OWNER = "tests/browser/test_branding_owner.py"
CONFLICTS = "tests/browser/test_branding_conflicts.py"
FILE_NAMES = "tests/branding/test_file_names.py"
LOGO = "tests/branding/test_logo_contrast.py"
SITE = "tests/branding/test_site_connection.py"

BRAND_DEFECTS = [
    Defect(
        "Brand: publishing leaves the schedules of the version",
        "branding/services/schedule_changes.py",
        "if each.number == version or each.url_id in cancel]",
        "if each.url_id in cancel]",
        f"{SCHEDULES}::test_publishing_cancels_the_schedules_of_the_version_and_undo_restores_them",
    ),
    Defect(
        "Brand: publishing does not say which schedules it cancelled",
        "branding/views/publication_texts.py",
        'return " ".join([text % names, *schedule_texts(result, version)])',
        "return text % names",
        f"{SCHEDULES}::test_publishing_cancels_the_schedules_of_the_version_and_undo_restores_them",
    ),
    Defect(
        "Brand: a rollback does not offer to cancel a pending schedule",
        "templates/branding/publish.html",
        "{% if scheduled %}",
        "{% if scheduled and theme.is_editable %}",
        f"{CONFLICTS}::test_a_rollback_cancels_a_pending_schedule_in_place_and_undo_restores_it",
    ),
    Defect(
        "Brand: a rollback keeps the schedule that the person cancels",
        "branding/views/publishing.py",
        'cancel=given["cancel"],',
        "cancel=(),",
        f"{SCHEDULES}::test_a_rollback_offers_to_cancel_a_pending_schedule",
    ),
    Defect(
        "Brand: the slider shows the draft on the side of the live version",
        "static/css/theme-preview.css",
        "clip-path: inset(0 0 0 var(--split));",
        "clip-path: inset(0 calc(100% - var(--split)) 0 0);",
        f"{EDITOR}::test_the_before_after_slider_moves_by_keyboard_and_touch",
    ),
    Defect(
        "Brand: the right end of the slider names the live version",
        "templates/branding/_preview_pane.html",
        'data-side="after"><span>{{ theme.label }}</span>',
        'data-side="after"><span>v{{ preview.live_version }}</span>',
        f"{EDITOR}::test_the_before_after_slider_moves_by_keyboard_and_touch",
    ),
    Defect(
        "Brand: the handle of the slider is below the picture",
        "static/css/theme-preview.css",
        "    --handle: 2.75rem;\n    grid-area: 1 / 1;\n",
        "    --handle: 2.75rem;\n    grid-area: 2 / 1;\n",
        f"{EDITOR}::test_the_before_after_slider_moves_by_keyboard_and_touch",
    ),
    Defect(
        "Brand: the handle of the slider cannot be moved on the picture",
        "static/css/theme-preview.css",
        "    cursor: ew-resize;\n    pointer-events: auto;\n    appearance: none;\n",
        "    cursor: ew-resize;\n    appearance: none;\n",
        f"{EDITOR}::test_the_before_after_slider_moves_by_keyboard_and_touch",
    ),
    Defect(
        "Brand: the slider cannot be reached by keyboard",
        "templates/branding/_preview_pane.html",
        'id="split"\n',
        'id="split"\n          tabindex="-1"\n',
        f"{EDITOR}::test_the_before_after_slider_moves_by_keyboard_and_touch",
    ),
    Defect(
        "Brand: a key moves the slider but not the picture",
        "static/js/theme-preview.js",
        'if (event.target.matches("[data-split-at]")) clipDraft();',
        "",
        f"{EDITOR}::test_the_before_after_slider_moves_by_keyboard_and_touch",
    ),
    Defect(
        "Brand: a file that is chosen in the editor is not uploaded",
        "static/js/editor-files.js",
        "if (input?.files.length) upload(input.form, input);",
        "",
        f"{OWNER}::test_an_owner_replaces_the_logo_and_publishes_in_five_clicks",
    ),
    Defect(
        "Brand: a file that is uploaded in the editor is not selected",
        "branding/views/editor_files.py",
        "            data[role] = asset\n",
        "            pass\n",
        f"{OWNER}::test_an_owner_replaces_the_logo_and_publishes_in_five_clicks",
    ),
    Defect(
        "Brand: leaving the editor does not offer to save",
        "static/js/unsaved-changes.js",
        'dialog.querySelector("[data-save-next]").hidden = !canSave;',
        "",
        f"{OWNER}::test_the_editor_keeps_the_focus_and_what_is_typed_on_a_slow_network",
    ),
    Defect(
        "Brand: Save and continue stays in the editor",
        "branding/views/editor.py",
        '    url = safe_next(request, "")\n',
        '    url = ""\n',
        f"{OWNER}::test_the_editor_keeps_the_focus_and_what_is_typed_on_a_slow_network",
    ),
    Defect(
        "Brand: Ctrl-S does not save",
        "static/js/unsaved-changes.js",
        'if (!("sending" in form.dataset)) form.requestSubmit();',
        "",
        f"{OWNER}::test_the_editor_keeps_the_focus_and_what_is_typed_on_a_slow_network",
    ),
    Defect(
        "Brand: saving moves the focus",
        "static/js/editor-saving.js",
        "  typed = [];\n});",
        "  typed = [];\n});\n"
        'document.addEventListener("htmx:afterSettle", () => document.activeElement.blur());',
        f"{OWNER}::test_the_editor_keeps_the_focus_and_what_is_typed_on_a_slow_network",
    ),
    Defect(
        "Brand: saving a published version moves the focus",
        "static/js/editor-saving.js",
        "  document.getElementById(saved.id)?.focus({ preventScroll: true });\n",
        "",
        f"{OWNER}::test_saving_a_published_version_and_uploading_a_file_keep_the_focus",
    ),
    Defect(
        "Brand: uploading a file moves the focus",
        "static/js/editor-files.js",
        "  if (hadFocus) ",
        "  if (false) ",
        f"{OWNER}::test_saving_a_published_version_and_uploading_a_file_keep_the_focus",
    ),
    Defect(
        "Brand: what is typed while the editor saves is lost",
        "static/js/editor-saving.js",
        "  typed = readFields(elt).filter(([name, value]) => sent.get(name) !== value);\n",
        "",
        f"{OWNER}::test_the_editor_keeps_the_focus_and_what_is_typed_on_a_slow_network",
    ),
    Defect(
        "Brand: the contrast of a logo is checked against the page instead of the header",
        "branding/logo_contrast.py",
        'None, "primaryColor")',
        'None, "backgroundColor")',
        f"{LOGO}::test_a_part_of_the_logo_needs_enough_contrast",
    ),
    Defect(
        "Brand: the editor does not check the contrast of a logo that is selected",
        "branding/forms/theme.py",
        'return ",".join([*(token.name for token in COLORS), AssetRole.LOGO])',
        'return ",".join(token.name for token in COLORS)',
        f"{EDITOR}::test_the_contrast_of_a_selected_logo_is_checked_on_the_header",
    ),
    Defect(
        "Brand: the publish page does not warn about the logo",
        "templates/branding/publish.html",
        "{% if logo_contrast and not logo_contrast.passes %}",
        "{% if logo_contrast and logo_contrast.passes %}",
        f"{LOGO}::test_the_editor_and_the_publish_page_warn_about_the_logo",
    ),
    Defect(
        "Brand: a conflict can only be resolved as a whole",
        "dashboard/web/conflicts.py",
        "return self.fields is not None and sum(row.can_be_chosen for row in self.rows) > 1",
        "return False",
        f"{CONFLICTS}::test_a_conflict_is_resolved_field_by_field_with_swatches",
    ),
    Defect(
        "Brand: a conflict shows colours without swatches",
        "branding/forms/theme.py",
        "return token.clean(value) if token is not None and token.is_color else None",
        "return None",
        f"{CONFLICTS}::test_a_conflict_is_resolved_field_by_field_with_swatches",
    ),
    Defect(
        "Brand: Undo in the editor does not say what it undid",
        "branding/views/editor.py",
        "    if is_undo and before is not None:\n",
        "    if False:\n",
        f"{FILE_NAMES}::test_undo_names_the_fields_that_it_restored",
    ),
    Defect(
        "Brand: Undo of a publication does not say what it undid",
        "branding/views/publication_texts.py",
        "    if undo == UNDO_PUBLISH and replaced is not None:\n",
        "    if False:\n",
        f"{SCHEDULES}::test_publishing_cancels_the_schedules_of_the_version_and_undo_restores_them",
    ),
    Defect(
        "Brand: Compare shows the ids of files",
        "branding/diff.py",
        "return names.get(asset) or _truncate(last_part) or asset",
        "return asset",
        f"{FILE_NAMES}::test_compare_publish_and_history_show_the_names_of_files_and_versions",
    ),
    Defect(
        "Brand: the history shows the ids of files",
        "branding/services/asset_usage.py",
        "        if name in set(AssetRole)\n",
        "        if False\n",
        f"{FILE_NAMES}::test_compare_publish_and_history_show_the_names_of_files_and_versions",
    ),
    Defect(
        "Brand: the editor shows the ids of files",
        "branding/forms/theme.py",
        "FileChoice(link.id, link.title,",
        "FileChoice(link.id, link.id,",
        f"{FILE_NAMES}::test_compare_publish_and_history_show_the_names_of_files_and_versions",
    ),
    Defect(
        "Brand: Compare shows only the numbers of versions",
        "templates/branding/compare.html",
        "with before=a.title after=b.title",
        "with before=a.label after=b.label",
        f"{FILE_NAMES}::test_compare_publish_and_history_show_the_names_of_files_and_versions",
    ),
    Defect(
        "Brand: on a phone the preview stays where it is",
        "static/js/preview-part.js",
        "if (field) showPart(field.dataset.part);",
        "",
        f"{EDITOR}::test_on_a_phone_the_preview_shows_the_part_that_the_field_changes",
    ),
    Defect(
        "Brand: on a phone a screen without the part stays open",
        "static/js/preview-part.js",
        '  if (!isLoading) getStage().querySelector("[data-choose=screen]").click();\n',
        "",
        f"{EDITOR}::test_on_a_phone_the_preview_shows_the_part_that_the_field_changes",
    ),
    Defect(
        "Brand: a field has no part of the sample screen",
        "branding/samples.py",
        '"mutedColor": ".s-facts"',
        '"mutedColor": ".s-fact"',
        f"{EDITOR}::test_on_a_phone_the_preview_shows_the_part_that_the_field_changes",
    ),
    Defect(
        "Brand: Connect your site shows no stylesheet link",
        "templates/branding/connect.html",
        '    {% include "ui/copy.html" with value=stylesheet_link id="stylesheet" %}\n',
        "",
        f"{SITE}::test_the_page_shows_the_stylesheet_link",
    ),
    Defect(
        "Brand: every site counts as connected",
        "branding/site_check.py",
        "found = any(_target(_join(base, each)) == _target(stylesheet) for each in links.addresses)",
        "found = True",
        f"{SITE}::test_the_check_finds_the_link",
    ),
    Defect(
        "Brand: a connected site counts as not connected",
        "branding/site_check.py",
        "            self.addresses.append(address)\n",
        "            pass\n",
        f"{CONFLICTS}::test_a_site_is_connected",
    ),
]
