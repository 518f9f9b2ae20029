"""The pages of the demo: some of them renamed, scheduled, archived, or written by the website service."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import translation

from content.items import Content, ContentCard
from content.page_templates import PAGE_TEMPLATES
from content.queries.pages import load_page
from content.queries.routes import find_route
from content.services import pages, publishing, routes, schedules, sharing, versions
from content.statuses import PageStatus
from dashboard.core.clock import now
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import days_ago
from dashboard.table import write
from dashboard.table.commands import Actor, Command

ANDINA, HARBOUR = "andina", "harbour"
OWNERS = {
    ANDINA: Actor(f"owner@{DOMAIN}", "Olivia Andrade"),
    HARBOUR: Actor(f"owner2@{DOMAIN}", "Óscar Nguyen"),
}
Blocks = list[dict[str, Any]]


def seed() -> int:
    """Add the sites that are missing, and return the number of pages."""
    return sum(
        fill(business) for business, fill in ((ANDINA, _fill_andina), (HARBOUR, _fill_harbour)) if _is_empty(business)
    )


def _is_empty(business: str) -> bool:
    return find_business(business) is not None and find_route(business, "/") is None


def _fill_andina(business: str) -> int:
    with translation.override("es"):
        with days_ago(40, "site andina"):
            home = _add(business, "Inicio", "/", "home", seo_description="Bebidas y kioscos en todo Santiago.")
            contact = _add(business, "Contacto", "/contact", "contact")
            about = _add(business, "Nosotros", "/nosotros", "about", tags=["empresa"])
            for page in (home, contact, about):
                _publish(business, page)
        with days_ago(20, "site andina article"):
            article = _add(business, "Cómo elegimos nuestro café", "/blog/cafe", "article", tags=["blog", "café"])
            _publish(business, article)
            old = _add(business, "Promoción de Fiestas Patrias con seis bebidas y dos alfajores", "/fiestas", "landing")
            _publish(business, old)
        with days_ago(9, "site andina changes"):
            _save(business, about, slug="/quienes-somos", note="La gente busca «quiénes somos»")
            _save(business, home, [*_blocks(home), _paragraph("Desde 1946 en Chile.")], note="Frase del aniversario")
            _set_status(business, old, PageStatus.ARCHIVED)
        with days_ago(3, "site andina today"):
            latest = load_page(business, home.node)
            command = _command(business, "restore")
            versions.restore(business, home.node, 2, revision=latest.revision, command=command)
            routes.add_redirect(business, "/cafe", "/blog/cafe", command=_command(business, "redirect"))
            _add(business, "Trabaja con nosotros", "/trabajo", "article", access_type="LoginRequired")
            summer = _add(business, "Verano 2027", "/verano", "landing", tags=["promociones"])
            _put_outside_page(business)
        with days_ago(1, "site andina schedule"):
            due_at, command = now() + timedelta(days=5), _command(business, "schedule")
            schedules.schedule(
                business, summer.node, due_at, "America/Santiago", revision=summer.revision, command=command
            )
            command = _command(business, "share")
            sharing.share(business, summer.node, 30, note="Para la agencia", command=command)
    return 8


def _fill_harbour(business: str) -> int:
    with days_ago(15, "site harbour"):
        for title, slug, template in (("Home", "/", "home"), ("Contact", "/contact", "contact")):
            _publish(business, _add(business, title, slug, template))
        _add(business, "Brewing at home", "/brewing", "article")
    return 3


def _add(business: str, title: str, slug: str, template: str, **values: Any) -> Content:
    made = {"title": title, "slug": slug, "schema_type": PAGE_TEMPLATES[template].schema_type, **values}
    blocks = PAGE_TEMPLATES[template].build()
    return pages.create(business, made, blocks=blocks, template=template, command=_command(business, slug))


def _publish(business: str, page: Content) -> None:
    _set_status(business, page, PageStatus.PUBLISHED)


def _set_status(business: str, page: Content, status: PageStatus) -> None:
    current = load_page(business, page.node)
    command = _command(business, f"{page.slug} {status}")
    publishing.set_status(business, page.node, status, revision=current.revision, command=command)


def _save(business: str, page: Content, blocks: Blocks | None = None, *, note: str, **values: Any) -> None:
    current = load_page(business, page.node)
    command = _command(business, f"save {page.slug}")
    pages.save(business, page.node, values, blocks, revision=current.revision, note=note, command=command)


def _blocks(page: Content) -> Blocks:
    return list(page.blocks or [])


def _paragraph(text: str) -> dict[str, Any]:
    return {"type": "paragraph", "content": [{"type": "text", "text": text}]}


def _put_outside_page(business: str) -> None:
    """A page that only the website service wrote, with its card as the follower leaves it."""
    page = Content.new(tenant=business, node="5b0c2f0e-6f0b-4c57-9f0b-7a1d7f6f2c11")
    page.node_id, page.type, page.title, page.slug = page.node, "Page", "Preguntas frecuentes", "/faq"
    page.status, page.version, page.created_at = PageStatus.PUBLISHED, 1, now()
    page.blocks = [{"type": "faq", "attrs": {"headline": "Preguntas", "items": []}}]
    page.author, page.author_email = "wordpress-importer", "system"
    card = ContentCard.new(**page.key_parts)
    card.copy_from(page)
    for item in (page, card):
        write.put(item)


def _command(business: str, name: str) -> Command:
    return Command(f"demo-{business}-site-{name}", OWNERS[business])
