"""The pages of unknown ids: what they show, adopting with a form, and all of them as a job."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts.permissions import Role
from dashboard.platform.adoption import queries
from dashboard.platform.businesses.queries import find_business as find
from dashboard.platform.businesses.queries import find_member, load_business
from dashboard.platform.jobs.items import JobState
from dashboard.platform.jobs.queries import find_job
from dashboard.table import keys
from tests.adoption.outside import COGNITO, follow, make_unknown_business, outside_id, put_raw, put_tenant
from tests.conftest import add_person, sign_in
from tests.jobs.execution import finish
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of

FOUND = "/table/found/"


@pytest.fixture
def admin(table: str) -> Client:
    return sign_in(add_person("aldo@example.com", Role.ADMIN, "Aldo Paz"))


def page_of(business: str) -> str:
    return f"{FOUND}id/{business}/"


def test_the_list_names_the_ids_and_what_was_found(admin: Client) -> None:
    unknown = make_unknown_business()
    response = admin.get(FOUND)
    text = parse(response).one("main").text
    assert "Panadería Pan Caliente" in text and unknown.id in text and "theme versions" in text
    assert calls_of(response).trips == 2


def test_the_list_explains_itself_when_nothing_was_found(admin: Client) -> None:
    assert "Every business in the table is known" in parse(admin.get(FOUND)).text
    assert "No unknown owners" in parse(admin.get(f"{FOUND}?show=owners")).text
    assert admin.get(f"{FOUND}?show=other").status_code == 404


def test_a_search_finds_a_part_of_the_name_or_the_id(admin: Client) -> None:
    unknown, other = make_unknown_business(), make_unknown_business(outside_id("studio"), name="Estudio Sur")
    for query in ("ESTUDIO", "studio"):
        text = parse(admin.get(FOUND, {"q": query})).one("table").text
        assert other.id in text and unknown.id not in text
    assert "contains this text" in parse(admin.get(FOUND, {"q": "nothing"})).text


def test_the_list_has_pages(admin: Client) -> None:
    for number in range(queries.PAGE + 3):
        follow(put_raw(keys.SERVICE.key(tenant=f"Shop_{number:03}", service="s")))
    first = parse(admin.get(FOUND))
    following = next(link for link in first.all("a") if "cursor=" in link.attrs.get("href", ""))
    second = parse(admin.get(following.attrs["href"])).one("table").text
    assert "Shop_050" in second and "Shop_049" not in second


def test_the_page_of_an_id_counts_its_items(admin: Client) -> None:
    unknown = make_unknown_business()
    for number in range(3):
        follow(put_raw(keys.SERVICE.key(tenant=unknown.id, service=f"s{number}")))
    response = admin.get(page_of(unknown.id))
    rows = [row.text for row in parse(response).one("main").one("tbody").all("tr")]
    assert any(row.startswith("services") and "3" in row for row in rows)
    assert calls_of(response).trips == 2


def test_adopting_from_the_list_without_javascript_and_undo(admin: Client) -> None:
    unknown = make_unknown_business()
    response = form_to(parse(admin.get(FOUND)).one("main"), page_of(unknown.id)).send(admin, follow=True)
    assert response.status_code == 200 and toasts(response) == ["Panadería Pan Caliente adopted. Add its owners."]
    assert response.request["PATH_INFO"] == f"/businesses/{unknown.id}/"
    assert admin.get(f"/b/{unknown.id}/").status_code == 200
    undone = undo_form(response).send(admin, follow=True)
    assert toasts(undone) == ["Panadería Pan Caliente is not a business any more. Its items were kept."]
    assert find(unknown.id) is None and queries.find_unknown_business(unknown.id) is not None


def test_adopting_with_another_name_and_slug(admin: Client) -> None:
    unknown = make_unknown_business()
    form = form_to(parse(admin.get(page_of(unknown.id))).one("main"), page_of(unknown.id))
    assert dict(form.fields)["name"] == "Panadería Pan Caliente"
    form.send(admin, values={"name": "Pan", "slug": "Mi-Pan"})
    assert (load_business(unknown.id).name, load_business(unknown.id).slug) == ("Pan", "mi-pan")


@pytest.mark.parametrize(
    "fields", [{"slug": "a b"}, {"slug": "admin"}, {"name": "###"}, {"name": "x" * 101}, {"slug": "x" * 80}]
)
def test_bad_input_is_kept_with_an_error(admin: Client, fields: dict[str, str]) -> None:
    unknown = make_unknown_business()
    response = form_to(parse(admin.get(page_of(unknown.id))).one("main"), page_of(unknown.id)).send(
        admin, values=fields
    )
    assert response.status_code == 422
    assert next(iter(fields.values())) in response.content.decode()
    assert find(unknown.id) is None


def test_an_id_that_someone_else_adopted_meanwhile_is_a_conflict(admin: Client) -> None:
    unknown = make_unknown_business()
    form = form_to(parse(admin.get(page_of(unknown.id))).one("main"), page_of(unknown.id))
    form.send(admin)
    response = admin.post(page_of(unknown.id), {"name": "Second"})
    assert response.status_code == 409
    assert "already a business" in response.content.decode()
    assert admin.get(page_of(unknown.id)).status_code == 404


def test_all_of_them_as_a_job_with_preview_and_undo(admin: Client) -> None:
    one, two = make_unknown_business(), make_unknown_business(outside_id("Otra"), name="Otra")
    follow(put_raw(keys.SERVICE.key(tenant="not a slug", service="s")))
    preview = form_to(parse(admin.get(FOUND)), f"{FOUND}adopt/").send(admin, follow=True)
    text = parse(preview).one("main").text
    assert "Adopt 2 businesses" in text and "1 id cannot be adopted" in text
    assert find(one.id) is None
    running = form_to(parse(preview).one("main"), f"{preview.request['PATH_INFO']}confirm/").send(admin, follow=True)
    job = find_job(running.request["PATH_INFO"].strip("/").split("/")[-1])
    assert job is not None and finish(job).done == 2
    assert find(one.id) is not None and find(two.id) is not None
    assert [each.id for each in queries.unknown_businesses().items] == ["not a slug"]
    add_person("olivia@example.com", Role.OWNER)
    form_to(parse(admin.get(f"/businesses/{two.id}/")), f"/businesses/{two.id}/members/").send(
        admin, values={"email": "olivia@example.com"}
    )
    result = admin.get(running.request["PATH_INFO"])
    undoing = form_to(parse(result).one("main"), f"{FOUND}adopt/{job.id}/undo/").send(admin, follow=True)
    undo = find_job(undoing.request["PATH_INFO"].strip("/").split("/")[-1])
    assert undo is not None
    after = finish(undo)
    assert (after.state, after.done, after.failed) == (JobState.DONE, 1, 1)
    assert find(one.id) is None and find(two.id) is not None
    assert "It was kept" in parse(admin.get(f"/operations/{undo.id}/")).text


def test_nothing_to_adopt_starts_no_job(admin: Client) -> None:
    assert admin.post(f"{FOUND}adopt/").status_code == 422


# --- Owners --------------------------------------------------------------------------------------
def owner_page(admin: Client, owner: str = COGNITO, **more: str) -> str:
    return f"{FOUND}owner/?owner={owner}" + "".join(f"&{name}={value}" for name, value in more.items())


def test_an_owner_of_another_system_is_linked_to_a_person(admin: Client) -> None:
    add_person("olivia@example.com", Role.OWNER, "Olivia Andrade")
    for business in ("one", "two"):
        follow(put_tenant(business, ownerUserId=COGNITO))
    assert COGNITO in parse(admin.get(f"{FOUND}?show=owners")).one("table").text
    response = admin.get(owner_page(admin))
    assert calls_of(response).trips == 2
    form = form_to(parse(response).one("main"), f"{FOUND}owner/")
    linked = form.send(admin, values={"email": "Olivia@example.com"}, follow=True)
    assert toasts(linked) == ["Owner linked to Olivia Andrade."]
    for business in ("one", "two"):
        member = find_member(business, "olivia@example.com")
        assert member is not None and member.is_owner
        assert load_business(business).owner_user_id == COGNITO
    owner = queries.find_owner(COGNITO)
    assert owner is not None and (owner.email, owner.not_owned_business_ids) == ("olivia@example.com", [])


def test_a_link_is_remembered_for_later_businesses(admin: Client) -> None:
    add_person("olivia@example.com", Role.OWNER, "Olivia Andrade")
    follow(put_tenant("one", ownerUserId=COGNITO))
    form_to(parse(admin.get(owner_page(admin))).one("main"), f"{FOUND}owner/").send(
        admin, values={"email": "olivia@example.com"}
    )
    follow(put_tenant("later", ownerUserId=COGNITO))
    assert "Not owner of every business" in parse(admin.get(f"{FOUND}?show=owners")).one("table").text
    form_to(parse(admin.get(owner_page(admin))).one("main"), f"{FOUND}owner/").send(admin)
    member = find_member("later", "olivia@example.com")
    assert member is not None and member.is_owner


def test_the_page_of_a_business_links_its_owner_before_the_follower_saw_it(admin: Client) -> None:
    add_person("olivia@example.com", Role.OWNER, "Olivia Andrade")
    put_tenant("one", ownerUserId=COGNITO)
    link = next(each for each in parse(admin.get("/businesses/one/")).all("a") if each.text == COGNITO)
    form = form_to(parse(admin.get(link.attrs["href"])).one("main"), f"{FOUND}owner/")
    form.send(admin, values={"email": "olivia@example.com"})
    assert find_member("one", "olivia@example.com") is not None
    assert COGNITO in parse(admin.get("/businesses/one/")).one("main").text


def test_someone_without_an_account_is_refused_and_can_be_invited(admin: Client) -> None:
    follow(put_tenant("one", ownerUserId=COGNITO))
    form = form_to(parse(admin.get(owner_page(admin))).one("main"), f"{FOUND}owner/")
    response = form.send(admin, values={"email": "nobody@example.com"})
    assert response.status_code == 422 and "nobody@example.com has no account yet" in parse(response).text
    assert form.send(admin, values={"email": "not an address"}).status_code == 422


def test_undo_removes_the_link_and_keeps_the_membership(admin: Client) -> None:
    add_person("olivia@example.com", Role.OWNER, "Olivia Andrade")
    follow(put_tenant("one", ownerUserId=COGNITO))
    form = form_to(parse(admin.get(owner_page(admin))).one("main"), f"{FOUND}owner/")
    linked = form.send(admin, values={"email": "olivia@example.com"}, follow=True)
    assert toasts(undo_form(linked).send(admin, follow=True)) == ["Link removed. Memberships were kept."]
    owner = queries.find_owner(COGNITO)
    assert owner is not None and not owner.email
    assert find_member("one", "olivia@example.com") is not None


@pytest.mark.parametrize("query", ["", "?owner="])
def test_a_request_without_an_owner_leads_to_the_list(admin: Client, query: str) -> None:
    response = admin.get(f"{FOUND}owner/{query}")
    assert (response.status_code, response.headers["Location"]) == (303, f"{FOUND}?show=owners")


@pytest.mark.parametrize("query", [f"?owner={'x' * 600}", "?owner=unknown", "?owner=%00"])
def test_an_unknown_owner_is_not_found(admin: Client, query: str) -> None:
    assert admin.get(f"{FOUND}owner/{query}").status_code in {400, 404}


def test_only_admins_open_these_pages(table: str) -> None:
    unknown = make_unknown_business()
    owner = sign_in(add_person("olivia@example.com", Role.OWNER))
    for url in (FOUND, page_of(unknown.id), f"{FOUND}owner/?owner=x"):
        assert owner.get(url).status_code == 403
    assert owner.post(page_of(unknown.id)).status_code == 403
    assert find(unknown.id) is None


def test_an_adopted_business_with_capitals_works_inside(admin: Client) -> None:
    unknown = make_unknown_business("Pan_Caliente.SA")
    form_to(parse(admin.get(FOUND)).one("main"), page_of(unknown.id)).send(admin)
    for page in ("", "branding/", "people/", "keys/", "audit/", "services/"):
        assert admin.get(f"/b/{unknown.id}/{page}").status_code in {200, 404}, page
    assert admin.get(f"/b/{unknown.id}/branding/").status_code == 200
