"""Every block of Python and of commands in the documentation is run, or says why it is not.

The blocks of a page are run in their order, in one empty folder. The comment before a block may say otherwise:
CONTRIBUTING.md lists its forms. Commands that are not run are compared with what there is: their options are parsed,
the extras that they install and the targets of ``make`` exist. Installations (``pip``, ``make``) are never run.
"""

import ast
import importlib
import importlib.util
import inspect
import re
import sys

import click
import pytest

from romans_env.core import games
from romans_training.cli.main import main, romans
from tests.release.docs.blocks import PAGES, ROOT, Block, blocks_of, looks_like_commands

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

BLOCKS = [block for page in PAGES for block in blocks_of(page)]
CODE = [block for block in BLOCKS if block.language in ("python", "sh")]
RUN = {
    page: own
    for page in PAGES
    if (own := [block for block in CODE if block.page == page and block.reason is None and block.test is None])
}
NEEDED = {
    "docs/training/data.md": "pyarrow",
    **dict.fromkeys(
        ("docs/training/romans_train.md", "docs/start/first_hour.md", "docs/environments/interfaces.md"), "sb3_contrib"
    ),
}
"""What a page's blocks import beyond what the package depends on."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_there_are_blocks():
    assert len(CODE) > 50
    assert len([block for own in RUN.values() for block in own]) > 20


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_blocks_are_marked_and_valid(page):
    """Comments about running have one of the known forms and name tests that exist; options and extras exist."""
    for block in blocks_of(page):
        assert block.language or not looks_like_commands(block), block.place
        if block.language not in ("python", "sh"):
            continue
        if block.mark:
            forms = r"not run: .{8,}|run with( --[a-z-]+ \S+)+|run by tests/\S+\.py"
            assert re.fullmatch(forms, block.mark), block.place
        if block.test:
            assert page.name in (ROOT / block.test).read_text(encoding="utf-8"), block.place
        for place in re.findall(r"\b(?:tests|docs)/[\w/.]*\w", block.reason or ""):
            assert (ROOT / place).exists(), f"{block.place}: {place}"
        if block.language == "python":
            ast.parse(block.text, block.place)
        else:
            for program, *arguments in block.commands():
                CHECKS[program.rpartition("/")[2]](arguments)


@pytest.mark.parametrize("block", [block for block in CODE if ".learn(" in block.text], ids=lambda block: block.place)
def test_a_block_that_learns_keeps_torch_to_one_thread(block):
    """With more, a small network waits for threads that spin: many times slower where other programs run."""
    assert "torch.set_num_threads(1)" in block.text


def romans_command(arguments):
    """The options of ``romans`` are parsed; nothing is called."""
    name, *rest = arguments
    # The game that a reader of docs/project/adding_a_game.md has installed: options are parsed as those of any game.
    games.register_later("tollgate", "romans_env.roma.spec:SPEC")
    try:
        with click.Context(romans, info_name="romans") as context:
            command = romans.get_command(context, name)
            assert command is not None, name
            command.make_context(name, rest, parent=context)
    finally:
        games.unregister("tollgate")


def python_command(arguments):
    """A script or a module, whose source has the options."""
    if arguments[0] == "-m":
        found = importlib.util.find_spec(arguments[1])
        if found is not None and found.submodule_search_locations:
            found = importlib.util.find_spec(f"{arguments[1]}.__main__")
        assert found is not None and found.origin is not None, arguments[1]
        options, source = arguments[2:], found.origin
        if not source.startswith(str(ROOT)):
            return
    else:
        options, source = arguments[1:], str(ROOT / arguments[0])
    with open(source, encoding="utf-8") as file:
        text = file.read()
    text += '"--game"' if "@game_option" in text else ""
    missing = [option for option in options if option.startswith("--") and f'"{option}' not in text]
    assert missing == []


def pip_command(arguments):
    """Extras that are installed exist."""
    assert arguments[0] == "install"
    for name in arguments[1:]:
        extras = re.fullmatch(r"(?:romans-env|\.)\[([\w,]+)\]", name)
        assert extras is None or set(extras[1].split(",")) <= set(PROJECT["optional-dependencies"]), name


def make_command(arguments):
    """Targets of the Makefile exist."""
    for target in arguments:
        assert "=" in target or re.search(rf"^{re.escape(target)}:", MAKEFILE, re.MULTILINE), target


def installed(_arguments):
    """A program that `make setup` installs."""


def torchrun_command(arguments):
    """Its options are parsed, and the command that it starts is checked in its turn."""
    pytest.importorskip("torch", reason="needs torch: pip install '.[train]'")
    from torch.distributed.run import get_args_parser

    parsed = get_args_parser().parse_args(arguments)
    assert parsed.no_python
    CHECKS[parsed.training_script](parsed.training_script_args)


def transformers_command(arguments):
    """The options of its server exist."""
    server = pytest.importorskip("transformers.cli.serve", reason="needs transformers: pip install '.[trl]'").Serve
    options = {option.lstrip("-").replace("-", "_") for option in arguments if option.startswith("-")}
    assert arguments[0] == "serve" and options <= set(inspect.signature(server.__init__).parameters)


CHECKS = {
    "transformers": transformers_command,
    "torchrun": torchrun_command,
    "romans": romans_command,
    "python": python_command,
    "pip": pip_command,
    "make": make_command,
    "ruff": installed,
    "mypy": installed,
    "lint-imports": installed,
}
"""How a command of each program is compared with what there is."""


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch, own_registry):
    place = page.relative_to(ROOT).as_posix()
    if place in NEEDED:
        pytest.importorskip(NEEDED[place], reason=f"needs {NEEDED[place]}")
    monkeypatch.chdir(tmp_path)
    for block in RUN[page]:
        if block.language == "python":
            exec(compile(block.text, block.place, "exec"), {"__name__": "page"})
        else:
            for words in block.commands():
                if words[0] == "romans":
                    run(block, words[1:])
                else:
                    assert words[0] in ("pip", "make"), f"{block.place}: say why it is not run"


def run(block: Block, arguments: list[str]) -> None:
    """Run ``romans`` in this process, with the smaller values of its options."""
    options = [option for parameter in romans.get_command(None, arguments[0]).params for option in parameter.opts]
    for option, value in block.smaller.items():
        if option in arguments:
            arguments[arguments.index(option) + 1] = value
        elif option in options:
            arguments += [option, value]
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 0, f"{block.place}: romans {' '.join(arguments)}"
