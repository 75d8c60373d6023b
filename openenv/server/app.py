"""The application, in the place where OpenEnv's tools look for it."""

from __future__ import annotations

from romans_openenv.app import app
from romans_openenv.app import main as serve

__all__ = ["app", "main"]


def main() -> None:
    """Run the server at the address given on the command line."""
    serve()


if __name__ == "__main__":
    main()
