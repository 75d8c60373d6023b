"""The start of ``romans``. It imports next to nothing: Ctrl-C is handled while all the rest is imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Run ``romans``; exit with 130 when it is interrupted, as shells expect."""
    try:
        from training.cli.main import main as romans

        romans()
    except KeyboardInterrupt:
        # A second Ctrl-C, or one before the command line was read.
        sys.stderr.write("romans: stopped\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
