"""Pictures of posts are loaded when a person asks for them, and only by our server, within limits."""

from __future__ import annotations

import gzip
import re
import socket
import threading
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from django.test import Client
from PIL import Image, features

from dashboard.platform.accounts.items import Person
from dashboard.web import outside_addresses, outside_files
from forum.items import Post
from forum.pictures import MAX_FETCHES, MAX_FETCHES_OF_PERSON, PostPicture, fetches, pictures_of
from forum.targets import ForumTarget
from tests.attacks.forum_pictures import PICTURE, host, marco, posted, problem_of
from tests.attacks.outside_host import NAME, PUBLIC, OutsideHost, http
from tests.branding.pictures import encode, png, png_chunk
from tests.conftest import sign_in
from tests.forum.factories import create_post
from tests.ui.html import parse

__all__ = ["host", "marco"]


# --- Nothing is loaded unless a person asks ------------------------------------------------------
def test_opening_the_desk_loads_nothing_from_other_hosts(marco: Client, host: OutsideHost) -> None:
    post = create_post(images=["https://pics.example.com/a.jpg", "http://pics.example.com/b.jpg"])
    for choice in ("blurred", "clear"):
        marco.post("/forum/images/", {"images": choice})
        for url in ("/forum/", f"/forum/posts/{ForumTarget.of(post).post}/", "/forum/people/ana@example.com/"):
            response = marco.get(url)
            policy = response.headers["Content-Security-Policy"].partition("img-src")[2].partition(";")[0]
            assert policy.split() == ["'self'", "data:"], url
            html = response.content.decode()
            assert "pics.example.com" in html, "the card names the host"
            assert re.findall(r"https?://pics", html) == [], "no element has an address of the host"
    assert (host.lookups, host.connections) == ([], [])


def test_the_page_that_asks_before_loading_loads_nothing(marco: Client, host: OutsideHost) -> None:
    picture = posted()
    response = marco.get(picture.url)
    assert response.status_code == 200 and NAME in response.content.decode()
    assert parse(response).all("a", href=picture.show_url)
    assert host.connections == []


def test_a_picture_is_loaded_through_our_server_when_a_person_asks(marco: Client, host: OutsideHost) -> None:
    create_post(images=[PICTURE])
    link = parse(marco.get("/forum/")).one("a", data_show_picture="").attrs["href"]
    assert link.startswith("/forum/posts/")
    response = marco.get(link, headers={"Accept-Encoding": "gzip"})
    assert (response.status_code, response.content) == (200, png())
    assert response.headers["Content-Type"] == "image/png"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert response.headers["Cache-Control"] == "private, max-age=300"
    assert host.connections == [(PUBLIC, 80)]


def test_a_request_to_the_host_has_no_data_of_the_moderator(marco: Client, host: OutsideHost) -> None:
    about = {"Referer": "http://testserver/forum/", "X-Forwarded-For": "8.8.4.4", "User-Agent": "Firefox on a phone"}
    about |= {"Accept-Language": "es", "Authorization": "Bearer x", "X-Real-IP": "8.8.4.4"}
    assert marco.get(posted().show_url, headers=about).status_code == 200
    assert host.headers() == {
        "host": NAME,
        "user-agent": "Trastienda",
        "accept": "image/avif,image/webp,image/png,image/jpeg,image/gif",
        "accept-encoding": "identity",
        "connection": "close",
    }


def test_a_cookie_of_the_host_is_not_sent_back(marco: Client, host: OutsideHost) -> None:
    host.answers["/first"] = http(b"", "Set-Cookie: who=marco", "Location: /a.png", status="302 Found")
    response = marco.get(posted(f"http://{NAME}/first").show_url)
    assert (response.status_code, len(host.requests)) == (200, 2)
    assert "cookie" not in host.headers() and not response.cookies


# --- Not an open proxy ---------------------------------------------------------------------------
def test_only_a_signed_link_loads_a_picture(marco: Client, host: OutsideHost) -> None:
    picture, other = posted(), posted()
    forged = ["", "x", other.key, picture.key[:-1], picture.key.upper(), "ñ"]
    for key in forged:
        assert marco.get(picture.url, {"key": key}).status_code == 403, key
    two = next(iter(pictures_of(create_post(images=["", PICTURE]))))
    assert two.number == 2
    assert marco.get(two.url.replace("/2/", "/1/"), {"key": two.key}).status_code == 404
    assert host.connections == []


def test_no_parameter_names_another_address(marco: Client, host: OutsideHost) -> None:
    picture = posted(f"http://{NAME}/gone.png")
    for name in ("url", "address", "src", "q", "picture", "post"):
        marco.get(picture.url, {"key": picture.key, name: PICTURE})
    assert host.requests and all(b"GET /gone.png " in each for each in host.requests)


def test_an_address_that_is_in_no_post_is_not_loaded(marco: Client, host: OutsideHost) -> None:
    post = ForumTarget.of(create_post()).post
    invented = PostPicture(post, 1, PICTURE)
    assert marco.get(invented.show_url).status_code == 404
    assert marco.get(PostPicture("none", 1, PICTURE).show_url).status_code == 404
    assert host.connections == []


def test_a_link_is_not_valid_for_an_address_that_was_changed_later(marco: Client, host: OutsideHost) -> None:
    item = create_post(images=[PICTURE])
    (picture,) = pictures_of(item)
    item.update(actions=[Post.images.set([f"http://{NAME}/other.png"])])
    assert marco.get(picture.show_url).status_code == 403
    assert host.connections == []


@pytest.mark.parametrize(("who", "status"), [("owner", 403), ("staff", 200), ("moderator", 200), ("admin", 200)])
def test_only_people_who_may_read_the_forum_load_pictures(
    people_by_role: dict[str, Person], host: OutsideHost, who: str, status: int
) -> None:
    picture = posted()
    assert sign_in(people_by_role[who]).get(picture.show_url).status_code == status
    assert len(host.connections) == (status == 200)


def test_a_person_who_is_not_signed_in_loads_no_picture(table: str, host: OutsideHost) -> None:
    response = Client().get(posted().show_url)
    assert response.status_code == 302 and response.headers["Location"].startswith("/login/")
    assert host.connections == []


HTMX = {"HX-Request": "true"}


# --- Limits of size, type and time ---------------------------------------------------------------
def send_forever(head: bytes, part: bytes) -> Callable[[socket.socket], None]:
    def answer(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:
            connection.sendall(part)

    return answer


CHUNKED = http(b"", "Transfer-Encoding: chunked", length=False)
TOO_LARGE: dict[str, Any] = {
    "declared": http(png(), f"Content-Length: {6 * 1024 * 1024}", length=False),
    "without a length": send_forever(http(png(), length=False), b"x" * 65_536),
    "in chunks": send_forever(CHUNKED, b"10000\r\n" + b"x" * 65_536 + b"\r\n"),
}


@pytest.mark.parametrize("how", TOO_LARGE)
def test_a_file_that_is_too_large_is_not_read_to_its_end(marco: Client, host: OutsideHost, how: str) -> None:
    host.answers["/a.png"] = TOO_LARGE[how]
    assert "larger than 5 MB" in problem_of(marco.get(posted().show_url))


def test_a_compressed_answer_is_not_decompressed(marco: Client, host: OutsideHost) -> None:
    bomb = gzip.compress(png() + bytes(50 * 1024 * 1024))
    host.answers["/a.png"] = http(bomb, "Content-Encoding: gzip", "Content-Type: image/png")
    assert "not a picture" in problem_of(marco.get(posted().show_url))


FORMATS = ["PNG", "JPEG", "GIF", "WEBP", *(["AVIF"] if features.check("avif") else [])]


@pytest.mark.parametrize("format", FORMATS)
def test_the_type_is_recognised_by_the_content(marco: Client, host: OutsideHost, format: str) -> None:
    content = encode(Image.new("RGB", (32, 24), "teal"), format)
    host.answers["/a.png"] = http(content, "Content-Type: text/html; charset=utf-8")
    response = marco.get(posted().show_url)
    assert (response.status_code, response.content) == (200, content)
    assert response.headers["Content-Type"] == f"image/{format.lower()}"


def empty_png(width: int, height: int) -> bytes:
    """A small file that declares this size."""
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\x00\x00\x00"
    content = png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(bytes(9))) + png_chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + content


NO_PICTURES = {
    "SVG": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "a page": b"<!doctype html><script>alert(1)</script>",
    "PDF": b"%PDF-1.7",
    "TIFF": encode(Image.new("RGB", (4, 4)), "TIFF"),
    "nothing": b"",
    "only a signature": png()[:8],
    "a page after a signature": b"\x89PNG\r\n\x1a\n<html><script>alert(1)</script>",
    "too many pixels": empty_png(65_535, 65_535),
    "one side too long": empty_png(20_000, 1),
}


@pytest.mark.parametrize("what", NO_PICTURES)
def test_what_is_not_a_picture_is_refused_whatever_type_is_declared(
    marco: Client, host: OutsideHost, what: str
) -> None:
    host.answers["/a.png"] = http(NO_PICTURES[what], "Content-Type: image/png")
    response = marco.get(posted().show_url)
    assert "not a picture" in problem_of(response)
    assert response.headers["Content-Type"].startswith("text/html") and b"alert(1)" not in response.content


def drip(content: bytes, until: threading.Event) -> Callable[[socket.socket], None]:
    """Sends the first bytes one by one, all in time for a timeout of each byte, and the rest at the end."""

    def answer(connection: socket.socket) -> None:
        for position in range(40):
            connection.sendall(content[position : position + 1])
            until.wait(0.05)
        connection.sendall(content[40:])

    return answer


@pytest.mark.parametrize("part", ["headers", "body", "handshake", "lookup"])
def test_a_slow_host_is_given_up(marco: Client, host: OutsideHost, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    """It would answer with a picture in the end."""
    monkeypatch.setattr(outside_files, "MAX_SECONDS", 0.6)
    end = threading.Event()
    complete = http(png())
    start = complete.index(png())
    answers: dict[str, Any] = {"headers": drip(complete, end), "handshake": lambda connection: end.wait(10)}
    answers["body"] = lambda connection: (connection.sendall(complete[:start]), drip(complete[start:], end)(connection))
    host.answers["" if part == "handshake" else "/a.png"] = answers.get(part, complete)
    if part == "lookup":
        monkeypatch.setattr(outside_addresses, "look_up", lambda name, port: [PUBLIC, str(end.wait(3))][:1])
    address = f"https://{NAME}/a.png" if part == "handshake" else PICTURE
    assert "takes too long" in problem_of(marco.get(posted(address).show_url))
    end.set()


def test_one_person_and_the_process_load_a_limited_number_at_once(
    people_by_role: dict[str, Person], marco: Client, host: OutsideHost
) -> None:
    picture, sofia = posted(), sign_in(people_by_role["staff"])
    with ExitStack() as stack:
        for _ in range(MAX_FETCHES_OF_PERSON):
            stack.enter_context(fetches.take("marco@example.com"))
        response = marco.get(picture.show_url)
        assert (response.status_code, response.headers["Retry-After"]) == (503, "2")
        assert "Too many pictures" in parse(response).one("p", data_picture_problem="").text
        assert sofia.get(picture.show_url).status_code == 200
        for number in range(MAX_FETCHES - MAX_FETCHES_OF_PERSON):
            stack.enter_context(fetches.take(f"{number}@example.com"))
        assert sofia.get(picture.show_url).status_code == 503
        assert sofia.get("/forum/").status_code == 200
    assert marco.get(picture.show_url).status_code == 200


# --- What the person sees ------------------------------------------------------------------------
FAILURES: dict[str, tuple[Any, str]] = {
    "not found": (http(b"gone", status="404 Not Found"), "no longer at its address"),
    "an error": (http(b"", status="500 Oops"), "no longer at its address"),
    "a redirect to nowhere": (http(b"", status="302 Found"), "no longer at its address"),
    "no HTTP": (b"\x00\xff" * 400, "cannot be reached"),
    "an endless line": (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70_000, "cannot be reached"),
    "too many headers": (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n", "cannot be reached"),
    "a closed connection": (lambda connection: None, "cannot be reached"),
    "an invalid chunk": (CHUNKED + b"zz\r\n", "cannot be reached"),
    "an invalid length": (http(png(), "Content-Length: -5", length=False), ""),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_is_a_message_with_a_link_to_try_again(marco: Client, host: OutsideHost, failure: str) -> None:
    host.answers["/a.png"], text = FAILURES[failure]
    picture = posted()
    response = marco.get(picture.show_url)
    if not text:
        assert response.status_code in {200, 422}
        return
    assert text in problem_of(response)
    assert [each.text for each in parse(response).all("a", href=picture.show_url)] == ["Try again"]
    assert "no-store" in response.headers["Cache-Control"]
    fragment = marco.get(picture.show_url, headers=HTMX)
    assert text in problem_of(fragment) and b"<html" not in fragment.content


def test_the_message_is_in_the_language_of_the_person(marco: Client, host: OutsideHost) -> None:
    marco.post("/language/", {"language": "es"})
    assert "internet pública" in problem_of(marco.get(posted("http://10.0.0.1/").show_url))


def test_an_unknown_host_is_a_message(marco: Client, host: OutsideHost, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(outside_addresses, "look_up", fail)
    assert "cannot be reached" in problem_of(marco.get(posted().show_url))


def test_a_picture_of_the_demo_is_shown_from_this_site(marco: Client, host: OutsideHost) -> None:
    response = marco.get(posted("/static/demo/stage.webp").show_url)
    assert (response.status_code, response.headers["Location"]) == (302, "/static/demo/stage.webp")
    for other in ("/static/../logout/", "/static/js/app.js", "//evil.example/static/demo/a.webp"):
        assert list(pictures_of(create_post(images=[other]))) == []
    assert host.connections == []
