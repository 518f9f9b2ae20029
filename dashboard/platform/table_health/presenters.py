"""The state of the table as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from dashboard.platform.adoption.kinds import kind_label
from dashboard.platform.stream.queries import FollowerState
from dashboard.platform.table_health.archive_checks import MAX_ARCHIVE_LAG
from dashboard.platform.table_health.findings import Finding
from dashboard.platform.table_health.item_presenters import item_url
from dashboard.platform.table_health.state import DescribeOutcome, DescribeResult, TableState
from dashboard.platform.table_health.stream_checks import MAX_LAG, MAX_SILENCE, STREAM_VIEW
from dashboard.table import schema
from dashboard.table.differences import Aspect, described_indexes, described_keys, find_differences, key_text
from dashboard.table.items import CLASSES
from dashboard.table.keypattern import Key
from dashboard.table.masking import masked_key
from dashboard.web.templatetags.ui import relative


@dataclass(frozen=True)
class TableSetting:
    label: str
    value: str
    # Empty for a setting that is neither good nor bad.
    level: str = ""


@dataclass(frozen=True)
class IndexRow:
    name: str
    keys: str
    projection: str
    state: str
    level: str


@dataclass(frozen=True)
class KindRow:
    name: str
    counted_by_reindex: int
    is_known: bool
    # Created minus deleted, as the follower counted since the stream exists.
    counted_by_follower: int = 0
    url: str = ""

    @property
    def label(self) -> str:
        return kind_label(self.name)


@dataclass(frozen=True)
class ExampleRow:
    title: str
    detail: str
    url: str


@dataclass(frozen=True)
class FindingRow:
    finding: Finding
    url: str
    examples: list[ExampleRow]


def finding_rows(findings: list[Finding]) -> list[FindingRow]:
    return [FindingRow(finding, _route_url(finding), _example_rows(finding)) for finding in findings]


def _route_url(finding: Finding) -> str:
    try:
        return reverse(finding.route) + finding.query if finding.route else ""
    except NoReverseMatch:
        return ""


def _example_rows(finding: Finding) -> list[ExampleRow]:
    return [
        ExampleRow(f"{masked_key(each.pk)} / {masked_key(each.sk)}", each.detail, item_url(Key(each.pk, each.sk)))
        for each in finding.examples
    ]


def setting_rows(state: TableState) -> list[TableSetting]:
    """The settings of the table in the order of the page."""
    description, endpoint = state.description, state.endpoint
    rows = [
        TableSetting(_("Name"), state.name),
        TableSetting(_("Engine"), endpoint.engine),
        TableSetting(_("Region"), endpoint.region or "–"),
    ]
    if not endpoint.is_aws:
        rows.append(TableSetting(_("Endpoint"), endpoint.url))
    if state.table.outcome != DescribeOutcome.OK:
        return [*rows, TableSetting(_("Settings"), _outcome_label(state.table), "warn")]
    keys = described_keys(description)
    is_ours = keys == (schema.PK, schema.SK)
    rows.append(TableSetting(_("Key schema"), key_text(*keys), "good" if is_ours else "bad"))
    rows += [_expiry(state), _recovery(state), _encryption(state), _stream(state), _follower(state)]
    return rows if state.archive is None else [*rows, _archive(state.archive)]


def _outcome_label(result: DescribeResult) -> str:
    labels = {
        DescribeOutcome.UNSUPPORTED: _("Not supported by this engine"),
        DescribeOutcome.DENIED: _("Not allowed to read this"),
        DescribeOutcome.MISSING: _("The table does not exist"),
    }
    return labels.get(result.outcome, "")


def _expiry(state: TableState) -> TableSetting:
    label = _("Expiry (TTL)")
    if state.expiry.outcome != DescribeOutcome.OK:
        return TableSetting(label, _outcome_label(state.expiry))
    attribute = state.expiry_attribute
    if attribute is None:
        return TableSetting(label, _("Off"), "warn")
    return TableSetting(
        label, _("by %(attribute)s") % {"attribute": attribute}, "good" if attribute == schema.TTL else "bad"
    )


def _recovery(state: TableState) -> TableSetting:
    label = _("Point-in-time recovery")
    if state.recovery.outcome != DescribeOutcome.OK:
        return TableSetting(label, _outcome_label(state.recovery))
    return TableSetting(label, _("On"), "good") if state.has_recovery else TableSetting(label, _("Off"), "warn")


def _encryption(state: TableState) -> TableSetting:
    """DynamoDB encrypts every table. Without a description it uses a key that AWS owns."""
    described: dict[str, Any] = state.description.get("SSEDescription") or {}
    if described.get("Status") in {"ENABLED", "ENABLING", "UPDATING"}:
        return TableSetting(_("Encryption"), _("On, with a key of this account"), "good")
    if state.endpoint.is_aws:
        return TableSetting(_("Encryption"), _("On, with a key of AWS"), "good")
    return TableSetting(_("Encryption"), _("Not supported by this engine"))


def _stream(state: TableState) -> TableSetting:
    if state.stream_view is None:
        return TableSetting(_("Stream"), _("Off"), "warn")
    return TableSetting(_("Stream"), state.stream_view, "good" if state.stream_view == STREAM_VIEW else "warn")


def _follower(state: TableState) -> TableSetting:
    if state.follower is None or state.follower.lag_seconds is None:
        return TableSetting(_("Follower"), _("No follower has run"), "warn" if state.stream_view else "")
    lag = round(state.follower.lag_seconds)
    if lag > MAX_LAG:
        return TableSetting(_("Follower"), _("%(n)s s behind") % {"n": lag}, "warn")
    if state.follower.batch_at is not None:
        ago = relative(state.follower.batch_at, state.at) or date_format(timezone.localtime(state.follower.batch_at))
        is_silent = state.at - state.follower.batch_at > MAX_SILENCE
        text = _("Lambda function, last batch %(when)s") % {"when": ago}
        return TableSetting(_("Follower"), text, "warn" if is_silent else "good")
    return TableSetting(_("Follower"), _("Up to date"), "good")


def _archive(archive: FollowerState) -> TableSetting:
    label = _("Archive of activity")
    if archive.lag_seconds is None:
        return TableSetting(label, _("Nothing was archived this month"), "warn")
    if archive.lag_seconds > MAX_ARCHIVE_LAG:
        return TableSetting(label, _("%(n)s s behind") % {"n": round(archive.lag_seconds)}, "warn")
    return TableSetting(label, _("Up to date"), "good")


def index_rows(state: TableState) -> list[IndexRow]:
    """Our indexes with their differences, then those of outside writers."""
    if state.table.outcome != DescribeOutcome.OK:
        return []
    described = described_indexes(state.description)
    differing = {each.index: each for each in find_differences(state.description) if each.aspect != Aspect.MISSING}
    rows = []
    for index in schema.INDEXES:
        found = described.get(index.name)
        if found is None:
            expected = key_text(index.pk, index.sk)
            rows.append(IndexRow(index.name, expected, index.projection, _("Missing"), "bad"))
        else:
            difference = differing.get(index.name)
            state_text = _("Expected: %(expected)s") % {"expected": difference.expected} if difference else _("Correct")
            rows.append(_index_row(found, state_text, "bad" if difference else "good"))
    others = [found for name, found in described.items() if name not in schema.BY_NAME]
    return rows + [_index_row(found, _("Of another service"), "plain") for found in others]


def _index_row(found: dict[str, Any], state: str, level: str) -> IndexRow:
    projection = str(found.get("Projection", {}).get("ProjectionType", ""))
    is_active = found.get("IndexStatus", "ACTIVE") == "ACTIVE"
    if level == "good" and not is_active:
        state, level = _("Being built"), "warn"
    return IndexRow(found["IndexName"], key_text(*described_keys(found)), projection, state, level)


def kind_rows(state: TableState) -> list[KindRow]:
    """The items by kind as the last reindex and the follower counted them; unknown kinds come last."""
    by_follower = state.follower.kinds if state.follower else {}
    by_reindex = state.report.counts if state.report else {}
    names = sorted({*by_reindex, *by_follower} & {*CLASSES}, key=lambda name: (-by_reindex.get(name, 0), name))
    rows = [KindRow(name, by_reindex.get(name, 0), True, by_follower.get(name, 0)) for name in names]
    unknown = state.report.unknown if state.report else {}
    for name in sorted({*unknown, *by_follower} - {*CLASSES}):
        examples = unknown[name].examples if name in unknown else ()
        url = item_url(examples[0].key) if examples else ""
        rows.append(KindRow(name, unknown[name].count if name in unknown else 0, False, by_follower.get(name, 0), url))
    return rows
