"""A bot that books in a dialogue. It uses only the public API, and only Python's standard library.

    API_URL=http://127.0.0.1:8000 API_KEY=tk_… python examples/chat.py
    … python examples/chat.py < examples/dialogue.txt

The key needs the scopes read, book and chat. Each line that you type is a message of the customer. People of the
business see the conversation at /b/<business>/conversations/ and can take over: then the bot shows what they write.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

# What to send again, with the same Idempotency-Key: it is executed once.
AGAIN = {"in_progress", "too_many_requests", "busy", "unavailable", "server_error"}
OFFERED = 5
CONTACT = re.compile(r"(?P<name>[^,]+),\s*(?P<email>\S+@\S+)")


class Refusal(Exception):
    """A refusal of the API."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__(body.get("detail", ""))
        self.code, self.body = str(body.get("code")), body


class Api:
    def __init__(self, url: str, key: str) -> None:
        self.base, self.key = f"{url.rstrip('/')}/api/v1/", key

    def get(self, path: str, **query: str) -> Any:
        return self.call("GET", f"{path}?{urllib.parse.urlencode(query)}" if query else path)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Call an endpoint until there is an answer. A refusal raises `Refusal`."""
        headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": uuid.uuid4().hex}
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(8):
            request = urllib.request.Request(self.base + path, data, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=10) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                problem = Refusal(json.load(error))
                if problem.code not in AGAIN:
                    raise problem from None
                time.sleep(float(error.headers.get("Retry-After", 1)))
            except OSError:
                time.sleep(0.1 * 2**attempt)
        raise Refusal({"code": "no_answer", "detail": "The API does not answer."})


class Bot:
    def __init__(self, api: Api, conversation: str) -> None:
        self.api, self.path = api, f"conversations/{conversation}"
        self.id, self.turn, self.state = conversation, 0, "INIT"
        # What the customer can choose by number or by name: label → what it stands for.
        self.offered: dict[str, Any] = {}
        self.service: dict[str, Any] = {}
        self.provider, self.start, self.zone = "any", "", ZoneInfo("UTC")
        self.shown: set[str] = set()
        self.put("INIT")

    def hear(self, text: str) -> None:
        """A message of the customer, and the reply to it, unless a person of the business replies."""
        self.turn = self.append("CUSTOMER", text)["turn"]
        try:
            getattr(self, f"in_{self.state.lower()}", self.in_another_state)(text)
        except Refusal as problem:
            if problem.code not in {"person_replies", "turn_passed"}:
                raise
            self.follow()

    def say(self, text: str) -> None:
        self.turn = self.append("BOT", text, turn=self.turn)["turn"]
        print(f"bot: {text}", flush=True)

    def append(self, author: str, text: str, **more: Any) -> Any:
        return self.api.call("POST", f"{self.path}/messages", {"author": author, "text": text, **more})

    def put(self, state: str, **collected: Any) -> None:
        self.api.call("PUT", f"{self.path}/state", {"state": state, **collected})
        self.state = state

    def offer(self, question: str, options: dict[str, Any]) -> None:
        self.offered = options
        self.say("\n".join([question, *(f"  {number}. {label}" for number, label in enumerate(options, 1))]))

    def choose(self, text: str) -> Any:
        """What the customer chose; None, with a reply, if it is not clear."""
        labels, said = list(self.offered), text.strip().casefold()
        if said.isdecimal() and 0 < int(said) <= len(labels):
            return self.offered[labels[int(said) - 1]]
        found = [label for label in labels if said and said in label.casefold()]
        if len(found) == 1:
            return self.offered[found[0]]
        self.offer("I did not understand. Please choose:", self.offered)
        return None

    # --- What the bot does in each state -----------------------------------------------------------
    def in_init(self, text: str) -> None:
        self.put("SERVICE_PENDING")
        services = self.api.get("services")["services"]
        self.offer("Hello! What would you like to book?", {each["name"]: each for each in services})

    def in_service_pending(self, text: str) -> None:
        if (chosen := self.choose(text)) is None:
            return
        self.service = chosen
        self.put("SERVICE_SELECTED", serviceId=chosen["id"])
        people = self.api.get("providers", service=chosen["id"])["providers"]
        self.put("PROVIDER_PENDING")
        anyone = {"id": "any", "timezone": people[0]["timezone"] if people else "UTC"}
        self.offer("With whom?", {**{each["name"]: each for each in people}, "Anyone": anyone})

    def in_provider_pending(self, text: str) -> None:
        if (chosen := self.choose(text)) is None:
            return
        self.provider, self.zone = chosen["id"], ZoneInfo(chosen["timezone"])
        self.put("PROVIDER_SELECTED", **({} if self.provider == "any" else {"providerId": self.provider}))
        since = datetime.now(UTC) + timedelta(hours=1)
        period = {"from": since.isoformat(), "to": (since + timedelta(days=7)).isoformat()}
        slots = self.api.get("slots", service=self.service["id"], provider=self.provider, **period)["slots"]
        self.put("SLOT_PENDING")
        starts = list(dict.fromkeys(each["start"] for each in slots))[:OFFERED]
        self.offer("When?", {self.time_of(each): each for each in starts})

    def in_slot_pending(self, text: str) -> None:
        if (chosen := self.choose(text)) is None:
            return
        self.start = chosen
        self.put("CONFIRM_PENDING", slotStart=chosen)
        self.say("Your name and your e-mail address? For example: Juan Pérez, juan@example.com")

    def in_confirm_pending(self, text: str) -> None:
        contact = CONTACT.fullmatch(text.strip())
        if contact is None:
            return self.say("Please write your name, a comma, and your e-mail address.")
        wanted = {"service": self.service["id"], "provider": self.provider, "start": self.start}
        try:
            more = {"customer": contact.groupdict(), "conversation": self.id}
            booked = self.api.call("POST", "bookings", wanted | more)
        except Refusal as problem:
            if not problem.body.get("alternatives"):
                raise
            self.start = problem.body["alternatives"][0]
            when = self.time_of(self.start)
            return self.say(f"That time was just taken. Send your name and e-mail address again to book {when}.")
        self.state = "BOOKING_CONFIRMED"
        return self.say(f"Booked: {self.service['name']}, {self.time_of(booked['start'])} ({booked['id']}).")

    def in_booking_confirmed(self, text: str) -> None:
        self.say("You have a booking. See you soon!")

    def in_another_state(self, text: str) -> None:
        self.say("I cannot continue here. Somebody of our team will help you.")

    def time_of(self, start: str) -> str:
        return f"{datetime.fromisoformat(start).astimezone(self.zone):%a %d %b, %H:%M}"

    def follow(self) -> None:
        """Wait until a person of the business has replied, and show what they write."""
        while (found := self.api.get(self.path))["voice"] == "WAITING":
            time.sleep(1)
        for each in reversed(self.api.get(f"{self.path}/messages", limit="20")["messages"]):
            if each["author"] == "PERSON" and each["id"] not in self.shown:
                self.shown.add(each["id"])
                print(f"{each['byName']}: {each['text']}", flush=True)
        self.turn, self.state = found["turn"], found["state"]


def main() -> None:
    bot = Bot(Api(os.environ["API_URL"], os.environ["API_KEY"]), f"chat-{uuid.uuid4().hex[:12]}")
    for line in sys.stdin:
        if line.strip():
            if not sys.stdin.isatty():
                print(f"customer: {line.strip()}", flush=True)
            bot.hear(line)


if __name__ == "__main__":
    main()
