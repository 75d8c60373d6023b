"""Where OpenEnv's tools look for the application."""

from __future__ import annotations

from romans_openenv.app import app
from romans_openenv.app import main as serve

__all__ = ["app", "main"]


def main() -> None:
    """Serve, at the address that the command line names."""
    serve()


if __name__ == "__main__":
    main()
