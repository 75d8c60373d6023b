"""What every request must be: for this host, from this page, of a bounded size; and the headers of every answer."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES = 64 * 1024
"""Of the body of a request."""
MOST_HEADERS = 16 * 1024
"""Bytes of the headers of a request; many seats have many cookies."""
SECONDS_FOR_BODY = 30.0
_SINGLE = ("host", "origin", "content-length", "content-type", "sec-fetch-site", "sec-fetch-mode")
"""Headers that are read here or decide what is read: twice in a request, they would mean different things to others."""
_HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
_SAFE = ("GET", "HEAD", "OPTIONS")
_HEADERS = (
    (b"content-security-policy", b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
     b"connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)  # fmt: skip


class Guard:
    """Lets through what a page of this server may send.

    A page of elsewhere must neither read a game, by a name that it makes resolve here, nor play in it. So the
    host must be an address, ``localhost``, or a name that was allowed; what changes something must come from a page of
    the same origin, or from a program that is no browser.

    Args:
        app: what answers.
        hosts: names under which the server may be called, beside addresses.
        is_local: whether it is called from this machine alone; then no address but a loopback one is let through.
    """

    def __init__(self, app: App, hosts: Iterable[str] = (), is_local: bool = True):
        self._app, self._is_local = app, is_local
        self._hosts = {"localhost", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope["method"], [(name.decode("latin-1"), value) for name, value in scope["headers"]])
        if refusal is not None:
            await _answer(send, *refusal)
            return
        try:
            body = await asyncio.wait_for(_whole_body(receive), SECONDS_FOR_BODY)
        except asyncio.TimeoutError:
            await _answer(send, 408, f"a request is sent within {SECONDS_FOR_BODY:g} seconds")
            return
        if body is None:
            await _answer(send, 413, f"a request has at most {MOST_BYTES} bytes")
            return
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_whole() -> Message:
            return waiting.pop() if waiting else await receive()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(pair for pair in _HEADERS if pair[0] not in given)]
            await send(message)

        await self._app(scope, receive_whole, send_with_headers)

    def _refusal(self, method: str, given: Sequence[tuple[str, bytes]]) -> tuple[int, str] | None:
        if sum(len(name) + len(value) for name, value in given) > MOST_HEADERS:
            return 431, f"the headers of a request have at most {MOST_HEADERS} bytes"
        names = [name for name, _ in given]
        for name in _SINGLE:
            if names.count(name) > 1:
                return 400, f"the header {name} is given once"
        headers = {name: value.decode("latin-1") for name, value in given}
        host = headers.get("host", "")
        if not self._is_own(host):
            return 421, "this server is not called by that name: use its address, or allow the name by --allow-host"
        site = headers.get("sec-fetch-site", "same-origin")
        origin = headers.get("origin")
        is_foreign = origin is not None and origin.lower() not in (f"http://{host.lower()}", f"https://{host.lower()}")
        if method not in _SAFE and (is_foreign or site not in ("same-origin", "none")):
            return 403, "this request comes from another page"
        if site == "cross-site" and headers.get("sec-fetch-mode", "navigate") != "navigate":
            return 403, "this request comes from another page"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > MOST_BYTES:
            return 413, f"a request has at most {MOST_BYTES} bytes"
        return None

    def _is_own(self, host: str) -> bool:
        found = _HOST.fullmatch(host.lower())
        if found is None:
            return False
        name = found["name"]
        if name in self._hosts:
            return True
        try:
            address = ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        if (address.version == 6) != name.startswith("["):
            return False
        return address.is_loopback or not self._is_local


async def _whole_body(receive: Receive) -> bytes | None:
    """The body of a request; None for one that is too long."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MOST_BYTES:
            return None
        if message["type"] != "http.request" or not message.get("more_body", False):
            return body


async def _answer(send: Send, status: int, text: str) -> None:
    body = json.dumps({"error": text}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
