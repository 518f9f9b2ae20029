"""Tags that every template has without loading them."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import Message
from django.template import Context, Library
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from dashboard.core import clock
from dashboard.web.nouns import count_text

register = Library()
register.filter(count_text)


@lru_cache(maxsize=512)
def _icon(name: str, extra: str) -> SafeString:
    classes = f"icon {extra}".strip()
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"></use></svg>',
        classes,
        static("icons.svg"),
        name,
    )


@register.simple_tag
def icon(name: str, *, extra: str = "") -> SafeString:
    """An icon of the sprite. It is hidden from screen readers: put a text or an aria-label next to it."""
    return _icon(name, extra)


# The short and the long form of a day, as formats of Django's date filter.
DATES = {"en": ("j M Y", "l j F Y"), "es": ("j b Y", r"l j \d\e F \d\e Y")}


def day_format() -> str:
    """The short form of a day in the reader's language."""
    return DATES.get((get_language() or "")[:2], DATES["en"])[0]


def long_day_format() -> str:
    """The long form of a day, with its weekday."""
    return DATES.get((get_language() or "")[:2], DATES["en"])[1]


LONG_BADGE = 30
BADGE_ICONS = {
    "good": "circle-check",
    "warn": "triangle-alert",
    "bad": "circle-x",
    "info": "info",
    "plain": "circle-dashed",
}


@register.simple_tag
def badge(text: str, *, level: str, icon: str = "") -> SafeString:
    """A state as a word with an icon and a colour. A long text wraps."""
    return format_html(
        '<span class="badge{}" data-level="{}">{}<span>{}</span></span>',
        " says" if len(text) > LONG_BADGE else "",
        level,
        _icon(icon or BADGE_ICONS[level], ""),
        text,
    )


def zone_name(moment: datetime) -> str:
    """CET, EST, or GMT-5 for a zone without an abbreviation."""
    name = moment.tzname() or ""
    if name.isalpha():
        return name
    minutes = int((moment.utcoffset() or timedelta()).total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    return f"GMT{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")


def relative(moment: datetime, now: datetime) -> str | None:
    """'3 min ago', 'in 2 h'; None beyond a week, when a date is clearer."""
    seconds = int((now - moment).total_seconds())
    size = abs(seconds)
    if size < 45:
        return _("just now")
    if size < 3570:
        text, past = _("%(n)s min") % {"n": max(1, round(size / 60))}, seconds > 0
    elif size < 84600:
        text, past = _("%(n)s h") % {"n": max(1, round(size / 3600))}, seconds > 0
    elif size < 7 * 86400:
        days = max(1, round(size / 86400))
        text, past = ngettext("%(n)s day", "%(n)s days", days) % {"n": days}, seconds > 0
    else:
        return None
    return (_("%(time)s ago") if past else _("in %(time)s")) % {"time": text}


@register.simple_tag
def when(moment: datetime | None, *, format: str = "short") -> str:
    """A time in the reader's time zone. Formats: short (date, time, zone), relative, date, time."""
    if moment is None:
        return ""
    texts = _time_texts(moment, timezone.get_current_timezone_name(), get_language() or "", format)
    text = (relative(moment, clock.now()) if format == "relative" else None) or texts.text
    live = SafeString(" data-relative") if format == "relative" else ""
    return format_html('<time datetime="{}" title="{}"{}>{}</time>', texts.iso, texts.full, live, text)


class TimeTexts(NamedTuple):
    """A time as it is shown: for machines, in full, and in a format of `when`."""

    iso: str
    full: str
    text: str


@lru_cache(maxsize=4096)
def _time_texts(moment: datetime, zone: str, language: str, format: str) -> TimeTexts:
    local = timezone.localtime(moment)
    short_zone = zone_name(local)
    day, full_day = DATES.get(language[:2], DATES["en"])
    text = date_format(local, {"date": day, "time": "H:i", "relative": day}.get(format, f"{day}, H:i"))
    if format in {"short", "time"}:
        text = f"{text} {short_zone}"
    full = f"{date_format(local, f'{full_day}, H:i:s')} {short_zone} ({zone})"
    return TimeTexts(local.isoformat(), full, text)


@register.simple_tag
def relative_time_texts() -> str:
    """The texts of relative times, as JSON: static/js/relative-times.js keeps them current on an open page."""
    texts = {
        "at": clock.now().isoformat(),
        "now": _("just now"),
        "minutes": _("%(n)s min"),
        "hours": _("%(n)s h"),
        "day": ngettext("%(n)s day", "%(n)s days", 1),
        "days": ngettext("%(n)s day", "%(n)s days", 2),
        "past": _("%(time)s ago"),
    }
    return json.dumps({name: str(text) for name, text in texts.items()})


@dataclass(frozen=True)
class Undo:
    """The inverse action: where it posts and what."""

    url: str
    fields: dict[str, str]
    label: str


@dataclass(frozen=True)
class Toast:
    text: str
    level: str
    undo: Undo | None = None


def toast(message: Message) -> Toast:
    """A message as a toast; its tags contain the Undo."""
    undo = json.loads(message.extra_tags)["undo"] if (message.extra_tags or "").startswith("{") else None
    return Toast(str(message.message), message.level_tag, undo and Undo(**undo))


@register.simple_tag(takes_context=True)
def toasts(context: Context) -> list[Toast]:
    """The pending toasts. Each is shown once."""
    request = context.get("request")
    return [toast(message) for message in get_messages(request)] if request else []


@register.simple_tag
def post_attrs(url: str, *, scroll: str = "window:top") -> SafeString:
    """The attributes of a form that posts to `url`, with htmx or as a plain page.

    With htmx, a failed request keeps the user's input. `scroll="none"` keeps the scroll position."""
    return format_html(
        'method="post" action="{0}" hx-post="{0}" hx-target="#main" hx-select="#main" '
        'hx-select-oob="#toasts:innerHTML" hx-swap="outerHTML show:{1}" hx-disinherit="*"',
        url,
        scroll,
    )


@register.simple_tag(takes_context=True)
def command_field(context: Context) -> SafeString:
    """The hidden field that makes a form act once, however often it is sent."""
    from dashboard.web.commands import form_token

    return format_html('<input type="hidden" name="operation" value="{}">', form_token(context["request"]))


def _render(context: Context, template: str, **values: Any) -> SafeString:
    loaded = context.template.engine.get_template(template)  # type: ignore[union-attr]
    with context.push(**values):
        return loaded.render(context)


@register.simple_block_tag(takes_context=True)
def dialog(context: Context, content: str, id: str, *, title: str) -> SafeString:
    """{% dialog "rename" title=_("Rename") %}…{% enddialog %}, opened by data-dialog="rename"."""
    return _render(context, "ui/dialog.html", id=id, title=title, content=SafeString(content))


@register.simple_block_tag(takes_context=True)
def filters(context: Context, content: str, *, target: str = "#list") -> SafeString:
    """{% filters %}inputs{% endfilters %}: a GET form whose answer replaces the list as it changes."""
    return _render(context, "ui/filters.html", content=SafeString(content), target=target)


@register.simple_block_tag(takes_context=True)
def bulk_bar(context: Context, content: str, *, id: str = "bulk", most: int = 0) -> SafeString:
    """{% bulk_bar most=50 %}submit buttons{% endbulk_bar %}: actions on the selected rows, `most` at a time."""
    return _render(context, "ui/bulk.html", content=SafeString(content), id=id, most=most)


@register.simple_tag
def select_row(value: str, *, label: str, form: str = "bulk") -> SafeString:
    """The table cell with a row's checkbox; `label` names the row for screen readers."""
    return format_html(
        '<td class="pick"><label><span class="sr-only">{}</span>'
        '<input type="checkbox" name="selected" value="{}" form="{}" data-select autocomplete="off"></label></td>',
        _("Select %(name)s") % {"name": label},
        value,
        form,
    )


@register.simple_tag
def select_all_rows() -> SafeString:
    """The header cell with the checkbox that selects all rows of the page."""
    return format_html(
        '<th class="pick" scope="col"><label class="js-only"><span class="pick-word">{}</span>'
        '<input type="checkbox" data-select-all autocomplete="off"></label></th>',
        _("Select all shown"),
    )
