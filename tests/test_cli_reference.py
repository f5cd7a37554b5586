"""docs/cli.md says what the commands say of themselves, and all of them say something."""

import click
import pytest
from tools.cli_reference import PAGE, commands, options, page

EVERY = dict(commands())


def test_the_page_is_what_would_be_written() -> None:
    """Where it is not: `python -m tests.tools.cli_reference`."""
    assert PAGE.read_text("utf-8") == page()


@pytest.mark.parametrize("path", EVERY)
def test_every_command_and_option_has_its_line(path: str) -> None:
    assert EVERY[path].help
    assert [option.opts for option in options(EVERY[path]) if not option.help] == []


def test_every_command_is_there() -> None:
    assert len(EVERY) > 25
    for path, command in EVERY.items():
        assert f"\n## {path}\n" in page()
        if not isinstance(command, click.Group):
            assert f"](#{path.replace(' ', '-')})" in page()
