"""Builds `static/icons.svg` from the lucide-static package.

`npm pack lucide-static`, unpack it, then `python -m dashboard.web.icons package`.
"""

import json
import re
import sys
from pathlib import Path

STATIC = Path(__file__).resolve().parent.parent.parent / "static"

NAMES = (
    "activity archive arrow-down arrow-left arrow-right arrow-up ban bell blocks book-open briefcase "
    "building-2 calendar calendar-check calendar-x camera chart-column check chevron-down chevron-left "
    "chevron-right chevron-up chevrons-up-down circle circle-alert circle-check circle-dashed circle-help "
    "circle-x clipboard-list clock cloud-off copy corner-down-left cpu credit-card database door-closed door-open "
    "download ellipsis external-link eye eye-off file-text filter flag folder gauge git-compare globe hash heart "
    "history house image inbox info key keyboard languages layers layout-dashboard link list list-filter "
    "loader-circle lock log-out mail map-pin menu message-square messages-square minus monitor moon "
    "package paintbrush palette pause pencil phone play plus printer refresh-cw rotate-ccw route save "
    "scroll-text search search-x send settings shield shield-alert shield-check shopping-bag "
    "sliders-horizontal sparkles split square-check-big square-pen star store sun tag thumbs-up timer trash-2 "
    "triangle-alert undo-2 upload user user-check user-plus user-x users video wifi-off wrench x zap "
)

# The logo.
MARK = """<symbol id="mark" viewBox="0 0 24 24">
<path d="M5 21V6a3 3 0 0 1 3-3h8a3 3 0 0 1 3 3v15"/><path d="M2.5 21h19"/>
<path d="M9 21V8.2a1 1 0 0 1 .76-.97L15 6v15"/><path d="M12.4 13.2v1.6"/>
</symbol>"""

# Icons that lucide has renamed: our name and the current one.
RENAMED = {"circle-help": "circle-question-mark", "filter": "funnel"}


def symbol(package: Path, name: str) -> str:
    """One icon as an SVG symbol, without the attributes that the stylesheet sets."""
    file = package / "icons" / f"{name}.svg"
    if not file.exists():
        file = package / "icons" / f"{RENAMED[name]}.svg"
    found = re.search(r"<svg[^>]*>(.*)</svg>", file.read_text(), re.DOTALL)
    if found is None:
        raise ValueError(f"{file} holds no icon")
    shapes = re.sub(r"\s*\n\s*", "", found[1]).replace(" />", "/>").strip()
    return f'<symbol id="{name}" viewBox="0 0 24 24">{shapes}</symbol>'


def main(package: Path) -> None:
    version = json.loads((package / "package.json").read_text())["version"]
    note = f"<!-- Lucide {version}, ISC licence: see icons.LICENSE. Made by dashboard/web/icons.py. -->"
    symbols = "\n".join([MARK, *(symbol(package, name) for name in sorted(NAMES.split()))])
    (STATIC / "icons.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{note}\n{symbols}\n</svg>\n')
    (STATIC / "icons.LICENSE").write_text((package / "LICENSE").read_text())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
