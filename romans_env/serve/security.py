"""What every request must be: for this host, from this page, of a bounded size; and the headers of every answer."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES = 64 * 1024
"""Of the body of a request."""
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
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1"), value.decode("latin-1"))
        refusal = self._refusal(scope["method"], headers)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        body = await _whole_body(receive)
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

    def _refusal(self, method: str, headers: dict[str, str]) -> tuple[int, str] | None:
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
        name = host.lower()
        if name.startswith("["):
            name, _, port = name[1:].partition("]")
            port = port.removeprefix(":")
        else:
            name, _, port = name.partition(":")
        if port and not port.isdecimal():
            return False
        if name in self._hosts:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
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
