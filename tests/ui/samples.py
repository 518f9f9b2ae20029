"""A sample value for every part that a URL can have, created by the services."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta

from bookings.conversation_states import Author
from bookings.online.links import token_of
from bookings.queries import providers as bookings
from bookings.services import conversations
from bookings.services.bookings import create as create_booking
from bookings.states import Status as BookingStatus
from branding.public import load_publishable_theme
from content import comment_bulk, joint_publication, lead_bulk
from content.blocks.edits import new_block
from content.blocks.labels import ADDABLE
from content.blocks.templates import blocks_of
from content.comment_statuses import DECISIONS
from content.lead_stages import LeadStage
from content.services import leads, sharing
from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links, people
from dashboard.platform.adoption.jobs import adopt_all, adoption_line
from dashboard.platform.apikeys.items import PLATFORM
from dashboard.platform.jobs.items import Job
from dashboard.table.commands import Actor, new_command
from forum.actions import Action
from forum.services import posts
from forum.targets import ForumTarget
from franchises.import_plan import Catalog, plan_lines
from franchises.queries.branches import branches_of, load_branch
from franchises.queries.franchises import find_franchise
from franchises.queries.products import load_product
from franchises.queries.whole_catalog import all_products, products_of_branch
from franchises.reasons import MovementReason
from franchises.services import counts, stock_import
from franchises.services.stock import change_stock
from franchises.stock_file import parse_lines
from rooms.services import shifts
from rooms.shifts import build_lines
from tests.accounts.imports import upload_import
from tests.adoption.outside import make_unknown_business, put_tenant
from tests.apikeys.factories import create_key, put_seed_key
from tests.audit.entries import utc
from tests.bookings.catalog import a_customer, a_provider, a_service, a_week, put_booking, seed_items, set_hours
from tests.bookings.conversations import begin, say, take_over
from tests.branding.pictures import upload_asset
from tests.branding.publishing_factory import create_share_link, put_schedule
from tests.branding.theme_factory import create_draft
from tests.conftest import ACTOR
from tests.content.library_items import create_context, put_media_file, put_resource, put_signal, put_site_file
from tests.content.site import a_page, publish, save_page
from tests.content.visitors import put_comment, put_consent, put_lead, put_page
from tests.forum.bulk_jobs import create_counted_bulk
from tests.forum.config_versions import save_filter_version, save_reasons_version
from tests.forum.factories import create_comment, create_post, decide
from tests.franchises.stores import a_branch, a_franchise, a_product
from tests.franchises.undo_jobs import counted_undo
from tests.jobs.count_job import unfinished_job
from tests.jobs.execution import finish
from tests.mail.samples import create_mail_samples
from tests.rooms.attendees import create_attendee
from tests.rooms.content import activate_version, put_version
from tests.rooms.content import create_version as content_of_room
from tests.rooms.domains import allow_domains
from tests.rooms.rooms import create_room
from tests.webhooks.factories import create_webhook_samples

# The business in the URLs, and another business that its owner may not open.
BUSINESS, NEIGHBOURS = "andina", "harbour"
# What the samples of a page are called in URLs.
PAGE_PARTS = ("node", "page_version", "page_share", "page_token")
# The id of an audit entry of the platform and of one of the business.
ENTRY = "2025-09-21T10:00:00Z_walk"


class Samples(Mapping[str, str]):
    """A value for every part of a URL, created when it is first read: most URLs have at most two parts."""

    def __init__(self, makers: dict[tuple[str, ...], Callable[[], Iterable[str]]]) -> None:
        self._makers = {name: (names, make) for names, make in makers.items() for name in names}
        self._made: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        if name not in self._made:
            names, make = self._makers[name]
            self._made |= dict(zip(names, make(), strict=True))
        return self._made[name]

    def __or__(self, others: dict[str, str]) -> ChainMap[str, str]:
        """The same samples with some other values. Creates nothing."""
        return ChainMap(others, self)  # type: ignore[arg-type]

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


def samples(who: Actor = ACTOR) -> Samples:
    """New samples, so that tests do not affect each other. Jobs belong to `who`: nobody else may open them."""
    known = {"session_id": "0" * 64, "business": BUSINESS, "entry": ENTRY, "picture": "1"}
    return Samples(
        {
            tuple(known): known.values,
            ("email", "token"): invite_guest,
            ("key_id",): lambda: [put_seed_key(BUSINESS, f"key-{new_id()}").id],
            ("platform_key_id",): lambda: [create_key(PLATFORM, "App of the event")[0].id],
            ("job_id",): lambda: [unfinished_job(who).id],
            ("business_job_id",): lambda: [unfinished_job(who, BUSINESS).id],
            ("forum_job_id",): lambda: [create_counted_bulk(who).id],
            ("upload",): lambda: [upload_import().id],
            ("version", "schedule", "share", "shared"): create_shared_draft,
            ("asset",): lambda: [upload_asset(BUSINESS, int(new_id()[-4:], 36) % 90).id],
            ("number",): lambda: [str(save_reasons_version(f"Spam {new_id()}"))],
            ("profanity_number",): lambda: [str(save_filter_version(f"word-{new_id()}"))],
            ("domains_number",): lambda: [str(allow_domains("example.com", f"d-{new_id()}.example"))],
            ("post", "comment", "user", "forum_entry"): lambda: create_forum_samples().values(),
            ("forum_post",): lambda: [create_announcement(who)],
            ("room", "room_version"): lambda: create_room_with_content(f"sala-{new_id()[-8:]}").values(),
            ("rooms_job_id",): lambda: [prepare_shift(who).id],
            ("undo_job_id",): lambda: [create_stock_undo(who).id],
            ("event_email",): lambda: create_attendee_samples(f"event-{new_id()[-8:]}@example.org").values(),
            ("activity_email",): lambda: [f"event-{new_id()[-8:]}@example.org"],
            ("business_id",): lambda: [make_unknown_business().id],
            ("adoption",): lambda: [prepare_adoption(who).id],
            ("service", "provider", "customer", "booking"): lambda: create_booking_samples().values(),
            ("booking_link",): lambda: [token_of(BUSINESS, add_booking(), is_from_mail=True)],
            ("conversation",): lambda: [create_conversation()],
            ("branch", "product", "seq"): create_store_samples,
            ("count", "count_product"): create_count,
            ("place", "mail_kind", "webhook_id"): create_mail_and_webhook_samples,
            ("stores_job_id",): lambda: [prepare_stock_import(who).id],
            ("comments_job_id",): lambda: [decide_comments(who).id],
            ("leads_job_id",): lambda: [move_leads(who).id],
            PAGE_PARTS: create_page_samples,
            ("joint_job_id",): lambda: [begin_joint_publication(who).id],
            ("site_path", "site_domain"): create_site_address,
            ("library", "item"): create_context,
            ("signal",): lambda: [put_signal()],
            ("resource",): lambda: [put_resource()],
            ("site_file",): lambda: [put_site_file()],
            ("media_name",): lambda: [put_media_file()],
            ("page_comment", "page_id", "author"): create_page_comment,
            ("decision", "revision"): lambda: ["approve", "1"],
            ("lead", "at", "note"): create_lead,
            ("visitor",): lambda: [put_consent().visitor],
        }
    )


def create_page_comment(business: str = BUSINESS) -> tuple[str, str, str]:
    """A comment, and in URLs its page and its author."""
    node, email = f"page-{new_id()[-8:]}", f"petra-{new_id()[-8:]}@reader.example"
    put_page(node=node, business=business)
    comment = put_comment("Un comentario", node=node, business=business, authorEmail=email)
    return comment.ref.token, comment.ref.page, comment.author_key


def decide_comments(who: Actor, business: str = BUSINESS) -> Job:
    """A job that has decided about a comment."""
    comment = put_comment("Un comentario", node=f"page-{new_id()[-8:]}", business=business)
    job = comment_bulk.begin_with(business, DECISIONS["spam"], {comment.ref: 0}, "", command=new_command(who))
    return finish(job)


def move_leads(who: Actor, business: str = BUSINESS) -> Job:
    """A job that has changed the stage of a lead."""
    lead = f"lead-{new_id()[-8:]}@example.com"
    put_lead(lead, business=business)
    job = lead_bulk.begin(business, LeadStage.CONTACTED, [{"lead": lead, "seen": 0}], "", command=new_command(who))
    return finish(job)


def create_lead(business: str = BUSINESS) -> tuple[str, str, str]:
    """A lead, and the time and the id of a note about it."""
    lead = f"lead-{new_id()[-8:]}@example.com"
    put_lead(lead, name="Otto Kern", data={"message": "Hola"}, business=business)
    return lead, *leads.add_note(business, lead, "Una nota", command=new_command(ACTOR)).ref


def create_mail_and_webhook_samples(business: str = BUSINESS) -> tuple[str, str, str]:
    """Mail and a delivery with the same name in URLs, of the business and of the platform."""
    place, kind = create_mail_samples(business)
    return place, kind, create_webhook_samples(place, business)


def invite_guest() -> tuple[str, str]:
    """Invites a person. Returns the e-mail and the token of the link."""
    command = new_command(ACTOR)
    guest = people.invite(f"guest-{new_id()[-8:]}@example.com", name="Guest", role=Role.STAFF, command=command)
    token = links.token_of(guest, command)
    assert token is not None
    return guest.email, token


def create_shared_draft() -> tuple[str, str, str, str]:
    """A draft that is scheduled for tomorrow, and a share link to it."""
    version = create_draft(BUSINESS).number
    link, shared = create_share_link(BUSINESS, version)
    return str(version), put_schedule(BUSINESS, version, now() + timedelta(days=1)), link.id, shared


def prepare_shift(who: Actor) -> Job:
    """A prepared job that shifts the openings of two rooms."""
    rooms = [create_room(f"shifted-{new_id()[-8:]}", now() + timedelta(hours=2)) for _ in range(2)]
    return shifts.prepare(build_lines(rooms, 15), 15, command=new_command(who))


def prepare_adoption(who: Actor) -> Job:
    """A prepared job that adopts an unknown business and leaves out an id that cannot be adopted."""
    lines = [adoption_line(make_unknown_business(f"a b {new_id()}")), adoption_line(make_unknown_business())]
    return adopt_all(lines, command=new_command(who))


def create_announcement(who: Actor) -> str:
    return ForumTarget.of(posts.announce("La sala 2 abre a las cinco", command=new_command(who))).post


def create_forum_samples() -> dict[str, str]:
    """A post to review with a picture, a comment on it, its author, and a log entry that can be undone."""
    post = create_post("palabra2 a la salida", images=["https://pics.example.com/b.jpg"])
    comment = ForumTarget.of(create_comment(post, "palabra2 a la entrada"))
    banned = decide(create_post("palabra2 otra vez"), Action.BAN)
    entry = str(banned.outcome.result["entry"])
    return {"post": comment.post, "comment": comment.comment, "user": str(post.user_id), "forum_entry": entry}


def create_attendee_samples(email: str) -> dict[str, str]:
    """An attendee who completed a room that exists and one that no longer exists."""
    create_attendee(email, "Ana Torres", progress=["sala1", "sala9"])
    return {"event_email": email}


def create_room_with_content(room: str) -> dict[str, str]:
    """A room with three versions of its content: a previous one, the active one, and a new one."""
    put_version(1, room, title="Bienvenida", type="hologram", vimeoUrl="rtmp://live.example.com/1", active=True)
    create_room(room, now() + timedelta(hours=1), f"Sala {room}")
    opening = utc("2026-03-01T10:15:00")
    number = content_of_room("La misma, más " + "larga " * 20, room, address="https://vimeo.com/76979871").number
    activate_version(number, room)
    return {"room": room, "room_version": str(content_of_room("Cierre", room, source=number, open_at=opening).number)}


def sample_blocks() -> list[object]:
    """A block of every kind, and one that only another program knows."""
    known = [new_block(type_) for type_ in ADDABLE]
    return [*known, *blocks_of("landing"), {"type": "mapEmbed", "attrs": {"lat": 1, "pins": [{"id": "p"}]}}]


def create_page_samples(business: str = BUSINESS) -> tuple[str, str, str, str]:
    """A published page with an earlier version and a redirect, the number of the version, and a link to the page."""
    page = a_page(f"Carta {new_id()[-8:]}", business=business, tags=["menú"], blocks=sample_blocks())
    page = save_page(page, business=business, slug=f"{page.slug}-nueva")
    command = new_command(ACTOR)
    link = sharing.share(business, page.node, 7, command=command)
    return publish(page, business=business).node, "1", link.id, sharing.token_of(link, command)


def begin_joint_publication(who: Actor, business: str = BUSINESS) -> Job:
    """A job that publishes a page and a theme, before its first step."""
    theme = load_publishable_theme(business, create_draft(business, "Con página").number)
    page = a_page(f"Campaña {new_id()[-8:]}", business=business)
    return joint_publication.begin(business, page, theme, command=new_command(who))


def create_site_address() -> tuple[str, str]:
    """The address of a published page, as a part of a URL, and the domain of a site that has it and a home page."""
    path, site = f"horario-{new_id()[-8:]}", f"sitio-{new_id()[-8:]}"
    put_tenant(site, domain=f"{site}.example.org")
    for business, slug in ((BUSINESS, f"/{path}"), (site, f"/{path}"), (site, "/")):
        publish(a_page("Horario", slug=slug, business=business), business=business)
    return path, f"{site}.example.org"


def create_count(business: str = BUSINESS) -> tuple[str, str]:
    """A count of a branch, and one of its products."""
    branch_id, product_id, _seq = create_store_samples(business)
    products = products_of_branch(business, branch_id)
    sheet = counts.start(business, load_branch(business, branch_id), products, command=new_command(ACTOR))
    return sheet.id, product_id


def prepare_stock_import(who: Actor, business: str = BUSINESS) -> Job:
    """A prepared import with a line that has an error, one that changes a product and one that adds one."""
    _branch, product_id, _seq = create_store_samples(business)
    catalog = Catalog(branches_of(business), all_products(business))
    branch = load_product(business, product_id).branch_id
    text = f"branch,product,name,stock\n{branch},{product_id},Café de grano,7\n{branch},,Mate,3\n{branch},,Sal,mil\n"
    lines = plan_lines(parse_lines(text, "CLP"), catalog)
    return stock_import.prepare(business, lines, "stock.csv", command=new_command(who))


def create_conversation() -> str:
    """A conversation that a person has taken over, with messages of all three authors."""
    conversation_id = f"conv-{new_id()}"
    begin(conversation_id, user_context={"name": "Ana Torres", "email": "ana@example.com"})
    say("Hola", conversation=conversation_id)
    say("¿Qué servicio quieres?", Author.BOT, conversation=conversation_id)
    take_over(conversation_id)
    conversations.reply(BUSINESS, conversation_id, "Te ayudo yo", command=new_command(ACTOR))
    return conversation_id


def create_booking_samples(business: str = BUSINESS) -> dict[str, str]:
    """A service, its provider, a customer and a booking."""
    service = a_service(f"Masaje {new_id()[-4:]}", business=business)
    provider = a_provider("María González", service.id, business=business)
    found = {"service": service.id, "provider": provider.id, "customer": a_customer(business=business).id}
    return found | {"booking": add_booking(business=business)}


def create_stock_undo(who: Actor) -> Job:
    """A counted job that undoes what a file changed."""
    if find_franchise(BUSINESS) is None:
        a_franchise(business=BUSINESS)
    return counted_undo(who, BUSINESS)


def create_store_samples(business: str = BUSINESS) -> tuple[str, str, str]:
    """A branch, one of its products with a sale, and the number of the sale."""
    if find_franchise(business) is None:
        a_franchise(business=business)
    branch = a_branch(business=business)
    product = a_product(branch=branch, sku="CAFE", business=business, min_stock=20)
    a_product("Café para llevar, tostado medio, molido fino", a_branch("Norte", business=business), business=business)
    command = new_command(ACTOR)
    sold = change_stock(business, product.id, change=-1, reason=MovementReason.SALE, command=command)
    return branch.id, product.id, str(sold.seq)


def add_booking(status: BookingStatus = BookingStatus.CONFIRMED, *, business: str = BUSINESS) -> str:
    """A booking with a provider who works all day."""
    service = a_service(f"Limpieza {new_id()[-4:]}", business=business, buffer_after=10)
    provider = set_hours(a_provider("Antonia Muñoz", service.id, business=business), a_week())
    start = (now() + timedelta(days=3)).replace(hour=15, minute=0, second=0)
    customer = a_customer("Carolina Soto", business=business).id
    command = new_command(ACTOR)
    return create_booking(business, service.id, provider.id, start, customer, status=status, command=command).id


def create_booked_business() -> dict[str, str]:
    """The seed's business, with a new provider who has hours and an upcoming booking, and one more for its service."""
    seed_items()
    set_hours(a_provider("Pedro Rojas", "svc_123"), a_week())
    found = create_booking_samples()
    provider = bookings.load_provider(BUSINESS, found["provider"])
    set_hours(provider, a_week(dates={now().date() + timedelta(days=9): None}))
    start = (now() + timedelta(days=2)).replace(minute=0, second=0)
    put_booking(provider.id, start, "book_1", serviceId=found["service"], customerId=found["customer"])
    add_booking(BookingStatus.PENDING)
    return found | {"booking_link": token_of(BUSINESS, found["booking"], is_from_mail=True)}
