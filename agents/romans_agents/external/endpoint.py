"""An HTTP client for one server, with a time limit for each request and without redirects."""

from __future__ import annotations

import asyncio
import functools
import re
import ssl
import threading
from collections.abc import Mapping
from concurrent import futures
from typing import TYPE_CHECKING

from romans_env.errors import error_line, in_one_line

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 2**24
"""The maximum size of a response in bytes."""
_ADDRESS = re.compile(
    r"https?://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{1,5}))?(/[!-~]*)?", re.IGNORECASE | re.ASCII
)


class EndpointError(RuntimeError):
    """A server does not answer properly; the message says in one line what is wrong.

    Attributes:
        status: the HTTP status of the response; None if there was no response.
    """

    def __init__(self, message: str, status: int | None = None):
        super().__init__(message)
        self.status = status


class Endpoint:
    """A server, to which requests can be sent.

    Redirects are not followed, because they would send the headers, which may include an API key, to another server.
    The proxies in the environment (``https_proxy``) are used.

    Args:
        url: the base URL of the server: ``http://`` or ``https://``, a host, an optional port and an optional path.

    Raises:
        ValueError: if the URL is malformed, or has a user name, a password, a query or a fragment.
    """

    def __init__(self, url: str):
        found = _ADDRESS.fullmatch(url)
        # The messages do not quote the URL, which may contain a password.
        if not url.lower().startswith(("http://", "https://")):
            raise ValueError("url begins with http:// or https://")
        if found is None or "?" in url or "#" in url or int(found["port"] or 0) > 65535:
            raise ValueError("url is a host with at most a port and a path, such as http://127.0.0.1:11434/v1")
        self.url = url.rstrip("/")

    @property
    def is_encrypted(self) -> bool:
        """Whether the connection is encrypted (``https://``)."""
        return self.url.lower().startswith("https://")

    def post(self, path: str, body: bytes, headers: Mapping[str, str], seconds: float) -> bytes:
        """Send a POST request, and return the body of the response.

        Args:
            path: the path of the request, which is appended to the base URL.
            body: the body of the request.
            headers: the headers of the request.
            seconds: the time limit for the complete response in seconds.

        Raises:
            TimeoutError: if the response is not complete in time.
            EndpointError: if there is no response, it is invalid, or its status is not a success.
        """
        asked = _answer(f"{self.url}{path}", body, {**headers, "Accept-Encoding": "identity"})
        answer: futures.Future[bytes] = futures.Future()

        def ask() -> None:
            try:
                answer.set_result(asyncio.run(asyncio.wait_for(asked, seconds)))
            except BaseException as error:
                answer.set_exception(error)

        # In a separate thread, because this one may run an event loop, and name resolution cannot be interrupted.
        threading.Thread(target=ask, daemon=True, name="endpoint").start()
        try:
            return answer.result(max(seconds, 0.0))
        except (TimeoutError, asyncio.TimeoutError, futures.TimeoutError):  # three classes before Python 3.11
            raise TimeoutError from None


async def _answer(url: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Send a POST request as in `Endpoint.post`, but without a time limit, and return the body of the response."""
    import httpx2  # Imported here, because most programs that import agents ask no server.

    try:
        # Hooks are called before a redirect's address is examined and before the body is read.
        client = httpx2.AsyncClient(verify=_certificates(), timeout=None, event_hooks={"response": [_refuse]})
        async with client, client.stream("POST", url, content=body, headers=headers) as response:
            content = bytearray()
            # Raw bytes, because compressed content may expand to any size.
            async for piece in response.aiter_raw():
                content += piece
                if len(content) > MOST_BYTES:
                    raise EndpointError(f"sends more than {MOST_BYTES // 2**20} MB")
            return bytes(content)
    except EndpointError:
        raise
    except httpx2.ProtocolError as error:
        raise EndpointError(f"sends no valid HTTP response: {in_one_line(error_line(error), 200)}") from None
    except (httpx2.TransportError, OSError) as error:
        raise EndpointError(f"does not answer: {in_one_line(error_line(error), 200)}") from None
    except Exception as error:
        # The text of the error is left out, because it may contain the address of a proxy with a password.
        raise EndpointError(
            f"cannot be reached ({type(error).__name__}): check url= and the proxies in the environment"
        ) from None


async def _refuse(response: httpx2.Response) -> None:
    """Raise EndpointError if a response does not report success, or is compressed."""
    status = response.status_code
    if 300 <= status < 400:
        raise EndpointError("answers with a redirect, which is not followed: name the final address", status)
    if not response.is_success:
        raise EndpointError(f"answers with status {status}", status)
    if response.headers.get("content-encoding", "identity") != "identity":
        raise EndpointError("sends a compressed response, although none was requested")


@functools.cache
def _certificates() -> ssl.SSLContext:
    # The system's certificates, to which users can add their own authority.
    return ssl.create_default_context()
