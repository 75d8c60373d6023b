"""The start of ``romans``. It imports next to nothing: Ctrl-C is handled while all the rest is imported."""

from __future__ import annotations

from romans_training.cli.interrupts import interruptible_imports


def main() -> None:
    """Run ``romans``."""
    with interruptible_imports():
        from romans_training.cli.streams import prepare_streams

        prepare_streams()
        from romans_training.cli.main import main as romans
    romans()


if __name__ == "__main__":
    main()
