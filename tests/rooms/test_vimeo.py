"""Addresses of Vimeo videos: accepted forms, the stored form, and refused input."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooms import vimeo
from rooms.vimeo import Video

PLAIN = "https://vimeo.com/76979871"
SECRET = "https://vimeo.com/76979871/8272103f6e"


@pytest.mark.parametrize(
    ("pasted", "address"),
    [
        (PLAIN, PLAIN),
        ("http://vimeo.com/76979871", PLAIN),
        ("vimeo.com/76979871", PLAIN),
        ("//vimeo.com/76979871", PLAIN),
        ("  https://www.vimeo.com/76979871/  ", PLAIN),
        ("HTTPS://Vimeo.COM/76979871", PLAIN),
        ("https://vimeo.com/76979871?share=copy&fl=sv#t=30s", PLAIN),
        ("https://vimeo.com/1", "https://vimeo.com/1"),
        (SECRET, SECRET),
        ("https://vimeo.com/76979871/8272103f6e?share=copy", SECRET),
        ("https://vimeo.com/76979871?h=8272103f6e", SECRET),
        ("https://player.vimeo.com/video/76979871", PLAIN),
        ("https://player.vimeo.com/video/76979871?h=8272103f6e&title=0", SECRET),
        ("player.vimeo.com/video/76979871?title=0&h=8272103f6e", SECRET),
        ("https://player.vimeo.com/video/76979871?h=<script>", PLAIN),
        ("https://vimeo.com/channels/staffpicks/76979871", PLAIN),
        ("https://vimeo.com/groups/short-films/videos/76979871", PLAIN),
        ("https://vimeo.com/ondemand/the-film/76979871", PLAIN),
        ("https://vimeo.com/showcase/5401234/video/76979871", PLAIN),
        ("https://vimeo.com/album/5401234/video/76979871", PLAIN),
        ("https://vimeo.com/manage/videos/76979871/8272103f6e", SECRET),
        ("https://vimeo.com/event/4154130", "https://vimeo.com/event/4154130"),
        ("https://vimeo.com/event/4154130/embed", "https://vimeo.com/event/4154130"),
        ("https://vimeo.com/event/4154130/8272103f6e", "https://vimeo.com/event/4154130/8272103f6e"),
    ],
)
def test_every_accepted_address_has_one_stored_form(pasted: str, address: str) -> None:
    video = vimeo.parse_video(pasted)
    assert video is not None
    assert video.address == address
    assert vimeo.parse_video(video.address) == video, "the stored form is read as the same video"


@pytest.mark.parametrize(
    "pasted",
    [
        None,
        "",
        "76979871",
        "https://vimeo.com",
        "https://vimeo.com/",
        "https://vimeo.com/staffpicks",
        "https://vimeo.com/channels/staffpicks",
        "https://vimeo.com/0",
        "https://vimeo.com/007",
        "https://vimeo.com/٣٣٣",
        "https://vimeo.com/1234567890123456",
        "https://vimeo.com/76979871/likes",
        "https://vimeo.com/76979871/8272103f6e/more",
        "https://vimeo.com/event/",
        "https://vimeo.com/event/4154130/chat",
        "https://vimeo.com.evil.example/76979871",
        "https://evil.example/vimeo.com/76979871",
        "https://vimeo.com@evil.example/76979871",
        "https://me:secret@vimeo.com/76979871",
        "https://vimeo.com:8443/76979871",
        "https://vimeo.com:x/76979871",
        "https://notvimeo.com/76979871",
        "https://youtu.be/dQw4w9WgXcQ",
        "ftp://vimeo.com/76979871",
        "javascript://vimeo.com/76979871",
        "javascript:alert(1)",
        "data:text/html,vimeo.com/76979871",
        "https:\\\\vimeo.com\\76979871",
        "https://vimeo.com/769 79871",
        "https://vimeo.com/76979871\nhttps://vimeo.com/2",
        "https://[vimeo.com/76979871",
        '<iframe src="https://player.vimeo.com/video/76979871"></iframe>',
    ],
)
def test_other_texts_are_not_videos(pasted: str | None) -> None:
    assert vimeo.parse_video(pasted) is None


def test_player_addresses() -> None:
    assert Video("1").player == "https://player.vimeo.com/video/1"
    assert Video("1", "8272103f6e").player == "https://player.vimeo.com/video/1?h=8272103f6e"
    assert Video("4", is_event=True).player == "https://vimeo.com/event/4/embed"
    assert Video("4", "8272103f6e", is_event=True).player == "https://vimeo.com/event/4/embed/8272103f6e"
    for video in (Video("1"), Video("4", is_event=True)):
        assert video.player.startswith(vimeo.PLAYERS), "the content security policy of the page allows the player"


@pytest.mark.parametrize(
    ("text", "is_link"),
    [
        ("https://vimeo.com/1", True),
        ("http://videos.example.com/a.mp4", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("rtmp://live.example.com/key", False),
        ("//evil.example", False),
        ("https://", False),
        ("http://[", False),
        ("see the wiki", False),
        ("", False),
        (None, False),
    ],
)
def test_only_web_addresses_become_links(text: str | None, is_link: bool) -> None:
    assert vimeo.is_web_address(text) is is_link


@given(st.text() | st.from_regex(r"https?://([a-z]*\.)?vimeo\.com(:[0-9]*)?(/[\w?=#@%]*){0,4}"))
def test_any_text_gives_no_video_or_one_on_vimeo(text: str) -> None:
    vimeo.is_web_address(text)
    video = vimeo.parse_video(text)
    if video is not None:
        assert video.address.startswith("https://vimeo.com/")
        assert video.player.startswith(vimeo.PLAYERS)
        assert vimeo.parse_video(video.address) == video
