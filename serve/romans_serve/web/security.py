"""What every request must be: for this host, from this page, of a bounded size; and the headers of every answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 64 * 1024
"""Of the body of a request."""
_SINGLE = ("host", "origin", "content-length", "content-type", "sec-fetch-site", "sec-fetch-mode")
"""Headers that are read here or decide what is read: twice in a request, they would mean different things to others."""
_HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
_SAFE = ("GET", "HEAD", "OPTIONS")
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def why_links_stay_here(host: str, is_local: bool) -> str | None:
    """Return why private links that begin with a host lead nobody else here, and what to do; None if they may.

    Args:
        host: the header of a request, which the guard has let through.
        is_local: as for `Guard`.
    """
    name = host.lower().rpartition(":")[0] if not host.endswith("]") and ":" in host else host.lower()
    try:
        is_loopback = ip_address(name.strip("[]")).is_loopback
    except ValueError:
        is_loopback = name == "localhost"
    if not is_loopback:
        return None
    if is_local:
        return "this server answers this machine alone; start it with romans serve --host 0.0.0.0"
    return "these links lead to this machine alone; open this page by its address in the network, and copy them there"


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

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = (), is_local: bool = True):
        self._app, self._is_local = app, is_local
        self._hosts = {"localhost", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope["method"], Headers(scope=scope))
        body = await _whole_body(receive) if refusal is None else b""
        if len(body) > MOST_BYTES:
            refusal = 413, f"a request has at most {MOST_BYTES} bytes"
        if refusal is not None:
            await JSONResponse({"error": refusal[1]}, refusal[0])(scope, receive, send_with_headers)
            return
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_whole() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, receive_whole, send_with_headers)

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        for name in _SINGLE:
            if len(headers.getlist(name)) > 1:
                return 400, f"the header {name} is given once"
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
            address = IPv6Address(name[1:-1]) if name.startswith("[") else IPv4Address(name)
        except ValueError:
            return False
        return address.is_loopback or not self._is_local


async def _whole_body(receive: Receive) -> bytes:
    """Return the body of a request, or as much as shows that it is too long."""
    body = b""
    while len(body) <= MOST_BYTES:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] != "http.request" or not message.get("more_body", False):
            break
    return body
