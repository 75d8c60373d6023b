"""The configuration of nginx in docs/start/serving.md, run as printed but for names, ports and one time."""

import asyncio
import re
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path

import httpx2
import pytest

from tests.serve.servers import new_service, serving
from tests.training.processes import wait_for

pytestmark = pytest.mark.skipif(
    not (shutil.which("nginx") and shutil.which("openssl")), reason="needs nginx and openssl"
)
PAGE = Path(__file__).resolve().parents[3] / "docs" / "start" / "serving.md"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(scope="module")
def proxied(tmp_path_factory):
    """The address of nginx before a server, and what tells clients to trust its certificate."""
    folder, port = tmp_path_factory.mktemp("nginx"), free_port()
    (block,) = re.findall(r"```nginx\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    key, certificate = folder / "games.example.key", folder / "games.example.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names]
    subprocess.run([*made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    with serving(new_service()) as address:
        for printed, here in (
            ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
            ("server_name games.example", "server_name localhost"),
            ("http://127.0.0.1:8000", address),
            ("games.example.pem", str(certificate)),
            ("games.example.key", str(key)),
            ("client_header_timeout 20s", "client_header_timeout 1s"),
        ):
            assert printed in block
            block = block.replace(printed, here)
        kept = "".join(
            f"{kind}_temp_path {folder}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        )
        config = folder / "nginx.conf"
        config.write_text(
            f"daemon off;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{kept}{block}}}\n"
        )
        subprocess.run(["nginx", "-t", "-c", config], check=True, capture_output=True)
        with subprocess.Popen(["nginx", "-c", config], stderr=subprocess.DEVNULL) as nginx:
            try:
                wait_for(lambda: _answers(port), 30)
                yield f"https://localhost:{port}", ssl.create_default_context(cafile=certificate)
            finally:
                nginx.terminate()


def _answers(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def client_of(proxied):
    address, trusted = proxied
    as_a_browser = httpx2.Limits(max_connections=6)
    return httpx2.AsyncClient(
        base_url=address, verify=trusted, headers={"origin": address}, limits=as_a_browser, timeout=60
    )


async def played(proxied):
    """A game against an agent, with the first event of its stream; gives the event's lines, and the game's view."""
    async with client_of(proxied) as client:
        seats = [{"agent": None}, {"agent": "random"}]
        reply = await client.post("/api/games", json={"game": "roma", "setup": "Roma", "seats": seats})
        assert reply.status_code == 201, reply.text
        one = f"/api/games/{reply.json()['id']}"
        lines = []
        async with client.stream("GET", f"{one}/events", params={"seat": 0}) as events:
            async for line in events.aiter_lines():
                lines.append(line)
                if line.startswith("data:"):
                    break
        view = (await client.get(f"{one}/view", params={"seat": 0})).json()
        plan = view["choices"][0]["action"]
        reply = await client.post(f"{one}/act", json={"seat": 0, "move": view["move"], "plan": plan})
        assert reply.status_code == 200, reply.text
        return lines, view


def test_a_game_is_played_and_streamed_through_it(proxied):
    lines, view = asyncio.run(asyncio.wait_for(played(proxied), 300))
    assert view["choices"] and len(lines) < 10


def test_a_page_and_its_files_come_at_once_and_a_flood_is_refused(proxied):
    async def statuses(count):
        async with client_of(proxied) as client:
            return [reply.status_code for reply in await asyncio.gather(*(client.get("/") for _ in range(count)))]

    assert asyncio.run(statuses(50)) == [200] * 50
    begun = time.monotonic()
    found = asyncio.run(statuses(300))
    lasted = time.monotonic() - begun
    assert set(found) == {200, 503}
    assert found.count(200) <= 61 + 20 * (lasted + 1)


def test_large_bodies_and_slow_requests_are_refused(proxied):
    async def large():
        async with client_of(proxied) as client:
            return (await client.post("/api/games", content=b" " * 70_000)).status_code

    assert asyncio.run(large()) == 413
    address, trusted = proxied
    host, port = address.removeprefix("https://").split(":")
    with socket.create_connection((host, int(port))) as plain, trusted.wrap_socket(plain, server_hostname=host) as slow:
        slow.settimeout(60)
        slow.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert slow.recv(1000) == b""
