"""The entry point of ``romans`` and its group of commands.

A command's module is imported only when the command is called, so ``--help`` is immediate. Ctrl-C is handled from the
first import on.
"""

from __future__ import annotations

from romans_training.cli.interrupts import INTERRUPTED, interruptible_imports

with interruptible_imports():
    import importlib
    import shutil
    import sys
    import textwrap
    from typing import Any, NoReturn

    import click

    import romans_env
    from romans_env.errors import UserError, did_you_mean
    from romans_training.cli.streams import prepare_streams

_COMMANDS = {
    "train": "Train a policy against opponents or by self-play.",
    "evaluate": "Measure an agent against opponents on duplicate deals.",
    "benchmark": "Rate an agent: one number, from games against fixed opponents.",
    "exploit": "Measure how exploitable an agent is, with responses to it.",
    "tournament": "Play agents against each other and rate them.",
    "play": "Play in the terminal.",
    "serve": "Play in the browser, alone or with others.",
    "rules": "Print the rules of a game.",
    "agents": "List the agents and their options.",
    "review": "Find the costly choices in recorded games, and who was lucky.",
    "replay": "Print recorded games in words, or write a page that replays them.",
    "export": "Convert games or a policy to a format that other programs read.",
    "mcp": "Let an AI assistant play, over the Model Context Protocol.",
    "check-game": "Check a game of your own for mistakes.",
    "warm-up": "Compile everything in advance, for container images and clusters.",
}
_ELSEWHERE = {"serve": "romans_serve.command"}
"""Commands whose module lies outside this folder; the training package itself never imports the server."""


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        # By default click would exit with status 1.
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("romans: stopped", err=True)
            ctx.exit(INTERRUPTED)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        with interruptible_imports():
            module = importlib.import_module(
                _ELSEWHERE.get(cmd_name, f"romans_training.cli.{cmd_name.replace('-', '_')}")
            )
            command: click.Command = module.command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            ctx.fail(f"no command {args[0]!r}{did_you_mean(args[0], _COMMANDS)}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # Written from the table, because click would import every command for its summary.
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


_SHOWN = {"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True}


@click.group(cls=_Commands, context_settings=_SHOWN)
@click.version_option(romans_env.__version__, prog_name="romans")
def romans() -> None:
    """Train, evaluate and play against agents of card and board games."""


def start() -> None:
    """Run ``romans`` as the main program of a process."""
    prepare_streams()
    main()


def main(arguments: list[str] | None = None) -> Any:
    """Run ``romans``; print an error that the user can correct, such as an unwritable file, as one line on stderr."""
    try:
        return romans.main(arguments, prog_name="romans", standalone_mode=True)
    except ModuleNotFoundError as error:
        if "pip install" in str(error):  # the message says what to install
            _stop(error)
        package = "" if error.name is None else error.name.partition(".")[0]
        if package in _SERVING_PACKAGES:
            _stop(f"serving needs {error.name}; install the extra 'serve' by pip install \"romans-env[serve]\"")
        if package not in _TRAINING_PACKAGES:
            raise
        _stop(f"training needs {error.name}; install the extra 'train' by pip install \"romans-env[train]\"")
    except UserError as error:
        _stop(error)
    except OSError as error:
        _stop(_about_file(error))
    except MemoryError:
        _stop("there is not enough memory for this command")
    except Exception as error:
        from romans_env.core.registration import fault_of_a_game

        if (fault := fault_of_a_game(error)) is None:
            raise
        _stop(fault)


def _stop(why: object) -> NoReturn:
    """Exit with a one-line message, which wraps between words at a terminal."""
    message = f"romans: {why}"
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        message = textwrap.fill(message, width, break_long_words=False, break_on_hyphens=False)
    sys.exit(message)


def _about_file(error: OSError) -> str:
    """Describe an error with a file, such as a full disk, a forbidden folder, or a folder where a file should be."""
    says = error.strerror or str(error)
    return f"cannot use {error.filename}: {says}" if error.filename else f"cannot read or write a file: {says}"


_TRAINING_PACKAGES = {"torch", "stable_baselines3", "sb3_contrib", "tensorboard"}
_SERVING_PACKAGES = {"fastapi", "uvicorn", "pydantic", "starlette"}

if __name__ == "__main__":
    start()
