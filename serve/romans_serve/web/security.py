"""The guard, which rejects requests from pages of other sites and large requests, and adds security headers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 64 * 1024
"""Maximum size of the body of a request in bytes."""
_SINGLE = ("host", "origin", "content-length", "content-type", "sec-fetch-site", "sec-fetch-mode")
"""Headers that may occur only once in a request, because programs disagree on which of two values counts."""
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
    """Explain why private links on a host do not work on other machines, and what to do about it.

    Args:
        host: the Host header of a request, which the guard has accepted.
        is_local: whether only this machine can connect, as for `Guard`.

    Returns:
        The explanation; None if the links work on other machines.
    """
    name = host.lower().rpartition(":")[0] if not host.endswith("]") and ":" in host else host.lower()
    try:
        is_loopback = ip_address(name.strip("[]")).is_loopback
    except ValueError:
        is_loopback = name == "localhost"
    if not is_loopback:
        return None
    if is_local:
        return "this server answers only this machine; start it with romans serve --host 0.0.0.0"
    return "these links work only on this machine; open this page by its network address, and copy them there"


class Guard:
    """ASGI middleware that rejects requests which a page of another site could have caused.

    Another site must not be able to play in a game, or to read a game through a host name that it resolves to this
    server (DNS rebinding). Therefore the Host header must be an IP address, ``localhost`` or an allowed name. A request
    that changes anything must come from a page of the same origin, or from a program that is not a browser.

    Args:
        app: the application to protect.
        hosts: host names under which clients may reach the server, in addition to IP addresses.
        is_local: whether only this machine can connect. If so, only loopback addresses are accepted.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = (), is_local: bool = True):
        self._app, self._is_local = app, is_local
        self._hosts = {"localhost", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, as an ASGI application."""
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
                return 400, f"the header {name} may be given only once"
        host = headers.get("host", "")
        if not self._is_own(host):
            return (
                421,
                "this server does not answer to that host name: use its address, or allow the name with --allow-host",
            )
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
    """Return the body of a request; if it is longer than `MOST_BYTES`, only the beginning."""
    body = b""
    while len(body) <= MOST_BYTES:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] != "http.request" or not message.get("more_body", False):
            break
    return body
